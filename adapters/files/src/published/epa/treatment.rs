//! The table of waste: tonnes of CO2e per short ton of a material, by what is done with it.

use domain::{Decimal, Intensity, Name, PublishedFactor, PublishedUse, Unit};

use super::Reading;
use super::columns::{is_waste, without_footnote};
use super::section::{Section, begins_notes, plain};
use crate::delimited::Cells;
use crate::published::account::Skipped;
use crate::published::draft;
use crate::published::sheet::{Row, header_words, source_row, text};

/// Reads the table.
pub(super) fn read(reading: &mut Reading<'_>, section: &Section<'_>) {
    let mut names: Vec<String> = Vec::new();
    let mut material = None;
    let mut in_notes = false;
    for row in section.rows {
        let Some(cells) = reading.cells(row) else { continue };
        in_notes = in_notes || begins_notes(cells);
        let header = (0..cells.len()).find(|column| header_words(text(cells, *column)) == "material");
        match (material, header) {
            _ if in_notes || cells.iter().any(is_waste) => reading.finish_row(Vec::new(), &[]),
            (_, Some(column)) => {
                material = Some(column);
                names = cells.iter().map(plain).collect();
                reading.finish_row(Vec::new(), &[]);
            }
            (Some(column), None) => {
                let (made, skipped) = factors(reading, section, &names, column, row, cells);
                reading.finish_row(made, &skipped);
            }
            (None, None) => reading.finish_row(Vec::new(), &[]),
        }
    }
}

fn factors(
    reading: &mut Reading<'_>,
    section: &Section<'_>,
    names: &[String],
    material: usize,
    row: &Row,
    cells: &Cells,
) -> (Vec<PublishedFactor>, Vec<Skipped>) {
    let (mut made, mut skipped) = (Vec::new(), Vec::new());
    let treatments = names.iter().enumerate().skip(material + 1).filter(|(_, name)| !name.is_empty());
    for (column, treatment) in treatments {
        let factor = match reading.value(row.number, cells, column) {
            Ok(Some(value)) => factor(reading, section, names, (material, column, treatment), row, cells, value),
            Ok(None) => {
                skipped.push(Skipped::NoValue);
                continue;
            }
            Err(reason) => {
                skipped.push(reason);
                continue;
            }
        };
        match factor {
            Ok(factor) => made.push(factor),
            Err(detail) => {
                reading.find(row.number, detail);
                skipped.push(Skipped::Faulty);
            }
        }
    }
    (made, skipped)
}

fn factor(
    reading: &Reading<'_>,
    section: &Section<'_>,
    names: &[String],
    (material, column, treatment): (usize, usize, &str),
    row: &Row,
    cells: &Cells,
    tonnes: Decimal,
) -> Result<PublishedFactor, String> {
    let kilograms = tonnes.checked_mul(Decimal::from_integer(1_000)).ok_or("has a figure that is too large")?;
    let material = plain(text(cells, material));
    let name = format!("{material}, {}", without_footnote(treatment));
    let unit = Unit::parse("ton_short").map_err(|error| error.to_string())?;
    let cell = draft::name("place", &reading.sheet.cell(row.number, column))?;
    let factor = PublishedFactor::new(cell, draft::name("name", &name)?, unit, PublishedUse::ValueChain)
        .with_path(draft::path([section.title.as_str()])?)
        .with_co2e(Some(Intensity::new(kilograms)))
        .with_region(Name::parse("US").ok())
        .with_rows(vec![source_row(row.number, names, cells)]);
    draft::with_figure(factor)
}
