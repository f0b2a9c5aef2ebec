//! Why a file cannot be read at all. What is wrong with single rows is in their drafts.

use std::fmt;
use std::io;

use domain::Faults;

/// Why a file is refused, or reading it ends; completes "`<file>` ...".
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading failed before the end.
    #[error("cannot be read to its end")]
    Read(#[source] io::Error),
    /// Its header is wrong: unknown, doubled or missing columns.
    #[error("has a header that is wrong: {}", Sentences(.0))]
    Header(Faults),
    /// It is no workbook that can be read.
    #[error("is no workbook that can be read: {0}")]
    Workbook(String),
    /// It is a workbook in which the sheet to read is not clear.
    #[error("{0}")]
    Sheet(String),
    /// It is no table of which a map could be suggested.
    #[error("has no table: {0}")]
    NoTable(String),
    /// It is no catalog: what is in it cannot be told.
    #[error("is no catalog: {}", Sentences(.0))]
    Catalog(Faults),
    /// It is a mapping file that is wrong; each fault's pointer is a path such as `activity[0].quantity`.
    #[error("is no mapping file: {}", Sentences(.0))]
    Map(Faults),
    /// It is no file of published factors that can be read; completes "it ...".
    #[error("is no file of published factors: it {0}")]
    Published(String),
}

/// The faults one after the other, their places in front where they have one.
struct Sentences<'a>(&'a Faults);

impl fmt::Display for Sentences<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.0.as_slice().iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            if !fault.pointer.is_empty() {
                write!(f, "{} ", fault.pointer)?;
            }
            f.write_str(&fault.detail)?;
        }
        Ok(())
    }
}
