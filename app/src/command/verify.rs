//! `tonne verify`: whether the store is what was written.

mod figures;
mod head;
mod periods;

use anyhow::{Result, anyhow};
use clap::Args;
use ports::inbound::CheckedFigures;
use ports::ledger::PinnedHead;
use ports::store::{Finding, Verification};

use super::context::Context;
use super::json::{array, count, object, text};
use super::{Ending, Usage, logging, output};
use crate::app::{inspect, must_be_there};
use crate::counted::counted;
use crate::{App, UnknownTenant};

/// Check that the store is what was written: records, changes, sums, and that closed periods have the figures of their
/// frozen reports. Prints OK, or each finding and exits with 1.
///
/// Every company is checked, or with --tenant that one alone.
///
/// Not checked is the state of tokens: which refresh tokens were used and which tokens were revoked.
///
/// The store is only read: nothing is made, migrated or mended, and a service may run beside. A store of another version
/// is refused. SQLite may add files that end in -wal and -shm beside its own.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Also compute every stored figure of activities and inputs anew from its explanation, and compare digit for digit.
    #[arg(long)]
    explain: bool,
    /// Also compare the company's chain of changes with this head, which `tonne head` printed and somebody kept elsewhere: what
    /// was written up to it is still what it was. It may be given several times. Needs --tenant where there are several
    /// companies.
    #[arg(long, value_name = "HEAD")]
    head: Vec<PinnedHead>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A part of the store: its name, what was found, and what became of its figures where these were asked for.
struct Part {
    name: String,
    found: Verification,
    figures: Option<CheckedFigures>,
}

impl Verify {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let config = context.config([])?;
        logging::start(&config.log, "warn");
        must_be_there(&config).await?;
        let store = inspect(&config).await?;
        let found = store.verify_directory().await?;
        let mut parts = vec![Part { name: "directory".to_owned(), found, figures: None }];
        let tenants = store.tenants().await?;
        let checked: Vec<_> = match context.named_tenant() {
            Some(slug) => tenants.into_iter().filter(|tenant| tenant.slug == *slug).collect(),
            None => tenants,
        };
        if let (Some(slug), true) = (context.named_tenant(), checked.is_empty()) {
            return Err(UnknownTenant(slug.clone()).into());
        }
        if !self.head.is_empty() && checked.len() != 1 {
            return Err(Usage("--head is of one company: name it by --tenant".to_owned()).into());
        }
        let app = App::build_to_look(config).await;
        for tenant in checked {
            let mut found = store.verify_tenant(&tenant).await?;
            let mut figures = None;
            match &app {
                Ok(app) => found.findings.extend(periods::check(app, &tenant).await?),
                // What keeps it from being opened is most often among the findings.
                Err(error) if found.findings.is_empty() => {
                    found.findings.push(finding("periods", &format!("cannot be checked: {error}")));
                }
                Err(_) => {}
            }
            if self.explain || !self.head.is_empty() {
                let app = app.as_ref().map_err(|error| anyhow!("what was asked for cannot be checked: {error:#}"))?;
                found.findings.extend(head::check(app, &tenant, &self.head).await?);
                if self.explain {
                    let (checked, findings) = figures::check(app, &tenant).await?;
                    found.findings.extend(findings);
                    figures = Some(checked);
                }
            }
            parts.push(Part { name: tenant.slug.to_string(), found, figures });
        }
        let sound = parts.iter().all(|part| part.found.findings.is_empty());
        output::say(&if self.json { json(&parts, sound) } else { summary(&parts, sound) })?;
        Ok(if sound { Ending::Done } else { Ending::Failed })
    }
}

fn finding(subject: &str, detail: &str) -> Finding {
    Finding { subject: subject.to_owned(), detail: detail.to_owned() }
}

fn summary(parts: &[Part], sound: bool) -> String {
    let finding = |part: &str, finding: &Finding| format!("{part}: {}: {}", finding.subject, finding.detail);
    let findings = parts.iter().flat_map(|part| part.found.findings.iter().map(move |one| finding(&part.name, one)));
    let sum = |of: fn(&Verification) -> u64| parts.iter().map(|part| of(&part.found)).sum::<u64>();
    let mut counts = format!(
        "{}, {}, {}",
        counted(sum(|part| part.records), "record", "records"),
        counted(sum(|part| part.changes), "change", "changes"),
        counted(sum(|part| part.cells), "cell", "cells")
    );
    if parts.iter().any(|part| part.figures.is_some()) {
        let sum =
            |of: fn(&CheckedFigures) -> u64| parts.iter().filter_map(|part| part.figures.as_ref()).map(of).sum::<u64>();
        let (activities, inputs) = (sum(|figures| figures.activities), sum(|figures| figures.inputs));
        let incomplete = sum(|figures| figures.incomplete);
        let (activities, inputs) = (counted(activities, "activity", "activities"), counted(inputs, "input", "inputs"));
        let incomplete = counted(incomplete, "record has none", "records have none");
        counts = format!("{counts}; figures of {activities} and {inputs} ({incomplete})");
    }
    let blanked = sum(|part| part.blanked);
    if blanked > 0 {
        counts = format!("{counts}; {}", counted(blanked, "replaced text is blank", "replaced texts are blank"));
    }
    let last = if sound {
        format!("OK: {counts}")
    } else {
        format!("DAMAGED: {counts} were checked; restore the last backup that verifies, and keep these files")
    };
    findings.chain([last]).collect::<Vec<_>>().join("\n")
}

fn json(parts: &[Part], sound: bool) -> String {
    let part = |part: &Part| {
        let findings = part.found.findings.iter();
        let findings = findings.map(|one| object([("subject", text(&one.subject)), ("detail", text(&one.detail))]));
        let figures = part.figures.map_or(files::Json::Null, |figures| {
            object([
                ("activities", count(figures.activities)),
                ("inputs", count(figures.inputs)),
                ("incomplete", count(figures.incomplete)),
                ("wrong", count(figures.wrong)),
            ])
        });
        object([
            ("part", text(&part.name)),
            ("records", count(part.found.records)),
            ("changes", count(part.found.changes)),
            ("cells", count(part.found.cells)),
            ("blanked", count(part.found.blanked)),
            ("figures", figures),
            ("findings", array(findings)),
        ])
    };
    object([("ok", files::Json::Bool(sound)), ("parts", array(parts.iter().map(part)))]).to_string()
}
