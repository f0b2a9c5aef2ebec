//! `tonne backup`: the whole installation as one file.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::context::Context;
use super::json::{array, count, object, text};
use super::{Ending, logging, output};
use crate::app::{BackedUp, Secrets, back_up, must_be_there};
use crate::counted::counted;
use crate::usecase::transfer::Existing;

/// Back up all companies with their keys and clients to one file, for `tonne restore`.
///
/// A service may run and write beside. Each company is one moment of its history; the file is there when it was checked:
/// every record, change and sum as by `tonne verify`, and the file itself by reading it again. It is for its owner alone
/// (0600). It is a tar archive; `sha256sum -c SHA256SUMS` checks what was unpacked.
///
/// The installation's secret is not in it, so that the file alone signs no tokens.
#[derive(Debug, Args)]
pub(super) struct Backup {
    /// Where to write it.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Put the secret.key of the data folder into it too.
    #[arg(long)]
    with_secrets: bool,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Backup {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let config = context.config([])?;
        logging::start(&config.log, "warn");
        must_be_there(&config).await?;
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        let secrets = if self.with_secrets { Secrets::Carried } else { Secrets::LeftOut };
        let backed_up = back_up(config, (&self.to, existing), secrets).await?;
        output::say(&if self.json { json(&backed_up) } else { self.summary(&backed_up) })?;
        Ok(Ending::Done)
    }

    fn summary(&self, BackedUp { manifest, bytes }: &BackedUp) -> String {
        let companies = match manifest.tenants.as_slice() {
            [one] => format!("the company {}, with {},", one.slug, counted(one.number, "change", "changes")),
            several => format!("{} companies", several.len()),
        };
        let verb = if manifest.tenants.len() == 1 { "is" } else { "are" };
        format!("{companies} {verb} in {} ({bytes} bytes), which was checked", self.to.display())
    }
}

fn json(BackedUp { manifest, bytes }: &BackedUp) -> String {
    let tenants = manifest.tenants.iter().map(|tenant| {
        object([
            ("slug", text(&tenant.slug)),
            ("uuid", text(&tenant.uuid)),
            ("number", count(tenant.number)),
            ("digest", text(&tenant.digest)),
        ])
    });
    object([
        ("created", text(&manifest.created)),
        ("bytes", count(*bytes)),
        ("secrets", files::Json::Bool(manifest.secrets)),
        ("tenants", array(tenants)),
    ])
    .to_string()
}
