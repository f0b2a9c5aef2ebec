//! Checking the factors of a set against what its entry in the directory says of them.

use domain::{Digest, Name};

use super::new_set::digest_of;
use super::{FactorKey, InstalledSet, read_factor, subject};
use crate::directory::DirectoryCheck;
use crate::store::StoreError;
use crate::store::finding::CONTENT_DIGEST;

/// A check of the factors of one set: all of them by cell, then the end.
#[derive(Debug)]
pub struct FactorsCheck<'a> {
    installed: &'a InstalledSet,
    digests: Vec<Digest>,
}

impl<'a> FactorsCheck<'a> {
    /// The check of that set, which is an entry of the directory.
    #[must_use]
    pub const fn of(installed: &'a InstalledSet) -> Self {
        Self { installed, digests: Vec::new() }
    }

    /// Takes in the next factor, as it is stored.
    pub fn row(&mut self, check: &mut DirectoryCheck, cell: &str, text: &str, beside: Digest) {
        let set = self.installed.set.id;
        check.counted();
        let digest = Digest::of(text.as_bytes());
        self.digests.push(digest);
        if digest != beside {
            return check.damaged(&subject(set, cell), CONTENT_DIGEST);
        }
        let read = Name::parse(cell).map_err(|error| error.to_string()).and_then(|cell| {
            read_factor(&FactorKey { set, cell }, text, beside).map_err(|error| match error {
                StoreError::Corrupt { detail, .. } => detail,
                error @ (StoreError::Conflict(_)
                | StoreError::Stale
                | StoreError::Busy(_)
                | StoreError::Unknown(_)
                | StoreError::Failed(_)) => error.to_string(),
            })
        });
        if let Err(detail) = read {
            check.damaged(&subject(set, cell), detail);
        }
    }

    /// Ends it: whether these are the factors that were added.
    pub fn finish(self, check: &mut DirectoryCheck) {
        let InstalledSet { set, factors, digest, .. } = self.installed;
        let found = self.digests.len() as u64;
        if found != *factors {
            check.damaged(&format!("set {}", set.id), format!("has {found} factors; {factors} were added"));
        } else if digest_of(self.digests) != *digest {
            check.damaged(&format!("set {}", set.id), "its factors are not those that were added");
        }
    }
}
