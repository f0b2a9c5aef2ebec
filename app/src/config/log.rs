//! `[log]`: what is logged and how.

use std::fmt;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::load::reader::Settings;

/// What is logged and how. Logs go to standard error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// A level, or levels by target, such as `warn,tonne=debug`; unset, `info` for the service and `warn` for commands.
    pub level: Option<String>,
    /// The form of a line.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// One line of text per event.
    #[default]
    Text,
    /// One JSON object per event.
    Json,
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Json => "json",
        })
    }
}

/// A level, or levels by target. A filter would take a single word that is no level for a target.
fn level(text: &str) -> Result<String, String> {
    let is_level =
        |word: &str| word.contains('=') || (!word.trim().is_empty() && word.trim().parse::<LevelFilter>().is_ok());
    let wrong = || format!("{text:?} is no level (error, warn, info, debug, trace, off), nor levels by target");
    if !text.split(',').all(is_level) {
        return Err(wrong());
    }
    EnvFilter::try_new(text).map(|_| text.to_owned()).map_err(|error| format!("{}: {error}", wrong()))
}

impl Log {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("log");
        let log = Self {
            level: section.optional("level", level),
            format: section.value("format", LogFormat::default(), |text| match text {
                "text" => Ok(LogFormat::Text),
                "json" => Ok(LogFormat::Json),
                _ => Err(format!("{text:?} is neither text nor json")),
            }),
        };
        section.finish();
        log
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_level_or_levels_by_target() {
        for text in ["info", "off", "warn,tonne=debug", "tonne=trace"] {
            assert_eq!(level(text), Ok(text.to_owned()));
        }
        for text in ["loud", "info,loud", "", "tonne=loud"] {
            assert!(level(text).is_err(), "{text}");
        }
    }
}
