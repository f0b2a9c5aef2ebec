//! Traces in the form of OpenTelemetry, sent to a collector by OTLP over HTTP. Without an endpoint nothing is made and
//! nothing is sent.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use async_trait::async_trait;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, Targets, filter_fn};
use tracing_subscriber::registry::LookupSpan;

use crate::config::Trace;

/// Where OTLP has its spans, behind the endpoint.
const SPANS: &str = "/v1/traces";
/// How long a collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes that are read of its answer.
const ANSWER: u64 = 64 << 10;

static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// The layer that sends spans, where the settings or the environment name an endpoint.
pub(crate) fn layer<S>(trace: &Trace) -> Result<Option<impl Layer<S> + use<S>>>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    let Some(address) = address(trace) else { return Ok(None) };
    can_be_spoken_to(&address)?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Client::new())
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(address.as_str())
        .build()
        .with_context(|| format!("traces cannot be sent to {address}"))?;
    let name = variable("OTEL_SERVICE_NAME").unwrap_or_else(|| "tonne".to_owned());
    let resource = Resource::builder().with_service_name(name).build();
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let tracer = provider.tracer("tonne");
    // The second of a process finds the first.
    let _ = PROVIDER.set(provider);
    // The program's own spans, whatever the level of the log is. What is logged stays in the log.
    let spans = filter_fn(is_span).with_max_level_hint(LevelFilter::INFO);
    let own = Targets::new().with_target("tonne", LevelFilter::INFO).and(spans);
    Ok(Some(tracing_opentelemetry::layer().with_tracer(tracer).with_filter(own)))
}

fn is_span(metadata: &tracing::Metadata<'_>) -> bool {
    metadata.is_span()
}

/// Refuses an address that traces cannot be sent to.
pub(crate) fn check(trace: &Trace) -> Result<()> {
    address(trace).map_or(Ok(()), |address| can_be_spoken_to(&address))
}

fn can_be_spoken_to(address: &str) -> Result<()> {
    ensure!(
        address.starts_with("http://"),
        "traces cannot be sent to {address}: name an address that begins with http://, such as that of a collector on \
         this machine, which speaks TLS to others"
    );
    Ok(())
}

fn address(trace: &Trace) -> Option<String> {
    let of = |endpoint: String| format!("{}{SPANS}", endpoint.trim_end_matches('/'));
    let of_environment =
        || variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT").map(of));
    trace.endpoint.clone().map(of).or_else(of_environment)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// Makes a span a part of the trace that a header `traceparent` names, where traces are sent.
pub(crate) fn continues() -> Option<fn(&Span, &str)> {
    PROVIDER.get().map(|_| continue_trace as fn(&Span, &str))
}

fn continue_trace(span: &Span, traceparent: &str) {
    let carrier = HashMap::from([("traceparent".to_owned(), traceparent.to_owned())]);
    let parent = TraceContextPropagator::new().extract(&carrier);
    // One that is malformed begins a trace of its own.
    let _ = span.set_parent(parent);
}

/// Sends what waits to be sent: to be called at the end.
pub(crate) fn flush() {
    if let Some(provider) = PROVIDER.get()
        && let Err(error) = provider.shutdown()
    {
        tracing::warn!(%error, "the last traces were not sent");
    }
}

/// How long after a line about traces that were not sent none follows.
const PAUSE: Duration = Duration::from_mins(1);

/// Sends on the exporter's own thread, and says in the log what was not taken.
#[derive(Debug)]
struct Client {
    agent: ureq::Agent,
    pace: Pace,
}

/// When the log was last told.
#[derive(Debug, Default)]
struct Pace(Mutex<Option<Instant>>);

impl Pace {
    /// Whether the log is to be told at that moment.
    fn is_due(&self, now: Instant) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| now.saturating_duration_since(last) >= PAUSE);
        if is_due {
            *last = Some(now);
        }
        is_due
    }
}

impl Client {
    fn new() -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        Self { agent: config.into(), pace: Pace::default() }
    }

    fn tell(&self, error: &str) {
        if self.pace.is_due(Instant::now()) {
            tracing::warn!(
                error,
                "traces were not sent and are lost, as those of the next minute may be; look at the collector, or leave \
                 trace.endpoint out"
            );
        }
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let answer = self.agent.run(Request::from_parts(head, body.to_vec()));
        let answer = answer.inspect_err(|error| self.tell(&error.to_string()))?;
        let (head, body) = answer.into_parts();
        let mut bytes = Vec::new();
        body.into_reader().take(ANSWER).read_to_end(&mut bytes)?;
        if head.status.as_u16() >= 400 {
            self.tell(&format!("the collector answered {}", head.status));
        }
        Ok(Response::from_parts(head, bytes.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_told_of_lost_traces_once_a_minute() {
        let (pace, start) = (Pace::default(), Instant::now());
        let at = |seconds| pace.is_due(start + Duration::from_secs(seconds));
        assert_eq!([at(0), at(59), at(60), at(61), at(120)], [true, false, true, false, true]);
    }
}
