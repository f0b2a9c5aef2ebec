//! Cells follow the activities: what a call changes is added up first, then added to each cell once.

use std::collections::BTreeMap;

use domain::{Activity, Cell, Day, Total};
use ports::store::StoreError;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::error::Meaning as _;
use crate::row::{Columns, Damage};

/// By how much cells change, by day and series.
#[derive(Debug, Default)]
pub(crate) struct Postings(BTreeMap<(Day, u32), Cell>);

impl Postings {
    /// Adds an activity of that series.
    pub(crate) fn add(&mut self, activity: &Activity, series: u32) {
        for (day, cell) in activity.posting().cells() {
            *self.0.entry((day, series)).or_default() += cell;
        }
    }

    /// Takes an activity of that series away.
    pub(crate) fn take(&mut self, activity: &Activity, series: u32) {
        for (day, cell) in activity.posting().cells() {
            *self.0.entry((day, series)).or_default() += -cell;
        }
    }

    /// Adds the changes to the cells and stamps them with the number of a change.
    pub(crate) fn post(self, conn: &Connection, number: u64) -> Result<(), StoreError> {
        let mut find = conn
            .prepare_cached(&format!("SELECT {COLUMNS} FROM cell WHERE cell.day = ? AND cell.series = ?"))
            .meant()?;
        let mut put = conn
            .prepare_cached(
                "INSERT INTO cell (day, series, starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step, \
                 version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (day, series) DO UPDATE SET \
                 starts = ?3, ends = ?4, incomplete_starts = ?5, incomplete_ends = ?6, co2e = ?7, slope = ?8, \
                 step = ?9, version = ?10",
            )
            .meant()?;
        for ((day, series), change) in self.0.into_iter().filter(|(_, change)| !change.is_zero()) {
            let before = find
                .query_row(params![day.number(), series], |row| Ok(read(&mut Columns::new(row))))
                .optional()
                .meant()?;
            let before = before.transpose().map_err(|Damage(detail)| StoreError::Corrupt {
                subject: format!("cell {day} of series {series}"),
                detail,
            })?;
            let cell = before.unwrap_or_default() + change;
            put.execute(params![
                day.number(),
                series,
                cell.starts,
                cell.ends,
                cell.incomplete_starts,
                cell.incomplete_ends,
                cell.co2e.to_string(),
                cell.slope.to_string(),
                cell.step.to_string(),
                number,
            ])
            .meant()?;
        }
        Ok(())
    }
}

/// The columns that [`read`] takes.
pub(crate) const COLUMNS: &str = "cell.starts, cell.ends, cell.incomplete_starts, cell.incomplete_ends, cell.co2e, \
     cell.slope, cell.step";

/// A cell from its columns.
pub(crate) fn read(columns: &mut Columns<'_>) -> Result<Cell, Damage> {
    Ok(Cell {
        starts: columns.take()?,
        ends: columns.take()?,
        incomplete_starts: columns.take()?,
        incomplete_ends: columns.take()?,
        co2e: columns.parse(Total::parse)?,
        slope: columns.parse(Total::parse)?,
        step: columns.parse(Total::parse)?,
    })
}
