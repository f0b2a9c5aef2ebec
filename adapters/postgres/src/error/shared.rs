//! One error for all who waited for the same commit.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use ports::store::{DiskFailed, StoreError};

use super::disk_failed;

/// An error that several callers get.
#[derive(Clone, Debug)]
pub(crate) struct SharedError(Arc<StoreError>);

impl SharedError {
    pub(crate) fn of(error: StoreError) -> Self {
        Self(Arc::new(error))
    }

    /// The error for one of them, with all of its causes.
    pub(crate) fn again(&self) -> StoreError {
        let cause = || Box::new(self.clone());
        match &*self.0 {
            StoreError::Busy(None) => StoreError::Busy(None),
            StoreError::Busy(Some(_)) => StoreError::Busy(Some(cause())),
            StoreError::Unknown(_) => StoreError::Unknown(cause()),
            StoreError::Failed(_) if DiskFailed::is_cause_of(&*self.0) => disk_failed(self.to_string()),
            StoreError::Failed(_) | StoreError::Stale | StoreError::Conflict(_) => StoreError::Failed(cause()),
            StoreError::Corrupt { subject, detail } => {
                StoreError::Corrupt { subject: subject.clone(), detail: detail.clone() }
            }
        }
    }

    /// What caused it, or itself where nothing did.
    fn cause(&self) -> &(dyn Error + 'static) {
        self.0.source().unwrap_or(&*self.0)
    }
}

impl fmt::Display for SharedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.cause(), f)
    }
}

impl Error for SharedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause().source()
    }
}
