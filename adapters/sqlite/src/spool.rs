//! The spool of staged imports, in files: `spool/<tenant>/<id>/` below the data folder, with the entry and a file for each chunk.
//! Names are made of identifiers and numbers alone.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use ports::spool::{Added, Spool, SpoolEntry, SpoolPart};
use ports::store::{DiskFailed, StoreError};
use ports::{Grant, Read, StagedId, TenantId, Write};

use crate::disk_room::{RESERVE, free_bytes};
use crate::private;

/// The spool's folder below the data folder.
const FOLDER: &str = "spool";

/// The spool below a data folder. Only the one service that serves the folder uses it.
#[derive(Clone, Debug)]
pub struct FileSpool(Arc<Folder>);

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// Held while an entry is counted, compared or replaced.
    turn: Mutex<()>,
}

impl FileSpool {
    /// The spool below that data folder. Nothing is made before something is put in.
    #[must_use]
    pub fn new(data_dir: &Path) -> Self {
        Self(Arc::new(Folder { path: data_dir.join(FOLDER), turn: Mutex::new(()) }))
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let folder = Arc::clone(&self.0);
        let done = tokio::task::spawn_blocking(move || work(&folder)).await;
        done.map_err(|error| StoreError::Failed(Box::new(error)))?
    }
}

impl Folder {
    fn of_tenant(&self, tenant: TenantId) -> PathBuf {
        self.path.join(tenant.to_string())
    }

    fn of(&self, tenant: TenantId, id: StagedId) -> PathBuf {
        self.of_tenant(tenant).join(id.to_string())
    }

    /// The identifiers of a tenant's entries.
    fn ids(&self, tenant: TenantId) -> Result<Vec<StagedId>, StoreError> {
        let Some(files) = absent(fs::read_dir(self.of_tenant(tenant)))? else { return Ok(Vec::new()) };
        let mut ids = Vec::new();
        for file in files {
            ids.extend(file.map_err(failed)?.file_name().to_str().and_then(|name| name.parse::<StagedId>().ok()));
        }
        ids.sort_unstable();
        ids.reverse();
        Ok(ids)
    }

    fn entry(&self, tenant: TenantId, id: StagedId) -> Result<Option<SpoolEntry>, StoreError> {
        let Some(text) = absent(fs::read_to_string(entry_of(&self.of(tenant, id))))? else { return Ok(None) };
        let read = text.split_once('\n').and_then(|(version, content)| Some((version.parse().ok()?, content)));
        let damaged =
            || StoreError::Corrupt { subject: format!("staged import {id}"), detail: "no version".to_owned() };
        let (version, content) = read.ok_or_else(damaged)?;
        Ok(Some(SpoolEntry { id, version, content: content.to_owned() }))
    }

    /// Puts an entry in place of the one before, as a whole.
    fn put(&self, tenant: TenantId, id: StagedId, version: u64, content: &str) -> Result<(), StoreError> {
        replace(&entry_of(&self.of(tenant, id)), format!("{version}\n{content}").as_bytes()).map_err(failed)
    }
}

#[async_trait]
impl Spool for FileSpool {
    async fn list(&self, grant: &Grant<Read>) -> Result<Vec<SpoolEntry>, StoreError> {
        let tenant = grant.tenant();
        self.run(move |folder| {
            let mut found = Vec::new();
            for id in folder.ids(tenant)? {
                found.extend(folder.entry(tenant, id)?);
            }
            Ok(found)
        })
        .await
    }

    async fn find(&self, grant: &Grant<Read>, id: StagedId) -> Result<Option<SpoolEntry>, StoreError> {
        let tenant = grant.tenant();
        self.run(move |folder| folder.entry(tenant, id)).await
    }

    async fn add(&self, grant: &Grant<Write>, id: StagedId, content: &str, most: usize) -> Result<Added, StoreError> {
        let (tenant, content) = (grant.tenant(), content.to_owned());
        self.run(move |folder| {
            let _turn = folder.turn.lock().unwrap_or_else(PoisonError::into_inner);
            if folder.ids(tenant)?.len() >= most {
                return Ok(Added::Full);
            }
            private::make_folder(&folder.of(tenant, id)).map_err(failed)?;
            folder.put(tenant, id, 1, &content)?;
            Ok(Added::Added)
        })
        .await
    }

    async fn update(&self, grant: &Grant<Write>, id: StagedId, seen: u64, content: &str) -> Result<u64, StoreError> {
        let (tenant, content) = (grant.tenant(), content.to_owned());
        self.run(move |folder| {
            let _turn = folder.turn.lock().unwrap_or_else(PoisonError::into_inner);
            let found = folder.entry(tenant, id)?.filter(|entry| entry.version == seen);
            let version = found.ok_or(StoreError::Stale)?.version + 1;
            folder.put(tenant, id, version, &content)?;
            Ok(version)
        })
        .await
    }

    async fn put_chunk(
        &self,
        grant: &Grant<Write>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
        bytes: Vec<u8>,
    ) -> Result<(), StoreError> {
        let tenant = grant.tenant();
        self.run(move |folder| {
            let path = folder.of(tenant, id);
            check_room(&folder.path, bytes.len() as u64)?;
            match replace(&path.join(chunk_name(part, number)), &bytes) {
                Err(error) if error.kind() == ErrorKind::NotFound => Err(StoreError::Stale),
                done => done.map_err(failed),
            }
        })
        .await
    }

    async fn chunk(
        &self,
        grant: &Grant<Read>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let tenant = grant.tenant();
        self.run(move |folder| absent(fs::read(folder.of(tenant, id).join(chunk_name(part, number))))).await
    }

    async fn clear(&self, grant: &Grant<Write>, id: StagedId, part: SpoolPart) -> Result<(), StoreError> {
        let tenant = grant.tenant();
        self.run(move |folder| {
            let Some(files) = absent(fs::read_dir(folder.of(tenant, id)))? else { return Ok(()) };
            for file in files {
                let file = file.map_err(failed)?;
                if file.file_name().to_string_lossy().starts_with(&format!("{}.", part.as_str())) {
                    absent(fs::remove_file(file.path()))?;
                }
            }
            Ok(())
        })
        .await
    }

    async fn remove(&self, grant: &Grant<Write>, id: StagedId) -> Result<(), StoreError> {
        let tenant = grant.tenant();
        self.run(move |folder| {
            let _turn = folder.turn.lock().unwrap_or_else(PoisonError::into_inner);
            absent(fs::remove_dir_all(folder.of(tenant, id)))?;
            // The tenant's folder goes with its last entry.
            drop(fs::remove_dir(folder.of_tenant(tenant)));
            Ok(())
        })
        .await
    }
}

/// Forgets what a tenant that is removed has in the spool below that data folder.
pub(crate) fn forget_tenant(data_dir: &Path, tenant: TenantId) -> Result<(), StoreError> {
    absent(fs::remove_dir_all(data_dir.join(FOLDER).join(tenant.to_string()))).map(drop)
}

fn entry_of(folder: &Path) -> PathBuf {
    folder.join("entry")
}

fn chunk_name(part: SpoolPart, number: u32) -> String {
    format!("{}.{number:06}", part.as_str())
}

/// Writes a file in place of the one before; whoever reads finds one of the two, whole.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = path.with_added_extension("new");
    let mut file: File = private::open_or_make(&new)?;
    file.set_len(0)?;
    file.write_all(bytes)?;
    fs::rename(&new, path)
}

/// `None` of what is not there.
fn absent<T>(found: io::Result<T>) -> Result<Option<T>, StoreError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

fn failed(error: io::Error) -> StoreError {
    let is_full =
        matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::ReadOnlyFilesystem);
    if is_full {
        return StoreError::Failed(Box::new(DiskFailed(error.to_string())));
    }
    StoreError::Failed(Box::new(error))
}

/// Refuses to fill the disk of that folder. Where it is not known how much is free, the disk itself says that it is full.
fn check_room(folder: &Path, bytes: u64) -> Result<(), StoreError> {
    if free_bytes(folder).is_some_and(|free| free < RESERVE.saturating_add(bytes)) {
        return Err(failed(ErrorKind::StorageFull.into()));
    }
    Ok(())
}
