//! Sections of a statement that people read: tables, and beside each row where it is explained.

/// A table with its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The name of its sheet in a workbook, of at most 31 characters.
    pub sheet: &'static str,
    /// What it is of; empty of the first.
    pub heading: String,
    /// The headings of its columns; none, where its rows say it themselves.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Row>,
    /// What has to be known about it.
    pub notes: Vec<Note>,
}

impl Section {
    /// Whether a row of it has an explanation.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        self.rows.iter().any(|row| !row.explained.is_empty())
    }

    /// Which columns have amounts, or say of each that it is not there.
    #[must_use]
    pub fn amounts(&self) -> Vec<bool> {
        let cells = |at: usize| self.rows.iter().filter_map(move |row| row.cells.get(at));
        let is_of_amounts = |at: usize| {
            cells(at).any(|cell| matches!(cell, Shown::Amount(_)))
                || (cells(at).any(|cell| matches!(cell, Shown::Absent(_)))
                    && !cells(at).any(|cell| matches!(cell, Shown::Text(_))))
        };
        (0..self.columns.len()).map(is_of_amounts).collect()
    }
}

/// What has to be known about a section, in a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The sentence, without an address.
    pub text: String,
    /// The address of what it speaks of, where there is one.
    pub explained: Option<String>,
}

/// A row of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Its cells, one for each column.
    pub cells: Vec<Shown>,
    /// Whether the rows above add up to it.
    pub weight: Weight,
    /// The addresses of its explanations.
    pub explained: Vec<String>,
}

/// How much a row weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weight {
    /// A line among others.
    #[default]
    Line,
    /// What the rows above add up to.
    Total,
}

/// A cell to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Words.
    Text(String),
    /// A decimal in plain notation.
    Amount(String),
    /// What is said in place of a figure or a word that is not there.
    Absent(&'static str),
    /// Nothing.
    Blank,
}

impl Shown {
    pub(super) fn text(value: impl std::fmt::Display) -> Self {
        Self::Text(value.to_string())
    }

    pub(super) fn amount(value: impl std::fmt::Display) -> Self {
        Self::Amount(value.to_string())
    }

    /// Its characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Amount(text) => text,
            Self::Absent(word) => word,
            Self::Blank => "",
        }
    }
}

impl Note {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), explained: None }
    }

    pub(super) fn at(self, address: String) -> Self {
        Self { explained: Some(address), ..self }
    }
}

impl Row {
    pub(super) fn new(cells: Vec<Shown>, explained: Vec<String>) -> Self {
        Self { cells, weight: Weight::Line, explained }
    }

    pub(super) fn total(self) -> Self {
        Self { weight: Weight::Total, ..self }
    }
}
