//! The tables of the hub, one after the other.

use domain::PublishedUse;

use super::{columns, usage};
use crate::delimited::Cells;
use crate::published::sheet::{Row, Sheet, header_words, text};

/// A table: what stands below its number, up to the next one.
pub(super) struct Section<'a> {
    /// Such as `Table 1: Stationary Combustion`.
    pub(super) title: String,
    pub(super) rows: &'a [Row],
}

/// What a table gives, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Gases per unit.
    Gases(PublishedUse),
    /// CO2e of materials by what is done with them as waste.
    Treatments,
    /// Global warming potentials of gases and blends.
    Potentials,
    Unknown,
}

/// The tables of the sheet.
pub(super) fn sections(sheet: &Sheet) -> Vec<Section<'_>> {
    let found = |(place, row): (usize, &Row)| Some((place, marker(row.cells.as_ref().ok()?)?));
    let starts: Vec<_> = sheet.rows.iter().enumerate().filter_map(found).collect();
    let ends = starts.iter().skip(1).map(|(place, _)| *place).chain([sheet.rows.len()]);
    let section = |((start, title), end): (&(usize, String), usize)| Section {
        title: title.clone(),
        rows: &sheet.rows[start + 1..end],
    };
    starts.iter().zip(ends).map(section).collect()
}

/// The number and the title of the table that begins with those cells.
pub(super) fn marker(cells: &Cells) -> Option<String> {
    let filled: Vec<_> = (0..cells.len()).map(|column| text(cells, column)).filter(|text| !text.is_empty()).collect();
    let number = filled.first()?.strip_prefix("Table ")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("Table {number}: {}", plain(filled.get(1).copied().unwrap_or_default())))
}

/// A text on one line.
pub(super) fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the notes of a table begin with these cells.
pub(super) fn begins_notes(cells: &Cells) -> bool {
    let first = (0..cells.len()).map(|column| text(cells, column)).find(|text| !text.is_empty());
    first.is_some_and(|text| ["Source", "Notes"].iter().any(|word| text.starts_with(word)))
}

impl Section<'_> {
    pub(super) fn kind(&self) -> Kind {
        let cells =
            || self.rows.iter().filter_map(|row| row.cells.as_ref().ok()).take_while(|cells| !begins_notes(cells));
        let has = |wanted: &dyn Fn(&str) -> bool| cells().flat_map(Cells::iter).any(wanted);
        if has(&|cell| header_words(cell) == "100-year gwp") {
            Kind::Potentials
        } else if has(&|cell| columns::is_waste(cell)) {
            Kind::Treatments
        } else if has(&|cell| columns::measure(cell).is_some()) {
            usage(&self.title).map_or(Kind::Unknown, Kind::Gases)
        } else {
            Kind::Unknown
        }
    }
}
