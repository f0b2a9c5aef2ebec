//! `[trace]`: traces for OpenTelemetry.

use super::load::reader::Settings;
use super::server::Origin;

/// Traces for OpenTelemetry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The address of a collector that speaks OTLP over HTTP, such as `http://127.0.0.1:4318`. Unless it is given, that of the
    /// variable `OTEL_EXPORTER_OTLP_ENDPOINT` counts; without either nothing is sent.
    pub endpoint: Option<String>,
}

impl Trace {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("trace");
        let endpoint = section.optional("endpoint", Origin::parse).map(|origin| origin.as_str().to_owned());
        section.finish();
        Self { endpoint }
    }
}
