//! `[log]`: what is logged and how.

use std::fmt;

use tracing_subscriber::EnvFilter;

use super::reader::Settings;

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
    /// Words to read.
    #[default]
    Text,
    /// A JSON object.
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

impl Log {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("log");
        let log = Self {
            level: section.optional("level", |text| match EnvFilter::try_new(text) {
                Ok(_) => Ok(text.to_owned()),
                Err(error) => Err(format!("{text:?} is no level such as info, nor levels by target: {error}")),
            }),
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
