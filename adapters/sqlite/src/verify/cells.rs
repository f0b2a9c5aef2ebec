//! The cells against a recount of the activities, and the series against their digests.

use std::collections::HashMap;

use domain::{Activity, Canonical as _, Cell, Day, SeriesKey};
use ports::store::{StoreError, Verification};
use rusqlite::{Connection, OptionalExtension as _, Rows, params};

use super::find;
use crate::book::{self, Book};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};
use crate::series::{self, Numbered};
use crate::table::{found, select};

/// How many cells of the recount are kept in memory.
const IN_MEMORY: usize = 50_000;

const RECOUNT: &str = "CREATE TEMP TABLE recount (day INTEGER NOT NULL, series INTEGER NOT NULL, \
     starts INTEGER NOT NULL, ends INTEGER NOT NULL, incomplete_starts INTEGER NOT NULL, \
     incomplete_ends INTEGER NOT NULL, co2e TEXT NOT NULL, slope TEXT NOT NULL, step TEXT NOT NULL)";

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
    conn.execute_batch(RECOUNT).meant()?;
    recount(conn)?;
    let stored =
        format!("SELECT cell.day, cell.series, {}, cell.version FROM cell ORDER BY day, series", book::COLUMNS);
    let counted = format!("SELECT cell.day, cell.series, {} FROM recount AS cell ORDER BY day, series", book::COLUMNS);
    let (mut stored, mut counted) = (conn.prepare(&stored).meant()?, conn.prepare(&counted).meant()?);
    let (mut stored, mut counted) = (stored.query([]).meant()?, counted.query([]).meant()?);
    let head: u64 = conn.query_row("SELECT number FROM head", [], |row| row.get(0)).meant()?;
    let mut parts = Parts { rows: &mut counted, next: None };
    parts.advance()?;
    while let Some(row) = stored.next().meant()? {
        report.cells += 1;
        let mut columns = Columns::new(row);
        let (day, series) = match columns.day().and_then(|day| Ok((day, columns.take::<u32>()?))) {
            Ok(at) => at,
            Err(Damage(detail)) => {
                find(report, format!("row {} of cell", report.cells), detail);
                continue;
            }
        };
        while let Some((at, cell)) = parts.take_before((day, series))? {
            if !cell.is_zero() {
                find(report, name(conn, at)?, "is missing");
            }
        }
        let expected = parts.take_at((day, series))?;
        match book::read(&mut columns).and_then(|cell| Ok((cell, columns.take::<u64>()?))) {
            Err(Damage(detail)) => find(report, name(conn, (day, series))?, detail),
            Ok((cell, _)) if cell != expected => {
                find(report, name(conn, (day, series))?, differs(&cell, &expected));
            }
            Ok((_, version)) if version == 0 || version > head => {
                find(report, name(conn, (day, series))?, format!("is stamped with change {version}, which is none"));
            }
            Ok(_) => {}
        }
    }
    while let Some((at, cell)) = parts.take_first()? {
        if !cell.is_zero() {
            find(report, name(conn, at)?, "is missing");
        }
    }
    Ok(())
}

/// Adds the activities up, part by part, into the temporary table.
fn recount(conn: &Connection) -> Result<(), StoreError> {
    let indexes: HashMap<SeriesKey, u32> = series_indexes(conn)?;
    let mut statement = conn.prepare(&select::<Activity>()).meant()?;
    let mut rows = statement.query([]).meant()?;
    let mut book = Book::default();
    while let Some(row) = rows.next().meant()? {
        // What does not read was reported with the records; its cells will differ.
        let Ok(found) = found::<Activity>(conn, row) else { continue };
        let Ok(record) = found.record else { continue };
        let Some(series) = indexes.get(&record.value.series()) else { continue };
        book.add(&record.value, *series);
        if book.len() >= IN_MEMORY {
            spill(conn, std::mem::take(&mut book))?;
        }
    }
    spill(conn, book)
}

fn series_indexes(conn: &Connection) -> Result<HashMap<SeriesKey, u32>, StoreError> {
    let mut statement = conn.prepare(&format!("SELECT {}, key FROM series", series::COLUMNS)).meant()?;
    let mut rows = statement.query([]).meant()?;
    let mut indexes = HashMap::new();
    while let Some(row) = rows.next().meant()? {
        let mut columns = Columns::new(row);
        if let Ok((key, index)) = series::read(&mut columns).and_then(|key| Ok((key, columns.take()?))) {
            indexes.insert(key, index);
        }
    }
    Ok(indexes)
}

fn spill(conn: &Connection, book: Book) -> Result<(), StoreError> {
    let mut insert = conn.prepare_cached("INSERT INTO recount VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)").meant()?;
    for ((day, series), cell) in book.into_cells() {
        insert
            .execute(params![
                day.number(),
                series,
                cell.starts,
                cell.ends,
                cell.incomplete_starts,
                cell.incomplete_ends,
                cell.co2e.to_string(),
                cell.slope.to_string(),
                cell.step.to_string()
            ])
            .meant()?;
    }
    Ok(())
}

type At = (Day, u32);

/// The recount in order, its parts of one cell added up.
struct Parts<'r, 's> {
    rows: &'r mut Rows<'s>,
    next: Option<(At, Cell)>,
}

impl Parts<'_, '_> {
    fn advance(&mut self) -> Result<(), StoreError> {
        let damaged = |Damage(detail)| StoreError::Corrupt { subject: "the recount".to_owned(), detail };
        self.next = match self.rows.next().meant()? {
            None => None,
            Some(row) => {
                let mut columns = Columns::new(row);
                let at = (columns.day().map_err(damaged)?, columns.take().map_err(damaged)?);
                Some((at, book::read(&mut columns).map_err(damaged)?))
            }
        };
        Ok(())
    }

    fn take_first(&mut self) -> Result<Option<(At, Cell)>, StoreError> {
        let Some((at, mut sum)) = self.next else { return Ok(None) };
        self.advance()?;
        while let Some((_, part)) = self.next.filter(|(next, _)| *next == at) {
            sum += part;
            self.advance()?;
        }
        Ok(Some((at, sum)))
    }

    fn take_before(&mut self, limit: At) -> Result<Option<(At, Cell)>, StoreError> {
        if self.next.is_some_and(|(at, _)| at < limit) { self.take_first() } else { Ok(None) }
    }

    fn take_at(&mut self, wanted: At) -> Result<Cell, StoreError> {
        let found = if self.next.is_some_and(|(at, _)| at == wanted) { self.take_first()? } else { None };
        Ok(found.map_or(Cell::ZERO, |(_, cell)| cell))
    }
}

fn differs(cell: &Cell, expected: &Cell) -> String {
    let show = |cell: &Cell| {
        let Cell { starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step } = cell;
        format!(
            "{starts} starts ({incomplete_starts} incomplete), {ends} ends ({incomplete_ends} incomplete), \
             {co2e} kg CO2e, slope {slope}, step {step}"
        )
    };
    format!("has {}; its activities add up to {}", show(cell), show(expected))
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
