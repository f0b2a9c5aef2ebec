//! The cells against a recount of the activities, and the series against their digests.

use domain::{Canonical as _, Cell};
use ports::store::{StoreError, Verification};
use sea_orm::QueryResult;
use time::Date;
use uuid::Uuid;

use super::cursor::Cursor;
use super::find;
use super::recount::{At, Recount};
use crate::conn::{TenantConn, column, sql};
use crate::ledger::{CELL, CellColumns};
use crate::row::{self, Damage};
use crate::series::{self, Numbered};

/// The cells, each with whether the change that it is stamped with wrote an activity.
const FROM: &str = "FROM tonne.cell LEFT JOIN (SELECT DISTINCT change FROM tonne.change_item \
    WHERE tenant_id = {tenant} AND kind = 0) AS wrote ON wrote.change = cell.version \
    WHERE cell.tenant_id = {tenant} ORDER BY day, series";

struct Columns {
    day: Date,
    series: i32,
    version: i64,
    stamped: bool,
    cell: CellColumns,
}

struct SeriesColumns {
    key: i32,
    /// Scope, org and taxonomy; nil is none.
    nodes: [Uuid; 3],
    digest: Vec<u8>,
}

/// Checks that the series are counted from 0 without gaps, each as it was written.
pub(super) async fn check_series(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    let text = "SELECT key, scope, org, taxonomy, digest FROM tonne.series WHERE tenant_id = {tenant} ORDER BY key";
    let mut rows = Cursor::open(conn, "tonne_series", text, SeriesColumns::of).await?;
    let mut expected = 0_u32;
    while let Some(columns) = rows.next(conn).await? {
        let read = columns.ok_or_else(|| row::damage("a column", "does not read")).and_then(SeriesColumns::read);
        match read {
            Err(Damage(detail)) => find(report, format!("series {expected}"), detail),
            Ok((numbered, _)) if numbered.index != expected => {
                let detail = format!("stands where series {expected} is expected");
                find(report, format!("series {}", numbered.index), detail);
                expected = numbered.index;
            }
            Ok((numbered, digest)) if digest != numbered.digest().as_bytes() => {
                let detail = "its content does not have the digest that stands beside it";
                find(report, format!("series {expected}"), detail);
            }
            Ok(_) => {}
        }
        expected = expected.saturating_add(1);
    }
    Ok(())
}

impl SeriesColumns {
    fn of(row: &QueryResult) -> Result<Self, StoreError> {
        let nodes = [column(row, 1)?, column(row, 2)?, column(row, 3)?];
        Ok(Self { key: column(row, 0)?, nodes, digest: column(row, 4)? })
    }

    fn read(self) -> Result<(Numbered, Vec<u8>), Damage> {
        let index = u32::try_from(self.key).map_err(|_| row::damage("key", format!("{} is no index", self.key)))?;
        Ok((Numbered { index, key: series::read(self.nodes) }, self.digest))
    }
}

/// Recounts the activities and compares cell by cell.
pub(super) async fn check(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    let mut counted = Recount::open(conn).await?;
    let text = format!("SELECT day, series, version, wrote.change IS NOT NULL, {CELL} {FROM}");
    let mut stored = Cursor::open(conn, "tonne_cells", &text, Columns::of).await?;
    while let Some(columns) = stored.next(conn).await? {
        report.cells += 1;
        let at = columns.as_ref().ok_or_else(|| row::damage("a column", "does not read")).and_then(Columns::at);
        let (Some(columns), Ok(at)) = (columns, &at) else {
            let detail = at.err().map(|Damage(detail)| detail).unwrap_or_default();
            find(report, format!("row {} of cell", report.cells), detail);
            continue;
        };
        while let Some((next, cell)) = counted.next().filter(|(next, _)| next < at) {
            missing(conn, report, next, cell).await?;
            counted.advance(conn).await?;
        }
        let mut expected = Cell::ZERO;
        if let Some((_, cell)) = counted.next().filter(|(next, _)| next == at) {
            expected = cell;
            counted.advance(conn).await?;
        }
        if let Some(wrong) = columns.differ(expected) {
            find(report, name(conn, *at).await?, wrong);
        }
    }
    while let Some((next, cell)) = counted.next() {
        missing(conn, report, next, cell).await?;
        counted.advance(conn).await?;
    }
    Ok(())
}

/// Activities add up to something where no cell is.
async fn missing(conn: &mut TenantConn, report: &mut Verification, at: At, cell: Cell) -> Result<(), StoreError> {
    if !cell.is_zero() {
        find(report, name(conn, at).await?, "is missing");
    }
    Ok(())
}

impl Columns {
    fn of(row: &QueryResult) -> Result<Self, StoreError> {
        let (day, series, version) = (column(row, 0)?, column(row, 1)?, column(row, 2)?);
        Ok(Self { day, series, version, stamped: column(row, 3)?, cell: CellColumns::of(row, 4)? })
    }

    fn at(&self) -> Result<At, Damage> {
        Ok((row::day("day", self.day)?, self.series))
    }

    /// What is wrong with the cell.
    fn differ(&self, expected: Cell) -> Option<String> {
        match self.cell.read() {
            Err(Damage(detail)) => Some(detail),
            Ok(cell) if cell != expected => {
                Some(format!("has {}; its activities add up to {}", show(&cell), show(&expected)))
            }
            Ok(_) => {
                let version = self.version;
                (!self.stamped).then(|| format!("is stamped with change {version}, which wrote no activity"))
            }
        }
    }
}

fn show(cell: &Cell) -> String {
    let Cell { starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step } = cell;
    format!(
        "{starts} starts ({incomplete_starts} incomplete), {ends} ends ({incomplete_ends} incomplete), \
         {co2e} kg CO2e, slope {slope}, step {step}"
    )
}

/// A cell's name: its day, its series and what the nodes of the series are called.
async fn name(conn: &mut TenantConn, (day, series): At) -> Result<String, StoreError> {
    let text = "SELECT string_agg(node.name, ' / ' ORDER BY node.tree) FROM tonne.series JOIN tonne.node \
        ON node.tenant_id = series.tenant_id AND node.id IN (series.scope, series.org, series.taxonomy) \
        WHERE series.tenant_id = $1 AND series.key = $2";
    let tenant = conn.tenant().uuid();
    let names: Option<Option<String>> = conn.value(sql(text, [tenant.into(), series.into()])).await?;
    let names = names.flatten().map(|names| format!(" ({names})")).unwrap_or_default();
    Ok(format!("cell {day} of series {series}{names}"))
}
