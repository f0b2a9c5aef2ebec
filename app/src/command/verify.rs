//! `tonne verify`: whether the store is what was written.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Error, Result, bail};
use clap::Args;
use domain::TenantSlug;
use ports::store::{StoreError, Verification};
use sqlite::{Inspection, Options};

use super::context::Context;
use super::json::{array, count, object, text};
use super::{Ending, logging, output};
use crate::SINGLE_TENANT;
use crate::world::{SystemClock, SystemIds};

/// Check that the store is what was written: records, changes, sums. Prints OK, or each finding and exits with 1.
///
/// Not checked is the state of tokens: which refresh tokens were used and which tokens were revoked.
///
/// The files are only read: nothing is made, migrated or mended, and a service may run beside. A store of another
/// version is refused. SQLite may add files that end in -wal and -shm beside them.
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
        let folder = &config.store.data_dir;
        let files = Inspection::new(folder, Options::new(Arc::new(SystemClock), Arc::new(SystemIds::new())));
        must_exist(&files.directory_file())?;
        let slug = TenantSlug::parse(SINGLE_TENANT)?;
        let mut parts = vec![("directory", files.verify_directory().await.map_err(plain)?)];
        let Some(tenant) = files.find_tenant(&slug).await.map_err(plain)? else {
            bail!("{} has no tenant {SINGLE_TENANT}", folder.display());
        };
        must_exist(&files.tenant_file(&slug))?;
        parts.push((SINGLE_TENANT, files.verify_tenant(&tenant).await.map_err(plain)?));
        let sound = parts.iter().all(|(_, part)| part.findings.is_empty());
        output::say(&if self.json { json(&parts, sound) } else { told(&parts, sound) })?;
        Ok(if sound { Ending::Done } else { Ending::Failed })
    }
}

/// A failure by its cause alone: which file is refused, and why.
fn plain(error: StoreError) -> Error {
    if let StoreError::Failed(cause) = error { Error::from_boxed(cause) } else { error.into() }
}

/// Says where to look when there is no store. An empty file is none.
fn must_exist(file: &Path) -> Result<()> {
    match std::fs::metadata(file) {
        Ok(metadata) if metadata.len() > 0 => Ok(()),
        Ok(_) => bail!("{} is empty: there is no store to verify; --data-dir says where it is", file.display()),
        Err(error) => Err(error).with_context(|| {
            format!("{} cannot be read: there is no store to verify; --data-dir says where it is", file.display())
        }),
    }
}

fn told(parts: &[(&str, Verification)], sound: bool) -> String {
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

fn json(parts: &[(&str, Verification)], sound: bool) -> String {
    let part = |(name, part): &(&str, Verification)| {
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
