//! `tonne verify`: whether the store is what was written.

use anyhow::Result;
use clap::Args;
use ports::store::Verification;

use super::context::Context;
use super::json::{array, count, object, text};
use super::{Ending, logging, output};
use crate::UnknownTenant;
use crate::app::{inspect, must_be_there};

/// Check that the store is what was written: records, changes, sums. Prints OK, or each finding and exits with 1.
///
/// Every company is checked, or with --tenant that one alone.
///
/// Not checked is the state of tokens: which refresh tokens were used and which tokens were revoked.
///
/// The store is only read: nothing is made, migrated or mended, and a service may run beside. A store of another version
/// is refused. SQLite may add files that end in -wal and -shm beside its own.
#[derive(Debug, Args)]
pub(super) struct Verify {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let config = context.config([])?;
        logging::start(&config.log, "warn");
        must_be_there(&config).await?;
        let store = inspect(&config).await?;
        let mut parts = vec![("directory".to_owned(), store.verify_directory().await?)];
        let tenants = store.tenants().await?;
        let checked: Vec<_> = match context.named_tenant() {
            Some(slug) => tenants.into_iter().filter(|tenant| tenant.slug == *slug).collect(),
            None => tenants,
        };
        if let (Some(slug), true) = (context.named_tenant(), checked.is_empty()) {
            return Err(UnknownTenant(slug.clone()).into());
        }
        for tenant in checked {
            parts.push((tenant.slug.to_string(), store.verify_tenant(&tenant).await?));
        }
        let sound = parts.iter().all(|(_, part)| part.findings.is_empty());
        output::say(&if self.json { json(&parts, sound) } else { summary(&parts, sound) })?;
        Ok(if sound { Ending::Done } else { Ending::Failed })
    }
}

fn summary(parts: &[(String, Verification)], sound: bool) -> String {
    let finding =
        |part: &str, finding: &ports::store::Finding| format!("{part}: {}: {}", finding.subject, finding.detail);
    let findings = parts.iter().flat_map(|(name, part)| part.findings.iter().map(move |one| finding(name, one)));
    let sum = |of: fn(&Verification) -> u64| parts.iter().map(|(_, part)| of(part)).sum::<u64>();
    let counts = format!(
        "{} records, {} changes, {} cells",
        sum(|part| part.records),
        sum(|part| part.changes),
        sum(|part| part.cells)
    );
    let last = if sound {
        format!("OK: {counts}")
    } else {
        format!("DAMAGED: {counts} were checked; restore the last backup that verifies, and keep these files")
    };
    findings.chain([last]).collect::<Vec<_>>().join("\n")
}

fn json(parts: &[(String, Verification)], sound: bool) -> String {
    let part = |(name, part): &(String, Verification)| {
        let findings =
            part.findings.iter().map(|one| object([("subject", text(&one.subject)), ("detail", text(&one.detail))]));
        object([
            ("part", text(name)),
            ("records", count(part.records)),
            ("changes", count(part.changes)),
            ("cells", count(part.cells)),
            ("findings", array(findings)),
        ])
    };
    object([("ok", files::Json::Bool(sound)), ("parts", array(parts.iter().map(part)))]).to_string()
}
