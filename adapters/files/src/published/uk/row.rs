//! One row of the flat file.

use domain::{Decimal, Gas, PublishedUse, SourceRow};

use super::columns::Columns;
use crate::delimited::Cells;
use crate::published::account::Skipped;
use crate::published::sheet::{header_words, source_row, text, value};

/// What the rows of one factor have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) scope: String,
    pub(super) levels: Vec<String>,
    pub(super) column_text: String,
    pub(super) unit: String,
}

/// A row with a figure, or with the place for one.
#[derive(Clone, Debug)]
pub(super) struct FigureLine {
    pub(super) part: Part,
    /// The figure, `None` where there is none; else what is wrong with it.
    pub(super) value: Result<Option<Decimal>, String>,
    /// What is to be told of the figure.
    pub(super) told: Option<String>,
    pub(super) column: usize,
    pub(super) source: SourceRow,
}

/// Which figure of a factor a row gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Total,
    Gas(Gas),
}

/// What a row is.
pub(super) enum Line {
    Figure(Key, FigureLine),
    Skipped(Skipped),
}

/// Reads a row; the error completes "the row ...".
pub(super) fn read(columns: &Columns, number: u32, cells: &Cells) -> Result<Line, String> {
    let of = |column: usize| text(cells, column);
    let is_note = [columns.gas, columns.unit, columns.levels[0]].into_iter().all(|column| of(column).is_empty());
    if is_note {
        return Ok(Line::Skipped(Skipped::Note));
    }
    let measured = header_words(of(columns.gas));
    if measured.starts_with("kwh") {
        return Ok(Line::Skipped(Skipped::Energy));
    }
    let part = part(&measured).ok_or_else(|| {
        format!("has {:?} as what it gives, which is neither CO2e, nor CO2, CH4 or N2O, nor energy", of(columns.gas))
    })?;
    let key = Key {
        scope: of(columns.scope).to_owned(),
        levels: columns.levels.iter().map(|column| of(*column).to_owned()).collect(),
        column_text: columns.column_text.map(of).unwrap_or_default().to_owned(),
        unit: of(columns.unit).to_owned(),
    };
    let read = value(cells, columns.value);
    let told = read.as_ref().map_or_else(|detail| Some(detail.clone()), |(_, told)| told.clone());
    let source = source_row(number, &columns.names, cells);
    Ok(Line::Figure(key, FigureLine { part, value: read.map(|(value, _)| value), told, column: columns.value, source }))
}

/// `kg CO2e`, `kg CO2e of CH4 per unit`, and `kg CH4` of earlier years, which is CO2e too.
fn part(measured: &str) -> Option<Part> {
    if measured == "kg co2e" {
        return Some(Part::Total);
    }
    let gas = measured.strip_prefix("kg ")?;
    let gas = gas.strip_prefix("co2e of ").unwrap_or(gas);
    match gas.strip_suffix(" per unit").unwrap_or(gas) {
        "co2" => Some(Part::Gas(Gas::CO2)),
        "ch4" => Some(Part::Gas(Gas::CH4)),
        "n2o" => Some(Part::Gas(Gas::N2O)),
        _ => None,
    }
}

impl Key {
    /// What its emissions are in an inventory.
    pub(super) fn usage(&self) -> Result<PublishedUse, String> {
        let category = self.levels[0].to_lowercase();
        let is_of_grid = category.contains("t&d") || category.contains("transmission and distribution");
        match self.scope.to_lowercase().as_str() {
            "outside of scopes" => Ok(PublishedUse::OutsideScopes),
            "scope 1" => Ok(PublishedUse::Direct),
            "scope 2" => Ok(PublishedUse::PurchasedEnergy),
            "scope 3" if category.starts_with("wtt") => Ok(PublishedUse::Upstream),
            "scope 3" if is_of_grid => Ok(PublishedUse::GridLoss),
            "scope 3" => Ok(PublishedUse::ValueChain),
            _ => Err(format!("has {:?} as its scope, which is none that is known", self.scope)),
        }
    }

    /// The categories with something in them; one that repeats the unit is none.
    pub(super) fn categories(&self) -> Vec<&str> {
        let filled = self.levels.iter().map(String::as_str).filter(|level| !level.is_empty());
        filled.enumerate().filter(|(at, level)| *at == 0 || *level != self.unit).map(|(_, level)| level).collect()
    }
}
