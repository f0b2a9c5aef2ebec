//! Writing to standard output and standard error without failing over a reader that has gone.

use std::error::Error;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use ports::store::StoreError;

use super::Usage;
use crate::config::ConfigError;

/// Writes the text to standard output, with a line's end behind it.
pub(super) fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Writes bytes to standard output as they are.
pub(super) fn say_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes bytes to that file in place of what it has; `-` is standard output.
pub(super) fn keep(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return Ok(say_bytes(bytes)?);
    }
    fs::write(path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    note(&format!("wrote {}", path.display()));
    Ok(())
}

/// Writes a line to standard error.
pub(super) fn note(text: &str) {
    // Nobody is left to report to when not even this can be written.
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
    if reader_has_gone(error) {
        return ExitCode::FAILURE;
    }
    note(&message(error));
    let used_wrongly = error.is::<Usage>() || error.is::<ConfigError>();
    if used_wrongly { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Whether nobody reads any more what is written. A pipe to a store that breaks is something else.
fn reader_has_gone(error: &anyhow::Error) -> bool {
    let pipe = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().take_while(|cause| !cause.is::<StoreError>()).any(pipe)
}

/// The error with what it comes from, a line each. One that ends with the words of the next says nothing by itself.
fn message(error: &anyhow::Error) -> String {
    let mut text = format!("error: {error}");
    let mut causes = error.chain().skip(1).map(ToString::to_string).peekable();
    let mut last = error.to_string();
    while let Some(cause) = causes.next() {
        if cause != last && !causes.peek().is_some_and(|next| cause.ends_with(next.as_str())) {
            text.push_str("\n  because ");
            text.push_str(&cause);
            last = cause;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use ports::inbound;

    use super::*;

    #[test]
    fn a_cause_that_repeats_the_next_is_told_once() {
        let error =
            anyhow::Error::new(io::Error::other("refused")).context("error with it: refused").context("it failed");
        assert_eq!(message(&error), "error: it failed\n  because refused");
    }

    #[test]
    fn why_the_service_is_busy_is_told() {
        let error = inbound::Error::from(StoreError::Busy(Some("it is read-only".into())));
        let message = message(&error.into());
        assert_eq!(message, "error: the service is busy\n  because the store is busy\n  because it is read-only");
    }

    #[test]
    fn that_an_outcome_is_not_known_is_told() {
        let error = inbound::Error::from(StoreError::Unknown("the connection was cut".into()));
        assert_eq!(
            message(&error.into()),
            "error: whether the change was made is not known; look before you repeat it\n  because whether the store has \
             it is not known: the answer to its commit was lost\n  because the connection was cut"
        );
    }

    #[test]
    fn a_broken_pipe_to_the_store_is_told() {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(reader_has_gone(&broken().into()));
        assert!(!reader_has_gone(&StoreError::Busy(Some(Box::new(broken()))).into()));
        assert!(!reader_has_gone(&StoreError::Failed(Box::new(broken())).into()));
    }
}
