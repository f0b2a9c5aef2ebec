//! The lock that keeps a second server away from a folder.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::OpenError;
use crate::private;

/// Keeps a second server away from a folder for as long as it lives, and no longer than its process.
///
/// Only servers take it; commands write beside a server, one transaction after another. But none brings a file to a later
/// format beside one, which may be of an earlier version.
#[derive(Debug)]
pub struct ServeLock {
    folder: PathBuf,
    _file: File,
}

/// The folders that this process serves. The system's lock belongs to the process too.
static SERVED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl ServeLock {
    /// Takes the lock of that folder, which is made where it does not exist.
    pub fn take(folder: &Path) -> Result<Self, OpenError> {
        let (folder, file, io) = open(folder)?;
        match file.try_lock() {
            Ok(()) => {
                served().push(folder.clone());
                Ok(Self { folder, _file: file })
            }
            Err(TryLockError::WouldBlock) => Err(OpenError::Served(folder)),
            Err(TryLockError::Error(cause)) => Err(io(cause)),
        }
    }
}

impl Drop for ServeLock {
    fn drop(&mut self) {
        let mut served = served();
        if let Some(place) = served.iter().position(|folder| *folder == self.folder) {
            served.swap_remove(place);
        }
    }
}

/// Keeps servers away from that folder until it is dropped; `None` where this process is its server. Others may do so at the
/// same time.
pub(crate) fn keep_servers_away(folder: &Path) -> Result<Option<File>, OpenError> {
    let (folder, file, io) = open(folder)?;
    if served().contains(&folder) {
        return Ok(None);
    }
    match file.try_lock_shared() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(OpenError::ServedByOlder(folder)),
        Err(TryLockError::Error(cause)) => Err(io(cause)),
    }
}

type Opened = (PathBuf, File, Box<dyn Fn(std::io::Error) -> OpenError>);

/// The folder by its one name, its lock file, and how an error of the system is told.
fn open(folder: &Path) -> Result<Opened, OpenError> {
    let path = folder.join("serve.lock");
    let io = {
        let path = path.clone();
        move |cause| OpenError::Io { path: path.clone(), cause }
    };
    private::make_folder(folder).map_err(&io)?;
    let file = private::open_or_make(&path).map_err(&io)?;
    let name = folder.canonicalize().map_err(&io)?;
    Ok((name, file, Box::new(io)))
}

fn served() -> MutexGuard<'static, Vec<PathBuf>> {
    SERVED.lock().unwrap_or_else(PoisonError::into_inner)
}
