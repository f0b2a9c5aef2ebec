//! The cells against a recount of the activities, and the series against their digests.

use domain::{Cell, Measure};
use ports::store::{StoreError, Verification};
use sea_orm::QueryResult;
use uuid::Uuid;

use super::cursor::Cursor;
use super::find;
use super::recount::{At, Recount};
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
            let detail = format!("has {}; its activities add up to {}", show(&cell), show(&expected));
            find(report, name(conn, at).await?, detail);
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
        Some((at, cell)) if !cell.is_zero() => find(report, name(conn, at).await?, "is missing"),
        Some(_) | None => {}
    }
    Ok(())
}

fn show(cell: &Cell) -> String {
    let Cell { starts, ends, incomplete_starts, incomplete_ends, co2e, others, .. } = cell;
    let counts =
        format!("{starts} starts ({incomplete_starts} incomplete), {ends} ends ({incomplete_ends} incomplete)");
    let measures = std::iter::once((Measure::Co2e, co2e)).chain(others.iter());
    let sums = measures
        .map(|(measure, sums)| format!("{} kg {measure}, slope {}, step {}", sums.amount, sums.slope, sums.step));
    std::iter::once(counts).chain(sums).collect::<Vec<_>>().join(", ")
}

/// A cell's name: its day, its series and what the nodes of the series are called.
async fn name(conn: &mut TenantConn, (day, series): At) -> Result<String, StoreError> {
    let text = "SELECT nullif(concat_ws(' / ', scope.name, org.name, taxonomy.name), '') FROM tonne.series \
        LEFT JOIN tonne.scope ON scope.tenant_id = series.tenant_id AND scope.id = series.scope \
        LEFT JOIN tonne.org ON org.tenant_id = series.tenant_id AND org.id = series.org \
        LEFT JOIN tonne.taxonomy ON taxonomy.tenant_id = series.tenant_id AND taxonomy.id = series.taxonomy \
        WHERE series.tenant_id = $1 AND series.key = $2";
    let values = [conn.tenant().uuid().into(), i64::from(series).into()];
    let names: Option<Option<String>> = conn.value(sql(text, values)).await?;
    let names = names.flatten().map(|names| format!(" ({names})")).unwrap_or_default();
    Ok(format!("cell {day} of series {series}{names}"))
}
