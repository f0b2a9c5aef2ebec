//! Catalogs out: records as TOML, or those of one kind as CSV, which an import reads again.

use std::fmt::Write as _;
use std::io;

use super::CatalogKind;
use crate::activity::Cells;
use crate::json::Json;
use crate::table::{ByteOrderMark, Cell, Table, table_csv};

/// A record: its members and what else finds it, in the order of the columns; an empty text is none.
pub type CatalogRecord = Vec<(&'static str, String)>;

/// The records of every kind as one TOML text.
#[must_use]
pub fn catalog_toml(kinds: &[(CatalogKind, Vec<CatalogRecord>)]) -> String {
    let mut text =
        String::from("# A catalog of Tonne: `tonne import catalog FILE` imports it, and again changes nothing.\n");
    for (kind, record) in kinds.iter().flat_map(|(kind, records)| records.iter().map(move |record| (kind, record))) {
        let _ = writeln!(text, "\n[[{}]]", kind.as_str());
        for (name, value) in record.iter().filter(|(_, value)| !value.is_empty()) {
            // A text of JSON is one of TOML.
            let _ = writeln!(text, "{name} = {}", Json::Text(value.clone()));
        }
    }
    text
}

/// The records of one kind as CSV; `None` where there are none.
pub fn catalog_csv(kind: CatalogKind, records: &[CatalogRecord]) -> io::Result<Option<Vec<u8>>> {
    let Some(first) = records.first() else { return Ok(None) };
    let cell = |(_, value): &(&str, String)| if value.is_empty() { Cell::Empty } else { Cell::text(value) };
    let table = Table {
        title: kind.as_str().to_owned(),
        columns: first.iter().map(|(name, _)| (*name).to_owned()).collect(),
        rows: records.iter().map(|record| record.iter().map(cell).collect()).collect(),
        ..Table::default()
    };
    table_csv(&table, Cells::Verbatim, ByteOrderMark::Absent).map(Some)
}
