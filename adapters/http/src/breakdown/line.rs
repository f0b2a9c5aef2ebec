//! Which activities a line of the report is made of.

use actix_web::{HttpRequest, HttpResponse, web};
use domain::FaultCode;
use files::{breakdown_line_json, breakdown_line_text};
use ports::Permission;
use ports::repo::Page;

use super::query::{Asked, fiscal};
use super::wire::LINE;
use crate::answer;
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::{HeadFaults, Kind as Problems, Problem};
use crate::query::{PAGING, Query};
use crate::request_part::{Ask, Parameter, Part};
use crate::schema::Kind;
use crate::service::Service;

/// The operation that explains a line.
pub(super) fn operation() -> Operation {
    Operation::get(Permission::ActivityRead, "/v1/report/explanation", explain_line)
        .offering(&[media::JSON, media::TEXT])
        .named("explain_report_line", "Activities")
        .does("Which activities a line of the report is made of, added up again one by one.")
        .noting(
            "Takes the parameters of `GET /v1/report` that choose activities, and `line`. The activities of the line are read one by one, whatever the \
             page; `agrees` says whether they come to what the report says, digit for digit.",
        )
        .answers(Answer::ok(SchemaOf::Named(&LINE)).or(media::TEXT, SchemaOf::Text))
        .refused_with(Problems::Invalid)
}

/// Parameters of a report that say something of its rows and its tables alone.
const OF_ROWS: [&str; 4] = ["compare", "shares", "cells", "bom"];

/// What a query asks for.
struct AskedLine {
    asked: Asked,
    line: Option<String>,
    page: Page,
}

impl Part for AskedLine {
    fn parameters() -> Vec<Parameter> {
        let line = Parameter::query(
            "line",
            Kind::Text(1, 200),
            "The row: for each word of `by`, in its order, the uuid of the record, the name of the stretch of time as the \
             report has it, or `none`, with a comma between them. The whole report unless given.",
        );
        let asked = Asked::parameters().into_iter().filter(|parameter| !OF_ROWS.contains(&parameter.name));
        asked.chain([line]).chain(PAGING).collect()
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let fiscal = fiscal(request);
        let take = |query: &mut Query| {
            for name in OF_ROWS.into_iter().filter(|name| query.has(name)).collect::<Vec<_>>() {
                query.take_all(&[name]);
                query.fault(
                    FaultCode::Unknown,
                    name,
                    "says how rows of a report are shown; a line's activities have none of it",
                );
            }
            let (line, page) = (query.take("line"), query.page());
            Self { asked: Asked::take(query, fiscal), line, page }
        };
        Some(Query::read_on(request, faults, take, |found, wrong| found.asked.query.faults = wrong))
    }
}

/// Handles GET of a line's explanation.
async fn explain_line(
    caller: Caller,
    Ask((AskedLine { asked, line, page },), _): Ask<(AskedLine,)>,
    accepted: Accepted,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    // Such an answer takes as long as a stream may, and so many are made at once.
    let slot = service.stream_slots().take(&caller).await?;
    let found = service.areas().breakdowns.line(&caller, asked.query.clone(), line, page).await?;
    drop(slot);
    if accepted.0 == media::TEXT {
        let body = breakdown_line_text(&found, asked.look);
        return Ok(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(body));
    }
    let base = service.base_url(&request)?;
    let address = |id| format!("{base}/v1/activity/{id}/explanation");
    answer::ok(&breakdown_line_json(&found, asked.look, &address))
}
