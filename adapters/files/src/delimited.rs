//! Delimited text: its records, and the header row that names their cells.

mod cells;
mod fill;
mod header;
mod records;

use std::collections::BTreeMap;

use crate::counted::counted;

pub(crate) use cells::{CellKind, Cells};
pub(crate) use fill::Filler;
pub(crate) use header::{ColumnIndex, check_names, header_fault, index_names, joined_names};
pub(crate) use records::{Record, Records};

/// What is wrong with a row of another length than the header.
pub(crate) fn ragged(found: usize, expected: usize) -> String {
    let cells = counted(found as u64, "cell", "cells");
    format!("has {cells}, but the header has {expected}; a comma or a quote is missing or too many")
}

/// How a table is written.
#[derive(Clone, Debug)]
pub(crate) struct TableForm {
    pub(crate) delimiter: u8,
    /// The lines of its header.
    pub(crate) header: Vec<u64>,
    /// The decimal mark that number cells of a workbook get.
    pub(crate) decimal: char,
    /// The same of columns that have one of their own, by their names.
    pub(crate) decimals: BTreeMap<String, char>,
}

impl Default for TableForm {
    fn default() -> Self {
        Self { delimiter: b',', header: vec![1], decimal: '.', decimals: BTreeMap::new() }
    }
}
