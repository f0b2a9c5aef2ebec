//! Logs: to standard error, as text or as JSON, with times in UTC.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use anyhow::Result;
use tracing_subscriber::filter::{FilterExt as _, LevelFilter, filter_fn};
use tracing_subscriber::layer::{Identity, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use crate::config::{Config, Log, LogFormat};
use crate::trace;

/// Starts logging. Where something logs already, that stays.
pub(super) fn start(log: &Log, default_level: &str) {
    begin(log, default_level, None::<Identity>);
}

/// The same for a service, which sends traces too where the configuration or the environment names an endpoint.
pub(super) fn start_with_traces(config: &Config, default_level: &str) -> Result<()> {
    begin(&config.log, default_level, trace::layer(&config.trace)?);
    Ok(())
}

fn begin(log: &Log, default_level: &str, traces: Option<impl Layer<Registry> + Send + Sync>) {
    // The level was checked when the configuration was read.
    let filter = EnvFilter::new(log.level.as_deref().map_or(default_level.to_owned(), calmed));
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match log.format {
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).boxed(),
        LogFormat::Text => lines.with_ansi(io::stderr().is_terminal()).with_target(false).boxed(),
    };
    let filter = filter.and(filter_fn(is_of_log).with_max_level_hint(LevelFilter::TRACE));
    let started = tracing_subscriber::registry().with(traces).with(lines.with_filter(filter)).try_init();
    if started.is_err() {
        tracing::debug!("logging had been started before");
    }
}

/// Whether the log has to know it. The spans of the store are of traces alone: nothing of them is in a line, and there is one
/// for every read.
fn is_of_log(metadata: &tracing::Metadata<'_>) -> bool {
    !(metadata.is_span() && metadata.name().starts_with("store."))
}

/// Targets of the server below the service, and what they may say at most unless the level names them: `actix_server` says
/// at `info` how its threads come and go, and `actix_http` at `error` what any client can cause, without its address; the
/// service says that itself, once a second.
const CHATTY: [(&str, &str, LevelFilter); 2] =
    [("actix_server", "warn", LevelFilter::INFO), ("actix_http", "off", LevelFilter::ERROR)];

/// The level as it was set, with less of the chatty targets where it says nothing of them and they would be heard.
fn calmed(level: &str) -> String {
    let targets = level.split(',').filter_map(|one| one.split(['=', '[']).next()).map(str::trim);
    let targets: Vec<_> = targets.filter(|target| !target.is_empty()).collect();
    let hears = EnvFilter::new(level).max_level_hint();
    let mut calmed = level.to_owned();
    for (chatty, most, from) in CHATTY {
        let is_named = targets.iter().any(|target| chatty.starts_with(target));
        if !is_named && hears.is_none_or(|hears| hears >= from) {
            let _ = write!(calmed, ",{chatty}={most}");
        }
    }
    calmed
}

#[cfg(test)]
mod tests {
    use super::calmed;

    #[test]
    fn the_servers_threads_are_told_of_only_where_they_are_named() {
        for level in ["info", "debug", "info,tonne_http=debug", "warn,tonne=info"] {
            assert_eq!(calmed(level), format!("{level},actix_server=warn,actix_http=off"));
        }
        for level in ["error", "warn", "info,actix_server=info", "info, actix_server=debug"] {
            assert_eq!(calmed(level), format!("{level},actix_http=off"));
        }
        assert_eq!(calmed("actix_http=debug"), "actix_http=debug,actix_server=warn");
        for level in ["off", "warn,actix=trace"] {
            assert_eq!(calmed(level), level);
        }
    }
}
