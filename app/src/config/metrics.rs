//! `[metrics]`: measurements for Prometheus.

use super::load::reader::Settings;
use super::server::listen;

/// Measurements for Prometheus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// The address that the page `/metrics` is served at, beside the service's; none is served unless it is given.
    pub address: Option<String>,
    /// Whether requests are counted by company too, under its slug.
    pub tenants: bool,
}

impl Metrics {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("metrics");
        let metrics = Self {
            address: section.optional("address", listen),
            tenants: section.value("tenants", false, |text| match text {
                "true" => Ok(true),
                "false" => Ok(false),
                _ => Err(format!("{text:?} is neither true nor false")),
            }),
        };
        section.finish();
        metrics
    }
}
