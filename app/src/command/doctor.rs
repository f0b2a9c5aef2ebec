//! `tonne doctor`: what is wrong with the installation, and how to mend it.

use anyhow::Result;
use clap::Args;

use super::context::Context;
use super::json::{array, object, text};
use super::{Ending, logging, output};
use crate::doctor::{Depth, Finding, Severity, examine};

/// Look for what is wrong with the installation: permissions, disk, clock, integrity, credentials that run out, tables that
/// grow, unsafe settings. Prints each finding with the way to mend it.
///
/// Exits with 1 where there is an error; warnings alone exit with 0. Give it the settings of the service: its environment
/// and its --config.
///
/// Nothing is made, migrated or mended, and a service may run beside. SQLite may add files that end in -wal and -shm beside
/// its own.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Check everything that is stored too, as `tonne verify` does.
    #[arg(long)]
    deep: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let config = context.config([])?;
        logging::start(&config.log, "error");
        let findings = examine(&config, if self.deep { Depth::Deep } else { Depth::Quick }).await;
        let is_sound = findings.iter().all(|finding| finding.severity != Severity::Error);
        output::say(&if self.json { json(&findings, is_sound) } else { summary(&findings) })?;
        Ok(if is_sound { Ending::Done } else { Ending::Failed })
    }
}

fn summary(findings: &[Finding]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let of = |finding: &Finding| {
        let Finding { severity, check, place, what, mend } = finding;
        format!("{} ({check}): {place}: {what}\n  mend: {mend}", severity.as_str())
    };
    let last = match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => "OK: nothing was found".to_owned(),
        (errors, warnings) => format!("errors: {errors}, warnings: {warnings}"),
    };
    findings.iter().map(of).chain([last]).collect::<Vec<_>>().join("\n")
}

fn json(findings: &[Finding], is_sound: bool) -> String {
    let of = |finding: &Finding| {
        object([
            ("severity", text(finding.severity.as_str())),
            ("check", text(finding.check)),
            ("place", text(&finding.place)),
            ("what", text(&finding.what)),
            ("mend", text(&finding.mend)),
        ])
    };
    object([("ok", files::Json::Bool(is_sound)), ("findings", array(findings.iter().map(of)))]).to_string()
}
