//! The cells of a record.

/// The cells of a record, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cells {
    text: String,
    /// Where each of them ends.
    ends: Vec<usize>,
    /// What each of them is; empty where all are texts, as in a text file.
    kinds: Vec<CellKind>,
}

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
    /// A text, as whoever wrote it wrote it.
    Text,
    /// A number of a workbook, in plain notation with a point, whatever marks the texts beside it have.
    Number,
    /// What a formula of a workbook failed with, such as `#DIV/0!`.
    Error,
}

impl Cells {
    /// Cells of a text file: `ends` says where in `text` each of them ends.
    pub(crate) const fn new(text: String, ends: Vec<usize>) -> Self {
        Self { text, ends, kinds: Vec::new() }
    }

    /// Adds a cell of a workbook.
    pub(crate) fn push(&mut self, text: &str, kind: CellKind) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.kinds.push(kind);
    }

    /// Puts something in an empty cell that is there.
    pub(crate) fn set(&mut self, index: usize, text: &str, kind: CellKind) {
        let Some(end) = self.ends.get(index).copied() else { return };
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.text.replace_range(start..end, text);
        for later in &mut self.ends[index..] {
            *later = *later - (end - start) + text.len();
        }
        if !self.kinds.is_empty() || kind != CellKind::Text {
            self.kinds.resize(self.ends.len(), CellKind::Text);
            self.kinds[index] = kind;
        }
    }

    /// Cuts what is beyond `width` cells, and adds empty ones up to it.
    pub(crate) fn fit(&mut self, width: usize) {
        self.ends.truncate(width);
        self.kinds.truncate(width);
        self.text.truncate(self.ends.last().copied().unwrap_or_default());
        self.ends.resize(width, self.text.len());
        self.kinds.resize(width, CellKind::Text);
    }

    /// The cell at that place, from 0.
    pub(crate) fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        Some(&self.text[start..end])
    }

    /// What the cell at that place is.
    pub(crate) fn kind(&self, index: usize) -> CellKind {
        self.kinds.get(index).copied().unwrap_or(CellKind::Text)
    }

    /// Whether formulas failed in it.
    pub(crate) fn has_errors(&self) -> bool {
        self.kinds.contains(&CellKind::Error)
    }

    /// Whether nothing is in any of them.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How many bytes they have.
    pub(crate) const fn bytes(&self) -> usize {
        self.text.len()
    }

    /// How many there are.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}
