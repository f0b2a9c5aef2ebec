//! An import as a batch that has a name: who brought what, when, what became of its rows, and how far it is undone.

use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, Timestamp};

use crate::envelope::{read_form, write_form};
use crate::id::ImportId;
use crate::ledger::PartPlace;

/// A running import that wrote nothing for so long, in milliseconds, was broken off: it says every few seconds how far it is.
pub const SILENT_MS: i64 = 60 * 1_000;

/// An import. It is no record: no change lists it, but each change that it made names it in its cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportBatch {
    /// Its identifier, version 7: newer ones sort behind.
    pub id: ImportId,
    /// The name of the file, or what it was called.
    pub name: String,
    /// Who imported, as changes name the caller.
    pub actor: String,
    /// When it began.
    pub begun: Timestamp,
    /// When it was last heard of.
    pub updated: Timestamp,
    /// The SHA-256 of the file; `None` until it is known.
    pub hash: Option<Digest>,
    /// The SHA-256 of how the file was read, its sheet and its map; `None` of one without either. The same file read in another
    /// way is another import.
    pub reading: Option<Digest>,
    /// How far it is.
    pub state: ImportState,
    /// What became of its rows.
    pub counts: ImportCounts,
    /// The numbers of its first and its last change; `None` while it has none. Changes between may be others'.
    pub changes: Option<(u64, u64)>,
    /// While it is undone: the change that is next, and how many of its parts of items are left.
    pub left: Option<PartPlace>,
    /// How many of its records stayed as they are when it was undone, because somebody had changed them or uses them.
    pub kept: u64,
    /// Who undid it, as changes name the caller; `None` while it is not undone.
    pub undone_by: Option<String>,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportState {
    /// Rows are written.
    Running,
    /// All rows were read.
    Done,
    /// It ended before its last row. What it wrote is there.
    BrokenOff,
    /// What it wrote is taken back, batch by batch.
    Undoing,
    /// What it wrote was taken back.
    Undone,
}

/// What became of the rows of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// How many activities were added.
    pub created: u64,
    /// How many activities were changed.
    pub updated: u64,
    /// Rows that changed nothing.
    pub unchanged: u64,
    /// Rows with faults, which were left out.
    pub rejected: u64,
    /// Warnings about rows that were taken.
    pub warnings: u64,
}

impl ImportState {
    /// Every state, in the order in which they follow each other.
    pub const ALL: [Self; 5] = [Self::Running, Self::Done, Self::BrokenOff, Self::Undoing, Self::Undone];

    /// The word for it, as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::BrokenOff => "brokenOff",
            Self::Undoing => "undoing",
            Self::Undone => "undone",
        }
    }

    /// The state of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl ImportBatch {
    /// An import that begins.
    #[must_use]
    pub fn begin(id: ImportId, name: String, actor: String, now: Timestamp, hash: Option<Digest>) -> Self {
        Self {
            id,
            name,
            actor,
            begun: now,
            updated: now,
            hash,
            reading: None,
            state: ImportState::Running,
            counts: ImportCounts::default(),
            changes: None,
            left: None,
            kept: 0,
            undone_by: None,
        }
    }

    /// How far it is at that moment: a running one that was not heard of for [`SILENT_MS`] was broken off.
    #[must_use]
    pub fn state_at(&self, now: Timestamp) -> ImportState {
        let is_silent = now.millis().saturating_sub(self.updated.millis()) > SILENT_MS;
        if self.state == ImportState::Running && is_silent { ImportState::BrokenOff } else { self.state }
    }

    /// The cause of the changes that it makes.
    #[must_use]
    pub fn cause(&self) -> String {
        format!("import {} {}", self.id, self.name)
    }

    /// The cause of the changes that take back what it wrote.
    #[must_use]
    pub fn undo_cause(&self) -> String {
        format!("undo import {} {}", self.id, self.name)
    }
}

impl Canonical for ImportBatch {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self { id, name, actor, begun, updated, hash, reading, state, counts, changes, left, kept, undone_by } =
            self;
        write_form(to);
        to.text("id", id);
        to.text("name", name);
        to.text("actor", actor);
        to.text("begun", begun);
        to.text("updated", updated);
        to.optional("hash", *hash);
        to.optional("reading", *reading);
        to.text("state", state.as_str());
        to.object("counts", |to| {
            to.integer("created", counts.created);
            to.integer("updated", counts.updated);
            to.integer("unchanged", counts.unchanged);
            to.integer("rejected", counts.rejected);
            to.integer("warnings", counts.warnings);
        });
        to.optional_object("changes", *changes, |(first, last), to| {
            to.integer("first", first);
            to.integer("last", last);
        });
        to.optional_object("left", *left, |left, to| {
            to.integer("change", left.change);
            to.integer("parts", left.part);
        });
        to.integer("kept", *kept);
        to.optional("undoneBy", undone_by.as_ref());
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        read_form(from)?;
        Ok(Self {
            id: from.text("id", str::parse)?,
            name: from.string("name")?,
            actor: from.string("actor")?,
            begun: from.text("begun", Timestamp::parse)?,
            updated: from.text("updated", Timestamp::parse)?,
            hash: from.optional("hash", Digest::parse)?,
            reading: from.optional("reading", Digest::parse)?,
            state: from.word("state", ImportState::parse)?,
            counts: from.object("counts", |from| {
                Ok(ImportCounts {
                    created: from.integer("created")?,
                    updated: from.integer("updated")?,
                    unchanged: from.integer("unchanged")?,
                    rejected: from.integer("rejected")?,
                    warnings: from.integer("warnings")?,
                })
            })?,
            changes: from.optional_object("changes", |from| Ok((from.integer("first")?, from.integer("last")?)))?,
            left: from.optional_object("left", |from| {
                Ok(PartPlace { change: from.integer("change")?, part: from.integer("parts")? })
            })?,
            kept: from.integer("kept")?,
            undone_by: from.optional("undoneBy", |name| Ok::<_, std::convert::Infallible>(name.to_owned()))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch() -> ImportBatch {
        let at = Timestamp::parse("2025-01-02T03:04:05.678Z").unwrap();
        ImportBatch::begin(uuid::Uuid::nil().into(), "a \"file\".csv".to_owned(), "cli:ann".to_owned(), at, None)
    }

    #[test]
    fn an_import_reads_back_from_its_text() {
        let bare = batch();
        let filled = ImportBatch {
            hash: Some(Digest::of(b"file")),
            reading: Some(Digest::of(b"map")),
            state: ImportState::Undoing,
            counts: ImportCounts { created: 1, updated: 2, unchanged: 3, rejected: 4, warnings: 5 },
            changes: Some((7, 9)),
            left: Some(PartPlace { change: 8, part: 3 }),
            kept: 6,
            undone_by: Some("key:a b".to_owned()),
            ..batch()
        };
        for batch in [bare, filled] {
            assert_eq!(ImportBatch::from_canonical((), &batch.canonical()).unwrap(), batch);
        }
    }

    #[test]
    fn a_running_import_that_is_silent_was_broken_off() {
        let later = |ms: i64| Timestamp::from_millis(batch().updated.millis() + ms).unwrap();
        assert_eq!(batch().state_at(later(SILENT_MS)), ImportState::Running);
        assert_eq!(batch().state_at(later(SILENT_MS + 1)), ImportState::BrokenOff);
        let done = ImportBatch { state: ImportState::Done, ..batch() };
        assert_eq!(done.state_at(later(SILENT_MS + 1)), ImportState::Done);
    }
}
