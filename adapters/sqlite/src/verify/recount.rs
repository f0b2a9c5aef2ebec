//! The activities added up anew: part by part in memory, the parts in a temporary table, their sums in order.

use std::collections::{BTreeMap, HashMap};

use domain::{Activity, Cell, Day, SeriesKey};
use ports::store::StoreError;
use rusqlite::{Connection, Rows, Statement, params};

use crate::book;
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};
use crate::series;
use crate::table::{found, select};

/// How many cells are kept in memory.
const IN_MEMORY: usize = 50_000;

const TABLE: &str = "CREATE TEMP TABLE recount (day INTEGER NOT NULL, series INTEGER NOT NULL, \
     starts INTEGER NOT NULL, ends INTEGER NOT NULL, incomplete_starts INTEGER NOT NULL, \
     incomplete_ends INTEGER NOT NULL, co2e TEXT NOT NULL, slope TEXT NOT NULL, step TEXT NOT NULL, \
     version INTEGER NOT NULL)";

/// A day and a series.
pub(super) type At = (Day, u32);

/// What some activities of a cell add up to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// Their sum.
    pub(super) cell: Cell,
    /// The newest change that wrote one of them.
    pub(super) version: u64,
}

impl Part {
    fn add(&mut self, cell: Cell, version: u64) {
        self.cell += cell;
        self.version = self.version.max(version);
    }
}

/// Adds the activities up into the temporary table.
pub(super) fn recount(conn: &Connection) -> Result<(), StoreError> {
    conn.execute_batch(TABLE).meant()?;
    let indexes = series_indexes(conn)?;
    let mut statement = conn.prepare(&select::<Activity>()).meant()?;
    let mut rows = statement.query([]).meant()?;
    let mut parts: BTreeMap<At, Part> = BTreeMap::new();
    while let Some(row) = rows.next().meant()? {
        // What does not read was reported with the records; its cells will differ.
        let Ok(found) = found::<Activity>(conn, row) else { continue };
        let Ok(record) = found.record else { continue };
        let Some(series) = indexes.get(&record.value.series()) else { continue };
        for (day, cell) in record.value.booking().cells() {
            parts.entry((day, *series)).or_default().add(cell, record.version.0);
        }
        if parts.len() >= IN_MEMORY {
            spill(conn, std::mem::take(&mut parts))?;
        }
    }
    spill(conn, parts)
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

fn spill(conn: &Connection, parts: BTreeMap<At, Part>) -> Result<(), StoreError> {
    let mut insert = conn.prepare_cached("INSERT INTO recount VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").meant()?;
    for ((day, series), Part { cell, version }) in parts {
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
                cell.step.to_string(),
                version
            ])
            .meant()?;
    }
    Ok(())
}

/// The recount in order of day, then series.
pub(super) struct Recount<'s> {
    rows: Rows<'s>,
    next: Option<(At, Part)>,
}

impl<'s> Recount<'s> {
    /// The statement that reads it.
    pub(super) fn statement(conn: &Connection) -> Result<Statement<'_>, StoreError> {
        let columns = book::COLUMNS;
        conn.prepare(&format!("SELECT day, series, {columns}, version FROM recount AS cell ORDER BY day, series"))
            .meant()
    }

    /// Starts at the first cell.
    pub(super) fn open(statement: &'s mut Statement<'_>) -> Result<Self, StoreError> {
        let mut recount = Self { rows: statement.query([]).meant()?, next: None };
        recount.advance()?;
        Ok(recount)
    }

    /// Where the next cell is.
    pub(super) fn place(&self) -> Option<At> {
        self.next.map(|(at, _)| at)
    }

    /// The next cell, its parts added up.
    pub(super) fn take(&mut self) -> Result<Option<(At, Part)>, StoreError> {
        let Some((at, mut sum)) = self.next else { return Ok(None) };
        self.advance()?;
        while let Some((_, part)) = self.next.filter(|(next, _)| *next == at) {
            sum.add(part.cell, part.version);
            self.advance()?;
        }
        Ok(Some((at, sum)))
    }

    fn advance(&mut self) -> Result<(), StoreError> {
        let Some(row) = self.rows.next().meant()? else {
            self.next = None;
            return Ok(());
        };
        let mut columns = Columns::new(row);
        let next = columns.day().and_then(|day| {
            let at = (day, columns.take()?);
            Ok((at, Part { cell: book::read(&mut columns)?, version: columns.take()? }))
        });
        self.next =
            Some(next.map_err(|Damage(detail)| StoreError::Corrupt { subject: "the recount".to_owned(), detail })?);
        Ok(())
    }
}
