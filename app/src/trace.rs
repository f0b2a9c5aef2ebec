//! Traces for OpenTelemetry: sent with the feature `otel` where an endpoint is named, else nothing.

#[cfg(feature = "otel")]
mod sent;

#[cfg(feature = "otel")]
pub(crate) use sent::{check, continues, flush, layer};

#[cfg(not(feature = "otel"))]
mod left_out {
    use anyhow::{Result, ensure};
    use tracing::Span;
    use tracing_subscriber::layer::Identity;

    use crate::config::Trace;

    /// Refuses an endpoint: this program was built without traces.
    pub(crate) fn layer(trace: &Trace) -> Result<Option<Identity>> {
        check(trace)?;
        Ok(None)
    }

    /// Refuses an endpoint: this program was built without traces.
    pub(crate) fn check(trace: &Trace) -> Result<()> {
        ensure!(
            trace.endpoint.is_none(),
            "this program was built without traces (feature `otel`): leave trace.endpoint out"
        );
        Ok(())
    }

    pub(crate) const fn continues() -> Option<fn(&Span, &str)> {
        None
    }

    pub(crate) const fn flush() {}
}

#[cfg(not(feature = "otel"))]
pub(crate) use left_out::{check, continues, flush, layer};
