//! A set as an installation has it: an entry of the directory's chain.

use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, FactorSet, Timestamp};

use crate::directory::{Entry, EntryKind, begin_entry, begun_entry};

/// A set of an installation, with what is known of its factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledSet {
    /// What its publisher says of it.
    pub set: FactorSet,
    /// How many factors it has.
    pub factors: u64,
    /// The SHA-256 of the digests of their canonical texts, in the order of the cells.
    pub digest: Digest,
    /// When it was added.
    pub added: Timestamp,
    /// Who added it, as the change chain names them.
    pub by: String,
}

impl Entry for InstalledSet {
    const KIND: EntryKind = EntryKind::FactorSet;

    fn id(&self) -> String {
        self.set.id.to_string()
    }
}

impl Canonical for InstalledSet {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self { set, factors, digest, added, by } = self;
        begin_entry::<Self>(set.id, to);
        to.text("created", added);
        to.object("content", |to| {
            to.text("by", by);
            to.integer("factors", *factors);
            to.text("digest", digest);
            to.object("set", |to| set.write(to));
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun_entry::<Self>(from)?;
        let id = from.text("id", Digest::parse)?;
        let added = from.text("created", Timestamp::parse)?;
        from.object("content", |from| {
            let by = from.string("by")?;
            let factors = from.integer("factors")?;
            let digest = from.text("digest", Digest::parse)?;
            let set = from.object("set", |from| FactorSet::read((), from))?;
            if set.id != id {
                return Err(from.wrong("is of another set"));
            }
            Ok(Self { set, factors, digest, added, by })
        })
    }
}
