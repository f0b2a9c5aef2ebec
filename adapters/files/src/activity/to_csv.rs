//! Activities out, as CSV.

use std::io;

use domain::Co2e;
use ports::inbound::ActivityView;

use super::columns::{COLUMNS, Column, OfActivity, Written};
use super::supplied::Co2eUnit;

/// Whether rows say which share of their CO2e falls in the period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shares {
    /// They do not: no column.
    #[default]
    Hidden,
    /// They do, in a column.
    Shown,
}

/// How cells are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cells {
    /// As they are: what is read back is what was written.
    #[default]
    Verbatim,
    /// So that a spreadsheet takes none of them for a formula: a text that begins like one has an apostrophe before it.
    Text,
}

impl Cells {
    /// The cell as it is written.
    pub(crate) fn of(self, cell: String) -> String {
        let is_formula = self == Self::Text && cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(&cell);
        if is_formula { format!("'{cell}") } else { cell }
    }
}

/// Whether the cell is a decimal in plain notation, as amounts are written.
fn is_number(cell: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = cell.strip_prefix('-').unwrap_or(cell);
    unsigned.split_once('.').map_or_else(|| digits(unsigned), |(whole, rest)| digits(whole) && digits(rest))
}

/// The header line of a table whose CO2e are shifted by `shift` decimal places from kg (3 for g, -3 for t).
pub fn activity_header(shift: i8, shares: Shares) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(columns(shift, shares).map(|column| column.name))?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The lines of these activities, each with its share of the period, under the header of the same `shift` and `shares`.
pub fn activity_rows(
    rows: &[(ActivityView, Option<Co2e>)],
    shift: i8,
    shares: Shares,
    cells: Cells,
) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for (view, share) in rows {
        let of = OfActivity { view, share: *share, shift };
        writer.write_record(columns(shift, shares).map(|column| cells.of((column.write)(&of))))?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The columns of such a table.
pub(super) fn columns(shift: i8, shares: Shares) -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(move |column| match column.written {
        Written::Always => true,
        Written::WithShares => shares == Shares::Shown,
        Written::WithUnit => Co2eUnit::of_shift(shift).is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_like_a_formula_gets_an_apostrophe_and_a_number_stays_a_number() {
        for formula in ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1", "\r=1", "-", "--1", "-1.", "-.5", "=", "-1e5"] {
            assert_eq!(Cells::Text.of(formula.to_owned()), format!("'{formula}"));
            assert_eq!(Cells::Verbatim.of(formula.to_owned()), formula);
        }
        for other in ["", "Van 7", "-1", "-0.125", "12.5", "a=1", "'=1", "2025-01-01"] {
            assert_eq!(Cells::Text.of(other.to_owned()), other);
        }
    }
}
