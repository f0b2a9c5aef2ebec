//! Whether the file at a path is still the one that was opened there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ports::TenantId;
use uuid::Uuid;

use crate::error::OpenError;

/// The file that was opened at a path. SQLite goes on with a file that was moved away or deleted: what is written then is
/// acknowledged, and not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    path: PathBuf,
    opened: FileId,
}

/// What tells files of one system apart: the device and the number on it. Where an open file cannot be moved away, all are
/// the same.
type FileId = (u64, u64);

impl Identity {
    /// The file that is at the path now.
    pub(crate) fn of(path: &Path) -> Result<Self, OpenError> {
        let opened = file_id(path).ok_or_else(|| OpenError::Replaced(path.to_owned()))?;
        Ok(Self { path: path.to_owned(), opened })
    }

    /// Refuses to go on when another file is at the path, or none.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        if file_id(&self.path) == Some(self.opened) { Ok(()) } else { Err(OpenError::Replaced(self.path.clone())) }
    }
}

/// Which file each tenant had when it was first opened. One that was closed meanwhile is opened again only if it still is
/// that file: the log beside it would be taken for the other file's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identities(Arc<Mutex<HashMap<TenantId, Known>>>);

/// What is known of a tenant's file.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The epoch that the directory said.
    epoch: Uuid,
    /// The file, once it was opened.
    file: Option<Identity>,
}

impl Identities {
    /// Notes the tenant's epoch. With another one than before it may have another file: it was removed and is there again, or
    /// was restored.
    pub(crate) fn settle(&self, tenant: TenantId, epoch: Uuid) {
        let mut all = self.all();
        let known = all.entry(tenant).or_default();
        if known.epoch != epoch {
            *known = Known { epoch, file: None };
        }
    }

    /// Refuses a tenant's file that is not the one that it was.
    pub(crate) fn check(&self, tenant: TenantId) -> Result<(), OpenError> {
        let file = self.all().get(&tenant).and_then(|known| known.file.clone());
        file.map_or(Ok(()), |file| file.check())
    }

    /// Notes a tenant's file, which was opened.
    pub(crate) fn note(&self, tenant: TenantId, file: Identity) {
        self.all().entry(tenant).or_default().file = Some(file);
    }

    /// Forgets a tenant that was removed.
    pub(crate) fn forget(&self, tenant: TenantId) {
        self.all().remove(&tenant);
    }

    /// The tenants that something is known of.
    pub(crate) fn tenants(&self) -> Vec<TenantId> {
        self.all().keys().copied().collect()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<TenantId, Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn file_id(_: &Path) -> Option<FileId> {
    Some((0, 0))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_that_was_moved_deleted_or_replaced_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let (path, aside) = (folder.path().join("a.db"), folder.path().join("b.db"));
        assert!(matches!(Identity::of(&path), Err(OpenError::Replaced(_))));
        fs::write(&path, "one").unwrap();
        let identity = Identity::of(&path).unwrap();
        fs::write(&path, "written").unwrap();
        assert!(identity.check().is_ok());
        fs::rename(&path, &aside).unwrap();
        assert!(matches!(identity.check(), Err(OpenError::Replaced(_))));
        fs::copy(&aside, &path).unwrap();
        assert!(matches!(identity.check(), Err(OpenError::Replaced(_))));
        fs::rename(&aside, &path).unwrap();
        assert!(identity.check().is_ok(), "it was put back");
    }
}
