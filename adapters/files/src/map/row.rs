//! A row of a mapped table: its cells by column; null words are empty cells.

use crate::delimited::{Cells, ColumnIndex};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) columns: &'a ColumnIndex,
    pub(super) cells: &'a Cells,
    pub(super) nulls: &'a [String],
}

impl Row<'_> {
    /// A cell without the blanks around it; `None` when it is empty or a null word.
    pub(super) fn cell(&self, column: &str) -> Option<&str> {
        let cell = self.columns.find(column).and_then(|index| self.cells.get(index))?.trim();
        (!cell.is_empty() && !self.nulls.iter().any(|null| null == cell)).then_some(cell)
    }
}
