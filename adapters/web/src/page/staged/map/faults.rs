//! What is wrong with a map and with the rows that it reads, each at the column or the text that it comes from.

use domain::Faults;
use files::{ColumnMap, MAP_FIELDS, PERIOD};
use ports::inbound::TriedRows;

/// So many rows are named with a fault.
const MOST_LINES: usize = 3;

/// Faults of fields, and of columns whose choice is no map.
#[derive(Debug, Default)]
pub(super) struct MapFaults {
    columns: Vec<(String, String)>,
    fields: Vec<(String, String)>,
}

impl MapFaults {
    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.fields.is_empty()
    }

    /// Adds one of a column.
    pub(super) fn of_column(&mut self, column: &str, detail: String) {
        self.columns.push((column.to_owned(), detail));
    }

    /// Adds one of a field.
    pub(super) fn of_field(&mut self, field: &str, detail: String) {
        self.fields.push((field.to_owned(), detail));
    }

    /// Takes those of the map of one activity out of `faults`, and gives the rest.
    pub(super) fn take(&mut self, faults: &Faults) -> Faults {
        let mut rest = Faults::new();
        for fault in faults.as_slice() {
            let field = fault
                .pointer
                .strip_prefix("activity[0].")
                .filter(|field| MAP_FIELDS.iter().any(|(known, _)| *known == first_part(field, '.')));
            match field {
                Some(field) => self.of_field(first_part(field, '.'), fault.detail.clone()),
                None => rest.add_coded(fault.code, fault.pointer.clone(), fault.detail.clone()),
            }
        }
        rest
    }

    /// Takes those of rows: each kind once, with the lines that have it.
    pub(super) fn take_rows(&mut self, tried: &TriedRows) {
        let mut told: Vec<(&str, &str, Vec<u64>)> = Vec::new();
        for (line, fault) in tried.rows.iter().flat_map(|row| row.faults.iter().map(|fault| (row.line, fault))) {
            let field = first_part(&fault.field, '/');
            match told.iter_mut().find(|(known, _, _)| *known == field) {
                Some((_, _, lines)) => lines.push(line),
                None => told.push((field, &fault.detail, vec![line])),
            }
        }
        for (field, detail, lines) in told {
            let shown: Vec<String> = lines.iter().take(MOST_LINES).map(ToString::to_string).collect();
            let more = if lines.len() > MOST_LINES {
                format!(" and {} more", lines.len() - MOST_LINES)
            } else {
                String::new()
            };
            let word = if lines.len() == 1 { "line" } else { "lines" };
            self.of_field(field, format!("{detail} ({word} {}{more})", shown.join(", ")));
        }
    }

    /// Those of what a column is chosen to be.
    pub(super) fn at_column(&self, map: &ColumnMap, column: &str) -> Vec<String> {
        let chosen = map.field_of(column);
        let is_chosen = |field: &str| match chosen {
            Some(chosen) if chosen == PERIOD.0 => matches!(field, "startDate" | "endDate"),
            Some(chosen) => chosen == field,
            None => false,
        };
        let of_column = self.columns.iter().filter(|(known, _)| known == column).map(|(_, detail)| detail);
        let of_field = self.fields.iter().filter(|(field, _)| is_chosen(field)).map(|(_, detail)| detail);
        of_column.chain(of_field).cloned().collect()
    }

    /// Those of a field that no column is chosen for.
    pub(super) fn at_text(&self, map: &ColumnMap, columns: &[String], field: &str) -> Vec<String> {
        let is_column = columns.iter().any(|column| {
            let chosen = map.field_of(column);
            chosen == Some(field) || (chosen == Some(PERIOD.0) && matches!(field, "startDate" | "endDate"))
        });
        let own = self.fields.iter().filter(|(known, _)| !is_column && known == field);
        own.map(|(_, detail)| detail.clone()).collect()
    }
}

fn first_part(pointer: &str, mark: char) -> &str {
    pointer.split([mark, '[']).next().unwrap_or(pointer)
}
