//! Importing activities: the rows of a table or stream, in calls of bounded size.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{Digest, Faults, Total};

use super::Error;
use super::activity::ActivityDraft;
use super::patience::{ImportPatience, UndoPatience};
use crate::import_batch::{ImportBatch, ImportCounts};
use crate::repo::{Listing, Page};
use crate::staged_import::{ChangedRow, MOST_CHANGED};
use crate::{Caller, ImportId};

/// Importing activities in bulk, and what becomes of imports.
#[async_trait]
pub trait Imports: Send + Sync {
    /// Begins an import; needs `activity:write`, and `catalog:write` where orgs and taxonomies are to be made on the way.
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error>;

    /// An import; needs `activity:read`.
    async fn find(&self, caller: &Caller, id: ImportId) -> Result<ImportBatch, Error>;

    /// One page of all imports, the newest first; needs `activity:read`.
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<ImportBatch>, Error>;

    /// The newest import of a file with that SHA-256, read in that way, that is done, took rows and was not undone; where there
    /// is none, the newest that is running. Needs `activity:write`.
    async fn same_file(
        &self,
        caller: &Caller,
        hash: Digest,
        reading: Option<Digest>,
    ) -> Result<Option<ImportBatch>, Error>;

    /// The newest import of a file with that SHA-256, read in whatever way, that wrote activities and was not undone; needs
    /// `activity:write`.
    async fn same_bytes(&self, caller: &Caller, hash: Digest) -> Result<Option<ImportBatch>, Error>;

    /// The imports that are being undone, the newest first, also those whose undoing was broken off; needs `activity:read`.
    async fn undoing(&self, caller: &Caller) -> Result<Vec<ImportBatch>, Error>;

    /// Takes back what an import wrote, under one cause: what it created goes, what it changed gets its earlier content. A
    /// small one is one change. A larger one is undone batch by batch and reads as undoing meanwhile; the same call goes on
    /// with one that was left so. One that is undone is left as it is. Needs `activity:write`; nodes that were made on the
    /// way go with `catalog:write` alone.
    ///
    /// `Conflict` while it is running, where somebody's later edit stands on one of its records, and where what a record was
    /// before refers to one that is gone or has a syncId that another has: nothing was changed.
    /// What is edited while it is undone stays as it was edited, and is counted.
    async fn undo(&self, caller: &Caller, id: ImportId, patience: UndoPatience) -> Result<ImportBatch, Error>;
}

/// One import: the rows of one file or stream, in their order.
///
/// Each row adds an activity, or changes the one that it is about, or is left when nothing changed, or is rejected with
/// its faults. A row is about the activity of its syncId; without one, about the activity that it was read from. What
/// becomes of a row does not depend on how the rows are divided into calls.
///
/// With [`Outcome::KeepGood`] the rows of one call are written while those of the next are read: a call says what became
/// of earlier rows, [`finish`](Self::finish) of the last. Said is what is written, and what is written is said: after an
/// error, [`finish`](Self::finish) still says what became of the rows before.
///
/// With [`Outcome::AllOrNothing`] all calls write in one transaction, which [`finish`](Self::finish) commits unless a row was
/// rejected; other writers wait from the first call on. So rows are first tried with [`Outcome::Nothing`].
#[async_trait]
pub trait Import: Send {
    /// The identifier that the import is listed under; `None` of one that writes nothing.
    fn id(&self) -> Option<ImportId>;

    /// Says the SHA-256 of the file, where it is known by now.
    fn hashed(&mut self, hash: Digest);

    /// Refuses so many rows where they are to be written in one transaction and the disk of the store lacks the room for them:
    /// `Failed`, whose cause is a [`NoRoom`](crate::store::NoRoom). Comes before the first rows, when nobody waits for the import
    /// yet.
    async fn check_room(&mut self, rows: u64) -> Result<(), Error>;

    /// Takes the next rows, which are written in one transaction, and says what became of those whose end is known. What
    /// they come to is said as if they were written, though [`Outcome::Nothing`] writes nothing and
    /// [`Outcome::AllOrNothing`] nothing when a row is rejected. Of rows that an error is about
    /// nothing is kept, but with [`Error::Unknown`] all of them may have been.
    async fn rows(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error>;

    /// Waits for the rows that are being written, and says what became of them. The import is done, or after an error of an
    /// earlier call broken off.
    async fn finish(&mut self) -> Result<BatchOutcome, Error>;

    /// The same for an import whose rows cannot be read to the end: it was broken off.
    async fn break_off(&mut self) -> Result<BatchOutcome, Error>;
}

/// A row of a table or stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowDraft {
    /// The line it starts on, from 1.
    pub line: u64,
    /// Its members. Absent ones stay as they are when the row changes an activity; in NDJSON, where a row is the whole
    /// record, the reader gives `Null` for them.
    pub draft: ActivityDraft,
}

/// How rows are imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Whether anything is written.
    pub outcome: Outcome,
    /// What becomes of a second row about the same activity.
    pub repeats: Repeats,
    /// The name of the file, or what it is called: the import is listed under it, and its changes name it.
    pub name: String,
    /// The SHA-256 of the file, where it is known before its rows are read.
    pub hash: Option<Digest>,
    /// The SHA-256 of how it is read, its sheet and its map, where it has either.
    pub reading: Option<Digest>,
    /// What becomes of it where the same file was imported already, or is being imported.
    pub same_file: SameFile,
    /// How long a busy store is waited for, for each snapshot and each transaction, whatever the outcome.
    pub patience: ImportPatience,
}

/// What becomes of an import of a file that was imported already in the same way, and not undone, or is being imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SameFile {
    /// It is imported once more.
    #[default]
    Taken,
    /// It is a conflict, found behind the lock that its first rows are written in: nothing of it is written, however close
    /// to each other two imports begin.
    Refused,
}

/// What an import leaves behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// Good rows are written, bad ones rejected.
    #[default]
    KeepGood,
    /// All rows or none.
    AllOrNothing,
    /// Nothing; only the answer.
    Nothing,
}

/// What becomes of a row about an activity that an earlier row of the same import is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repeats {
    /// It is rejected, and its fault names the earlier line.
    #[default]
    Fault,
    /// It changes what the earlier one left: the last row counts.
    Last,
}

/// What became of the rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchOutcome {
    /// How many activities were added.
    pub created: u64,
    /// How many activities were changed.
    pub updated: u64,
    /// Rows that changed nothing.
    pub unchanged: u64,
    /// How many rows had faults and were left out.
    pub rejected: u64,
    /// Rows that would be new again if imported again, for want of a syncId.
    pub without_sync_id: u64,
    /// Rows without a syncId that say what a recorded activity says: they are added once more.
    pub already_recorded: u64,
    /// Activities written whose CO2e could not be computed.
    pub incomplete: u64,
    /// What the rows add to the activities that begin in each calendar year, in kg CO2e; those outside the scopes are among
    /// them.
    pub years: BTreeMap<i32, Total>,
    /// What the first [`MOST_CHANGED`] of those rows change that change an activity.
    pub changed: Vec<ChangedRow>,
    /// The faults, line by line.
    pub faults: Vec<(u64, Faults)>,
    /// What rows that were not rejected should be looked at for, line by line: days that are unlikely, and computed
    /// amounts that another installation wrote otherwise.
    pub warnings: Vec<(u64, Faults)>,
}

impl BatchOutcome {
    /// Adds what became of later rows.
    pub fn add(&mut self, later: Self) {
        let Self {
            created,
            updated,
            unchanged,
            rejected,
            without_sync_id,
            already_recorded,
            incomplete,
            years,
            changed,
            faults,
            warnings,
        } = later;
        self.created += created;
        self.updated += updated;
        self.unchanged += unchanged;
        self.rejected += rejected;
        self.without_sync_id += without_sync_id;
        self.already_recorded += already_recorded;
        self.incomplete += incomplete;
        for (year, added) in years {
            *self.years.entry(year).or_default() += added;
        }
        self.changed.extend(changed);
        self.changed.truncate(MOST_CHANGED);
        self.faults.extend(faults);
        self.warnings.extend(warnings);
    }

    /// How many warnings there are.
    #[must_use]
    pub fn warned(&self) -> u64 {
        self.warnings.iter().map(|(_, warnings)| warnings.as_slice().len() as u64).sum()
    }

    /// The counts alone.
    #[must_use]
    pub fn counts(&self) -> ImportCounts {
        ImportCounts {
            created: self.created,
            updated: self.updated,
            unchanged: self.unchanged,
            rejected: self.rejected,
            warnings: self.warned(),
        }
    }
}
