//! Tables of any kind, out: one form that is written as CSV or as a workbook.

mod csv;

pub use self::csv::{ByteOrderMark, table_csv};

/// A table: its columns, its rows, and a last row for what these add up to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What it is of: the name of its sheet.
    pub title: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// Its rows, each with a cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// What its rows add up to; in workbooks alone, so that nobody adds it up again.
    pub total: Option<Vec<Cell>>,
    /// What else is to be known of it, name by name; in workbooks alone, on a sheet of its own.
    pub about: Vec<(String, String)>,
}

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A text.
    Text(String),
    /// A decimal in plain notation.
    Number(String),
}

impl Cell {
    /// A text.
    pub fn text(value: impl std::fmt::Display) -> Self {
        Self::Text(value.to_string())
    }

    /// Its characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Empty => "",
            Self::Text(text) | Self::Number(text) => text,
        }
    }
}
