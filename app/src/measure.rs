//! Measuring the service: what the use cases and the store do, for metrics and traces, and the page that shows it.

mod exporter;
mod import;
mod process;
mod store;
mod tx;
mod writing;

pub(crate) use exporter::Exporter;
pub(crate) use import::MeasuredImport;
pub use store::MeasuredStore;

/// A number as metrics take it. Counts and sizes of this service are exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "a gauge is a float; no amount of a user goes this way")]
pub(crate) fn gauge_value(number: u64) -> f64 {
    number as f64
}
