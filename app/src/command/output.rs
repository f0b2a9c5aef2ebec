//! Writing to standard output and standard error without failing over a reader that has gone.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::Usage;
use crate::config::ConfigError;

/// Writes the text to standard output, with a line's end behind it.
pub(super) fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Writes a line to standard error.
pub(super) fn note(text: &str) {
    // Nobody is left to tell when not even this can be written.
    let _ = writeln!(io::stderr(), "{text}");
}

/// The bar, drawn on a terminal alone.
pub(super) fn bar(bar: ProgressBar, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Tells why a command failed, and gives its exit status.
pub(super) fn fail(error: &anyhow::Error) -> ExitCode {
    let gone = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(gone) {
        return ExitCode::FAILURE;
    }
    let mut text = format!("error: {error}");
    let mut last = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if cause != last {
            text.push_str("\n  because ");
            text.push_str(&cause);
            last = cause;
        }
    }
    note(&text);
    let used_wrongly = error.is::<Usage>() || error.is::<ConfigError>();
    if used_wrongly { ExitCode::from(2) } else { ExitCode::FAILURE }
}
