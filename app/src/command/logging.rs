//! Logs: to standard error, as text or as JSON, with times in UTC.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::config::{Log, LogFormat};

/// Starts logging. Where something logs already, that stays.
pub(super) fn start(log: &Log, default_level: &str) {
    // The level was checked when the configuration was read.
    let filter = EnvFilter::new(log.level.as_deref().map_or(default_level.to_owned(), calmed));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let started = match log.format {
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
        LogFormat::Text => builder.with_ansi(io::stderr().is_terminal()).with_target(false).try_init(),
    };
    if started.is_err() {
        tracing::debug!("logging had been started before");
    }
}

/// The target that logs at `info` how its threads come and go.
const CHATTY: &str = "actix_server";

/// The level as it was set, with only warnings of the chatty target where it says nothing of that.
fn calmed(level: &str) -> String {
    let targets = level.split(',').filter_map(|one| one.split(['=', '[']).next()).map(str::trim);
    let named = targets.filter(|target| !target.is_empty()).any(|target| CHATTY.starts_with(target));
    let hears_info = EnvFilter::new(level).max_level_hint().is_none_or(|most| most >= LevelFilter::INFO);
    if named || !hears_info { level.to_owned() } else { format!("{level},{CHATTY}=warn") }
}

#[cfg(test)]
mod tests {
    use super::calmed;

    #[test]
    fn the_servers_threads_are_told_of_only_where_they_are_named() {
        for level in ["info", "debug", "info,tonne_http=debug", "warn,tonne=info", "actix_http=debug"] {
            assert_eq!(calmed(level), format!("{level},actix_server=warn"));
        }
        for level in ["off", "error", "warn", "info,actix_server=info", "info, actix_server=debug", "warn,actix=trace"]
        {
            assert_eq!(calmed(level), level);
        }
    }
}
