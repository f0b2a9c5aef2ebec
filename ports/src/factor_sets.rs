//! Published factors: the sets of an installation, which all its companies may read and none may change.

mod check;
mod installed;
mod new_set;

use async_trait::async_trait;
use domain::{Canonical as _, Digest, Name, PublishedFactor};

use crate::store::StoreError;
use crate::store::finding::CONTENT_DIGEST;
use crate::{Grant, Installation, Maintenance, Read};

pub use check::FactorsCheck;
pub use installed::InstalledSet;
pub use new_set::{FactorRow, NewFactorSet, NewFactorSetError};

/// The most factors that a call gives at once.
pub const MOST_FACTORS: usize = 1_000;

/// Names one published factor: a set of the installation and a cell of its file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactorKey {
    /// The SHA-256 of the set's file.
    pub set: Digest,
    /// Where the factor's figure stands in the file.
    pub cell: Name,
}

/// What became of a set that was to be added. Its file has one digest, so what is there is never overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddedSet {
    /// It is there with all its factors.
    New(InstalledSet),
    /// It was there with the same factors, and nothing was changed.
    Same(InstalledSet),
    /// The same file was read into other factors before, and nothing was changed.
    Different(InstalledSet),
}

impl AddedSet {
    /// What became of a set whose file was read before: `there` is the set of that file, `read` what it would be added as.
    #[must_use]
    pub fn found(there: InstalledSet, read: &InstalledSet) -> Self {
        // Neither what the file is called nor what it is said to correct is part of what it says.
        let mut renamed = read.set.clone().with_corrects(there.set.corrects);
        renamed.file.clone_from(&there.set.file);
        let is_same = there.set == renamed && there.digest == read.digest;
        if is_same { Self::Same(there) } else { Self::Different(there) }
    }

    /// The set that is there.
    #[must_use]
    pub const fn installed(&self) -> &InstalledSet {
        let (Self::New(installed) | Self::Same(installed) | Self::Different(installed)) = self;
        installed
    }
}

/// Keeps the sets of published factors. They belong to the installation: a grant of any tenant reads them, and only its
/// operator adds and removes them.
///
/// Implementations MUST keep them beside the [`Directory`](crate::directory::Directory): adding and removing a set is a
/// change of its chain, whose item is the [`InstalledSet`], and
/// [`Directory::verify`](crate::directory::Directory::verify) checks every factor by a [`FactorsCheck`]. They order cells
/// by the bytes of their text. A set and its factors come and go in one transaction, durable when the call returns.
#[async_trait]
pub trait FactorSets: Send + Sync {
    /// Every set, by id.
    async fn list_sets(&self, grant: &Grant<Read>) -> Result<Vec<InstalledSet>, StoreError>;

    /// The set of that id, if it is there.
    async fn find_set(&self, grant: &Grant<Read>, id: Digest) -> Result<Option<InstalledSet>, StoreError>;

    /// Those of the factors that are there, in the order of their keys; at most [`MOST_FACTORS`] are asked for.
    async fn find_factors(
        &self,
        grant: &Grant<Read>,
        keys: &[FactorKey],
    ) -> Result<Vec<(FactorKey, PublishedFactor)>, StoreError>;

    /// The first factors of a set behind a cell, by cell, at most `limit`; none of a set that is not there.
    async fn factors_behind(
        &self,
        grant: &Grant<Read>,
        set: Digest,
        behind: Option<&Name>,
        limit: usize,
    ) -> Result<Vec<PublishedFactor>, StoreError>;

    /// Adds a set with all its factors. A set of that id that is there stays as it is.
    async fn add_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
    ) -> Result<AddedSet, StoreError>;

    /// Removes a set with all its factors, and gives it if it was there. What companies copied of it is theirs.
    async fn remove_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        id: Digest,
    ) -> Result<Option<InstalledSet>, StoreError>;
}

/// What every collection of sets offers beside.
#[async_trait]
pub trait FactorSetsExt: FactorSets {
    /// The factor of that key, if it is there.
    async fn find(&self, grant: &Grant<Read>, key: &FactorKey) -> Result<Option<PublishedFactor>, StoreError> {
        Ok(self.find_factors(grant, std::slice::from_ref(key)).await?.pop().map(|(_, factor)| factor))
    }
}

impl<T: FactorSets + ?Sized> FactorSetsExt for T {}

/// The factor whose canonical text a store has for that key, with the digest beside it. A figure that is not the one that was
/// added goes nowhere.
pub fn read_factor(key: &FactorKey, text: &str, beside: Digest) -> Result<PublishedFactor, StoreError> {
    let corrupt = |detail: String| StoreError::Corrupt { subject: subject(key.set, key.cell.as_str()), detail };
    if Digest::of(text.as_bytes()) != beside {
        let mend = "`tonne factor remove-set` and another import of the file bring the set back";
        return Err(corrupt(format!("{CONTENT_DIGEST}; {mend}")));
    }
    let factor = PublishedFactor::from_canonical((), text).map_err(|error| corrupt(error.to_string()))?;
    if factor.cell == key.cell { Ok(factor) } else { Err(corrupt(format!("its text is of {}", factor.cell))) }
}

/// How findings name a factor.
fn subject(set: Digest, cell: &str) -> String {
    format!("factor {cell:?} of set {set}")
}
