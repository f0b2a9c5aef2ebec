//! The canonical form of a stored record: what every record has, around the content that its kind has.
//!
//! `{"form":1,"kind":"product","id":"...","created":"...","updated":"...","version":17,"content":{...}}`. The content's
//! members are written and read in `domain`.

#[cfg(all(test, feature = "contract"))]
mod page;
#[cfg(all(test, feature = "contract"))]
mod tests;

use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, Timestamp, parse_uuid};
use uuid::Uuid;

use crate::any_record::AnyRecord;
use crate::entity::Entity;
use crate::record::{RecordKind, Stored, Version};

/// The form that is written, and the only one that is read. A new optional member does not change it.
pub const FORM: u32 = 1;

/// What is around a record's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// What the record is.
    pub kind: RecordKind,
    /// The record's identifier, unique within its kind.
    pub id: Uuid,
    /// When it was added.
    pub created: Timestamp,
    /// When it was last written.
    pub updated: Timestamp,
    /// The change that last wrote it.
    pub version: Version,
}

impl Envelope {
    /// The envelope of a stored record.
    #[must_use]
    pub fn of<T: Entity>(stored: &Stored<T>) -> Self {
        Self {
            kind: T::KIND,
            id: stored.value.id().into(),
            created: stored.created,
            updated: stored.updated,
            version: stored.version,
        }
    }

    /// Writes the members before the content.
    pub fn write(&self, to: &mut CanonicalWriter) {
        write_form(to);
        to.text("kind", self.kind);
        to.text("id", self.id);
        to.text("created", self.created);
        to.text("updated", self.updated);
        to.integer("version", self.version.0);
    }

    /// The digest of the record that it stands around, from the canonical text of the record's content: what takes long can
    /// be done before the version is known.
    #[must_use]
    pub fn digest_around(&self, content: &str) -> Digest {
        CanonicalWriter::digest_of(|to| {
            self.write(to);
            to.object_of("content", content);
        })
    }

    /// Reads the members before the content.
    pub fn read(from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        read_form(from)?;
        Ok(Self {
            kind: from.word("kind", RecordKind::parse)?,
            id: from.text("id", parse_uuid)?,
            created: from.text("created", Timestamp::parse)?,
            updated: from.text("updated", Timestamp::parse)?,
            version: Version(from.integer("version")?),
        })
    }

    /// Reads the content that belongs to it.
    fn content<T: Entity>(self, from: &mut CanonicalReader<'_>) -> Result<Stored<T>, CanonicalError> {
        if self.kind != T::KIND {
            return Err(from.wrong(format_args!("is of the kind {}, not {}", self.kind, T::KIND)));
        }
        let value = from.object("content", |from| T::read(self.id.into(), from))?;
        Ok(Stored { value, created: self.created, updated: self.updated, version: self.version })
    }
}

impl<T: Entity> Canonical for Stored<T> {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        Envelope::of(self).write(to);
        to.object("content", |to| self.value.write(to));
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        Envelope::read(from)?.content(from)
    }
}

impl Canonical for AnyRecord {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        match self {
            Self::Scope(stored) => stored.write(to),
            Self::Org(stored) => stored.write(to),
            Self::Taxonomy(stored) => stored.write(to),
            Self::Product(stored) => stored.write(to),
            Self::Factor(stored) => stored.write(to),
            Self::Model(stored) => stored.write(to),
            Self::Input(stored) => stored.write(to),
            Self::Switch(stored) => stored.write(to),
            Self::Footprint(stored) => stored.write(to),
            Self::ClosedPeriod(stored) => stored.write(to),
            Self::Exclusion(stored) => stored.write(to),
            Self::Partner(stored) => stored.write(to),
            Self::Sharing(stored) => stored.write(to),
            Self::Activity(stored) => stored.write(to),
        }
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let envelope = Envelope::read(from)?;
        Ok(match envelope.kind {
            RecordKind::Scope => Self::Scope(envelope.content(from)?),
            RecordKind::Org => Self::Org(envelope.content(from)?),
            RecordKind::Taxonomy => Self::Taxonomy(envelope.content(from)?),
            RecordKind::Product => Self::Product(envelope.content(from)?),
            RecordKind::Factor => Self::Factor(envelope.content(from)?),
            RecordKind::Model => Self::Model(envelope.content(from)?),
            RecordKind::Input => Self::Input(envelope.content(from)?),
            RecordKind::Switch => Self::Switch(envelope.content(from)?),
            RecordKind::Footprint => Self::Footprint(envelope.content(from)?),
            RecordKind::ClosedPeriod => Self::ClosedPeriod(envelope.content(from)?),
            RecordKind::Exclusion => Self::Exclusion(envelope.content(from)?),
            RecordKind::Partner => Self::Partner(envelope.content(from)?),
            RecordKind::Sharing => Self::Sharing(envelope.content(from)?),
            RecordKind::Activity => Self::Activity(envelope.content(from)?),
        })
    }
}

/// Writes the number of the form, the first member of every text that is stored by itself.
pub fn write_form(to: &mut CanonicalWriter) {
    to.integer("form", FORM);
}

/// Reads the number of the form, and refuses any but [`FORM`].
pub fn read_form(from: &mut CanonicalReader<'_>) -> Result<(), CanonicalError> {
    match from.integer("form")? {
        FORM => Ok(()),
        other => Err(from.wrong(format_args!(
            "has form {other}, and this version of Tonne reads form {FORM}: use the version that wrote it"
        ))),
    }
}
