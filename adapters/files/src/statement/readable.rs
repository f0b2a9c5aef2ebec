//! Sections of a statement that people read: tables, and beside each row where it is explained.

/// A table with its heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    /// The name of its sheet in a workbook, of at most 31 characters.
    pub(super) sheet: &'static str,
    pub(super) heading: String,
    /// The headings of its columns; none, where its rows say it themselves.
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
    /// What has to be known about it.
    pub(super) notes: Vec<String>,
}

/// A row of a section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) cells: Vec<Shown>,
    /// Whether the rows above add up to it.
    pub(super) weight: Weight,
    /// The addresses of its explanations.
    pub(super) explained: Vec<String>,
}

/// How much a row weighs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Weight {
    #[default]
    Line,
    Total,
}

/// A cell to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Text(String),
    /// A decimal in plain notation.
    Amount(String),
    /// What is said in place of a figure or a word that is not there.
    Absent(&'static str),
    Blank,
}

impl Shown {
    pub(super) fn text(value: impl std::fmt::Display) -> Self {
        Self::Text(value.to_string())
    }

    pub(super) fn amount(value: impl std::fmt::Display) -> Self {
        Self::Amount(value.to_string())
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Text(text) | Self::Amount(text) => text,
            Self::Absent(word) => word,
            Self::Blank => "",
        }
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
