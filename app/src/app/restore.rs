//! Restoring a backup into an empty place.

mod credentials;
mod place;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use domain::Digest;
use files::{BackupManifest, BackupTenant, RecordsForm, unpack_backup};
use ports::clock::Clock;
use ports::directory::Tenant;
use ports::id_source::Ids;

use super::App;
use super::backend::Backend as _;
use super::backup::must_be_sound;
use super::epoch::renew_epochs;
use super::files::Files;
use super::operator::{installation, maintenance};
use crate::clock::SystemClock;
use crate::config::{Config, Store as Settings};
use crate::id_source::SystemIds;
use crate::usecase::transfer::{Credentials, Incoming};
pub(crate) use credentials::RestoredCredentials;
pub(super) use place::forget_mark;
use place::{Place, secret_in};

/// What becomes of the clients, keys, passwords and sign-ins at a provider in a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BackedUpCredentials {
    /// They are good again.
    Kept,
    /// They are left out.
    Revoked,
}

/// What was restored.
#[derive(Clone, Debug)]
pub(crate) struct Restored {
    /// What the backup says of itself.
    pub(crate) manifest: BackupManifest,
    /// The clients, keys and users that are good again.
    pub(crate) credentials: RestoredCredentials,
    /// Whether the backup has a secret that was put nowhere, since a database has no place for it.
    pub(crate) leaves_secret: bool,
}

/// Restores a backup into the store of that configuration, which must hold nothing. Every company gets a new epoch, and every
/// token is worth nothing.
pub(crate) async fn restore(config: Config, from: &Path, credentials: BackedUpCredentials) -> Result<Restored> {
    // Before anything is made for it.
    let file = File::open(from).with_context(|| format!("{} cannot be read", from.display()))?;
    if config.database.url.is_some() {
        return restore_into_database(config, (from, file), credentials).await;
    }
    let place = Place::take(&config.store.data_dir)?;
    let staging = place.staging()?;
    let manifest = unpack((from, file), staging.path())?;
    let store = match manifest.records {
        RecordsForm::Sqlite => staging.path().to_owned(),
        RecordsForm::Export => {
            let store = staging.path().join("store");
            let mut config = config;
            config.store.data_dir.clone_from(&store);
            let app = App::build_without_secret(config).await?;
            load_all(&app, staging.path(), &manifest, Credentials::Carried).await?;
            app.close().await;
            store
        }
    };
    let restored = settle(&store, manifest, credentials).await?;
    place.fill(&store, &secret_in(staging.path()))?;
    Ok(restored)
}

async fn restore_into_database(
    config: Config,
    (from, file): (&Path, File),
    credentials: BackedUpCredentials,
) -> Result<Restored> {
    let staging = tempfile::tempdir()?;
    let manifest = unpack((from, file), staging.path())?;
    if manifest.records == RecordsForm::Sqlite {
        bail!(
            "{} holds SQLite files: restore it into a folder (--data-dir), and move each company from there by `tonne export` \
             and `tonne import tenant`",
            from.display()
        );
    }
    let app = App::build_without_secret(config).await?;
    if let Some(there) = app.list_tenants().await?.first() {
        bail!(
            "the database holds the company {} already: restore into one that is empty; what a restore left that was broken off \
             is removed by `tonne tenant remove`, the company main by `tonne tenant remove main --installation`",
            there.slug
        );
    }
    // Servers may run on the database: what is not to be good again never is.
    let carried = match credentials {
        BackedUpCredentials::Kept => Credentials::Carried,
        BackedUpCredentials::Revoked => Credentials::UsersAlone,
    };
    load_all(&app, staging.path(), &manifest, carried).await?;
    // Signing keys of companies that were removed are there still.
    app.renew_epochs().await?;
    let credentials = RestoredCredentials::list(app.directory().as_ref(), app.people().as_ref()).await?;
    app.close().await;
    let leaves_secret = secret_in(staging.path()).exists();
    Ok(Restored { manifest, credentials, leaves_secret })
}

fn unpack((from, file): (&Path, File), to: &Path) -> Result<BackupManifest> {
    let unpacked = unpack_backup(BufReader::with_capacity(1 << 18, file), to);
    unpacked.map_err(|error| {
        let sentence = format!("{} {error}; nothing was restored", from.display());
        anyhow::Error::new(error).context(sentence)
    })
}

/// Makes each company from its export. A new company has a new epoch, and no tokens.
async fn load_all(app: &App, folder: &Path, manifest: &BackupManifest, credentials: Credentials) -> Result<()> {
    for (at, listed) in manifest.tenants.iter().enumerate() {
        let load = async {
            let incoming = Incoming::open(Box::new(BufReader::new(File::open(folder.join(&listed.file))?)))?;
            let header = &incoming.header().tenant;
            let tenant = Tenant {
                id: header.id,
                slug: header.slug.clone(),
                name: header.name.clone(),
                created: header.created,
                epoch: app.ids().random(),
                year_start: header.year_start,
                statement: header.statement.clone(),
            };
            app.adopt_tenant(&tenant).await?;
            let head = app.import_tenant(&tenant, credentials, incoming).await?.head;
            must_be_listed(listed, &tenant, head.number, head.digest)
        };
        load.await.with_context(|| {
            let all = manifest.tenants.len();
            format!("the company {} cannot be restored; {at} of {all} companies are", listed.slug)
        })?;
    }
    Ok(())
}

/// Checks what was unpacked against the manifest and in itself, gives each company its new epoch, and lists the credentials.
async fn settle(folder: &Path, manifest: BackupManifest, credentials: BackedUpCredentials) -> Result<Restored> {
    let (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>) = (Arc::new(SystemClock), Arc::new(SystemIds::new()));
    let settings = Settings { data_dir: folder.to_owned(), ..Settings::default() };
    let files = Files::open(&settings, &clock, &ids)?;
    let (store, directory, people) = (files.store(), files.directory(), files.people());
    must_be_sound("the directory of the backup", &directory.verify(&installation()).await?)?;
    let tenants = directory.list_tenants(&installation()).await?;
    let (known, listed): (BTreeSet<_>, BTreeSet<_>) = (
        tenants.iter().map(|tenant| tenant.slug.to_string()).collect(),
        manifest.tenants.iter().map(|tenant| tenant.slug.clone()).collect(),
    );
    ensure!(known == listed, "the directory of the backup knows other companies than its manifest");
    for tenant in &tenants {
        let found = store.verify(&maintenance(tenant.id)).await?;
        must_be_sound(&format!("the company {} of the backup", tenant.slug), &found)?;
        let head = store.head(&maintenance(tenant.id).to_read()).await?;
        for listed in manifest.tenants.iter().filter(|listed| listed.slug == tenant.slug.as_str()) {
            must_be_listed(listed, tenant, head.number, head.digest)?;
        }
    }
    renew_epochs(store.as_ref(), directory.as_ref(), ids.as_ref()).await?;
    let mut there = RestoredCredentials::list(directory.as_ref(), people.as_ref()).await?;
    if credentials == BackedUpCredentials::Revoked {
        there.revoke(directory.as_ref(), people.as_ref()).await?;
    }
    files.close().await;
    Ok(Restored { manifest, credentials: there, leaves_secret: false })
}

/// Refuses a company that is not what the manifest says.
fn must_be_listed(listed: &BackupTenant, tenant: &Tenant, number: u64, digest: Digest) -> Result<()> {
    let is_listed = listed.uuid == tenant.id.to_string()
        && listed.slug == tenant.slug.as_str()
        && listed.number == number
        && listed.digest == digest.to_string();
    ensure!(is_listed, "the company {} is not what the backup's manifest says", listed.slug);
    Ok(())
}
