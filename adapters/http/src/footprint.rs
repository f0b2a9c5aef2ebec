//! Footprints: the list that partners read, and all records with their verdict.

mod interface;
mod json;
mod publish;
mod record;
mod schema;
mod stream;
mod table;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use ports::Permission;
use ports::inbound::InterfaceList;
use ports::repo::Page;
use serde_json::{Value, json};

use crate::answer::{around_page, is_head, page_schema};
use crate::caller::Caller;
use crate::media::{self, Accepted};
use crate::operation::{Answer, Operation, SchemaOf};
use crate::pact::{LINK, Part, base, next, without_next};
use crate::path::Root;
use crate::problem::{Kind, Problem};
use crate::query::InQuery;
use crate::request_id::RequestId;
use crate::request_part::Ask;
use crate::resource::{self, Resource as _};
use crate::schema::{Components, Side, reference};
use crate::service::Service;
use crate::stream::{Form, answer};
use record::Footprint;
use schema::{PACT, RECORD};
use stream::{OnPage, Valid};

/// The operations on footprints.
pub(crate) fn operations() -> Vec<Operation> {
    let tag = Footprint::LABELS.tag;
    let page = |components: &mut Components| page_schema(&RECORD, components);
    vec![
        Operation::get(Permission::FootprintRead, "/pact/2/footprints", list_footprints)
            .named("list_footprints", tag)
            .does("Every footprint that is valid by PACT's rules for its specVersion; with a limit, part by part.")
            .answers(Answer::ok(SchemaOf::Made(listed)).with_header_at_times("Link", LINK))
            .refused_with(Kind::Gone)
            .refused_with(Kind::Upgrade),
        Operation::get(Permission::FootprintReview, "/v1/footprint", list_all_footprints)
            .named("list_all_footprints", tag)
            .does("All footprints, page by page, by their number; each with the rules of PACT that it breaks.")
            .offering(&[media::JSON, media::CSV, media::XLSX])
            .noting(
                "CSV and workbooks have all of them where no page is asked for, with a column for each field of PACT; of the \
                 rules that one breaks the names.",
            )
            .answers(
                Answer::ok(SchemaOf::Made(page))
                    .or(media::CSV, SchemaOf::Text)
                    .or(media::XLSX, SchemaOf::Text)
                    .with_header_at_times("Content-Disposition", "The name to keep a table under."),
            )
            .refused_with(Kind::Upgrade)
            .refused_with(Kind::Invalid),
        resource::create::<Footprint>()
            .does("Keeps a footprint as it is written, valid or not. Only what cannot be stored is refused."),
        resource::get::<Footprint>()
            .does("One footprint, with the rules of PACT that it breaks.")
            .noting("One that breaks any needs the permission footprint:review."),
        resource::update::<Footprint>()
            .named("amend_footprint", tag)
            .does("Deprecates a footprint, or says more about its status. Nothing else of it can change."),
        publish::operation(),
        resource::remove::<Footprint>().does(
            "Removes a footprint that was never listed, since it breaks a rule. A listed one is deprecated instead.",
        ),
    ]
}

/// The list of valid footprints in the document.
fn listed(components: &mut Components) -> Value {
    let items = reference(&PACT, Side::Answer, components);
    let data = json!({ "type": "array", "items": items, "description": "The footprints, by their number." });
    json!({ "type": "object", "properties": { "data": data }, "required": ["data"] })
}

/// Handles GET of the list that partners read.
async fn list_footprints(
    caller: Caller,
    Ask((InQuery(part),), _): Ask<(InQuery<Part>,)>,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    if let Some(limit) = part.limit {
        let asked = without_next(request.query_string());
        return list_part(&caller, InterfaceList { limit, asked, next: part.next }, &request, &service).await;
    }
    let form = Form { media_type: media::JSON, head: br#"{"data":["#.to_vec(), foot: b"]}".to_vec() };
    if is_head(&request) {
        return Ok(form.head_only());
    }
    let slot = Some(service.stream_slots().take(&caller).await?);
    let valid = Valid::new(service.clone(), caller.caller);
    answer(form, valid, slot, service.settings(), id, &request, Permission::FootprintRead).await
}

/// A part of the list, whole in memory.
async fn list_part(
    caller: &Caller,
    list: InterfaceList,
    request: &HttpRequest,
    service: &Service,
) -> Result<HttpResponse, Problem> {
    let asked = list.asked.clone();
    let page = service.areas().footprints.list_interface(caller, list).await?;
    let mut answer = HttpResponse::Ok();
    if let Some(mark) = page.next {
        let path = format!("{}/pact/2/footprints", base(service, request)?);
        answer.insert_header((header::LINK, next(&path, &asked, &mark)));
    }
    let body = stream::all(page.footprints.iter().map(|stored| &stored.value))?;
    Ok(answer.content_type(media::JSON).insert_header((header::CACHE_CONTROL, "private, no-cache")).body(body))
}

/// Handles GET of all footprints.
async fn list_all_footprints(
    caller: Caller,
    Ask((Root, InQuery(asked)), _): Ask<(Root, InQuery<table::Asked>)>,
    accepted: Accepted,
    id: RequestId,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    if accepted.0 != media::JSON {
        // Such an answer takes as long as a stream may, and so many are made and sent at once.
        let slot = service.stream_slots().take(&caller).await?;
        let table = table::made(&asked, &caller, &service).await?;
        return table::answer(table, (accepted, asked), slot, service.settings(), id, &request).await;
    }
    let page = asked.page.unwrap_or(Page::FIRST);
    if asked.finds_nothing {
        return no_page(page);
    }
    let page = service.areas().footprints.open_page(&caller, page).await?;
    let form = around_page(page.count, page.page)?;
    if is_head(&request) {
        return Ok(form.head_only());
    }
    let needs = Permission::FootprintReview;
    answer(form, OnPage::new(page.records), None, service.settings(), id, &request, needs).await
}

/// The page of the footprints with a syncId: they have none, so nothing is found.
fn no_page(page: Page) -> Result<HttpResponse, Problem> {
    let Form { media_type, mut head, foot } = around_page(0, page)?;
    head.extend(foot);
    Ok(HttpResponse::Ok().content_type(media_type).body(head))
}
