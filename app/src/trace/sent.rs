//! Traces in the form of OpenTelemetry, sent to a collector by OTLP over HTTP. Without an endpoint nothing is made and
//! nothing is sent.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::OnceLock;
use std::time::Duration;

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
use tracing_subscriber::filter::{LevelFilter, Targets};
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
    ensure!(
        address.starts_with("http://"),
        "traces cannot be sent to {address}: name an address that begins with http://, such as that of a collector on \
         this machine, which speaks TLS to others"
    );
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
    // Of the program's own spans, whatever the level of the log is.
    let own = Targets::new().with_target("tonne", LevelFilter::INFO);
    Ok(Some(tracing_opentelemetry::layer().with_tracer(tracer).with_filter(own)))
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

/// Sends on the exporter's own thread.
#[derive(Debug)]
struct Client(ureq::Agent);

impl Client {
    fn new() -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .build();
        Self(config.into())
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (head, body) = request.into_parts();
        let answer = self.0.run(Request::from_parts(head, body.to_vec()))?;
        let (head, body) = answer.into_parts();
        let mut bytes = Vec::new();
        body.into_reader().take(ANSWER).read_to_end(&mut bytes)?;
        Ok(Response::from_parts(head, bytes.into()))
    }
}
