//! Recalculation: computing activities anew that a later factor completes, or whose factor was corrected.

use actix_web::{HttpResponse, web};
use files::{Json, Members, Reader};
use ports::inbound::{Field, Recalculated, Recalculation, RecalculationOf, RecalculationStep};
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};
use uuid::Uuid;

use crate::answer;
use crate::body::Body;
use crate::caller::Caller;
use crate::operation::Operation;
use crate::problem::{Problem, Writing};
use crate::query::Query;
use crate::service::Service;
use crate::wire::Amount;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::post("/v1/recalculation", recalculate)]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(recalculate))]
pub(crate) struct Document;

/// Which activities to compute anew.
#[derive(ToSchema)]
#[schema(as = RecalculationRequest)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct Asked {
    /// incomplete: those without CO2e; outdated: those computed from a factor that was corrected. incomplete unless given.
    #[schema(example = "incomplete")]
    of: Option<String>,
    /// What the preview answered, to write what it showed; outdated ones are written with it alone.
    confirm: Option<String>,
}

/// What was computed anew, or would be.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Recalculation)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Done {
    /// Which activities it is about.
    #[schema(example = "incomplete")]
    of: &'static str,
    /// Whether nothing was written.
    dry_run: bool,
    /// How many activities there are of that sort.
    activities: u64,
    /// How many of them get another CO2e.
    changed: u64,
    /// What those that change came to before, in kg.
    #[serde(rename = "CO2eBefore")]
    before: Amount,
    /// What they come to, in kg.
    #[serde(rename = "CO2eAfter")]
    after: Amount,
    /// What confirms a preview: to be given back as it is. null when it was written.
    #[schema(required)]
    confirm: Option<String>,
    /// How many activities cannot be computed.
    failures: u64,
    /// The first 1,000 of those, and why.
    errors: Vec<Failure>,
}

/// Why an activity cannot be computed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecalculationFailure)]
pub(crate) struct Failure {
    /// The activity.
    uuid: Uuid,
    /// A sentence for people.
    detail: String,
}

impl Done {
    fn of(of: RecalculationOf, done: Recalculated) -> Self {
        let failure = |(id, detail): (domain::ActivityId, String)| Failure { uuid: id.uuid(), detail };
        Self {
            of: of.as_str(),
            dry_run: done.confirm.is_some(),
            activities: done.activities,
            changed: done.changed,
            before: Amount::of(done.before),
            after: Amount::of(done.after),
            confirm: done.confirm,
            failures: done.failures,
            errors: done.failed.into_iter().map(failure).collect(),
        }
    }
}

fn asked(json: &Json, dry_run: bool) -> Result<Recalculation, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let of = members.text("of", |word| RecalculationOf::parse(word).ok_or("must be incomplete or outdated"));
    let confirm = members.string("confirm").into_option().filter(|_| !dry_run);
    Ok(Recalculation {
        of: if let Field::Given(of) = of { of } else { RecalculationOf::default() },
        step: if dry_run { RecalculationStep::Preview } else { RecalculationStep::Write { confirm } },
        cause: "POST /v1/recalculation".to_owned(),
        faults: members.finish(),
    })
}

/// Computes activities anew: those without CO2e that a factor which came later completes; or those whose factor was
/// corrected, which takes a preview (`dryRun=true`) and its `confirm`. Everything else stays as it is.
///
/// Needs the permission activity:write.
#[utoipa::path(
    post,
    path = "/v1/recalculation",
    tag = "Activities",
    security(("bearer" = [])),
    params(("dryRun" = Option<bool>, Query, description = "true: write nothing, only say what would be; false unless given")),
    request_body = Asked,
    responses((status = 200, description = "What was done, or would be", body = Done), Writing)
)]
pub(crate) async fn recalculate(
    caller: Caller,
    mut query: Query,
    body: Body,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let dry_run = query.read("dryRun", |word| word.parse::<bool>().map_err(|_| "must be true or false"));
    query.finish()?;
    let asked = asked(&body.0, dry_run.unwrap_or_default())?;
    let of = asked.of;
    answer::json(&Done::of(of, service.areas().activities.recalculate(&caller, asked).await?))
}
