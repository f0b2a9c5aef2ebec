//! `tonne tenant remove`: an export is left behind, running servers stop answering for the tenant, then its records go.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use domain::Timestamp;
use ports::directory::Tenant;
use ports::store::StoreError;
use ports::{TenantId, TenantSlug};

use super::super::context::{Context, IfAbsent};
use super::super::json::{object, text};
use super::super::{Ending, Usage, output};
use crate::config::Mode;
use crate::usecase::transfer::{Credentials, Existing};
use crate::{App, SINGLE_TENANT};

/// How long servers may answer for a tenant that is removed.
const STOPPED_AFTER: Duration = Duration::from_secs(1);
/// How often what was written meanwhile is exported too.
const TRIES: u32 = 5;

/// Remove a company with its records and credentials, once its slug is typed again.
///
/// Before anything goes an export is written, from which `tonne import tenant` makes the company anew, without its
/// credentials. Then running servers stop answering for the company within a second, and its slug is free. With
/// tenancy.mode single the company main is the installation: it is removed with --installation alone.
#[derive(Debug, Args)]
pub(in crate::command) struct Remove {
    /// Which company.
    #[arg(value_parser = TenantSlug::parse)]
    slug: TenantSlug,
    /// The company's uuid, to finish a removal that failed: its records are exported again and erased.
    #[arg(long, value_name = "UUID")]
    id: Option<TenantId>,
    /// The slug again, for scripts; without it, it is asked for on the terminal.
    #[arg(long, value_name = "SLUG")]
    confirm: Option<String>,
    /// Also the company main while tenancy.mode is single, such as after a restore into a database that broke off: servers
    /// answer for nothing until a restore or `tonne tenant create main` makes it anew.
    #[arg(long)]
    installation: bool,
    /// Where to leave the export [default: removed/SLUG-TIME.tonne in the data folder].
    #[arg(long, value_name = "FILE")]
    export_to: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Remove {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { slug, id, confirm, installation, export_to, json } = self;
        let config = context.config([])?;
        let is_installation = config.tenancy.mode == Mode::Single && slug.as_str() == SINGLE_TENANT;
        if id.is_none() && is_installation && !installation {
            let detail = "the company main is the installation while tenancy.mode is single; to begin anew, stop the \
                          service and name another folder or database, or add --installation";
            return Err(Usage(detail.to_owned()).into());
        }
        check(confirm.as_deref(), &slug)?;
        let app = context.app_without_tenant(IfAbsent::Refuse).await?;
        let tenant = match id {
            None => app.tenant(&slug).await?,
            Some(id) => app.left_tenant(id, slug.clone()).await.context("leave out --id; nothing was removed")?,
        };
        if confirm.is_none() && !is_typed(&tenant)? {
            bail!("that is not {slug}: nothing was removed");
        }
        let export = export_to.unwrap_or_else(|| place(&config.store.data_dir, &slug, app.clock().now()));
        let standing = if id.is_none() { Standing::Listed } else { Standing::Left };
        remove(&app, &tenant, standing, &export).await?;
        output::say(&if json {
            object([("slug", text(&slug)), ("uuid", text(tenant.id)), ("export", text(export.display()))]).to_string()
        } else {
            format!("the company {slug} is removed; what it had is in {}", export.display())
        })?;
        Ok(Ending::Done)
    }
}

/// Refuses a slug that was given wrongly, and its absence where nobody can be asked.
fn check(confirm: Option<&str>, slug: &TenantSlug) -> Result<(), Usage> {
    match confirm {
        Some(given) if given == slug.as_str() => Ok(()),
        Some(given) => Err(Usage(format!("--confirm says {given:?}, not {slug}: nothing was removed"))),
        None if io::stdin().is_terminal() => Ok(()),
        None => Err(Usage(format!("there is no terminal to ask on: add --confirm {slug}"))),
    }
}

/// Asks for the slug on the terminal.
fn is_typed(tenant: &Tenant) -> Result<bool> {
    let Tenant { slug, name, .. } = tenant;
    let mut out = io::stderr();
    write!(out, "This removes {name} with all its records and credentials. Type its slug, {slug}, to go on: ")?;
    out.flush()?;
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim() == slug.as_str())
}

/// Where the export is left unless that is said.
fn place(data_dir: &Path, slug: &TenantSlug, now: Timestamp) -> PathBuf {
    let stamp: String = now.to_string().chars().filter(|c| !matches!(c, '-' | ':' | '.')).collect();
    data_dir.join("removed").join(format!("{slug}-{stamp}.tonne"))
}

/// Whether the directory knows the tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It does.
    Listed,
    /// Not any more: an earlier removal got so far.
    Left,
}

async fn remove(app: &App, tenant: &Tenant, standing: Standing, to: &Path) -> Result<()> {
    let kept = "nothing was removed";
    let mut exported = app.newest_change(tenant).await.context(kept)?;
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder).with_context(|| format!("{} cannot be made; {kept}", folder.display()))?;
    }
    let failure = || format!("{} was not written; {kept}", to.display());
    export(app, tenant, to, Existing::Kept).await.with_context(failure)?;
    if standing == Standing::Listed {
        if !app.stop_tenant(tenant).await.context(kept)? {
            bail!("another command removed the company meanwhile; what it had is in {}", to.display());
        }
        tokio::time::sleep(STOPPED_AFTER).await;
    }
    let left = || {
        let Tenant { id, slug, .. } = tenant;
        format!(
            "the company is stopped, but its records are not erased; `tonne tenant remove {slug} --id {id}` goes on"
        )
    };
    for _ in 0..TRIES {
        match app.erase_tenant(tenant, exported).await {
            Err(StoreError::Stale) => {}
            erased => return erased.with_context(left),
        }
        // What servers wrote until they noticed it belongs into the export.
        exported = app.newest_change(tenant).await.with_context(left)?;
        export(app, tenant, to, Existing::Replaced).await.with_context(left)?;
    }
    Err(StoreError::Stale).with_context(left)
}

async fn export(app: &App, tenant: &Tenant, to: &Path, existing: Existing) -> Result<()> {
    app.export_tenant_to_file(tenant, Credentials::LeftOut, (to, existing), &|_| {}).await?;
    Ok(())
}

/// Makes the folder for its owner alone; one that is there stays as it is.
fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
