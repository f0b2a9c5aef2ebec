//! The activity report: what activities add up to, and the activities themselves.

mod ask;
mod rows;
mod wire;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use ports::inbound::ReportView;
use ports::{Permission, Revision};
use utoipa::OpenApi;

use crate::answer::is_head;
use crate::caller::Caller;
use crate::condition::{IfChanged, Tag, Verdict};
use crate::media::{self, Accepted};
use crate::operation::Operation;
use crate::parameter::IfNoneMatchParam;
use crate::problem::{Kind, NotModified, Problem, Streaming};
use crate::query::Query;
use crate::request_id::RequestId;
use crate::service::Service;
use crate::stream::{self, Form};
use ask::{AttributionSchema, Co2eUnit, Question};
use rows::Rows;
use wire::Report;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::get("/v1/activity", get_report).offering(&[media::JSON, media::CSV, media::NDJSON])]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(get_report))]
pub(crate) struct Document;

/// The report of the activities of a period, under filters.
///
/// Needs the permission activity:report; `data`, CSV and NDJSON need activity:read. Without `page` and `pageSize` all
/// activities are given. Totals, count and lists always speak of the whole result set.
#[utoipa::path(
    get,
    path = "/v1/activity",
    tag = "Activities",
    security(("bearer" = [])),
    params(
        ("date" = Option<String>, Query, description = "A day, month or year: YYYY-MM-DD, YYYY-MM or YYYY", example = "2025"),
        ("sd" = Option<String>, Query, description = "The first day: YYYY-MM-DD; not with date", format = Date),
        ("ed" = Option<String>, Query, description = "The last day: YYYY-MM-DD; not with date", format = Date),
        ("org" = Option<Uuid>, Query, description = "Only this org and those below"),
        ("scope" = Option<Uuid>, Query, description = "Only this scope and those below"),
        ("taxonomy" = Option<Uuid>, Query, description = "Only this taxonomy and those below"),
        ("syncId" = Option<String>, Query, description = "Only the activity that another system calls so; needs the permission activity:read"),
        ("list" = Option<Vec<String>>, Query, description = "Which lists to fill: scope, org, taxonomy; all unless given"),
        ("co2eUnit" = inline(Option<Co2eUnit>), Query, description = "The unit of every CO2e; kg unless given"),
        ("attribution" = inline(Option<AttributionSchema>), Query, description = "start: an activity counts on its first day; daily: the same share on every day; start unless given"),
        ("page" = Option<u32>, Query, description = "The number of the page of data, from 1", minimum = 1),
        ("pageSize" = Option<u32>, Query, description = "How many activities a page of data holds; 100 unless given", minimum = 1, maximum = 1000),
        IfNoneMatchParam,
    ),
    responses(
        (
            status = 200,
            description = "The report; as CSV and NDJSON its activities alone",
            content((Report = "application/json"), (String = "text/csv"), (String = "application/x-ndjson")),
            headers(("ETag" = String, description = "A weak tag of what the report was made from")),
        ),
        Streaming,
        NotModified,
    )
)]
async fn get_report(
    caller: Caller,
    query: Query,
    conditions: IfChanged,
    accepted: Accepted,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let question = Question::read(query, accepted);
    let reads = caller.permissions.allows(Permission::ActivityRead);
    let tag = |revision: Revision| {
        let held = if reads { "read" } else { "report" };
        let (epoch, number) = (revision.epoch.to_string(), revision.number.to_string());
        Tag::weak(&[&epoch, &number, held, accepted.0, &question.raw, &service.settings().version])
    };
    // What needs no report is answered without one; `*` needs one, since it says nothing of what is wrong with the query.
    if conditions.name_tags() && question.query.faults.is_empty() {
        let tag = tag(service.areas().activities.revision(&caller).await?);
        if let Some(answer) = conditional_answer(&conditions, &tag)? {
            return Ok(answer);
        }
    }
    let head_only = is_head(&request);
    let slot = if question.is_whole() && reads && !head_only {
        Some(service.stream_slots().take(caller.tenant).await?)
    } else {
        None
    };
    let view = service.areas().activities.report(&caller, question.query.clone()).await?;
    let tag = tag(view.revision);
    if let Some(answer) = conditional_answer(&conditions, &tag)? {
        return Ok(answer);
    }
    let form = form(&question, &view)?;
    let answer = match slot {
        _ if head_only => form.head_only(),
        Some(slot) if view.detailed => {
            let rows = Rows::new(view.rows, question.spelling());
            stream::answer(form, rows, slot, service.limits(), id, &request, Permission::ActivityRead).await?
        }
        Some(_) | None => stream::gathered(form, Rows::new(view.rows, question.spelling()), usize::MAX).await?,
    };
    Ok(headed(answer, &tag))
}

/// The answer in place of a report with that tag, where the conditions do not let it be sent.
fn conditional_answer(conditions: &IfChanged, tag: &Tag) -> Result<Option<HttpResponse>, Problem> {
    match conditions.validate(tag) {
        Verdict::Send => Ok(None),
        Verdict::NotModified => Ok(Some(headed(HttpResponse::NotModified().finish(), tag))),
        Verdict::Stale => Err(Problem::new(Kind::Stale, "A report has a weak tag, which If-Match never matches.")),
    }
}

/// What stands around the activities.
fn form(question: &Question, view: &ReportView) -> Result<Form, Problem> {
    match question.accepted.0 {
        media::CSV => {
            let (shift, shares) = (question.unit.shift(), question.shares());
            let head = files::activity_header(shift, shares).map_err(Problem::internal)?;
            Ok(Form { media_type: "text/csv; charset=utf-8", head, foot: Vec::new() })
        }
        media::NDJSON => Ok(Form { media_type: media::NDJSON, head: Vec::new(), foot: Vec::new() }),
        _ => {
            let mut head = serde_json::to_vec(&Report::of(question, view)).map_err(Problem::internal)?;
            let foot = head.split_off(head.len().saturating_sub(wire::FOOT.len()));
            Ok(Form { media_type: media::JSON, head, foot })
        }
    }
}

/// The answer with the headers of a report.
fn headed(mut answer: HttpResponse, tag: &Tag) -> HttpResponse {
    let headers = answer.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&tag.to_string()) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::VARY, HeaderValue::from_static("Authorization, Accept"));
    answer
}
