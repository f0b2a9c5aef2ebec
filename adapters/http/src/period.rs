//! Closed periods: closing, opening again, the frozen report, and what differs from it.

mod body;
mod restatement;
mod shown;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::ClosedPeriodId;
use ports::Permission;
use ports::inbound::{Done, PeriodView};
use serde_json::{Value, json};

use crate::addressed_tenant::Addressed;
use crate::answer;
use crate::caller::Caller;
use crate::condition::IfNoneMatchParam;
use crate::idempotency::IdempotencyKey;
use crate::media::Accepted;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::page_or_table::{Collection, OFFERS, PageOrTable, answer_list, listed};
use crate::path::PathId;
use crate::problem::{Kind as Problems, Problem};
use crate::query::{InQuery, NoQuery};
use crate::request_part::Ask;
use crate::schema::Components;
use crate::service::Service;
use body::{Closing, Reopening};
use shown::PERIOD;

const TAG: &str = "Periods";

/// The operations on closed periods.
pub(crate) fn operations() -> Vec<Operation> {
    let page = |components: &mut _| answer::page_schema(&PERIOD, components);
    let list = Operation::get(Permission::ActivityReport, "/v1/period", list_periods)
        .named("list_periods", TAG)
        .does("Lists the periods that are closed or were.")
        .noting("As a table all of them are given, unless a page is asked for.")
        .offering(OFFERS)
        .answers(listed(SchemaOf::Made(page)))
        .refused_with(Problems::Invalid);
    let close = Operation::post(Permission::PeriodClose, "/v1/period", close_period)
        .named("close_period", TAG)
        .does("Closes a period for an org and all below it, or for the whole company, and freezes its report.")
        .noting(
            "From then on every write that touches it is refused with 409 `period-closed`: of an activity that has a day \
             in it before or after the write, of orgs, scopes and taxonomies that its activities carry where they are \
             moved or become of another kind, by imports and their undoing and by recalculations.",
        )
        .answers(Answer::json(201, SchemaOf::Named(&PERIOD)).located().tagged())
        .refused_with(Problems::PeriodClosed)
        .refused_with(Problems::Conflict);
    let get = Operation::get(Permission::ActivityReport, "/v1/period/{uuid}", get_period)
        .named("get_period", TAG)
        .does("A closed period: for what, who closed it, when and why, and the digest of its frozen report.")
        .answers(Answer::ok(SchemaOf::Named(&PERIOD)).tagged())
        .refused_with(Problems::NotFound);
    let reopen = Operation::post(Permission::PeriodClose, "/v1/period/{uuid}/reopen", reopen_period)
        .named("reopen_period", TAG)
        .does("Opens a closed period again, for a reason. Its frozen report stays.")
        .answers_with(&PERIOD)
        .refused_with(Problems::NotFound)
        .refused_with(Problems::Conflict);
    let report = Operation::get(Permission::ActivityReport, "/v1/period/{uuid}/report", get_period_report)
        .named("get_period_report", TAG)
        .does("The report of a period as it was frozen when it was closed, byte for byte.")
        .noting("The SHA-256 of the body is the `sha256` of the period.")
        .answers(Answer::ok(SchemaOf::Made(frozen_schema)).tagged())
        .refused_with(Problems::NotFound);
    vec![list, close, get, reopen, report, restatement::operation(), restatement::base_year_operation()]
}

fn frozen_schema(_: &mut Components) -> Value {
    let figures = json!({
        "type": "object",
        "properties": {
            "count": { "type": "integer" },
            "incomplete": { "type": "integer" },
            "co2e": { "type": "string", "format": "decimal" },
            "biogenic": { "type": "string", "format": "decimal" },
            "marketDelta": { "type": "string", "format": "decimal" },
        },
        "required": ["count", "incomplete", "co2e"],
    });
    let nodes = json!({ "type": "array", "items": {
        "type": "object",
        "properties": {
            "id": { "type": "string", "format": "uuid" },
            "name": { "type": "string" },
            "parent": { "type": "string", "format": "uuid" },
        },
        "required": ["id", "name"],
    } });
    let about = json!({
        "type": "object",
        "description": "The days, the org, and the nodes with the names that they had.",
        "properties": {
            "first": { "type": "string", "format": "date" },
            "last": { "type": "string", "format": "date" },
            "org": { "type": "string", "format": "uuid" },
            "scopes": nodes,
            "orgs": nodes,
            "taxonomies": nodes,
        },
        "required": ["first", "last"],
    });
    json!({
        "type": "object",
        "description": "What the activities of each series came to: those that began in the period, each counted wholly, and \
                        those that touch it, each with its share of the days.",
        "properties": { "about": about, "lines": { "type": "array", "items": {
            "type": "object",
            "properties": {
                "scope": { "type": "string", "format": "uuid" },
                "org": { "type": "string", "format": "uuid" },
                "taxonomy": { "type": "string", "format": "uuid" },
                "kind": { "type": "string" },
                "started": figures,
                "spread": figures,
            },
            "required": ["started", "spread"],
        } } },
    })
}

/// Handles GET of the periods.
async fn list_periods(
    caller: Caller,
    Ask((InQuery(asked),), _): Ask<(InQuery<PageOrTable>,)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let periods = &service.areas().periods;
    let id = |view: &PeriodView| view.period.value.id;
    let (asking, of) = ((service.get_ref(), &caller), Collection { name: "periods", shape: &PERIOD });
    answer_list(asked, accepted, asking, of, id, |page| periods.list(&caller, page)).await
}

/// Handles POST of a period that is to be closed.
async fn close_period(
    caller: Caller,
    Ask((key, NoQuery), Closing(mut draft)): Ask<(IdempotencyKey, NoQuery), Closing>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    draft.year_start = Addressed::of(&request).map(|tenant| tenant.year_start).unwrap_or_default();
    let (base, epoch) = (service.base_url(&request)?, caller.epoch);
    let shown = move |view: &PeriodView| {
        let location = format!("{base}/v1/period/{}", view.period.value.id);
        Ok(answer::created(location, (epoch, view.period.version), answer::written(&PERIOD.show(view))?))
    };
    let once = key.once(&caller, &request, shown.clone());
    answer::first(match service.areas().periods.close_once(&caller, draft, once).await? {
        Done::New(view) => shown(&view)?,
        Done::Before(answer) => answer,
    })
}

/// Handles GET of a period.
async fn get_period(
    caller: Caller,
    Ask((PathId(id), conditions, NoQuery), _): Ask<(PathId<ClosedPeriodId>, IfNoneMatchParam, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().periods.get(&caller, id).await?;
    answer::record(&conditions, (caller.epoch, view.period.version), answer::written(&PERIOD.show(&view))?)
}

/// Handles POST of a reason to open a period again.
async fn reopen_period(
    caller: Caller,
    Ask((PathId(id), key, NoQuery), Reopening(draft)): Ask<
        (PathId<ClosedPeriodId>, IdempotencyKey, NoQuery),
        Reopening,
    >,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let shown = |view: &PeriodView| answer::done(&PERIOD.show(view));
    let once = key.once(&caller, &request, shown);
    answer::first(match service.areas().periods.reopen_once(&caller, id, draft, once).await? {
        Done::New(view) => shown(&view)?,
        Done::Before(answer) => answer,
    })
}

/// Handles GET of a frozen report: its canonical text as it is.
async fn get_period_report(
    caller: Caller,
    Ask((PathId(id), conditions, NoQuery), _): Ask<(PathId<ClosedPeriodId>, IfNoneMatchParam, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().periods.get(&caller, id).await?;
    answer::unchanging(&conditions, view.period.value.frozen.text().as_bytes().to_vec())
}
