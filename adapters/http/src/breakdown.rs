//! The report broken down: a table of what activities add up to, in every form that tables have.

mod line;
pub(crate) mod query;
mod wire;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use files::{breakdown_json, breakdown_lines, breakdown_page, breakdown_sheet, breakdown_table, table_csv, table_xlsx};
use ports::inbound::Breakdown;
use ports::{Permission, Revision};

use crate::addressed_tenant::Addressed;
use crate::answer::written;
use crate::caller::Caller;
use crate::condition::{IfNoneMatchParam, Tag};
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::problem::{Kind, Problem};
use crate::report::{conditional_answer, headed};
use crate::request_part::Ask;
use crate::service::Service;
use query::Asked;
use wire::BREAKDOWN;

/// The operations on the report that is broken down.
pub(crate) fn operations() -> Vec<Operation> {
    let answer = Answer::ok(SchemaOf::Named(&BREAKDOWN))
        .or(media::CSV, SchemaOf::Text)
        .or(media::NDJSON, SchemaOf::Text)
        .or(media::XLSX, SchemaOf::Text)
        .or(media::HTML, SchemaOf::Text)
        .with_header("ETag", "A weak tag of what the report was made from.")
        .with_header_at_times("Content-Disposition", "The name to keep it under; of JSON and pages none.");
    let report = Operation::get(Permission::ActivityReport, "/v1/report", get_breakdown)
        .offering(&[media::JSON, media::CSV, media::NDJSON, media::XLSX, media::HTML])
        .named("get_breakdown", "Activities")
        .does("The report of the activities of a period, broken down into rows that add up to it.")
        .noting(
            "Rows add up to the totals in every figure, to the digit, unless `round` is given; under `attribution=daily` an \
             activity is counted in each stretch of time that it touches. `by=product`, `product`, `name`, `updatedSince`, \
             `incomplete` and `uncategorized` are answered by reading the activities of the period one by one; everything \
             else from sums that are at hand. `name` and `updatedSince` need the permission activity:read. CSV and NDJSON \
             are the rows alone.",
        )
        .answers(answer)
        .refused_with(Kind::Invalid);
    vec![report, line::operation()]
}

/// Handles GET of the report.
async fn get_breakdown(
    caller: Caller,
    Ask((conditions, asked), _): Ask<(IfNoneMatchParam, Asked)>,
    accepted: Accepted,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    // A key that may read less may be refused what it was given before.
    let reads = service.areas().access.check(&caller, Permission::ActivityRead).is_ok();
    let company = Addressed::of(&request)?.name;
    let tag = |revision: Revision| {
        let held = if reads { "read" } else { "report" };
        let (epoch, number) = (revision.epoch.to_string(), revision.number.to_string());
        // Which years are meant is a setting that no revision tells of; nor does one tell of the company's name.
        let year = asked.query.year.to_string();
        Tag::weak(&[
            "report",
            &epoch,
            &number,
            held,
            accepted.0,
            &year,
            company.as_str(),
            asked.raw(),
            &service.settings().version,
        ])
    };
    if conditions.name_tags() && asked.query.faults.is_empty() {
        let tag = tag(service.areas().activities.revision(&caller).await?);
        if let Some(answer) = conditional_answer(&conditions, &tag)? {
            return Ok(answer);
        }
    }
    // Such an answer takes as long as a stream may, and so many are made at once.
    let slot = if asked.takes_long() { Some(service.stream_slots().take(&caller).await?) } else { None };
    let found = service.areas().breakdowns.breakdown(&caller, asked.query.clone()).await?;
    drop(slot);
    let tag = tag(found.revision);
    if let Some(answer) = conditional_answer(&conditions, &tag)? {
        return Ok(answer);
    }
    Ok(headed(answer(&asked, accepted, &found, &request)?, &tag))
}

fn answer(
    asked: &Asked,
    accepted: Accepted,
    found: &Breakdown,
    request: &HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut answer = HttpResponse::Ok();
    let name = asked.file_name();
    Ok(match accepted.0 {
        media::CSV => {
            let table = breakdown_table(found, asked.look);
            let body = table_csv(&table, asked.cells, asked.mark).map_err(Problem::internal)?;
            media::named_file(&mut answer, &name, "csv");
            answer.content_type("text/csv; charset=utf-8").body(body)
        }
        media::NDJSON => {
            media::named_file(&mut answer, &name, "ndjson");
            answer.content_type(media::NDJSON).body(breakdown_lines(found, asked.look))
        }
        media::XLSX => {
            let body = table_xlsx(&breakdown_sheet(found, asked.look))?;
            media::named_file(&mut answer, &name, "xlsx");
            answer.content_type(media::XLSX).body(body)
        }
        media::HTML => {
            let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
            answer.insert_header((header::CONTENT_SECURITY_POLICY, policy));
            let page = breakdown_page(found, asked.look, &format!("Emissions of {}", Addressed::of(request)?.name));
            answer.content_type("text/html; charset=utf-8").body(page)
        }
        _ => {
            let body = written(&breakdown_json(found, asked.look, request.query_string()))?;
            answer.content_type(media::JSON).body(body)
        }
    })
}
