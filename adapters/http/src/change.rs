//! What changed, in order: for programs that keep up with it.

mod blank;
mod record_rows;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use files::{ByteOrderMark, Cells, Json};
use ports::inbound::{ChangeMark, ChangePage, ChangeView};
use ports::{Permission, RecordKind, Verb};
use uuid::Uuid;

use crate::answer;
use crate::answer_value::{list, number, text};
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Operation, SchemaOf};
use crate::page_or_table::{OFFERS, listed};
use crate::problem::{Kind as Problems, Problem};
use crate::query::{InQuery, Queried, Query, size};
use crate::report::parameters::{BOM, CELLS, cells, mark};
use crate::request_part::{Ask, Parameter};
use crate::resource::tabled;
use crate::schema::Kind;
use crate::service::Service;
use crate::shape::{Member, Shape};
use record_rows::record_rows;

/// The operations on changes.
pub(crate) fn operations() -> Vec<Operation> {
    let answer = listed(SchemaOf::Named(&PAGE)).with_header_at_times(
        "Link",
        "The address of the changes behind these, `rel=\"next\"`: of JSON where there are any by now, of a table always, since a \
         table has no `next`.",
    );
    let changes = Operation::get(Permission::ActivityRead, "/v1/change", list_changes)
        .named("list_changes", "Changes")
        .does("What changed, in order: who, when, what for, which records.")
        .noting(
            "Keep `next` and ask with it as `after` for what came later; nothing is missed and nothing comes twice. Records \
             of kinds that the credentials may not read are left out. A large change goes on in the next answer. 410: the \
             place is one of a history that is no more, as before a restore; read all records anew and go on from the place \
             that `detail` names. A table has the same changes with a row for each of their records; its `Link` has the place \
             behind them, also where there are no more by now: keep it and ask there for what came later.",
        )
        .offering(OFFERS)
        .answers(answer)
        .refused_with(Problems::Gone);
    vec![changes, blank::operation()]
}

/// Which changes are asked for.
struct Asked {
    after: Option<ChangeMark>,
    limit: u32,
    /// How the cells of CSV are written.
    cells: Cells,
    /// Whether CSV begins with a byte-order mark.
    mark: ByteOrderMark,
}

/// How many changes are listed unless more or fewer are asked for.
const LISTED: u32 = 100;

impl Queried for Asked {
    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::query(
                "after",
                Kind::Text(1, 100),
                "The place to begin behind, as `next` of an answer gave it; the \
             first change unless given.",
            ),
            Parameter::query("limit", Kind::Integer(1, 1_000), "How many changes there are at most; 100 unless given."),
            CELLS,
            BOM,
        ]
    }

    fn take(query: &mut Query) -> Self {
        let after = query.read("after", str::parse);
        let limit = query.read("limit", size).unwrap_or(LISTED);
        Self { after, limit, cells: cells(query), mark: mark(query) }
    }
}

static PAGE: Shape<ChangePage, ()> = Shape {
    name: "ChangePage",
    doc: "Changes, in order.",
    members: &[
        Member::<ChangePage, ()>::new("newest", Kind::Text(38, 100), "The place of the newest change there is.")
            .shown(|page| text(format_args!("{}.{}", page.newest.epoch, page.newest.number))),
        Member::<ChangePage, ()>::new("next", Kind::Text(38, 100), "The place behind these changes, to go on from.")
            .shown(|page| text(page.next)),
        Member::<ChangePage, ()>::new("data", Kind::List(&Kind::Object(&CHANGE), 1_000), "The changes.")
            .shown(|page| list(&page.changes, |change| CHANGE.show(change))),
    ],
};

type Shown = Member<ChangeView, ()>;

static CHANGE: Shape<ChangeView, ()> = Shape {
    name: "Change",
    doc: "A change: what one transaction wrote.",
    members: &[
        Shown::new("number", Kind::Integer(1, i64::MAX), "Its number, which is the version of what it wrote.")
            .shown(|view| number(view.change.number)),
        Shown::new("at", Kind::Time, "When it was made.").shown(|view| text(view.change.at)),
        Shown::new("actor", Kind::Text(1, 255), "Who made it.").shown(|view| text(&view.change.actor)),
        Shown::new("cause", Kind::Text(1, 10_000), "What for: a request, a command, an import.")
            .shown(|view| text(&view.change.cause)),
        Shown::new("records", Kind::List(&Kind::Object(&RECORD), 20_000), "What it did to records, in order.")
            .shown(|view| list(&view.records, |record| RECORD.show(record))),
        Shown::new("goesOn", Kind::Flag, "Whether the next answer has more of its records.")
            .shown(|view| Json::Bool(view.goes_on)),
    ],
};

type Record = (RecordKind, Uuid, Verb);

static RECORD: Shape<Record, ()> = Shape {
    name: "ChangedRecord",
    doc: "What a change did to a record.",
    members: &[
        Member::<Record, ()>::new("kind", Kind::Word(kinds), "What the record is.").shown(|record| text(record.0)),
        Member::<Record, ()>::new("uuid", Kind::Uuid, "The record.").shown(|record| text(record.1)),
        Member::<Record, ()>::new("verb", Kind::Word(verbs), "What was done with it.")
            .shown(|record| text(record.2.as_str())),
    ],
};

fn kinds() -> Vec<&'static str> {
    RecordKind::ALL.iter().map(|kind| kind.as_str()).collect()
}

fn verbs() -> Vec<&'static str> {
    Verb::ALL.iter().map(|verb| verb.as_str()).collect()
}

/// Handles GET of the changes.
async fn list_changes(
    caller: Caller,
    Ask((InQuery(Asked { after, limit, cells, mark }),), _): Ask<(InQuery<Asked>,)>,
    accepted: Accepted,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let page = service.areas().histories.changes(&caller, after, limit).await?;
    let is_table = accepted.0 != media::JSON;
    let mut answer =
        if is_table { tabled(&record_rows(&page), accepted, cells, mark)? } else { answer::ok(&PAGE.show(&page))? };
    // A table has no other place for where to go on.
    if is_table || page.has_more {
        let base = service.base_url(&request)?;
        let look = look(cells, mark);
        let link = format!("<{base}/v1/change?after={}&limit={limit}{look}>; rel=\"next\"", page.next);
        answer.headers_mut().insert(header::LINK, HeaderValue::from_str(&link).map_err(Problem::internal)?);
    }
    Ok(answer)
}

/// What a query goes on with for a table that is written so.
fn look(cells: Cells, mark: ByteOrderMark) -> String {
    let cells = match cells {
        Cells::Verbatim => "",
        Cells::Text => "&cells=text",
    };
    let mark = match mark {
        ByteOrderMark::Absent => "",
        ByteOrderMark::Written => "&bom=true",
    };
    format!("{cells}{mark}")
}
