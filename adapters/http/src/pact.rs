//! PACT as partners read it: the lists of versions 2.3 and 3.0, and single footprints, below `/2` and `/3`.

mod asked;
mod event;
mod link;
mod schema;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::FootprintId;
use domain::footprint::Edition;
use ports::Permission;
use ports::inbound::ShownList;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::media;
use crate::operation::{Answer, Operation, SchemaOf};
use crate::path::PathId;
use crate::problem::{Kind, Problem};
use crate::query::{InQuery, NoQuery};
use crate::request_part::Ask;
use crate::schema::{Components, Named, Side, reference};
use crate::service::Service;
use crate::tenancy::BASE;
pub(crate) use asked::Part;
use asked::{Asked, Filters, V2Filter, V3Filter};
pub(crate) use link::{base, next, without_next};
use schema::{FOOTPRINT_2, FOOTPRINT_3};

const TAG: &str = "PACT";
pub(crate) const LINK: &str =
    "The rest of the list, if there is one, as rel=\"next\". It asks for the same and may be used again.";

/// The operations of both versions.
pub(crate) fn operations() -> Vec<Operation> {
    let list = |operation: Operation, schema| {
        let answer = Answer::ok(SchemaOf::Made(schema)).with_header_at_times("Link", LINK);
        operation.answers(answer)
    };
    let read = Permission::FootprintRead;
    let mut all = event::operations(TAG);
    all.extend([
        list(Operation::get(read, "/2/footprints", list_footprints::<V2Filter>), listed_2)
            .named("list_pact_2_footprints", TAG)
            .does("The footprints that PACT 2.3 shows, by their creation, part by part.")
            .refused_with(Kind::NotImplemented),
        Operation::get(read, "/2/footprints/{uuid}", get_pact_2_footprint)
            .named("get_pact_2_footprint", TAG)
            .does("One footprint in the form of PACT 2.3.")
            .answers(Answer::ok(SchemaOf::Made(one_2))),
        list(Operation::get(read, "/3/footprints", list_footprints::<V3Filter>), listed_3)
            .named("list_pact_3_footprints", TAG)
            .does("The footprints that PACT 3.0 shows, by their creation, part by part."),
        Operation::get(read, "/3/footprints/{uuid}", get_pact_3_footprint)
            .named("get_pact_3_footprint", TAG)
            .does("One footprint in the form of PACT 3.0.")
            .answers(Answer::ok(SchemaOf::Made(one_3))),
    ]);
    all
}

/// The edition whose paths that one is below; none of the service's own paths has such a segment.
pub(crate) fn edition(path: &str) -> Option<Edition> {
    let below = path.strip_prefix(BASE).filter(|rest| rest.starts_with('/'));
    // With several tenants behind one name the address begins with the tenant's.
    let of_tenant = || path.get(1..)?.split_once('/').and_then(|(_, rest)| rest.strip_prefix(&BASE[1..]));
    let segment = below.or_else(of_tenant)?.strip_prefix('/')?.split('/').next()?;
    Edition::ALL.into_iter().find(|edition| edition.segment() == segment)
}

/// Handles GET of a list.
async fn list_footprints<F: Filters>(
    caller: Caller,
    Ask((InQuery(asked),), _): Ask<(InQuery<Asked<F>>,)>,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let base = link::base(&service, &request)?;
    let filter = asked.filter.read()?;
    let text = link::without_next(request.query_string());
    let list = ShownList { edition: F::EDITION, filter, limit: asked.limit, asked: text.clone(), next: asked.next };
    let page = service.areas().footprints.list_shown(&caller, list).await?;
    let mut body = String::from("{\"data\":[");
    for (index, projection) in page.footprints.iter().enumerate() {
        if index > 0 {
            body.push(',');
        }
        pact::write(projection, &mut body);
    }
    body.push_str("]}");
    let mut answer = HttpResponse::Ok();
    if let Some(mark) = page.next {
        let path = format!("{base}/{}/footprints", F::EDITION.segment());
        answer.insert_header((header::LINK, link::next(&path, &text, &mark)));
    }
    Ok(finished(answer, body))
}

/// Handles GET of one footprint of version 2.
async fn get_pact_2_footprint(
    caller: Caller,
    ask: Ask<(PathId<FootprintId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    get(&caller, ask, &service, Edition::V2).await
}

/// Handles GET of one footprint of version 3.
async fn get_pact_3_footprint(
    caller: Caller,
    ask: Ask<(PathId<FootprintId>, NoQuery)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    get(&caller, ask, &service, Edition::V3).await
}

async fn get(
    caller: &Caller,
    Ask((PathId(id), NoQuery), _): Ask<(PathId<FootprintId>, NoQuery)>,
    service: &Service,
    edition: Edition,
) -> Result<HttpResponse, Problem> {
    let projection = service.areas().footprints.get_shown(caller, edition, id).await?;
    let mut body = String::from("{\"data\":");
    pact::write(&projection, &mut body);
    body.push('}');
    Ok(finished(HttpResponse::Ok(), body))
}

fn finished(mut answer: actix_web::HttpResponseBuilder, body: String) -> HttpResponse {
    answer.content_type(media::JSON).insert_header((header::CACHE_CONTROL, "private, no-cache")).body(body)
}

/// A list in the document.
fn list_schema(of: &'static dyn Named, components: &mut Components) -> Value {
    let items = reference(of, Side::Answer, components);
    let data = json!({ "type": "array", "items": items, "description": "The footprints, by their creation." });
    json!({ "type": "object", "properties": { "data": data }, "required": ["data"] })
}

fn one_schema(of: &'static dyn Named, components: &mut Components) -> Value {
    let data = reference(of, Side::Answer, components);
    json!({ "type": "object", "properties": { "data": data }, "required": ["data"] })
}

fn listed_2(components: &mut Components) -> Value {
    list_schema(&FOOTPRINT_2, components)
}

fn listed_3(components: &mut Components) -> Value {
    list_schema(&FOOTPRINT_3, components)
}

fn one_2(components: &mut Components) -> Value {
    one_schema(&FOOTPRINT_2, components)
}

fn one_3(components: &mut Components) -> Value {
    one_schema(&FOOTPRINT_3, components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_2_and_3_is_pact_and_nothing_else() {
        for path in ["/api/2/footprints", "/acme/api/2", "/api/2/", "/api/2/nothing/at/all"] {
            assert_eq!(edition(path), Some(Edition::V2), "{path}");
        }
        assert_eq!(edition("/api/3/events"), Some(Edition::V3));
        for path in
            ["/api/pact/2/footprints", "/api/v1/2", "/2/footprints", "/api/22", "/api2/2", "/api", "/", "", "/a/b/2"]
        {
            assert_eq!(edition(path), None, "{path}");
        }
    }
}
