//! The inventory statement of a year: as JSON, as a workbook and as a page to be printed.

mod query;
mod wire;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use files::{ShownStatement, statement_json, statement_page, statement_xlsx};
use ports::inbound::Statement;
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
use wire::STATEMENT;

/// The operation that answers with a statement.
pub(crate) fn operations() -> Vec<Operation> {
    let answer = Answer::ok(SchemaOf::Named(&STATEMENT))
        .or(media::XLSX, SchemaOf::Text)
        .or(media::HTML, SchemaOf::Text)
        .with_header("ETag", "A weak tag of what the statement was made from.")
        .with_header_at_times("Content-Disposition", "The name to keep it under; of JSON and pages none.");
    let statement = Operation::get(Permission::ActivityReport, "/v1/statement", get_statement)
        .offering(&[media::JSON, media::XLSX, media::HTML])
        .named("get_statement", "Activities")
        .does("The inventory statement of a year: the tables that the GHG Protocol's Corporate Standard asks to be reported.")
        .noting(
            "Everything is of one snapshot: its tables agree with the report at the same revision, digit for digit, and beside each \
             figure stand the addresses that give it again with the activities behind it; these need activity:read. What the company \
             has not stated, and what nothing was recorded of, is said. How much came by which source of factors is found by reading \
             the activities of the year one by one.",
        )
        .answers(answer)
        .refused_with(Kind::Invalid);
    vec![statement]
}

/// Handles GET of a statement.
async fn get_statement(
    caller: Caller,
    Ask((conditions, asked), _): Ask<(IfNoneMatchParam, Asked)>,
    accepted: Accepted,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let base = service.base_url(&request)?;
    let query = asked.query(&Addressed::of(&request)?);
    let tag = |revision: Revision| {
        let (epoch, number) = (revision.epoch.to_string(), revision.number.to_string());
        // What the company is called and states, and when its years begin, are settings that no revision tells of.
        let stated = &query.stated;
        let text = |text: Option<&str>| text.map_or_else(String::new, |text| format!("={text}"));
        let company = text(stated.company.as_ref().map(AsRef::as_ref));
        let boundary = text(stated.boundary.as_ref().map(AsRef::as_ref));
        Tag::weak(&[
            "statement",
            &epoch,
            &number,
            accepted.0,
            &query.year_start.to_string(),
            query.company.as_str(),
            &company,
            &boundary,
            stated.consolidation.map_or("", domain::Consolidation::word),
            &base,
            asked.raw(),
            &service.settings().version,
        ])
    };
    if conditions.name_tags() && query.faults.is_empty() {
        let tag = tag(service.areas().activities.revision(&caller).await?);
        if let Some(answer) = conditional_answer(&conditions, &tag)? {
            return Ok(answer);
        }
    }
    // Such an answer takes as long as a stream may, and so many are made at once.
    let slot = service.stream_slots().take(&caller).await?;
    let found = service.areas().statements.statement(&caller, query.clone()).await?;
    drop(slot);
    let tag = tag(found.revision);
    if let Some(answer) = conditional_answer(&conditions, &tag)? {
        return Ok(answer);
    }
    Ok(headed(answer(&asked, accepted, &found, &base)?, &tag))
}

fn answer(asked: &Asked, accepted: Accepted, found: &Statement, base: &str) -> Result<HttpResponse, Problem> {
    let shown = ShownStatement { found, look: asked.look, base };
    let mut answer = HttpResponse::Ok();
    Ok(match accepted.0 {
        media::XLSX => {
            let body = statement_xlsx(shown)?;
            media::named_file(&mut answer, &format!("statement-{}-{}", found.first, found.last), "xlsx");
            answer.content_type(media::XLSX).body(body)
        }
        media::HTML => {
            let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
            answer.insert_header((header::CONTENT_SECURITY_POLICY, policy));
            answer.content_type("text/html; charset=utf-8").body(statement_page(shown))
        }
        _ => answer.content_type(media::JSON).body(written(&statement_json(shown))?),
    })
}
