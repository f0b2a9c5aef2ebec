//! The tables of global warming potentials: of gases, and of blends of refrigerants, of which the hub counts the part that is
//! HFC or PFC.

use domain::{Decimal, Gas, GasAmount, GasSplit, Intensity, PublishedFactor, PublishedUse, Unit};

use super::Reading;
use super::section::{Section, begins_notes, plain};
use crate::delimited::Cells;
use crate::published::account::Skipped;
use crate::published::amount::check_sum;
use crate::published::draft;
use crate::published::sheet::{Row, header_words, source_row, text};

/// Parts of blends that warm little, and that nobody counts.
const HYDROCARBONS: [&str; 7] = ["propane", "butane", "isobutane", "pentane", "isopentane", "propylene", "ethane"];

/// Where the columns stand.
struct Columns {
    names: Vec<String>,
    name: usize,
    potential: usize,
    /// The formula of a gas, else the composition of a blend.
    formula: Option<usize>,
    composition: Option<usize>,
}

/// Reads the table.
pub(super) fn read(reading: &mut Reading<'_>, section: &Section<'_>) {
    let mut columns: Option<Columns> = None;
    let mut in_notes = false;
    for row in section.rows {
        let Some(cells) = reading.cells(row) else { continue };
        in_notes = in_notes || begins_notes(cells);
        if in_notes {
            reading.finish_row(Vec::new(), &[]);
        } else if let Some(found) = header(cells) {
            columns = Some(found);
            reading.finish_row(Vec::new(), &[]);
        } else if let Some(columns) = columns.as_ref().filter(|columns| !text(cells, columns.name).is_empty()) {
            let (made, skipped) = factor(reading, section, columns, row, cells);
            reading.finish_row(made, &skipped);
        } else {
            reading.finish_row(Vec::new(), &[]);
        }
    }
}

fn header(cells: &Cells) -> Option<Columns> {
    let at = |wanted: &str| (0..cells.len()).find(|column| header_words(text(cells, *column)) == wanted);
    let potential = at("100-year gwp")?;
    Some(Columns {
        names: cells.iter().map(plain).collect(),
        name: (0..cells.len()).find(|column| !text(cells, *column).is_empty())?,
        potential,
        formula: at("chemical formula"),
        composition: at("blend composition"),
    })
}

fn factor(
    reading: &mut Reading<'_>,
    section: &Section<'_>,
    columns: &Columns,
    row: &Row,
    cells: &Cells,
) -> (Vec<PublishedFactor>, Vec<Skipped>) {
    let potential = match reading.value(row.number, cells, columns.potential) {
        Ok(Some(potential)) => potential,
        Ok(None) => return (Vec::new(), vec![Skipped::NoValue]),
        Err(reason) => return (Vec::new(), vec![reason]),
    };
    let name = plain(text(cells, columns.name));
    let parts = match columns.composition {
        Some(column) => composition(text(cells, column)).map(Some),
        None => Ok(gas(&name, columns.formula.map(|column| text(cells, column))).map(|gas| vec![(gas, Decimal::ONE)])),
    };
    let mut is_contradictory = false;
    let made = parts.and_then(|parts| {
        let split = parts
            .filter(|parts| !parts.is_empty())
            .map(|parts| split(reading, potential, &parts, &mut is_contradictory));
        let split = split.transpose()?;
        let unit = Unit::parse("kg").map_err(|error| error.to_string())?;
        let cell = draft::name("place", &reading.sheet.cell(row.number, columns.potential))?;
        let factor = PublishedFactor::new(cell, draft::name("name", &name)?, unit, PublishedUse::Direct)
            .with_path(draft::path([section.title.as_str()])?)
            .with_co2e(Some(Intensity::new(potential)))
            .with_gases(split)
            .with_rows(vec![source_row(row.number, &columns.names, cells)]);
        draft::with_figure(factor)
    });
    match made {
        Ok(factor) => (vec![factor], Vec::new()),
        Err(detail) => {
            let reason = if is_contradictory { Skipped::Contradictory } else { Skipped::Faulty };
            reading.find(row.number, detail);
            (Vec::new(), vec![reason])
        }
    }
}

/// The gas of a name, else of a formula.
fn gas(name: &str, formula: Option<&str>) -> Option<Gas> {
    Gas::parse(name).ok().or_else(|| Gas::parse(&plain(formula?)).ok())
}

/// The gases of a kilogram, where they come to its potential as far as its rounding shows; whether they contradict it.
fn split(
    reading: &Reading<'_>,
    potential: Decimal,
    parts: &[(Gas, Decimal)],
    is_contradictory: &mut bool,
) -> Result<GasSplit, String> {
    let amounts = parts.iter().map(|(gas, share)| (*gas, GasAmount::Mass(*share)));
    let split = GasSplit::new(reading.gwp, amounts).map_err(|error| error.to_string())?;
    let total = split.co2e(reading.gwp).map_err(|error| error.to_string())?.total;
    let agrees = check_sum(potential, &[(total.decimal(), Decimal::ONE)], 0);
    *is_contradictory = agrees.is_err();
    agrees.map(|()| split)
}

/// The gases of a text such as `53% HCFC-22 , 34% HCFC-124 , 13% HFC-152a`, as shares of a kilogram.
fn composition(text: &str) -> Result<Vec<(Gas, Decimal)>, String> {
    let percent = Decimal::parse("0.01").map_err(|error| error.to_string())?;
    let mut parts = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let wrong = || format!("has {part:?} in its composition, which is not of the form \"50% HFC-32\"");
        let (share, gas) = part.split_once('%').ok_or_else(wrong)?;
        let share = Decimal::parse(share.trim()).ok().and_then(|share| share.checked_mul(percent)).ok_or_else(wrong)?;
        let gas = gas.trim();
        if !HYDROCARBONS.contains(&gas) {
            parts.push((Gas::parse(gas).map_err(|error| format!("has a part that is not known: {error}"))?, share));
        }
    }
    Ok(parts)
}
