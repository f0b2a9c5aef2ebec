//! A staged import: a file that waits in the spool, how it is to be read, what a check of it found, and how far its import is.

mod text;

#[cfg(test)]
mod tests;

use domain::{Digest, Timestamp, Total};

use crate::id::{ImportId, StagedId};
use crate::import_batch::ImportCounts;

/// The most bytes of a file.
pub const MOST_BYTES: u64 = 1 << 30;
/// The most staged imports of a tenant.
pub const MOST_STAGED: usize = 20;
/// So long a staged import is kept after its last step, in milliseconds.
pub const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;
/// A check or an import that is silent for so long, in milliseconds, was interrupted: it says every few seconds how far it is.
pub const SILENT_MS: i64 = 60 * 1_000;
/// Of so many changed rows it is kept what they change.
pub const MOST_CHANGED: usize = 100;
/// Of so many faults and warnings it is kept what they say.
pub const MOST_TOLD: usize = 100;

/// A staged import. Times are those of the service's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedImport {
    /// Its identifier.
    pub id: StagedId,
    /// The name of the file, as whoever gave it calls it: a text, never a path.
    pub name: String,
    /// Who gave it, as changes name the caller.
    pub actor: String,
    /// When it was begun.
    pub begun: Timestamp,
    /// When it was last heard of.
    pub updated: Timestamp,
    /// How many bytes the file has, as it came.
    pub bytes: u64,
    /// The SHA-256 of the file, inflated; `None` until all of it is there.
    pub hash: Option<Digest>,
    /// How far it is.
    pub state: StagedState,
    /// How the file is read; `None` until that is decided.
    pub reading: Option<StagedReading>,
    /// How many rows the check or the import has taken so far.
    pub rows: u64,
    /// How many bytes of the file were read for these rows, as it came; `None` of what is not read from front to back, such as a
    /// workbook, and before the first rows.
    pub read: Option<u64>,
    /// When the check or the import began to take rows; `None` before that.
    pub started: Option<Timestamp>,
    /// What the last whole check found; only of how the file is read now.
    pub checked: Option<Preview>,
    /// The import that was begun last.
    pub import: Option<ImportId>,
    /// What became of its rows, once it is done.
    pub outcome: Option<ImportCounts>,
    /// Why the check or the import ended early.
    pub failure: Option<String>,
}

/// How far a staged import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StagedState {
    /// The file is being received.
    Receiving,
    /// The file is there.
    Received,
    /// All rows are tried.
    Checking,
    /// All rows were tried.
    Checked,
    /// Rows are imported.
    Running,
    /// All rows were imported.
    Done,
    /// The check ended early.
    CheckFailed,
    /// The import ended early.
    RunFailed,
}

/// How the file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StagedReading {
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// The map, in TOML; `None` where the columns are those of an activity.
    pub map: Option<String>,
}

/// What an import of all rows would come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// What would become of the rows.
    pub counts: ImportCounts,
    /// Rows that would be new again if imported again, for want of a syncId.
    pub without_sync_id: u64,
    /// Rows without a syncId that say what a recorded activity says.
    pub already_recorded: u64,
    /// Activities that would be written without CO2e, since it could not be computed.
    pub incomplete: u64,
    /// Activities that the map leaves out.
    pub skipped: u64,
    /// What all activities that begin in a year come to, year by year.
    pub years: Vec<YearEffect>,
    /// The first of the rows that change an activity.
    pub changed: Vec<ChangedRow>,
    /// The first faults, in the order of their lines.
    pub faults: Vec<ToldRow>,
    /// The first warnings.
    pub warnings: Vec<ToldRow>,
}

/// What the activities that begin in a calendar year come to, in kg CO2e; those outside the scopes are among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YearEffect {
    /// The year.
    pub year: i32,
    /// Before the import.
    pub before: Total,
    /// Behind it.
    pub after: Total,
}

/// A row that changes an activity: its amount before and after, in kg CO2e, and what else changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRow {
    /// The line it starts on, from 1.
    pub line: u64,
    /// What the activity is called behind it.
    pub name: String,
    /// What changes: a field's name, and what it says before and after.
    pub fields: Vec<ChangedField>,
}

/// A field of a changed row. An empty text is an absent field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedField {
    /// Its name, as the API calls it.
    pub field: String,
    /// What it said.
    pub before: String,
    /// What it will say.
    pub after: String,
}

/// What is said of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToldRow {
    /// The line it starts on, from 1.
    pub line: u64,
    /// The field that it is about; empty for the whole row.
    pub field: String,
    /// What is wrong with it, or should be looked at.
    pub detail: String,
}

impl StagedState {
    /// Every state.
    pub const ALL: [Self; 8] = [
        Self::Receiving,
        Self::Received,
        Self::Checking,
        Self::Checked,
        Self::Running,
        Self::Done,
        Self::CheckFailed,
        Self::RunFailed,
    ];

    /// The word for it, as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Receiving => "receiving",
            Self::Received => "received",
            Self::Checking => "checking",
            Self::Checked => "checked",
            Self::Running => "running",
            Self::Done => "done",
            Self::CheckFailed => "checkFailed",
            Self::RunFailed => "runFailed",
        }
    }

    /// The state of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == word)
    }
}

impl StagedImport {
    /// A file that begins to be received.
    #[must_use]
    pub fn begin(id: StagedId, name: String, actor: String, now: Timestamp) -> Self {
        Self {
            id,
            name,
            actor,
            begun: now,
            updated: now,
            bytes: 0,
            hash: None,
            state: StagedState::Receiving,
            reading: None,
            rows: 0,
            read: None,
            started: None,
            checked: None,
            import: None,
            outcome: None,
            failure: None,
        }
    }

    /// Puts it into that state, with no row taken yet by a check or an import.
    pub fn begin_anew(&mut self, state: StagedState) {
        self.state = state;
        (self.rows, self.read, self.started, self.failure) = (0, None, None, None);
    }

    /// How far it is at that moment: a check or an import that was not heard of for [`SILENT_MS`] ended early.
    #[must_use]
    pub fn state_at(&self, now: Timestamp) -> StagedState {
        let is_silent = now.millis().saturating_sub(self.updated.millis()) > SILENT_MS;
        if is_silent && self.state == StagedState::Checking {
            StagedState::CheckFailed
        } else if is_silent && self.state == StagedState::Running {
            StagedState::RunFailed
        } else {
            self.state
        }
    }

    /// Whether it is forgotten at that moment.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        now.millis().saturating_sub(self.updated.millis()) > KEPT_MS
    }
}
