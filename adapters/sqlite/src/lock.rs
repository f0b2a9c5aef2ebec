//! The lock that keeps a second server away from a folder.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::OpenError;
use crate::private;

/// Keeps a second server away from a folder for as long as it lives, and no longer than its process.
///
/// Only servers take it; commands write beside a server, one transaction after another.
#[derive(Debug)]
pub struct ServeLock {
    _file: File,
}

impl ServeLock {
    /// Takes the lock of that folder, which is made where it does not exist.
    pub fn take(folder: &Path) -> Result<Self, OpenError> {
        let path = folder.join("serve.lock");
        let io = |cause| OpenError::Io { path: path.clone(), cause };
        private::make_folder(folder).map_err(io)?;
        let file = private::open_or_make(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(OpenError::Served(folder.to_owned())),
            Err(TryLockError::Error(cause)) => Err(io(cause)),
        }
    }
}
