//! The cells against a recount of the activities, and the series against their digests.

use domain::Cell;
use ports::store::finding::CONTENT_DIGEST;
use ports::store::{Finding, StoreError, Verification};
use sea_orm::QueryResult;
use uuid::Uuid;

use super::cursor::Cursor;
use super::find;
use super::recount::Recount;
use super::stored_cells::StoredCells;
use crate::conn::{TenantConn, column, sql};
use crate::row::{self, Damage};
use crate::series::{self, Numbered};

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
            Ok((numbered, digest)) if digest != numbered.seal().as_bytes() => {
                find(report, format!("series {expected}"), CONTENT_DIGEST);
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
    let mut stored = StoredCells::open(conn, report).await?;
    while let Some((at, cell)) = stored.next(conn, report).await? {
        report.cells += 1;
        while counted.next().is_some_and(|next| next < at) {
            missing(conn, report, &mut counted).await?;
        }
        let mut expected = Cell::ZERO;
        if counted.next() == Some(at)
            && let Some((_, sum)) = counted.take(conn).await?
        {
            expected = sum;
        }
        if cell != expected {
            let names = names(conn, at.1).await?;
            report.findings.push(Finding::cell(at, names.as_deref(), &cell, &expected));
        }
    }
    while counted.next().is_some() {
        missing(conn, report, &mut counted).await?;
    }
    Ok(())
}

/// Activities add up to something where no cell is.
async fn missing(conn: &mut TenantConn, report: &mut Verification, counted: &mut Recount) -> Result<(), StoreError> {
    match counted.take(conn).await? {
        Some((at, cell)) if !cell.is_zero() => {
            let names = names(conn, at.1).await?;
            report.findings.push(Finding::cell(at, names.as_deref(), &Cell::ZERO, &cell));
        }
        Some(_) | None => {}
    }
    Ok(())
}

/// What the nodes of a series are called, if it has any.
async fn names(conn: &mut TenantConn, series: u32) -> Result<Option<String>, StoreError> {
    let text = "SELECT nullif(concat_ws(' / ', scope.name, org.name, taxonomy.name), '') FROM tonne.series \
        LEFT JOIN tonne.scope ON scope.tenant_id = series.tenant_id AND scope.id = series.scope \
        LEFT JOIN tonne.org ON org.tenant_id = series.tenant_id AND org.id = series.org \
        LEFT JOIN tonne.taxonomy ON taxonomy.tenant_id = series.tenant_id AND taxonomy.id = series.taxonomy \
        WHERE series.tenant_id = $1 AND series.key = $2";
    let values = [conn.tenant().uuid().into(), i64::from(series).into()];
    let names: Option<Option<String>> = conn.value(sql(text, values)).await?;
    Ok(names.flatten())
}
