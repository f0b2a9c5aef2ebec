//! `tonne export`: a whole company as one file.

use std::io::{BufWriter, stdout};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use indicatif::ProgressBar;
use ports::RecordKind;
use ports::directory::Tenant;

use super::context::{Context, IfAbsent};
use super::json::{count, members, text};
use super::{Ending, Usage, output};
use crate::App;
use crate::app::single_tenant;
use crate::usecase::transfer::{Credentials, Existing, ExportError, Exported};

/// Export a whole company to a file, for `tonne import tenant`.
///
/// The file holds every record and the whole change chain, as they are at one moment, in lines of text; a service may
/// run beside. The same company gives the same bytes, from whatever store. Signing keys, refresh tokens and remembered
/// answers are not in it.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// Where to write it; - is standard output.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
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

impl Export {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
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
            ExportError::Store(_) => "the export ended early; nothing of it was stored".to_owned(),
        };
        anyhow::Error::new(error).context(sentence)
    }
}

fn summary(tenant: &Tenant, Exported { counts, bytes }: &Exported) -> String {
    let activities = counts.of(RecordKind::Activity);
    format!(
        "{}: {} records, {activities} of them activities, and {} changes ({bytes} bytes)",
        tenant.slug,
        counts.all_records(),
        counts.changes
    )
}

fn json(tenant: &Tenant, Exported { counts, bytes }: &Exported) -> String {
    let mut all = members([("tenant", text(&tenant.slug)), ("uuid", text(tenant.id)), ("bytes", count(*bytes))]);
    all.extend(super::import::counted(counts));
    files::Json::Object(all).to_string()
}
