//! Measuring requests: what metrics count of them, the span that traces have, and the line of the log.

use std::cell::OnceCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Instant;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::web::Bytes;
use actix_web::{HttpMessage, HttpResponse, web};
use metrics::{counter, gauge, histogram};
use ports::metric;
use tracing::Span;

use crate::addressed_tenant::Addressed;
use crate::logged_path::logged_path;
use crate::request_id::RequestId;
use crate::service::Service;

/// The route of requests for addresses that are none.
const NO_ROUTE: &str = "unmatched";

/// Who calls, once that is known: the credential's id, never its secret.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownCaller(Rc<OnceCell<String>>);

impl KnownCaller {
    /// Notes who calls, also in the span of the request, which is to be the current one: what is logged from here on has it.
    pub(crate) fn note(&self, actor: &str) {
        if self.0.set(actor.to_owned()).is_ok() {
            Span::current().record("credential", actor);
        }
    }

    /// Who calls, where that is known by now.
    pub(crate) fn actor(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// A request that is being answered.
pub(crate) struct Measure {
    started: Instant,
    route: String,
    method: &'static str,
    line: Line,
    span: Span,
    names_tenants: bool,
    _in_flight: InFlight,
}

/// What the log says of a request when its answer has ended.
struct Line {
    id: String,
    path: String,
    caller: KnownCaller,
    status: StatusCode,
}

impl Measure {
    /// Begins with a request of that id.
    pub(crate) fn begin(request: &ServiceRequest, id: &RequestId) -> Self {
        let route = request.match_pattern().unwrap_or_else(|| NO_ROUTE.to_owned());
        let method = known_method(request.method().as_str());
        let caller = KnownCaller::default();
        request.extensions_mut().insert(caller.clone());
        let span = tracing::info_span!(
            "request",
            otel.name = format!("{method} {route}"),
            otel.kind = "server",
            request.id = id.as_str(),
            http.request.method = method,
            http.route = route,
            http.response.status_code = tracing::field::Empty,
            credential = tracing::field::Empty,
            otel.status_code = tracing::field::Empty,
        );
        let service = request.app_data::<web::Data<Service>>();
        let named = request.headers().get("traceparent").and_then(|value| value.to_str().ok());
        if let (Some(continues), Some(parent)) = (service.and_then(|service| service.settings().continue_trace), named)
        {
            continues(&span, parent);
        }
        let path = logged_path(request.path()).into_owned();
        let line = Line { id: id.as_str().to_owned(), path, caller, status: StatusCode::OK };
        Self {
            started: Instant::now(),
            route,
            method,
            line,
            span,
            names_tenants: service.is_some_and(|service| service.settings().metrics_of_tenants),
            _in_flight: InFlight::begin(),
        }
    }

    /// The span of the request.
    pub(crate) fn span(&self) -> &Span {
        &self.span
    }

    /// The answer begins; it is measured to its end.
    pub(crate) fn answered(mut self, response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
        self.count(response.status());
        if self.names_tenants
            && let Ok(addressed) = Addressed::of(response.request())
        {
            let (tenant, status) = (addressed.slug.to_string(), response.status().as_u16().to_string());
            counter!(metric::TENANT_REQUESTS.name, "tenant" => tenant, "status" => status).increment(1);
        }
        response.map_body(|_, body| BoxBody::new(MeasuredBody { body, bytes: 0, measure: self }))
    }

    /// The request failed; its answer is short.
    pub(crate) fn failed(mut self, answer: &HttpResponse) {
        self.count(answer.status());
        let bytes = if let BodySize::Sized(bytes) = answer.body().size() { bytes } else { 0 };
        counter!(metric::HTTP_RESPONSE_BYTES.name).increment(bytes);
        self.log(bytes);
    }

    fn count(&mut self, status: StatusCode) {
        self.line.status = status;
        self.span.record("http.response.status_code", status.as_u16());
        if status.is_server_error() {
            self.span.record("otel.status_code", "ERROR");
        }
        let (route, method) = (self.route.clone(), self.method);
        histogram!(metric::HTTP_DURATION.name, "route" => route.clone(), "method" => method)
            .record(self.started.elapsed());
        let status = status.as_u16().to_string();
        counter!(metric::HTTP_REQUESTS.name, "route" => route, "method" => method, "status" => status).increment(1);
    }

    fn log(&self, bytes: u64) {
        tracing::debug!(
            parent: None,
            request.id = self.line.id,
            credential = self.line.caller.actor(),
            method = self.method,
            route = self.route,
            path = self.line.path,
            status = self.line.status.as_u16(),
            duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            bytes,
            "Answered."
        );
    }
}

/// The method, where it is one that there are metrics of: any word can be sent for one.
fn known_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method).unwrap_or("other")
}

/// A request counts among those in flight until this is dropped.
struct InFlight;

impl InFlight {
    fn begin() -> Self {
        gauge!(metric::HTTP_IN_FLIGHT.name).increment(1.0);
        Self
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        gauge!(metric::HTTP_IN_FLIGHT.name).decrement(1.0);
    }
}

/// An answer's body, whose bytes are counted. At its end, or where its client left, the request is logged.
struct MeasuredBody {
    body: BoxBody,
    bytes: u64,
    measure: Measure,
}

impl MessageBody for MeasuredBody {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let span = self.measure.span.clone();
        let next = span.in_scope(|| Pin::new(&mut self.body).poll_next(context));
        if let Poll::Ready(Some(Ok(bytes))) = &next {
            let count = bytes.len() as u64;
            self.bytes += count;
            counter!(metric::HTTP_RESPONSE_BYTES.name).increment(count);
        }
        next
    }
}

impl Drop for MeasuredBody {
    fn drop(&mut self) {
        self.measure.log(self.bytes);
    }
}
