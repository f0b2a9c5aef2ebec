//! A row of activities as CSV: its cells, read by the name of their column.

use domain::{Co2e, Faults, SyncId, parse_uuid};
use ports::inbound::{Field, Reference, Shown};

use super::supplied::Co2eUnit;
use crate::delimited::{Cells, ColumnIndex};
use crate::json::Wrong;

/// So many characters of a faulty cell are shown.
const SHOWN: usize = 40;

/// A row, as its columns read it.
pub(super) struct Row<'a> {
    pub(super) columns: &'a ColumnIndex,
    pub(super) cells: &'a Cells,
    /// The unit of every CO2e in it.
    pub(super) unit: Co2eUnit,
}

impl Row<'_> {
    /// A cell whose blanks around it mean nothing.
    pub(super) fn cell<T, E: std::fmt::Display>(
        &self,
        name: &str,
        faults: &mut Faults,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Field<T> {
        self.text(name, faults, |text| match text.trim() {
            "" => Ok(None),
            text => parse(text).map(Some),
        })
    }

    /// A cell that names another record, for the use case to look up. What answers of ours say of the record beside its uuid,
    /// in `others` (syncId, path, name), finds it where another installation made it.
    pub(super) fn word(&self, name: &str, others: [&str; 3], faults: &mut Faults) -> Field<Reference> {
        self.cell(name, faults, |text| {
            let said = |column: &&str| {
                let cell = self.columns.find(column).and_then(|index| self.cells.get(index))?.trim();
                (!cell.is_empty()).then(|| cell.to_owned())
            };
            let [sync_id, path, name] = others.each_ref().map(said);
            let id = match parse_uuid(text) {
                Ok(id) if sync_id.is_some() || path.is_some() || name.is_some() => id,
                Ok(_) | Err(_) => return Ok(Reference::Word(text.to_owned())),
            };
            let sync_id = sync_id.map(|text| SyncId::parse(&text)).transpose().map_err(Wrong::new)?;
            Ok::<_, Wrong>(Reference::Shown(Shown { id, sync_id, path, name }))
        })
    }

    /// A cell with a CO2e in the row's unit.
    pub(super) fn co2e(&self, name: &str, faults: &mut Faults) -> Field<Co2e> {
        self.cell(name, faults, |digits| self.unit.co2e(digits))
    }

    /// Whether a cell says anything.
    pub(super) fn is_given(&self, name: &str) -> bool {
        let cell = self.columns.find(name).and_then(|index| self.cells.get(index));
        cell.is_some_and(|cell| !cell.trim().is_empty())
    }

    /// A cell that is taken with its blanks; `parse` may find nothing in it.
    pub(super) fn text<T, E: std::fmt::Display>(
        &self,
        name: &str,
        faults: &mut Faults,
        parse: impl FnOnce(&str) -> Result<Option<T>, E>,
    ) -> Field<T> {
        let Some(cell) = self.columns.find(name).and_then(|index| self.cells.get(index)) else { return Field::Absent };
        if cell.is_empty() {
            return Field::Null;
        }
        match parse(cell) {
            Ok(Some(value)) => Field::Given(value),
            Ok(None) => Field::Null,
            Err(error) => {
                faults.add(format!("/{name}"), format!("{}: {error}", shown(cell)));
                Field::Faulty
            }
        }
    }
}

/// A cell in quotes, cut where it is long.
fn shown(cell: &str) -> String {
    let mut start: String = cell.chars().take(SHOWN).collect();
    if start.len() < cell.len() {
        start.push('\u{2026}');
    }
    format!("{start:?}")
}
