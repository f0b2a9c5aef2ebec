//! `tonne export`: a whole company as one file, or its catalog.

mod catalog;

use std::io::{BufWriter, stdout};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use ports::RecordKind;
use ports::directory::Tenant;

use catalog::ExportCatalog;

use super::context::{Context, IfAbsent};
use super::json::{count, members, text};
use super::{Ending, Usage, output};
use crate::App;
use crate::app::single_tenant;
use crate::counted::counted;
use crate::usecase::transfer::{Credentials, Existing, ExportError, Exported};

/// Export a whole company to a file, for `tonne import tenant`.
///
/// The file holds every record and the whole change chain, as they are at one moment, in lines of text; a service may
/// run beside. The same company gives the same bytes, from whatever store. Signing keys, refresh tokens and remembered
/// answers are not in it.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Export {
    #[command(subcommand)]
    part: Option<Part>,
    /// Where to write it; - is standard output.
    #[arg(long, value_name = "FILE", required = true)]
    to: Option<PathBuf>,
    /// Write clients and keys too, with the hashes of their secrets.
    #[arg(long)]
    with_credentials: bool,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A part of a company.
#[derive(Debug, Subcommand)]
enum Part {
    Catalog(ExportCatalog),
}

/// Where a whole company is to be written, and how.
struct Whole {
    to: PathBuf,
    with_credentials: bool,
    force: bool,
    json: bool,
}

impl Export {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { part, to, with_credentials, force, json } = self;
        match (part, to) {
            (Some(Part::Catalog(catalog)), _) => catalog.run(context).await,
            (None, Some(to)) => Whole { to, with_credentials, force, json }.run(context).await,
            (None, None) => Err(Usage("--to is required: where to write the company".to_owned()).into()),
        }
    }
}

impl Whole {
    async fn run(self, context: &Context) -> Result<Ending> {
        let to_stdout = self.to == Path::new("-");
        if to_stdout && self.json {
            return Err(
                Usage("--json would be printed into the export: leave it out, or name a file".to_owned()).into()
            );
        }
        let app = context.app_without_tenant(IfAbsent::Refuse).await?;
        let slug = context.named_tenant().cloned().map_or_else(single_tenant, Ok)?;
        let tenant = app.tenant(&slug).await?;
        let bar = output::bar(ProgressBar::new_spinner(), "{spinner} {bytes} written, {elapsed}");
        let exported = self.write(&app, &tenant, to_stdout, &|bytes| bar.set_position(bytes)).await;
        bar.finish_and_clear();
        let exported = exported.map_err(|error| self.with_context(error))?;
        if to_stdout {
            output::note(&summary(&tenant, &exported));
        } else if self.json {
            output::say(&json(&tenant, &exported))?;
        } else {
            output::say(&format!("{} is in {}", summary(&tenant, &exported), self.to.display()))?;
        }
        app.close().await;
        Ok(Ending::Done)
    }

    async fn write(
        &self,
        app: &App,
        tenant: &Tenant,
        to_stdout: bool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Exported, ExportError> {
        let credentials = if self.with_credentials { Credentials::Carried } else { Credentials::LeftOut };
        if to_stdout {
            let mut out = BufWriter::with_capacity(1 << 16, stdout());
            return app.export_tenant(tenant, credentials, &mut out, progress).await;
        }
        let existing = if self.force { Existing::Replaced } else { Existing::Kept };
        app.export_tenant_to_file(tenant, credentials, (&self.to, existing), progress).await
    }

    fn with_context(&self, error: ExportError) -> anyhow::Error {
        let sentence = match &error {
            ExportError::Write(cause) if cause.kind() == std::io::ErrorKind::AlreadyExists => {
                return anyhow::Error::msg(format!("{} is there already: --force replaces it", self.to.display()));
            }
            ExportError::Write(_) => format!("{} cannot be written", self.to.display()),
            ExportError::Keep(_) => "nothing was written to standard output".to_owned(),
            ExportError::Store(_) => "the export ended early; nothing of it was stored".to_owned(),
        };
        anyhow::Error::new(error).context(sentence)
    }
}

fn summary(tenant: &Tenant, Exported { counts, bytes }: &Exported) -> String {
    let activities = counts.of(RecordKind::Activity);
    format!(
        "{}: {}, {activities} of them activities, and {} ({})",
        tenant.slug,
        counted(counts.all_records(), "record", "records"),
        counted(counts.changes, "change", "changes"),
        counted(*bytes, "byte", "bytes")
    )
}

fn json(tenant: &Tenant, Exported { counts, bytes }: &Exported) -> String {
    let mut all = members([("tenant", text(&tenant.slug)), ("uuid", text(tenant.id)), ("bytes", count(*bytes))]);
    all.extend(super::import::counts_of(counts));
    files::Json::Object(all).to_string()
}
