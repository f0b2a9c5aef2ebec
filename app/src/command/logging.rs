//! Logs: to standard error, as words or as JSON, in the time of the log's reader: UTC.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

/// Starts logging. Where something logs already, that stays.
pub(super) fn start(log: &Log, default_level: &str) {
    // The level was checked when the configuration was read.
    let filter = EnvFilter::new(log.level.as_deref().unwrap_or(default_level));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match log.format {
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
        LogFormat::Text => builder.with_ansi(io::stderr().is_terminal()).with_target(false).try_init(),
    };
    if started.is_err() {
        tracing::debug!("logging had been started before");
    }
}
