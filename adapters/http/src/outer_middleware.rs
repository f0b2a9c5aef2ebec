//! The outermost middleware: gives a request its id, turns every failure into a problem, logs it, and adds the headers
//! that all answers have.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, web};
use tracing::Instrument as _;

use crate::caller::Caller;
use crate::connection::Connection;
use crate::cors::Cors;
use crate::failure::Failure;
use crate::logged_path::logged_path;
use crate::measure::{KnownCaller, Measure};
use crate::pact;
use crate::pages::PageForm;
use crate::prefer;
use crate::problem::{ErrorForm, Kind, Problem};
use crate::query;
use crate::request_id::{self, RequestId};
use crate::request_rates::Quota;
use crate::security_log::{SecurityEvent, Told};
use crate::service::Service;
use crate::tenancy::BASE;

/// A request, as the log names it.
struct Asked {
    id: RequestId,
    /// The method and the path, for the log.
    line: String,
    /// The form of errors at its address.
    form: ErrorForm,
    /// The same at an address of pages.
    page: Option<PageForm>,
    service: Option<web::Data<Service>>,
    /// Who asks, once that is known.
    caller: KnownCaller,
    /// What the answer says of origins.
    cors: Cors,
}

impl Asked {
    /// The answer to a problem, in the form of the address.
    fn render(&self, problem: &Problem, request: Option<&HttpRequest>) -> HttpResponse {
        match &self.page {
            Some(page) => page.render(problem, request, self.id.as_str()),
            None => problem.render(self.form, Some(self.id.as_str())),
        }
    }
}

/// Headers of every answer that does not set them itself.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CACHE_CONTROL, "private, no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
];

/// Answers the request, whatever happens on the way: a failure or a panic becomes a problem with the request's id.
pub(crate) async fn outer_middleware(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(connection) = request.conn_data::<Connection>().cloned() else { return answer(request, next).await };
    let payload = connection.begin(request.take_payload());
    request.set_payload(payload);
    let answered = answer(request, next).await;
    connection.answered();
    // A body that nobody read is read no further than the limit says: nothing may come behind it.
    let closes = connection.has_body_left();
    match answered {
        Ok(mut response) => {
            if closes {
                response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
            }
            Ok(response.map_body(|_, body| connection.until_end_of(body)))
        }
        Err(error) => {
            // Its answer is short and made at once.
            connection.ended();
            let mut answer = error.error_response();
            if closes {
                answer.head_mut().set_connection_type(ConnectionType::Close);
            }
            Err(InternalError::from_response("the request failed", answer).into())
        }
    }
}

/// Answers the request, whatever its connection, and measures that.
async fn answer(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = RequestId::of(request.headers());
    request.extensions_mut().insert(id.clone());
    let measure = Measure::begin(&request, &id);
    let span = measure.span().clone();
    match made(request, next, id).instrument(span).await {
        Ok(response) => Ok(measure.answered(response)),
        Err(answer) => {
            measure.failed(&answer);
            Err(InternalError::from_response("the request failed", *answer).into())
        }
    }
}

/// Makes the answer. The error is one that has no request any more.
async fn made(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: RequestId,
) -> Result<ServiceResponse<BoxBody>, Box<HttpResponse>> {
    let line = format!("{} {}", request.method(), logged_path(request.path()));
    let form = error_form(request.path());
    let service = request.app_data::<web::Data<Service>>().cloned();
    let caller = request.extensions().get::<KnownCaller>().cloned().unwrap_or_default();
    let page = request.extensions().get::<PageForm>().copied();
    // Pages are read by their own origin alone.
    let cors = if page.is_some() { Cors::default() } else { Cors::of(&request) };
    let asked = Asked { id, line, form, page, service, caller, cors };
    if let Some(answer) = asked.cors.preflight(&request) {
        return Ok(request.into_response(finished(answer, &asked)));
    }
    if let Err(problem) = check_query(&request) {
        log(&asked, &problem);
        let answer = asked.render(&problem, Some(request.request()));
        return Ok(request.into_response(finished(answer, &asked)));
    }
    match caught(next.call(request)).await {
        Ok(Ok(response)) => {
            let response = response.map_into_boxed_body();
            let replacement = replacement(&response, &asked);
            let mut response = match replacement {
                Some(other) => response.into_response(other),
                None => prefer::minimal(response),
            };
            tell_security(&response, &asked);
            let quota = response.request().extensions().get::<Quota>().copied();
            if let Some(quota) = quota {
                quota.tell(response.headers_mut());
            }
            let (request, response) = response.into_parts();
            Ok(ServiceResponse::new(request, finished(response, &asked)))
        }
        Ok(Err(error)) => Err(Box::new(finished(error_answer(&error, &asked, None), &asked))),
        Err(panic) => {
            let problem = Problem::internal(panic_message(&*panic));
            log(&asked, &problem);
            Err(Box::new(finished(asked.render(&problem.closing(), None), &asked)))
        }
    }
}

/// Logs that credentials were refused, or lack a permission. The token endpoints log more than that themselves.
fn tell_security(response: &ServiceResponse<BoxBody>, asked: &Asked) {
    let request = response.request();
    let event = match response.status() {
        StatusCode::UNAUTHORIZED if request.headers().contains_key(header::AUTHORIZATION) => {
            SecurityEvent::CredentialRefused
        }
        // What version 2 of PACT calls a token that is not valid.
        StatusCode::BAD_REQUEST if response.headers().contains_key(header::WWW_AUTHENTICATE) => {
            SecurityEvent::CredentialRefused
        }
        StatusCode::FORBIDDEN => SecurityEvent::PermissionMissing,
        _ => return,
    };
    let (Some(service), ErrorForm::Problem | ErrorForm::Pact(_)) = (&asked.service, asked.form) else { return };
    let extensions = request.extensions();
    let who = extensions.get::<Caller>().map_or("unknown", |caller| caller.actor.as_str());
    let (from, request_id, what) = (service.sender(request), asked.id.as_str(), asked.line.as_str());
    service.security_log().tell(Told { event, who, from, request_id, what });
}

/// The form of errors at an address: those of the token endpoints have the form of RFC 6749, those below the paths of PACT
/// its own.
fn error_form(path: &str) -> ErrorForm {
    if let Some(edition) = pact::edition(path) {
        return ErrorForm::Pact(edition);
    }
    let is_token = ["/auth/token", "/auth/revoke"]
        .iter()
        .any(|end| path.strip_suffix(end).is_some_and(|base| base.ends_with(BASE)));
    if is_token { ErrorForm::Oauth } else { ErrorForm::Problem }
}

/// Refuses a query that is too long, or that carries credentials.
fn check_query(request: &ServiceRequest) -> Result<(), Problem> {
    let limit = request.app_data::<web::Data<Service>>().map_or(usize::MAX, |service| service.limits().query_bytes);
    let query = request.query_string();
    if query.len() > limit {
        return Err(Problem::new(Kind::QueryTooLong, format!("The query may have {limit} bytes.")));
    }
    query::refuse_credentials(query)
}

/// The answer that takes the place of one that carries an error, or that is no more than a status.
fn replacement(response: &ServiceResponse<BoxBody>, asked: &Asked) -> Option<HttpResponse> {
    let status = response.status();
    match response.response().error() {
        Some(error) => Some(error_answer(error, asked, Some(response.request()))),
        None if (status.is_client_error() || status.is_server_error())
            && !response.headers().contains_key(header::CONTENT_TYPE) =>
        {
            let problem = Problem::new(Kind::of_status(status), bare_refusal(status));
            Some(asked.render(&problem, Some(response.request())))
        }
        None => None,
    }
}

/// What to do where the framework refused a request without a word.
const fn bare_refusal(status: StatusCode) -> &'static str {
    match status {
        // Only the compression of answers refuses so.
        StatusCode::NOT_ACCEPTABLE => {
            "Accept-Encoding refuses every form that an answer can have: leave it out, or accept gzip, br or identity."
        }
        _ => "See the title.",
    }
}

/// The answer to an error. Of one that is not ours the status counts; its words are only logged.
fn error_answer(error: &Error, asked: &Asked, request: Option<&HttpRequest>) -> HttpResponse {
    let answer = |problem: &Problem| {
        log(asked, problem);
        asked.render(problem, request)
    };
    let page = error.as_error::<Failure>().map(Failure::problem);
    if let Some(problem) = error.as_error::<Problem>().or(page) {
        return answer(problem);
    }
    let status = error.as_response_error().status_code();
    if status.is_client_error() {
        answer(&Problem::new(Kind::of_status(status), "The request cannot be read."))
    } else {
        answer(&Problem::internal(error.to_string()))
    }
}

/// Logs what the service is to blame for, with its causes, once; that it is busy, once a second.
fn log(asked: &Asked, problem: &Problem) {
    let Some(causes) = problem.causes() else { return };
    let (id, line, credential) = (asked.id.as_str(), &asked.line, asked.caller.actor());
    if problem.kind() != Kind::Busy {
        tracing::error!(request.id = id, request.line = line, credential, error = causes, "A request failed.");
        return;
    }
    let due = asked.service.as_ref().map_or(Some(0), |service| service.busy_log().due(Instant::now()));
    if let Some(left_out) = due {
        tracing::warn!(
            request.id = id,
            request.line = line,
            credential,
            error = causes,
            left_out,
            "A request was answered 503, as were those left out since the last such line."
        );
    }
}

/// The answer with the headers that every answer has.
fn finished(mut response: HttpResponse, asked: &Asked) -> HttpResponse {
    let headers: &mut HeaderMap = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(asked.id.as_str()) {
        headers.insert(HeaderName::from_static(request_id::HEADER), value);
    }
    for (name, value) in HEADERS {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    asked.cors.tell(headers);
    vary(headers);
    response
}

/// Says in one line what an answer differs by. The plain form of an answer too is one of several encodings.
fn vary(headers: &mut HeaderMap) {
    let named: Vec<&str> = headers.get_all(header::VARY).filter_map(|value| value.to_str().ok()).collect();
    let mut names: Vec<&str> = named.iter().flat_map(|line| line.split(',')).map(str::trim).collect();
    if !names.iter().any(|name| name.eq_ignore_ascii_case("accept-encoding")) {
        names.push("Accept-Encoding");
    }
    if let Ok(value) = HeaderValue::from_str(&names.join(", ")) {
        headers.insert(header::VARY, value);
    }
}

/// What the future gives, or what it panicked with.
async fn caught<T>(future: impl Future<Output = T>) -> Result<T, Box<dyn Any + Send>> {
    let mut future = pin!(future);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Err(panic) => Poll::Ready(Err(panic)),
    })
    .await
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}
