//! What is missing in a period: activities without CO2e, months without data, scopes and categories without activities.

mod wire;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Day, FaultCode, Faults, Period, parse_uuid};
use files::{ByteOrderMark, Cells, completeness_table};
use ports::Permission;
use ports::inbound::CompletenessQuery;

use crate::answer;
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::{HeadFaults, Problem};
use crate::query::Query;
use crate::request_part::{Ask, Parameter, Part};
use crate::resource::tabled;
use crate::schema::Kind;
use crate::service::Service;
use wire::COMPLETENESS;

/// The operation that says what is missing.
pub(crate) fn operations() -> Vec<Operation> {
    let get = Operation::get(Permission::ActivityReport, "/v1/completeness", get_completeness)
        .named("get_completeness", "Activities")
        .does("What is missing in a period: activities without CO2e, months without data, scopes and categories without activities.")
        .noting(
            "Months and activities are counted in sums that are at hand; for the reasons, the activities of the period without \
             CO2e are read, and no others; an answer counts as one of the streams that run at once. Single activities are named to who has the permission activity:read. A table has \
             a row for each finding: `incomplete`, `activity`, `month`, `coverage`, `exclusion`.",
        )
        .offering(&[media::JSON, media::CSV, media::XLSX])
        .answers(
            Answer::ok(SchemaOf::Named(&COMPLETENESS))
                .or(media::CSV, SchemaOf::Text)
                .or(media::XLSX, SchemaOf::Text)
                .with_header_at_times("Content-Disposition", "The name to keep a table under."),
        );
    vec![get]
}

/// What a query asks for.
struct Asked(CompletenessQuery);

impl Part for Asked {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        vec![
            query(
                "year",
                Kind::Text(4, 4),
                "The calendar year, YYYY; that of the last activity unless it or sd and ed are given.",
            ),
            query("sd", Kind::Date, "The first day: YYYY-MM-DD; with ed, not with year."),
            query("ed", Kind::Date, "The last day: YYYY-MM-DD; with sd, not with year. At most ten years."),
            query("org", Kind::Uuid, "Only this org and those below."),
        ]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        Some(Query::read_on(request, faults, Self::take, |asked, found| asked.0.faults = found))
    }
}

impl Asked {
    fn take(query: &mut Query) -> Self {
        let has_days = query.has("sd") || query.has("ed");
        let read = |text: &str| match text.len() {
            4 => Period::parse(text).map_err(|_| "is not a year, YYYY"),
            _ => Err("is not a year, YYYY"),
        };
        let is_both = query.has("year") && has_days;
        let year = query.read("year", read);
        if is_both {
            query.fault(FaultCode::Mismatch, "year", "goes without sd and ed; give either the year or its days");
        }
        let (sd, ed) = (query.read("sd", Day::parse), query.read("ed", Day::parse));
        let first = year.and_then(Period::first).or(sd);
        let last = year.and_then(Period::last).or(ed);
        let org = query.read("org", parse_uuid);
        Self(CompletenessQuery { first, last, org, without_reasons: false, faults: Faults::new() })
    }
}

/// Handles GET of what is missing.
async fn get_completeness(
    caller: Caller,
    Ask((Asked(query),), _): Ask<(Asked,)>,
    accepted: Accepted,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    // Where many activities have no CO2e, reading them for the reasons takes long.
    let slot = service.stream_slots().take(&caller).await?;
    let view = service.areas().completeness.completeness(&caller, query).await?;
    drop(slot);
    if accepted.0 != media::JSON {
        return tabled(&completeness_table(&view), accepted, Cells::Verbatim, ByteOrderMark::Absent);
    }
    answer::ok(&COMPLETENESS.show(&view))
}
