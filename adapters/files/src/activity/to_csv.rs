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

/// The header line of a table whose CO2e are shifted by `shift` decimal places from kg (3 for g, -3 for t).
pub fn activity_header(shift: i8, shares: Shares) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(columns(shift, shares).map(|column| column.name))?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The lines of these activities, each with its share of the period, under the header of the same `shift` and `shares`.
pub fn activity_rows(rows: &[(ActivityView, Option<Co2e>)], shift: i8, shares: Shares) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for (view, share) in rows {
        let of = OfActivity { view, share: *share, shift };
        writer.write_record(columns(shift, shares).map(|column| (column.write)(&of)))?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The columns of such a table.
fn columns(shift: i8, shares: Shares) -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(move |column| match column.written {
        Written::Always => true,
        Written::WithShares => shares == Shares::Shown,
        Written::WithUnit => Co2eUnit::of_shift(shift).is_some(),
    })
}
