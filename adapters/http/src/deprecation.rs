//! Operations that are to go away: what their answers say beforehand (RFC 9745 and RFC 8594), and for how long.

use std::time::{Duration, SystemTime};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue, HttpDate};
use actix_web::middleware::Next;
use actix_web::web;
use domain::Day;

use crate::service::Service;

/// What users can rely on, for the page.
pub(crate) const POLICY: &str = "An operation that is to go away is deprecated first: every answer of it says \
    `Deprecation: @SECONDS` (RFC 9745: since when), `Sunset: DATE` (RFC 8594: until when it answers) and a `Link` to this \
    text with `rel=\"deprecation\"`; the document marks it `deprecated`, and the list of changes names what takes its place. \
    At least a year lies between both dates. Behind the second there is no such operation. Whole operations are marked, not \
    parameters or members one by one. Members, parameters and media types \
    are added without notice, so a client must not mind members that it does not know.";

/// The fewest days from the deprecation of an operation to its end.
const FEWEST_DAYS: i32 = 365;

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

/// Adds what an answer of such an operation says, whatever else it is.
pub(crate) async fn tell(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    deprecation: Option<Deprecation>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let mut answer = next.call(request).await?.map_into_boxed_body();
    let Some((since, ends)) = deprecation.and_then(Deprecation::days) else { return Ok(answer) };
    let service = answer.request().app_data::<web::Data<Service>>();
    let base = service.and_then(|service| service.base_url(answer.request()).ok());
    say(answer.headers_mut(), since, ends, base.as_deref())?;
    Ok(answer)
}

/// Adds both days and, where it is known what the address of the service is, the link to the policy, behind other links.
fn say(headers: &mut HeaderMap, since: Day, ends: Day, base: Option<&str>) -> Result<(), header::InvalidHeaderValue> {
    let ends = HttpDate::from(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds(ends))).to_string();
    headers.insert(DEPRECATION, HeaderValue::from_str(&format!("@{}", seconds(since)))?);
    headers.insert(SUNSET, HeaderValue::from_str(&ends)?);
    if let Some(page) = base.and_then(link) {
        headers.append(header::LINK, page);
    }
    Ok(())
}

/// The link to the policy of the service at that address.
fn link(base: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(&format!("<{base}/docs#deprecation>; rel=\"deprecation\"; type=\"text/html\"")).ok()
}

/// The start of the day in seconds since 1970; 0 before that.
fn seconds(day: Day) -> u64 {
    u64::try_from(day.date().midnight().assume_utc().unix_timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_leads_to_the_policy_on_the_page_and_keeps_its_other_links() {
        let (since, ends) = Deprecation { since: "2027-01-01", ends: "2028-01-01" }.days().unwrap();
        let mut headers = HeaderMap::new();
        headers.insert(header::LINK, HeaderValue::from_static("<?page=2>; rel=\"next\""));
        say(&mut headers, since, ends, Some("https://carbon.example.com/api")).unwrap();
        let links: Vec<_> = headers.get_all(header::LINK).map(|link| link.to_str().unwrap()).collect();
        let policy = "<https://carbon.example.com/api/docs#deprecation>; rel=\"deprecation\"; type=\"text/html\"";
        assert_eq!(links, ["<?page=2>; rel=\"next\"", policy]);
    }
}
