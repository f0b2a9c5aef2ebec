//! Operations that are to go away: what their answers say beforehand (RFC 9745 and RFC 8594), and for how long.

use std::time::{Duration, SystemTime};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue, HttpDate};
use actix_web::middleware::Next;
use actix_web::web;
use domain::Day;

use crate::operation::Operation;
use crate::service::Service;

/// What users can rely on, for the page.
pub(crate) const POLICY: &str = "An operation that is to go away is deprecated first: every answer of it says \
    `Deprecation: @SECONDS` (RFC 9745: since when), `Sunset: DATE` (RFC 8594: until when it answers) and a `Link` to this \
    text with `rel=\"deprecation\"`; the document marks it `deprecated`, and the list of changes names what takes its place. \
    At least a year lies between both dates. Behind the second the address answers 404. Members, parameters and media types \
    are added without notice, so a client must not mind members that it does not know.";

/// The fewest days from the deprecation of an operation to its end.
const FEWEST_DAYS: i32 = 365;

/// The operations that are deprecated, by what programs call them. There are none.
const DEPRECATED: &[(&str, Deprecation)] = &[];

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Since when an operation is deprecated, and from when on there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deprecation {
    /// The first day, `YYYY-MM-DD`, UTC.
    pub(crate) since: &'static str,
    /// The first day without the operation.
    pub(crate) ends: &'static str,
}

impl Deprecation {
    /// Both days; `None` where one is no day of the calendar, or there is too little time between them.
    pub(crate) fn days(self) -> Option<(Day, Day)> {
        let (since, ends) = (Day::parse(self.since).ok()?, Day::parse(self.ends).ok()?);
        (ends.number() - since.number() >= FEWEST_DAYS).then_some((since, ends))
    }
}

/// The operations, with what the list says of them.
pub(crate) fn marked(operations: Vec<Operation>) -> Vec<Operation> {
    operations.into_iter().map(|one| mark(one, DEPRECATED)).collect()
}

fn mark(mut operation: Operation, list: &[(&str, Deprecation)]) -> Operation {
    let found = list.iter().find(|(id, _)| *id == operation.about.id);
    operation.about.deprecation = found.map(|(_, deprecation)| *deprecation);
    operation
}

/// Adds what an answer of such an operation says, whatever else it is.
pub(crate) async fn tell(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    deprecation: Option<Deprecation>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let mut answer = next.call(request).await?.map_into_boxed_body();
    let Some((since, ends)) = deprecation.and_then(Deprecation::days) else { return Ok(answer) };
    let page = answer.request().app_data::<web::Data<Service>>().and_then(|service| {
        let base = service.base_url(answer.request()).ok()?;
        HeaderValue::from_str(&format!("<{base}/docs#deprecation>; rel=\"deprecation\"; type=\"text/html\"")).ok()
    });
    let ends = HttpDate::from(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds(ends))).to_string();
    let headers = answer.headers_mut();
    headers.insert(DEPRECATION, HeaderValue::from_str(&format!("@{}", seconds(since)))?);
    headers.insert(SUNSET, HeaderValue::from_str(&ends)?);
    if let Some(page) = page {
        headers.append(header::LINK, page);
    }
    Ok(answer)
}

/// The start of the day in seconds since 1970; 0 before that.
fn seconds(day: Day) -> u64 {
    u64::try_from(day.date().midnight().assume_utc().unix_timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use actix_web::{App, HttpResponse, test};

    use super::*;
    use crate::problem::Problem;

    const LIST: [(&str, Deprecation); 1] = [("get_old", Deprecation { since: "2027-01-01", ends: "2028-01-01" })];

    async fn handler() -> Result<HttpResponse, Problem> {
        Ok(HttpResponse::Ok().finish())
    }

    fn operation(id: &str, path: &'static str) -> Operation {
        mark(Operation::public(path, handler).named(id, "Tests"), &LIST)
    }

    #[actix_web::test]
    async fn answers_of_a_deprecated_operation_say_since_when_and_until_when() {
        let app = App::new()
            .route("/old", operation("get_old", "/old").into_route())
            .route("/new", operation("get_new", "/new").into_route());
        let app = test::init_service(app).await;
        for (accept, status) in [("*/*", 200), ("image/png", 406)] {
            let request = test::TestRequest::get().uri("/old").insert_header(("Accept", accept)).to_request();
            let answer = test::call_service(&app, request).await;
            let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
            assert_eq!(answer.status(), status);
            assert_eq!(header("deprecation"), Some("@1798761600"));
            assert_eq!(header("sunset"), Some("Sat, 01 Jan 2028 00:00:00 GMT"));
        }
        let answer = test::call_service(&app, test::TestRequest::get().uri("/new").to_request()).await;
        assert!(!answer.headers().contains_key("deprecation") && !answer.headers().contains_key("sunset"));
    }

    #[actix_web::test]
    async fn the_document_marks_a_deprecated_operation() {
        let operations = [operation("get_old", "/old"), operation("get_new", "/new")];
        let document = crate::document::document(&operations, "1", "/api");
        let old = &document["paths"]["/old"]["get"];
        assert_eq!(old["deprecated"], true);
        let says = old["description"].as_str().unwrap();
        assert!(says.contains("2027-01-01") && says.contains("2028-01-01"), "{says}");
        assert!(document["paths"]["/new"]["get"].get("deprecated").is_none());
    }

    #[actix_web::test]
    async fn no_operation_ends_sooner_than_the_policy_says() {
        assert!(LIST[0].1.days().is_some());
        assert!(Deprecation { since: "2027-01-01", ends: "2027-12-31" }.days().is_none());
        let ids: Vec<_> = crate::routes::table().into_iter().map(|one| one.about.id).collect();
        for (id, deprecation) in DEPRECATED {
            assert!(deprecation.days().is_some(), "{id}: {deprecation:?}");
            assert!(ids.iter().any(|known| known == id), "{id} is no operation");
        }
    }
}
