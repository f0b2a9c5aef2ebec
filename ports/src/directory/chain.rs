//! The directory's change chain. Its newest number is the directory's version.

use domain::{CanonicalWriter, Digest, Timestamp};

use super::entry::{Entry, EntryKind};
use super::event::Event;
use crate::{Verb, Version, write_form};

/// Where the chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryHead {
    /// The number of the newest change; 0 for a new directory.
    pub number: u64,
    /// The digest of the chain up to and with that change.
    pub digest: Digest,
}

impl DirectoryHead {
    /// That of a new directory.
    pub const NEW: Self = Self { number: 0, digest: Digest::ZERO };
}

/// One record or event of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryItem {
    /// What was done to the entry.
    pub verb: Verb,
    /// What it was done to.
    pub kind: EntryKind,
    /// The text of its identifier.
    pub id: String,
    /// Digest of the record as this change left it; of the record as it was, for one removed; of the event.
    pub digest: Digest,
    /// The canonical text of what was replaced or removed.
    pub replaced: Option<String>,
}

/// One change, with all that the chain binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryChange {
    /// Its number: one more than the change before it.
    pub number: u64,
    /// When it was made.
    pub at: Timestamp,
    /// The caller, such as `key:<uuid>`.
    pub actor: String,
    /// What for, such as `update key`.
    pub cause: String,
    /// What it did, in order.
    pub items: Vec<DirectoryItem>,
    /// The digest of the chain up to and with this change.
    pub digest: Digest,
}

impl DirectoryChange {
    /// The digest that it has behind a change of that digest.
    #[must_use]
    pub fn digest_behind(&self, previous: Digest) -> Digest {
        CanonicalWriter::digest_of(|to| self.write(previous, to))
    }

    /// Writes the text that the digest is of; what was replaced is in it by its digest.
    pub(super) fn write(&self, previous: Digest, to: &mut CanonicalWriter) {
        write_form(to);
        to.text("previous", previous);
        to.integer("number", self.number);
        to.text("at", self.at);
        to.text("actor", &self.actor);
        to.text("cause", &self.cause);
        to.objects("items", &self.items, |item, to| {
            to.text("verb", item.verb.as_str());
            to.text("kind", item.kind);
            to.text("id", &item.id);
            to.text("digest", item.digest);
            to.optional("replaced", item.replaced.as_ref().map(|text| Digest::of(text.as_bytes())));
        });
    }

    /// The head behind it.
    #[must_use]
    pub const fn head(&self) -> DirectoryHead {
        DirectoryHead { number: self.number, digest: self.digest }
    }
}

/// A change in the making. Its writer holds the head locked from before this begins until it is stored.
#[derive(Clone, Debug)]
pub struct DirectoryDraft {
    previous: Digest,
    change: DirectoryChange,
}

impl DirectoryDraft {
    /// A change behind that head.
    #[must_use]
    pub fn behind(head: DirectoryHead, at: Timestamp, actor: &str, cause: &str) -> Self {
        let (actor, cause) = (actor.to_owned(), cause.to_owned());
        let change =
            DirectoryChange { number: head.number + 1, at, actor, cause, items: Vec::new(), digest: Digest::ZERO };
        Self { previous: head.digest, change }
    }

    /// The version of the records that this change writes.
    #[must_use]
    pub const fn version(&self) -> Version {
        Version(self.change.number)
    }

    /// When this change is made.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.change.at
    }

    /// Notes a new record, and gives its digest.
    pub fn added<E: Entry>(&mut self, entry: &E) -> Digest {
        self.note(Verb::Added, E::KIND, entry.id(), entry.digest(), None)
    }

    /// Notes that a record was written in place of another, and gives its digest.
    pub fn updated<E: Entry>(&mut self, before: &E, entry: &E) -> Digest {
        self.note(Verb::Updated, E::KIND, entry.id(), entry.digest(), Some(before.canonical()))
    }

    /// Notes that a record is gone.
    pub fn removed<E: Entry>(&mut self, before: &E) {
        let text = before.canonical();
        self.note(Verb::Removed, E::KIND, before.id(), Digest::of(text.as_bytes()), Some(text));
    }

    /// Notes what happened to a token.
    pub fn happened(&mut self, event: &Event<'_>) {
        self.note(Verb::Added, event.kind(), event.id(), event.digest(), None);
    }

    fn note(&mut self, verb: Verb, kind: EntryKind, id: String, digest: Digest, replaced: Option<String>) -> Digest {
        self.change.items.push(DirectoryItem { verb, kind, id, digest, replaced });
        digest
    }

    /// The change with its digest, to be stored with the records that its items name; `None` when nothing was noted, and the
    /// head stays.
    #[must_use]
    pub fn close(self) -> Option<DirectoryChange> {
        let Self { previous, mut change } = self;
        change.digest = change.digest_behind(previous);
        (!change.items.is_empty()).then_some(change)
    }
}
