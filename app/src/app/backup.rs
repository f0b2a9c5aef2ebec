//! A backup of the whole installation in one file, made beside whatever runs.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Seek as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use files::{BackupManifest, BackupTenant, BackupWriter, DIRECTORY_FILE, RecordsForm, SECRET_FILE, check_backup};
use ports::clock::Clock as _;
use ports::directory::Tenant;
use ports::store::Verification;
use sqlite::Inspection;
use tempfile::NamedTempFile;

use super::App;
use super::files::FilesAsTheyAre;
use crate::clock::SystemClock;
use crate::config::{Config, InstallationKey};
use crate::usecase::transfer::{Credentials, Existing, Incoming};

/// How often companies are listed, to find those that were added meanwhile.
const LISTINGS: u32 = 100;
const ALWAYS_ADDED: &str = "companies are added faster than they are backed up; run it again when fewer are";

/// Whether the installation's secret goes into a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Secrets {
    /// It does.
    Carried,
    /// It does not, so that the backup alone signs nothing.
    LeftOut,
}

/// A backup that is whole.
#[derive(Clone, Debug)]
pub(crate) struct BackedUp {
    /// What is in it.
    pub(crate) manifest: BackupManifest,
    /// The size of the file, in bytes.
    pub(crate) bytes: u64,
}

/// Writes a backup of the store of that configuration to a file, which is there when it is whole and was read again.
pub(crate) async fn back_up(config: Config, (to, existing): (&Path, Existing), secrets: Secrets) -> Result<BackedUp> {
    if existing == Existing::Kept && to.symlink_metadata().is_ok() {
        bail!("{} is there already: --force replaces it", to.display());
    }
    let secret = own_secret(&config, secrets)?;
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    must_be_outside(folder, &config.store.data_dir)?;
    let cannot = || format!("no backup can be written into {}", folder.display());
    let scratch = tempfile::Builder::new().prefix(".tonne-backup-").tempdir_in(folder).with_context(cannot)?;
    let now = SystemClock.now();
    let records = if config.database.url.is_some() { RecordsForm::Export } else { RecordsForm::Sqlite };
    let mut making = Making {
        manifest: BackupManifest::new(env!("CARGO_PKG_VERSION"), now, records),
        out: BackupWriter::new(
            BufWriter::with_capacity(1 << 18, NamedTempFile::new_in(folder).with_context(cannot)?),
            u64::try_from(now.millis() / 1_000).unwrap_or_default(),
        ),
        scratch: scratch.path().to_owned(),
    };
    match records {
        RecordsForm::Sqlite => making.copy_files(&config.store.data_dir).await?,
        RecordsForm::Export => making.export_all(config).await?,
    }
    if let Some(secret) = secret {
        making.add(SECRET_FILE, &secret)?;
        making.manifest.secrets = true;
    }
    making.finish(to, existing)
}

/// Refuses to write a backup where the store's own files are.
fn must_be_outside(folder: &Path, data_dir: &Path) -> Result<()> {
    let (Ok(folder), Ok(data_dir)) = (folder.canonicalize(), data_dir.canonicalize()) else { return Ok(()) };
    if folder.starts_with(&data_dir) {
        bail!("{} is in the data folder: a backup belongs on another disk, or at least elsewhere", folder.display());
    }
    Ok(())
}

/// The file of the installation's own secret, if it is to go along.
fn own_secret(config: &Config, secrets: Secrets) -> Result<Option<PathBuf>> {
    match (secrets, &config.secrets.key) {
        (Secrets::LeftOut, _) => Ok(None),
        (Secrets::Carried, InstallationKey::Own) => {
            let path = config.store.data_dir.join("secret.key");
            if !path.try_exists()? {
                bail!("there is no {} yet: leave out --with-secrets", path.display());
            }
            Ok(Some(path))
        }
        (Secrets::Carried, InstallationKey::Given(_) | InstallationKey::File(_)) => bail!(
            "--with-secrets is for the secret.key of the data folder; this installation's secret is set by secrets.key or \
             secrets.key_file: keep a copy where it comes from"
        ),
    }
}

struct Making {
    manifest: BackupManifest,
    out: BackupWriter<BufWriter<NamedTempFile>>,
    /// Where copies are until they are in the backup.
    scratch: PathBuf,
}

impl Making {
    /// Adds each company's file and then the directory's, which so knows at least what they know.
    async fn copy_files(&mut self, data_dir: &Path) -> Result<()> {
        let files: Inspection = FilesAsTheyAre::look(data_dir)?.into_inner();
        for _ in 0..LISTINGS {
            for tenant in &self.missing(files.list_tenants().await?)? {
                let copy = self.scratch.join("records.db");
                let copied = files.copy_tenant(tenant, &copy).await?;
                must_be_sound(tenant.slug.as_str(), &copied.found)?;
                self.note(tenant, copied.head.number, copied.head.digest);
                self.add_and_remove(&RecordsForm::Sqlite.member(&tenant.slug), &copy)?;
            }
            let copy = self.scratch.join("directory.db");
            let copied = files.copy_directory(&copy).await?;
            must_be_sound("the directory", &copied.found)?;
            if self.missing(copied.tenants)?.is_empty() {
                self.manifest.directory = Some(copied.head.into());
                return self.add_and_remove(DIRECTORY_FILE, &copy);
            }
            fs::remove_file(&copy)?;
        }
        bail!(ALWAYS_ADDED)
    }

    /// Adds an export of each company, with its credentials.
    async fn export_all(&mut self, config: Config) -> Result<()> {
        let app = App::build_without_secret(config).await?;
        for _ in 0..LISTINGS {
            let missing = self.missing(app.list_tenants().await?)?;
            if missing.is_empty() {
                app.close().await;
                return Ok(());
            }
            for tenant in &missing {
                let file = self.scratch.join("records.tonne");
                app.export_tenant_to_file(tenant, Credentials::Carried, (&file, Existing::Kept), &|_| {}).await?;
                let end = Incoming::open(Box::new(BufReader::new(File::open(&file)?)))?.check().await;
                let end = end.with_context(|| format!("the export of {} cannot be read again", tenant.slug))?.end;
                self.note(tenant, end.number, end.digest);
                self.add_and_remove(&RecordsForm::Export.member(&tenant.slug), &file)?;
            }
        }
        bail!(ALWAYS_ADDED)
    }

    /// Those of all companies that are not in the backup yet, such as those that were added meanwhile. One that was removed
    /// meanwhile is an error.
    fn missing(&self, all: Vec<Tenant>) -> Result<Vec<Tenant>> {
        let there = |tenant: &Tenant| self.manifest.tenants.iter().any(|added| added.uuid == tenant.id.to_string());
        let (added, missing): (Vec<_>, _) = all.into_iter().partition(there);
        if added.len() != self.manifest.tenants.len() {
            bail!("a company was removed while the backup was made; run it again");
        }
        Ok(missing)
    }

    fn note(&mut self, tenant: &Tenant, number: u64, digest: domain::Digest) {
        self.manifest.tenants.push(BackupTenant::of(tenant, self.manifest.records, number, digest));
    }

    fn add(&mut self, member: &str, path: &Path) -> Result<()> {
        let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let size = file.metadata()?.len();
        self.out.add(member, size, file).with_context(|| format!("{member} cannot be written into the backup"))
    }

    fn add_and_remove(&mut self, member: &str, path: &Path) -> Result<()> {
        self.add(member, path)?;
        Ok(fs::remove_file(path)?)
    }

    /// Reads the backup again, and puts it in its place.
    fn finish(self, to: &Path, existing: Existing) -> Result<BackedUp> {
        let Self { manifest, out, .. } = self;
        let mut file = out.finish(&manifest)?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.rewind()?;
        let read = check_backup(BufReader::with_capacity(1 << 18, file.as_file()));
        if read.context("what was written cannot be read again")? != manifest {
            bail!("what was written is not what is read");
        }
        let bytes = file.as_file().metadata()?.len();
        match existing {
            Existing::Kept => file.persist_noclobber(to),
            Existing::Replaced => file.persist(to),
        }
        .map_err(|refused| refused.error)?;
        // The name is on the disk only when the folder is.
        #[cfg(unix)]
        if let Err(error) = sync_folder_of(to) {
            // What is not called done is not there; an older backup was replaced already.
            if existing == Existing::Kept {
                let _ = fs::remove_file(to);
            }
            return Err(error).with_context(|| format!("the folder of {} cannot be written to the disk", to.display()));
        }
        Ok(BackedUp { manifest, bytes })
    }
}

#[cfg(unix)]
fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    path.canonicalize()?.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Refuses what is damaged.
pub(super) fn must_be_sound(part: &str, found: &Verification) -> Result<()> {
    let Some(first) = found.findings.first() else { return Ok(()) };
    bail!(
        "{part} is damaged: {}: {}; that is one of {}, which `tonne verify` lists",
        first.subject,
        first.detail,
        found.findings.len()
    )
}
