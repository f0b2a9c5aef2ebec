//! The directory's version as it is known here: read again at most every half second. What was found in the directory at
//! one version is worth nothing at another, so every cache of it hangs on this.

use std::sync::{Mutex, MutexGuard, PoisonError};

use domain::Timestamp;
use ports::directory::Directory;
use ports::store::StoreError;

/// The version is read again when it is older: half of the second that a change may take to count everywhere.
const FRESH_MS: i64 = 500;

/// The directory's version, shared by all that is remembered of the directory.
#[derive(Debug, Default)]
pub struct DirectoryVersion {
    state: Mutex<State>,
    /// One reads the version, the others wait for it.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct State {
    version: u64,
    /// When the version was last asked for.
    checked: Option<Timestamp>,
    /// How often this process changed the directory.
    changes: u64,
    /// How often the directory could not be read.
    failures: u64,
}

impl DirectoryVersion {
    /// Forgets the version, so that the next use reads it from the directory. To be called after each change of the directory.
    pub fn expire(&self) {
        let mut state = self.state();
        state.changes += 1;
        state.checked = None;
    }

    /// The directory's version, at most [`FRESH_MS`] old.
    pub(super) async fn read(&self, directory: &dyn Directory, now: Timestamp) -> Result<u64, StoreError> {
        if let Some(version) = self.state().fresh(now) {
            return Ok(version);
        }
        let failures = self.state().failures;
        let _turn = self.reading.lock().await;
        let changes = {
            let state = self.state();
            if let Some(version) = state.fresh(now) {
                return Ok(version);
            }
            // Who waited for another's failure need not wait for its own.
            if state.failures != failures {
                return Err(StoreError::Busy(None));
            }
            state.changes
        };
        let version = directory.version().await;
        let mut state = self.state();
        if version.is_err() {
            state.failures += 1;
        }
        let version = version?;
        state.version = version;
        // A change made here while the version was read may not be in it.
        if state.changes == changes {
            state.checked = Some(now);
        }
        Ok(version)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The version, if it was asked for lately; a clock that was set back makes it old.
    fn fresh(&self, now: Timestamp) -> Option<u64> {
        let age_ms = now.millis().saturating_sub(self.checked?.millis());
        (0..FRESH_MS).contains(&age_ms).then_some(self.version)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;
    use crate::usecase::access::tests::TestDirectory;

    #[tokio::test]
    async fn who_waits_for_a_reading_that_fails_makes_no_other() {
        let (version, directory) = (DirectoryVersion::default(), TestDirectory::default());
        directory.busy.store(true, Ordering::SeqCst);
        let now = Timestamp::from_millis(0).unwrap();
        let all =
            tokio::join!(version.read(&directory, now), version.read(&directory, now), version.read(&directory, now));
        assert!(matches!(all, (Err(StoreError::Busy(_)), Err(StoreError::Busy(_)), Err(StoreError::Busy(_)))));
        assert_eq!(directory.asked.load(Ordering::SeqCst), 1);
        directory.busy.store(false, Ordering::SeqCst);
        assert!(version.read(&directory, now).await.is_ok());
    }
}
