//! The cells against a recount of the activities, and the series against their digests.

use domain::{Canonical as _, Cell, Day};
use ports::store::{StoreError, Verification};
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::find;
use super::recount::{At, Recount, recount};
use crate::error::Meaning as _;
use crate::postings;
use crate::row::{Columns, Damage};
use crate::series::{self, Numbered};

/// Checks that the series are counted from 0 without gaps, each as it was written.
pub(super) fn check_series(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    let sql = format!("SELECT {}, key, digest FROM series ORDER BY key", series::COLUMNS);
    let mut statement = conn.prepare(&sql).meant()?;
    let mut rows = statement.query([]).meant()?;
    let mut expected = 0_u32;
    while let Some(row) = rows.next().meant()? {
        let mut columns = Columns::new(row);
        let read = series::read(&mut columns)
            .and_then(|key| Ok((Numbered { index: columns.take()?, key }, columns.digest()?)));
        match read {
            Err(Damage(detail)) => find(report, format!("series {expected}"), detail),
            Ok((numbered, _)) if numbered.index != expected => {
                let detail = format!("stands where series {expected} is expected");
                find(report, format!("series {}", numbered.index), detail);
                expected = numbered.index;
            }
            Ok((numbered, digest)) if numbered.digest() != digest => {
                let detail = "its content does not have the digest that stands beside it";
                find(report, format!("series {expected}"), detail);
            }
            Ok(_) => {}
        }
        expected = expected.saturating_add(1);
    }
    Ok(())
}

/// Recounts the activities and compares cell by cell.
pub(super) fn check(conn: &Connection, report: &mut Verification) -> Result<(), StoreError> {
    recount(conn)?;
    let sql = format!("SELECT day, series, {}, version FROM cell ORDER BY day, series", postings::COLUMNS);
    let (mut stored, mut counted) = (conn.prepare(&sql).meant()?, Recount::statement(conn)?);
    let (mut stored, mut counted) = (stored.query([]).meant()?, Recount::open(&mut counted)?);
    while let Some(row) = stored.next().meant()? {
        report.cells += 1;
        let mut columns = Columns::new(row);
        match place(&mut columns) {
            Err(Damage(detail)) => find(report, format!("row {} of cell", report.cells), detail),
            Ok(at) => {
                while counted.place().is_some_and(|next| next < at) {
                    missing(conn, report, counted.take()?)?;
                }
                let expected = if counted.place() == Some(at) { counted.take()? } else { None };
                let expected = expected.map(|(_, cell)| cell).unwrap_or_default();
                if let Some(wrong) = differs(conn, row, expected)? {
                    find(report, name(conn, at)?, wrong);
                }
            }
        }
    }
    while counted.place().is_some() {
        missing(conn, report, counted.take()?)?;
    }
    Ok(())
}

fn place(columns: &mut Columns<'_>) -> Result<At, Damage> {
    let day: Day = columns.day()?;
    Ok((day, columns.take()?))
}

/// Activities add up to something where no cell is.
fn missing(conn: &Connection, report: &mut Verification, at: Option<(At, Cell)>) -> Result<(), StoreError> {
    if let Some((at, _)) = at.filter(|(_, cell)| !cell.is_zero()) {
        find(report, name(conn, at)?, "is missing");
    }
    Ok(())
}

/// What is wrong with a cell.
fn differs(conn: &Connection, row: &Row<'_>, expected: Cell) -> Result<Option<String>, StoreError> {
    let mut columns = Columns::new(row);
    let read = place(&mut columns).and_then(|_| Ok((postings::read(&mut columns)?, columns.take::<u64>()?)));
    let (cell, version) = match read {
        Ok(read) => read,
        Err(Damage(detail)) => return Ok(Some(detail)),
    };
    if cell != expected {
        return Ok(Some(format!("has {}; its activities add up to {}", show(&cell), show(&expected))));
    }
    let wrote_activities: bool = conn
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM change_item WHERE change = ? AND kind = 0)")
        .and_then(|mut statement| statement.query_row([version], |row| row.get(0)))
        .meant()?;
    Ok((!wrote_activities).then(|| format!("is stamped with change {version}, which wrote no activity")))
}

fn show(cell: &Cell) -> String {
    let Cell { starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step } = cell;
    format!(
        "{starts} starts ({incomplete_starts} incomplete), {ends} ends ({incomplete_ends} incomplete), \
         {co2e} kg CO2e, slope {slope}, step {step}"
    )
}

/// A cell's name: its day, its series and what the nodes of the series are called.
fn name(conn: &Connection, (day, series): At) -> Result<String, StoreError> {
    let names: Option<String> = conn
        .prepare_cached(
            "SELECT (SELECT group_concat(node.name, ' / ') FROM node \
             WHERE node.id IN (series.scope, series.org, series.taxonomy)) FROM series WHERE series.key = ?",
        )
        .and_then(|mut statement| statement.query_row([series], |row| row.get(0)).optional())
        .meant()?
        .flatten();
    let names = names.map(|names| format!(" ({names})")).unwrap_or_default();
    Ok(format!("cell {day} of series {series}{names}"))
}
