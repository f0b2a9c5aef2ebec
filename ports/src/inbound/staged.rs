//! Importing a file step by step: it is staged, read, mapped and checked before a row of it is written.

use async_trait::async_trait;

use super::Error;
use crate::staged_import::{StagedImport, StagedReading, ToldRow};
use crate::{Caller, StagedId};

/// Imports in steps. Every call needs `activity:write`; a staged import is seen by everybody of its tenant who has that, and by
/// nobody else.
///
/// What a check says is what a run does: both go the way of [`Imports`](super::Imports), row by row.
#[async_trait]
pub trait StagedImports: Send + Sync {
    /// Begins to receive a file of that name. `Conflict` where the tenant has as many staged imports as it may.
    async fn receive(&self, caller: &Caller, name: &str) -> Result<Box<dyn Upload>, Error>;

    /// The staged imports, the newest first.
    async fn list(&self, caller: &Caller) -> Result<Vec<StagedImport>, Error>;

    /// A staged import, with the state that it has by now.
    async fn find(&self, caller: &Caller, id: StagedId) -> Result<StagedImport, Error>;

    /// What the file seems to be, from its first rows; of a workbook the sheet that the reading names, or the only one that is shown.
    /// Where the reading has a map, its columns and doubts are those below the header that the map says, in cells that are set
    /// apart as it says; what it says of that and cannot be is passed over.
    async fn sniff(&self, caller: &Caller, id: StagedId, reading: &StagedReading) -> Result<SniffedTable, Error>;

    /// The first rows as they are read in that way. `Invalid` with all that is wrong with a map.
    async fn try_reading(&self, caller: &Caller, id: StagedId, reading: &StagedReading) -> Result<TriedRows, Error>;

    /// Decides how the file is read, and forgets an earlier check. `Invalid` with all that is wrong with a map, `Conflict` while
    /// it is checked or imported and once it is done. `Invalid` too where a [`Doubt`] is about a column that the map reads, and the
    /// map does not say which way is right.
    async fn read_as(&self, caller: &Caller, id: StagedId, reading: StagedReading) -> Result<StagedImport, Error>;

    /// Begins to try all rows, and does not wait for the last. `Conflict` before it is decided how the file is read, while it is
    /// checked or imported, and once it is done.
    async fn check(&self, caller: &Caller, id: StagedId) -> Result<StagedImport, Error>;

    /// Begins to import the rows, and does not wait for the last. `Conflict` before they were checked, while they are imported,
    /// once they are, and where an earlier import of the same file stands and `again` is not [`Again::Yes`].
    ///
    /// What a run that was interrupted wrote is taken back first where rows would be added a second time; otherwise they are found
    /// by their syncIds.
    async fn run(&self, caller: &Caller, id: StagedId, how: RunOptions) -> Result<StagedImport, Error>;

    /// The rejected rows of the last check, as they were and with a column for the reason, as CSV; of NDJSON the lines, with a
    /// member for the reason.
    async fn rejected(&self, caller: &Caller, id: StagedId) -> Result<Box<dyn RejectedRows>, Error>;

    /// Forgets a staged import; what was imported stays. `Conflict` while it is checked or imported.
    async fn discard(&self, caller: &Caller, id: StagedId) -> Result<(), Error>;
}

/// A file that is being received.
#[async_trait]
pub trait Upload: Send {
    /// Its identifier.
    fn id(&self) -> StagedId;

    /// Takes more of the file. `Invalid` beyond [`MOST_BYTES`](crate::staged_import::MOST_BYTES).
    async fn put(&mut self, bytes: &[u8]) -> Result<(), Error>;

    /// Says that all of it is there. `Invalid` of an empty one.
    async fn finish(self: Box<Self>) -> Result<StagedImport, Error>;

    /// Forgets it.
    async fn abandon(self: Box<Self>) -> Result<(), Error>;
}

/// Rejected rows, as a text.
#[async_trait]
pub trait RejectedRows: Send {
    /// The name of the form that it has.
    fn form(&self) -> RejectedForm;

    /// The next bytes; `None` at the end.
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Error>;
}

/// The form of a copy of rejected rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectedForm {
    /// CSV in UTF-8.
    Csv,
    /// A JSON object a line.
    Ndjson,
}

/// How rows are imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// All rows or none, instead of those that are good.
    pub rows: RunRows,
    /// What becomes of a file that was imported before.
    pub again: Again,
}

/// Which rows are imported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunRows {
    /// Those that are good.
    #[default]
    Good,
    /// All, or none where one is rejected.
    AllOrNone,
}

/// Whether a file is imported that was imported before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// It is refused.
    #[default]
    No,
    /// It is imported once more.
    Yes,
}

/// What a file seems to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SniffedTable {
    /// How it is written, in words: encoding and delimiter, or the sheet.
    pub form: String,
    /// The sheets of a workbook that are tables; none of a text.
    pub sheets: Vec<String>,
    /// The sheet that was looked at.
    pub sheet: Option<String>,
    /// The first rows, each with the line it starts on.
    pub rows: Vec<(u64, Vec<String>)>,
    /// The map that its first rows suggest, which leaves open what [`doubts`](Self::doubts) are about; `None` where it needs none.
    pub map: Option<String>,
    /// The columns of a table that needs a map, in their order.
    pub columns: Vec<SniffedColumn>,
    /// What its cells leave open; whoever knows the table must say it.
    pub doubts: Vec<Doubt>,
    /// Why it cannot be read, where that depends on which sheet is chosen.
    pub wrong: Option<String>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SniffedColumn {
    /// What its header says.
    pub name: String,
    /// The first cells that say something.
    pub examples: Vec<String>,
    /// Whether a map can name it: it has a name without braces, and no other column has the same.
    pub has_own_name: bool,
}

/// A column with cells that can be read in several ways, where no other of its cells shows which one is right. What another column
/// shows need not hold for this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The column.
    pub column: String,
    /// The first of the cells.
    pub example: String,
    /// The ways to read it, one of which is right.
    pub readings: Vec<DoubtReading>,
}

/// A way to read a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoubtReading {
    /// How the column is written then.
    pub form: WrittenForm,
    /// What the example becomes, in words.
    pub becomes: String,
}

/// How a column writes its dates or its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenForm {
    /// Dates have this form, such as `DD/MM/YYYY`.
    Dates(String),
    /// Numbers have these marks.
    Marks {
        /// Between the whole part and the fraction.
        decimal: char,
        /// Between groups of three digits.
        thousands: Option<char>,
    },
}

/// The first rows as they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TriedRows {
    /// The activities, each with its line, its fields and what is wrong with them.
    pub rows: Vec<TriedRow>,
}

/// An activity of a row that is tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TriedRow {
    /// The line it starts on.
    pub line: u64,
    /// The names of the fields that are given, and what they say.
    pub fields: Vec<(&'static str, String)>,
    /// What is wrong with the row.
    pub faults: Vec<ToldRow>,
}
