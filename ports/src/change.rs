//! The change chain: what each transaction wrote, bound to all that went before by a digest.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use domain::{Canonical, Digest, Timestamp};

use crate::entity::Entity;
use crate::record::{RecordKind, Stored, Version};

/// What a change did to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A record was added.
    Added,
    /// It replaced an earlier version.
    Updated,
    /// A record was removed.
    Removed,
    /// The text of a version that an earlier change replaced was blanked; the record itself stayed as it was.
    Blanked,
}

impl Verb {
    /// Every verb, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Added, Self::Updated, Self::Removed, Self::Blanked];
}

impl Verb {
    /// The word for it, in lower case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Removed => "removed",
            Self::Blanked => "blanked",
        }
    }

    /// The verb of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.as_str() == word)
    }

    /// The number that stands for it in stored bytes.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Added => 0,
            Self::Updated => 1,
            Self::Removed => 2,
            Self::Blanked => 3,
        }
    }

    /// The verb of that code.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.code() == code)
    }
}

/// One record of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeItem {
    /// What the record is.
    pub kind: RecordKind,
    /// The record's identifier, unique within its kind.
    pub id: Uuid,
    /// What was done with it.
    pub action: Action,
}

/// What a change did to a record, each with the digest of the record's canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is new, and was left so.
    Added(Digest),
    /// It took the place of an earlier version.
    Updated {
        /// As it was left.
        digest: Digest,
        /// The version that was replaced.
        replaced: Replaced,
    },
    /// The record was removed; this is the version that was.
    Removed(Replaced),
    /// The text of a version that an earlier change replaced or removed was blanked. The record stayed as it was.
    Blanked(BlankedVersion),
}

/// A replaced version whose text was blanked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlankedVersion {
    /// The change that wrote it.
    pub version: Version,
    /// The digest of its canonical text, which stays.
    pub digest: Digest,
}

/// A version of a record that is there no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The change that wrote it.
    pub version: Version,
    /// The digest of its canonical text.
    pub digest: Digest,
    /// Its canonical text; `None` when it was blanked, because something in it had to be forgotten. A later change says so
    /// ([`Action::Blanked`]).
    pub text: Option<String>,
}

impl Replaced {
    /// That version, with its text.
    #[must_use]
    pub fn new<T: Entity>(stored: &Stored<T>) -> Self {
        let text = stored.canonical();
        Self { version: stored.version, digest: Digest::of(text.as_bytes()), text: Some(text) }
    }

    /// The same without the text.
    #[must_use]
    pub fn blanked(self) -> Self {
        Self { text: None, ..self }
    }

    /// Whether the text, unless it was blanked, has the digest.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.text.as_ref().is_none_or(|text| Digest::of(text.as_bytes()) == self.digest)
    }
}

impl ChangeItem {
    /// The item of a record that was added.
    #[must_use]
    pub fn added<T: Entity>(stored: &Stored<T>) -> Self {
        Self::of(stored, Action::Added(stored.digest()))
    }

    /// A record in place of an earlier version.
    #[must_use]
    pub fn updated<T: Entity>(stored: &Stored<T>, before: &Stored<T>) -> Self {
        Self::of(stored, Action::Updated { digest: stored.digest(), replaced: Replaced::new(before) })
    }

    /// A record that is gone.
    #[must_use]
    pub fn removed<T: Entity>(before: &Stored<T>) -> Self {
        Self::of(before, Action::Removed(Replaced::new(before)))
    }

    fn of<T: Entity>(stored: &Stored<T>, action: Action) -> Self {
        Self { kind: T::KIND, id: stored.value.id().into(), action }
    }

    /// What was done to the record.
    #[must_use]
    pub const fn verb(&self) -> Verb {
        match self.action {
            Action::Added(_) => Verb::Added,
            Action::Updated { .. } => Verb::Updated,
            Action::Removed(_) => Verb::Removed,
            Action::Blanked(_) => Verb::Blanked,
        }
    }

    /// The digest of the record as the change wrote it; `None` when it is gone, or only an earlier version was blanked.
    #[must_use]
    pub const fn left(&self) -> Option<Digest> {
        match self.action {
            Action::Added(digest) | Action::Updated { digest, .. } => Some(digest),
            Action::Removed(_) | Action::Blanked(_) => None,
        }
    }

    /// The version that was replaced or removed.
    #[must_use]
    pub const fn replaced(&self) -> Option<&Replaced> {
        match &self.action {
            Action::Added(_) | Action::Blanked(_) => None,
            Action::Updated { replaced, .. } | Action::Removed(replaced) => Some(replaced),
        }
    }

    /// The version whose text was blanked.
    #[must_use]
    pub const fn blanked(&self) -> Option<&BlankedVersion> {
        match &self.action {
            Action::Added(_) | Action::Updated { .. } | Action::Removed(_) => None,
            Action::Blanked(version) => Some(version),
        }
    }
}

/// One transaction of a tenant, without its items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its number: one more than the change before it.
    pub number: u64,
    /// When it was made.
    pub at: Timestamp,
    /// The caller, such as `key:<uuid>`.
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
    /// The number of the newest change that touched a node, a product, a factor or a closed period.
    pub catalog: u64,
}

impl ChainHead {
    /// Whether nodes, products and factors are the same at both heads.
    #[must_use]
    pub fn has_catalog_of(&self, other: &Self) -> bool {
        (self.epoch, self.catalog) == (other.epoch, other.catalog)
    }

    /// The key of caches: equal revisions mean equal data.
    #[must_use]
    pub const fn revision(&self) -> Revision {
        Revision { epoch: self.epoch, number: self.number }
    }
}

/// A point of a tenant's history: its epoch and a number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision {
    /// Identifies one filling of the tenant: a restored or loaded tenant has another.
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

    /// Takes in the next item: the words for verb and kind, each behind a byte with its length, the identifier, then the
    /// digests of what was left, of what was replaced and of what was blanked, those that there are.
    pub fn item(&mut self, item: &ChangeItem) {
        for word in [item.verb().as_str(), item.kind.as_str()] {
            self.0.update([u8::try_from(word.len()).unwrap_or(u8::MAX)]);
            self.0.update(word.as_bytes());
        }
        self.0.update(item.id.as_bytes());
        let before = item.replaced().map(|replaced| replaced.digest);
        let blanked = item.blanked().map(|version| version.digest);
        for digest in item.left().into_iter().chain(before).chain(blanked) {
            self.0.update(digest.as_bytes());
        }
    }

    /// The digest of the change.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest::from_stored(self.0.finalize().into())
    }
}
