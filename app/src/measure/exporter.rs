//! The recorder behind the page of metrics.

use anyhow::{Result, anyhow};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use ports::metric::{self, Metric, MetricKind};

use super::process;

/// Bounds of durations, in seconds: from what memory answers to what a limit ends.
const SECONDS: [f64; 14] = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0];
/// Bounds of counts.
const COUNTS: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// What collects the measurements of this process.
#[derive(Clone, Debug)]
pub(crate) struct Exporter(PrometheusHandle);

impl Exporter {
    /// Begins to collect. A process does so once.
    pub(crate) fn install() -> Result<Self> {
        let mut builder = PrometheusBuilder::new();
        for metric in metric::ALL {
            let bounds: &[f64] = match metric.kind {
                MetricKind::Durations => &SECONDS,
                MetricKind::Counts => &COUNTS,
                MetricKind::Counter | MetricKind::Gauge => continue,
            };
            builder = builder.set_buckets_for_metric(Matcher::Full(metric.name.to_owned()), bounds)?;
        }
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        let installed = metrics::set_global_recorder(recorder);
        installed.map_err(|_| anyhow!("metrics are collected by something else in this process"))?;
        metric::ALL.iter().for_each(describe);
        begin_known();
        process::note_start();
        Ok(Self(handle))
    }

    /// The page, in the text format of Prometheus.
    pub(crate) fn page(&self) -> String {
        process::note();
        self.0.render()
    }

    /// Adds up what was measured: to be called now and then, for else it piles up while nobody asks for the page.
    pub(crate) fn add_up(&self) {
        self.0.run_upkeep();
    }
}

/// Says what a measurement is. What has no labels begins at zero, so that it is there before it moves.
fn describe(metric: &Metric) {
    let Metric { name, kind, labels, help } = *metric;
    match kind {
        MetricKind::Counter => describe_counter!(name, help),
        MetricKind::Gauge => describe_gauge!(name, help),
        MetricKind::Durations => describe_histogram!(name, Unit::Seconds, help),
        MetricKind::Counts => describe_histogram!(name, help),
    }
    if labels.is_empty() && name.starts_with("tonne_") {
        match kind {
            MetricKind::Counter => counter!(name).increment(0),
            // No room is a figure that somebody is woken by.
            MetricKind::Gauge if name != metric::STORE_FREE_BYTES.name => gauge!(name).set(0.0),
            MetricKind::Gauge | MetricKind::Durations | MetricKind::Counts => {}
        }
    }
}

/// Begins the values of labels that are known beforehand at zero.
fn begin_known() {
    for (metric, label, values) in metric::KNOWN_VALUES {
        for value in *values {
            counter!(metric.name, *label => *value).increment(0);
        }
    }
}
