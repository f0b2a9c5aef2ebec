//! The activity report: what activities add up to, and the activities themselves.

pub(crate) mod parameters;
mod query;
mod rows;
mod wire;
mod workbook;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use domain::Attribution;
use files::{Cells, Shares};
use ports::inbound::{ReportQuery, ReportRows, ReportView};
use ports::repo::Side;
use ports::{Permission, Revision};

use crate::answer::{is_head, stale};
use crate::caller::Caller;
use crate::condition::{IfNoneMatchParam, Tag, Verdict};
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::{Kind, Problem};
use crate::request_id::RequestId;
use crate::request_part::Ask;
use crate::service::Service;
use crate::stream::{self, Form};
use query::{Asked, Question};
use rows::{Rows, Spelling};
use wire::{Answered, REPORT};

/// The operations on the activity report.
pub(crate) fn operations() -> Vec<Operation> {
    let answer = Answer::ok(SchemaOf::Named(&REPORT))
        .or(media::CSV, SchemaOf::Text)
        .or(media::NDJSON, SchemaOf::Text)
        .or(media::XLSX, SchemaOf::Text)
        .with_header("ETag", "A weak tag of what the report was made from.")
        .with_header_at_times("Content-Disposition", "The name to keep it under; of JSON none.")
        .with_header_at_times(
            "Link",
            "The addresses of the activities behind those of this page, `rel=\"next\"`, and before them, `rel=\"prev\"`, where \
             there are more.",
        );
    let report = Operation::get(Permission::ActivityReport, "/v1/activity", get_report)
        .offering(&[media::JSON, media::CSV, media::NDJSON, media::XLSX])
        .named("get_report", "Activities")
        .does("The report of the activities of a period, under filters.")
        .noting(
            "`data`, CSV, NDJSON and workbooks need the permission activity:read. Without `page`, `pageSize`, `after`, `before` and \
             `limit` all activities are given. Whoever follows `Link` from page to page, in either direction, gets each \
             activity once, and waits for a late page no longer than for the first. `data` is in order of day, then uuid, \
             whichever way one goes. Totals, count and lists always speak of the whole result set. `product`, `name`, \
             `updatedSince`, `incomplete` and `uncategorized` are answered by reading the activities of the period one by \
             one, in their order; `name` and `updatedSince` need the permission activity:read.",
        )
        .answers(answer)
        .refused_with(Kind::Upgrade)
        .refused_with(Kind::Invalid);
    vec![report]
}

/// Handles GET of the report.
async fn get_report(
    caller: Caller,
    Ask((conditions, asked), _): Ask<(IfNoneMatchParam, Asked)>,
    accepted: Accepted,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let question = asked.question(accepted);
    let reads = service.areas().access.check(&caller, Permission::ActivityRead).is_ok();
    let tag = |revision: Revision| {
        let held = if reads { "read" } else { "report" };
        let (epoch, number) = (revision.epoch.to_string(), revision.number.to_string());
        Tag::weak(&[&epoch, &number, held, accepted.0, &question.raw, &service.settings().version])
    };
    // What needs no report is answered without one; `*` needs one, since the use case finds more that is wrong.
    if conditions.name_tags() && question.query.faults.is_empty() {
        let tag = tag(service.areas().activities.revision(&caller).await?);
        if let Some(answer) = conditional_answer(&conditions, &tag)? {
            return Ok(answer);
        }
    }
    let head_only = is_head(&request);
    let slot = if (question.is_whole() && reads && !head_only) || question.takes_long() {
        Some(service.stream_slots().take(&caller).await?)
    } else {
        None
    };
    let view = service.areas().activities.report(&caller, question.query.clone()).await?;
    let tag = tag(view.revision);
    if let Some(answer) = conditional_answer(&conditions, &tag)? {
        return Ok(answer);
    }
    let link = if view.next.is_some() || view.previous.is_some() {
        links(&question, &view, &service.base_url(&request)?)
    } else {
        None
    };
    let answered = Answered { question, view };
    let form = form(&answered)?;
    let Answered { question, view } = answered;
    let mut answer = match slot {
        _ if head_only => form.head_only(),
        slot if accepted.0 == media::XLSX => {
            workbook::answer(&question, view, slot, service.settings(), id, &request).await?
        }
        Some(slot) if view.detailed => {
            let rows = Rows::new(view.rows, question.spelling());
            stream::answer(form, rows, Some(slot), service.settings(), id, &request, Permission::ActivityRead).await?
        }
        Some(_) | None => stream::gathered(form, Rows::new(view.rows, question.spelling()), usize::MAX).await?,
    };
    if let Some(ending) = ending(accepted.0) {
        let name = format!("attachment; filename=\"activities.{ending}\"");
        let name = HeaderValue::from_str(&name).map_err(Problem::internal)?;
        answer.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    }
    let mut answer = headed(answer, &tag);
    if let Some(link) = link {
        answer.headers_mut().insert(header::LINK, HeaderValue::from_str(&link).map_err(Problem::internal)?);
    }
    Ok(answer)
}

/// The activities of a report as a file of CSV, as the API gives them: all of them, in constant memory.
pub(crate) async fn activities_csv(request: &HttpRequest, query: ReportQuery) -> Result<HttpResponse, Problem> {
    let service = request.app_data::<web::Data<Service>>();
    let service = service.ok_or_else(|| Problem::internal("the service is not configured"))?;
    let caller = request.extensions().get::<Caller>().cloned();
    let caller = caller.ok_or_else(|| Problem::internal("nobody is known to ask"))?;
    let id = request.extensions().get::<RequestId>().cloned().unwrap_or_else(RequestId::new);
    let shares = match query.attribution {
        Attribution::Start => Shares::Hidden,
        Attribution::Daily => Shares::Shown,
    };
    let slot = service.stream_slots().take(&caller).await?;
    let view = service.areas().activities.report(&caller, ReportQuery { rows: ReportRows::All, ..query }).await?;
    let head = files::activity_header(0, shares).map_err(Problem::internal)?;
    let form = Form { media_type: "text/csv; charset=utf-8", head, foot: Vec::new() };
    let spelling = Spelling { form: rows::Form::Csv, shift: 0, shares, cells: Cells::Verbatim };
    let rows = Rows::new(view.rows, spelling);
    let settings = service.settings();
    let mut answer = stream::answer(form, rows, Some(slot), settings, id, request, Permission::ActivityRead).await?;
    let name = HeaderValue::from_static("attachment; filename=\"activities.csv\"");
    answer.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(answer)
}

/// How the name of a file with such an answer ends; JSON is no file.
fn ending(media: &str) -> Option<&'static str> {
    match media {
        media::CSV => Some("csv"),
        media::NDJSON => Some("ndjson"),
        media::XLSX => Some("xlsx"),
        _ => None,
    }
}

/// Where the activities behind and before those of the page are, if there are any.
fn links(question: &Question, view: &ReportView, base: &str) -> Option<String> {
    let sides = [(view.next.map(|place| Side::After(Some(place))), "next"), (view.previous.map(Side::Before), "prev")];
    let link = |(side, relation): (Option<Side>, _)| {
        Some(format!("<{base}/v1/activity?{}>; rel=\"{relation}\"", question.beside(side?)?))
    };
    let links: Vec<String> = sides.into_iter().filter_map(link).collect();
    (!links.is_empty()).then(|| links.join(", "))
}

/// The answer in place of a report with that tag, where the conditions do not let it be sent.
pub(crate) fn conditional_answer(conditions: &IfNoneMatchParam, tag: &Tag) -> Result<Option<HttpResponse>, Problem> {
    match conditions.validate(tag) {
        Verdict::Send => Ok(None),
        Verdict::NotModified => Ok(Some(headed(HttpResponse::NotModified().finish(), tag))),
        Verdict::Stale => Err(stale("A report has a weak tag, which If-Match never matches.", tag)),
    }
}

/// The media type of a report, and its bytes before and behind the activities.
fn form(answered: &Answered) -> Result<Form, Problem> {
    let question = &answered.question;
    match question.accepted.0 {
        media::CSV => {
            let (shift, shares) = (question.unit.shift(), question.shares());
            let mut head = question.mark.bytes().to_vec();
            head.extend(files::activity_header(shift, shares).map_err(Problem::internal)?);
            Ok(Form { media_type: "text/csv; charset=utf-8", head, foot: Vec::new() })
        }
        media::NDJSON => Ok(Form { media_type: media::NDJSON, head: Vec::new(), foot: Vec::new() }),
        media::XLSX => Ok(Form { media_type: media::XLSX, head: Vec::new(), foot: Vec::new() }),
        _ => {
            let mut head = Vec::with_capacity(answered.length());
            REPORT.write(answered, &mut head).map_err(Problem::internal)?;
            let foot = head.split_off(head.len().saturating_sub(wire::FOOT.len()));
            Ok(Form { media_type: media::JSON, head, foot })
        }
    }
}

/// The answer with the headers of a report.
pub(crate) fn headed(mut answer: HttpResponse, tag: &Tag) -> HttpResponse {
    let headers = answer.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&tag.to_string()) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Authorization, Accept"));
    answer
}
