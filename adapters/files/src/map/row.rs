//! A row of a mapped table: its cells by column; null words are empty cells.

use domain::Decimal;

use super::numbers::NumberError;
use super::table_spec::TableSpec;
use crate::delimited::{CellKind, Cells, ColumnIndex};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) columns: &'a ColumnIndex,
    pub(super) cells: &'a Cells,
    /// How the table is written.
    pub(super) table: &'a TableSpec,
}

impl Row<'_> {
    /// A cell without the blanks around it; `None` when it is empty or a null word.
    pub(super) fn cell(&self, column: &str) -> Option<&str> {
        let cell = self.columns.find(column).and_then(|index| self.cells.get(index))?.trim();
        (!cell.is_empty() && !self.table.nulls.iter().any(|null| null == cell)).then_some(cell)
    }

    /// What a cell is.
    pub(super) fn kind(&self, column: &str) -> CellKind {
        self.columns.find(column).map_or(CellKind::Text, |index| self.cells.kind(index))
    }

    /// The number in a cell: a number cell of a workbook is one whatever the marks of the texts beside it are. `None` when
    /// the cell is empty.
    pub(super) fn number(&self, column: &str) -> Result<Option<Decimal>, String> {
        let Some(cell) = self.cell(column) else { return Ok(None) };
        let number = match self.kind(column) {
            CellKind::Number => Decimal::parse(cell).map_err(NumberError::Number),
            CellKind::Text | CellKind::Error => self.table.marks_in(column).parse(cell),
        };
        number.map(Some).map_err(|error| format!("{error}: {cell:?} in column {column:?}"))
    }

    /// The columns among these whose formula failed, each with what it failed with.
    pub(super) fn failed<'b>(&self, columns: impl Iterator<Item = &'b str>) -> Vec<String> {
        let failed = |column: &str| {
            let index = self.columns.find(column).filter(|index| self.cells.kind(*index) == CellKind::Error)?;
            Some(format!("{} in column {column:?}", self.cells.get(index).unwrap_or_default()))
        };
        let mut found: Vec<String> = columns.filter_map(failed).collect();
        found.sort();
        found.dedup();
        found
    }
}
