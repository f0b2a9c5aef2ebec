//! What stands around a request, for pages that another crate serves beside the API: whose address it is, who sent it and
//! under which id, how it may fail, places for streams, lists read whole, and the log of security events. Pages know nothing else of
//! this crate.

mod mount;

use std::borrow::Cow;
use std::hash::Hash;
use std::net::IpAddr;
use std::time::{Duration, Instant};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use domain::{StatementSettings, YearStart};
use ports::TenantId;
use ports::inbound::{Error, ReportQuery};
use ports::repo::{Listing, Page};
use uuid::Uuid;

use crate::addressed_tenant::Addressed;
use crate::body;
use crate::caller::Caller;
use crate::measure::KnownCaller;
use crate::request_id::RequestId;
use crate::request_rates::Exceeded;
use crate::security_log::Told;
use crate::service::Limits;

pub use crate::credential_watch::{Standing, watch};
pub use crate::failure::Failure;
pub use crate::pages::{Pages, Refusal};
pub use crate::security_log::SecurityEvent;
pub use crate::service::{Areas, Service};
pub use crate::stream_slots::StreamSlot;
pub(crate) use mount::mount;

/// The company whose address a request is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Company {
    /// Identifies it.
    pub id: TenantId,
    /// Its word in addresses.
    pub slug: String,
    /// What it is called.
    pub name: String,
    /// The epoch that versions of its records and credentials belong to.
    pub epoch: Uuid,
    /// The day on which its fiscal years begin.
    pub year_start: YearStart,
    /// What it states for its inventory statements.
    pub stated: StatementSettings,
}

/// The company that was found for the request.
pub fn company(request: &HttpRequest) -> Result<Company, Failure> {
    let Addressed { id, slug, epoch, year_start, name, statement } = Addressed::of(request)?;
    Ok(Company { id, slug: slug.to_string(), name: name.as_str().to_owned(), epoch, year_start, stated: statement })
}

/// All of a request's body, of so many bytes at most, within the time that bodies may take.
pub async fn body(request: &HttpRequest, payload: Payload, most: usize) -> Result<Bytes, Failure> {
    let limits = request.app_data::<web::Data<Service>>().map(|service| service.limits().clone()).unwrap_or_default();
    Ok(body::collect(payload, &Limits { body_bytes: most, ..limits }).await?)
}

/// The id that answers and the log name the request by.
#[must_use]
pub fn request_id(request: &HttpRequest) -> String {
    request.extensions().get::<RequestId>().map_or_else(String::new, |id| id.as_str().to_owned())
}

/// What the paths of the company's pages begin with: nothing, or `/{tenant}` in path mode.
pub fn pages_path(request: &HttpRequest) -> Result<String, Failure> {
    let service = service(request)?;
    Ok(service.settings().tenancy.pages_path(Addressed::of(request)?.slug.as_str()))
}

/// The company's address, without a slash at its end: what pages are at.
pub fn pages_url(request: &HttpRequest) -> Result<String, Failure> {
    let base = service(request)?.base_url(request)?;
    Ok(base.strip_suffix(crate::tenancy::BASE).unwrap_or(&base).to_owned())
}

/// The base address of the company's API.
pub fn api_url(request: &HttpRequest) -> Result<String, Failure> {
    Ok(service(request)?.base_url(request)?)
}

/// The host, with its port, that the client sent the request to: as a trusted proxy says, else as the request says.
#[must_use]
pub fn host(request: &HttpRequest) -> Option<String> {
    let named = service(request).ok().and_then(|service| service.named_host(request));
    named.or_else(|| request.headers().get(header::HOST)?.to_str().ok().map(str::to_owned))
}

/// Whether the client reaches the company's address by https, as far as is known.
#[must_use]
pub fn is_secure(request: &HttpRequest) -> bool {
    pages_url(request).is_ok_and(|url| url.starts_with("https://"))
}

/// How long the body of a request may take.
#[must_use]
pub fn body_time(request: &HttpRequest) -> Duration {
    service(request).map(|service| service.limits().body).unwrap_or_default()
}

/// Whether whoever sent the request reads pages, as browsers do: programs are told nothing of them.
#[must_use]
pub fn reads_pages(request: &HttpRequest) -> bool {
    crate::pages::reads_pages(request.headers())
}

/// The address that the request was sent from, seen past trusted proxies; `None` where there are no addresses.
#[must_use]
pub fn sender(request: &HttpRequest) -> Option<IpAddr> {
    service(request).ok()?.sender(request)
}

/// The address, or of IPv6 the network of 64 bits, that failed sign-ins are counted by.
#[must_use]
pub fn source(request: &HttpRequest) -> String {
    sender(request).map(crate::forwarded::source).map_or_else(|| "unknown".to_owned(), |source| source.to_string())
}

/// The version of the service.
#[must_use]
pub fn version(request: &HttpRequest) -> String {
    service(request).map_or_else(|_| String::new(), |service| service.settings().version.clone())
}

/// Notes who calls, for the log and the limits: a request too many for a minute is refused.
pub fn admit(request: &HttpRequest, caller: &ports::Caller) -> Result<(), Failure> {
    let service = service(request)?;
    if let Some(known) = request.extensions().get::<KnownCaller>() {
        known.note(&caller.actor);
    }
    let epoch = Addressed::of(request)?.epoch;
    request.extensions_mut().insert(Caller { caller: caller.clone(), epoch });
    let counted = service.request_rates().count(&caller.actor, Instant::now());
    counted.map(drop).map_err(|exceeded: Exceeded| Failure::from(crate::problem::Problem::from(exceeded)))
}

/// A slot for an answer that takes long, once there is one; after a second without one the service is busy.
pub async fn stream_slot(request: &HttpRequest, caller: &ports::Caller) -> Result<StreamSlot, Failure> {
    Ok(service(request)?.stream_slots().take(caller).await?)
}

/// Every item of a list whose pages are read so, each once by its key, whatever comes and goes meanwhile. `Failure` where there are
/// more than 100,000, and where they change faster than they are read.
pub async fn whole_list<V, K, F>(key: impl Fn(&V) -> K, read: impl Fn(Page) -> F) -> Result<Vec<V>, Failure>
where
    K: Eq + Hash,
    F: Future<Output = Result<Listing<V>, Error>>,
{
    Ok(crate::whole_list::whole_list(key, read).await?)
}

/// The activities that the query asks for as a file of CSV, byte for byte as the API gives them: all of them, in constant
/// memory. Needs [`admit`] before, and `activity:read`.
pub async fn activities_csv(request: &HttpRequest, query: ReportQuery) -> Result<HttpResponse, Failure> {
    Ok(crate::report::activities_csv(request, query).await?)
}

/// The path of a request as logs and events may hold it: without what signs in.
#[must_use]
pub fn logged_path(path: &str) -> Cow<'_, str> {
    crate::logged_path::logged_path(path)
}

/// Tells the log of a security event. `who` is never a text that was sent in place of an identifier.
pub fn tell_security(request: &HttpRequest, event: SecurityEvent, who: &str, what: &str) {
    let Ok(service) = service(request) else { return };
    let request_id = request_id(request);
    let told = Told { event, who, from: service.sender(request), request_id: &request_id, what };
    service.security_log().tell(told);
}

fn service(request: &HttpRequest) -> Result<&web::Data<Service>, Failure> {
    let service = request.app_data::<web::Data<Service>>();
    service.ok_or_else(|| Failure::internal("the service is not configured"))
}
