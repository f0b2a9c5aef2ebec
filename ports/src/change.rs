//! The change chain: what each transaction wrote, bound to all that went before by a digest.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use domain::{Digest, Timestamp};

use crate::record::RecordKind;

/// What a change did to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// It is new.
    Added,
    /// It replaced an earlier version.
    Updated,
    /// It is gone.
    Removed,
}

impl Verb {
    /// The word for it, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Removed => "removed",
        }
    }

    /// The verb of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Added, Self::Updated, Self::Removed].into_iter().find(|verb| verb.as_str() == word)
    }
}

/// One record of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeItem {
    /// What was done.
    pub verb: Verb,
    /// The record's kind.
    pub kind: RecordKind,
    /// The record's identifier.
    pub id: Uuid,
    /// Digest of the record as this change left it; of the record as it was, for one removed.
    pub digest: Digest,
    /// The canonical text of the version that was replaced or removed; `None` for one added.
    pub replaced: Option<String>,
}

/// One transaction of a tenant, without its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number: one more than the change before it.
    pub number: u64,
    /// When it was made.
    pub at: Timestamp,
    /// Who made it.
    pub actor: String,
    /// What for, such as `PATCH /v1/switch`.
    pub cause: String,
    /// The digest of the chain up to and with this change.
    pub digest: Digest,
}

/// A tenant's place in its change chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainHead {
    /// The number of the newest change; 0 for a new tenant.
    pub number: u64,
    /// The digest of the newest change; [`Digest::ZERO`] for a new tenant.
    pub digest: Digest,
    /// Random, and new whenever numbers may be used again: on restore, import of a tenant, purge.
    pub epoch: Uuid,
    /// The number of the newest change that touched a node or a product.
    pub catalog: u64,
}

impl ChainHead {
    /// What caches hang on: equal marks mean equal data.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        Revision { epoch: self.epoch, number: self.number }
    }
}

/// A point of a tenant's history: its epoch and a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision {
    /// The epoch.
    pub epoch: Uuid,
    /// The number of the newest change.
    pub number: u64,
}

/// Computes the digest of a change while its items go by.
#[derive(Clone, Debug)]
pub struct ChangeDigest(Sha256);

impl ChangeDigest {
    /// Starts a change on the digest of the one before it. Each field is preceded by its length, so no two changes
    /// share their bytes.
    #[must_use]
    pub fn new(previous: Digest, number: u64, at: Timestamp, actor: &str, cause: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(previous.as_bytes());
        hash.update(number.to_be_bytes());
        hash.update(at.millis().to_be_bytes());
        for text in [actor, cause] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text.as_bytes());
        }
        Self(hash)
    }

    /// Takes in the next item.
    pub fn item(&mut self, item: &ChangeItem) {
        for word in [item.verb.as_str(), item.kind.as_str()] {
            self.0.update([u8::try_from(word.len()).unwrap_or(u8::MAX)]);
            self.0.update(word.as_bytes());
        }
        self.0.update(item.id.as_bytes());
        self.0.update(item.digest.as_bytes());
    }

    /// The digest of the change.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest::from_stored(self.0.finalize().into())
    }
}
