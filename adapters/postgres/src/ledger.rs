//! Series, cells and changes: what read models are built from and auditors read.

use bigdecimal::BigDecimal;
use domain::{Cell, Name, Node, ProductId, SeriesKey, Total};
use ports::repo::SeriesCell;
use ports::store::StoreError;
use ports::{Change, ChangeItem, Stored};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QueryResult, QuerySelect as _,
    QueryTrait as _,
};
use sqlx::Row as _;
use sqlx::postgres::PgValueFormat;
use uuid::Uuid;

use crate::bulk::decode_numeric;
use crate::conn::{TenantConn, column, sql};
use crate::entity::{change, node, product};
use crate::item::{ITEMS, ItemRow};
use crate::row::{self, Damage};
use crate::table;

/// The series with the index `from` and above, in order.
pub(crate) async fn series_from(conn: &mut TenantConn, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
    let text = "SELECT scope, org, taxonomy FROM tonne.series WHERE tenant_id = $1 AND key >= $2 ORDER BY key";
    // No index is above the largest integer of the column.
    let Ok(from) = i32::try_from(from) else { return Ok(Vec::new()) };
    let statement = sql(text, [conn.tenant().uuid().into(), from.into()]);
    let mut series = Vec::new();
    let node = |id: Uuid| Some(id).filter(|id| !id.is_nil());
    conn.each(statement, |row| {
        series.push(SeriesKey {
            scope: node(column(row, 0)?).map(Into::into),
            org: node(column(row, 1)?).map(Into::into),
            taxonomy: node(column(row, 2)?).map(Into::into),
        });
        Ok(())
    })
    .await?;
    Ok(series)
}

/// The cells that changes later than `number` wrote, in order of day, then series.
pub(crate) async fn cells_since(conn: &mut TenantConn, number: u64) -> Result<Vec<SeriesCell>, StoreError> {
    let text = format!(
        "SELECT day, series, {CELL} FROM tonne.cell WHERE tenant_id = $1 AND version > $2 ORDER BY day, series"
    );
    let statement = sql(&text, [conn.tenant().uuid().into(), row::integer(number)?]);
    let mut cells = Vec::new();
    conn.each(statement, |row| {
        let (day, series): (time::Date, i32) = (column(row, 0)?, column(row, 1)?);
        let damaged = |Damage(detail)| corrupt(format!("cell {day} of series {series}"), detail);
        cells.push(SeriesCell {
            day: row::day("day", day).map_err(damaged)?,
            series: u32::try_from(series).map_err(|error| damaged(row::damage("series", error)))?,
            cell: CellColumns::of(row, 2)?.read().map_err(damaged)?,
        });
        Ok(())
    })
    .await?;
    Ok(cells)
}

/// The columns that [`CellColumns`] takes.
pub(crate) const CELL: &str = "starts, ends, incomplete_starts, incomplete_ends, co2e, slope, step";

/// What a cell's row holds.
pub(crate) struct CellColumns {
    counts: [i64; 4],
    sums: [Option<Total>; 3],
}

impl CellColumns {
    /// The columns of [`CELL`], from that place on.
    pub(crate) fn of(row: &QueryResult, from: usize) -> Result<Self, StoreError> {
        Ok(Self {
            counts: [column(row, from)?, column(row, from + 1)?, column(row, from + 2)?, column(row, from + 3)?],
            sums: [sum(row, from + 4), sum(row, from + 5), sum(row, from + 6)],
        })
    }

    /// The cell.
    pub(crate) fn read(&self) -> Result<Cell, Damage> {
        let ([starts, ends, incomplete_starts, incomplete_ends], [co2e, slope, step]) = (self.counts, self.sums);
        let read = |column, sum: Option<Total>| sum.ok_or_else(|| row::damage(column, "is no sum"));
        Ok(Cell {
            starts,
            ends,
            incomplete_starts,
            incomplete_ends,
            co2e: read("co2e", co2e)?,
            slope: read("slope", slope)?,
            step: read("step", step)?,
        })
    }
}

/// A sum. Nearly all are as short as a single amount, and are taken as the server sends them: as texts, a million cells
/// took half as long again.
fn sum(row: &QueryResult, place: usize) -> Option<Total> {
    let sent = row.try_as_pg_row()?.try_get_raw(place).ok()?;
    let short = if sent.format() == PgValueFormat::Binary { decode_numeric(sent.as_bytes().ok()?) } else { None };
    if let Some(amount) = short {
        return Some(amount.into());
    }
    let long: BigDecimal = row.try_get_by_index(place).ok()?;
    Total::parse(&long.normalized().to_plain_string()).ok()
}

/// All nodes of the three trees.
pub(crate) async fn all_nodes(conn: &mut TenantConn) -> Result<Vec<Stored<Node>>, StoreError> {
    let select = table::select::<Node>(conn).order_by_asc(node::Column::Id);
    table::query(conn, select).await
}

/// The names of all products.
pub(crate) async fn product_names(conn: &mut TenantConn) -> Result<Vec<(ProductId, Name)>, StoreError> {
    let select = product::Entity::find()
        .filter(product::Column::TenantId.eq(conn.tenant().uuid()))
        .select_only()
        .columns([product::Column::Id, product::Column::Name]);
    let mut names = Vec::new();
    conn.each(select.build(DbBackend::Postgres), |row| {
        let (id, name): (Uuid, String) = (column(row, 0)?, column(row, 1)?);
        let name = row::parse("name", &name, Name::parse);
        names.push((ProductId::new(id), name.map_err(|Damage(detail)| corrupt(format!("product {id}"), detail))?));
        Ok(())
    })
    .await?;
    Ok(names)
}

/// The highest number a footprint ever had.
pub(crate) async fn footprint_mark(conn: &mut TenantConn) -> Result<u64, StoreError> {
    // A write transaction moves the head when it is closed.
    let text = "SELECT greatest(footprints, (SELECT max(number) FROM tonne.footprint WHERE footprint.tenant_id = $1)) \
                FROM tonne.head WHERE head.tenant_id = $1";
    let statement = sql(text, [conn.tenant().uuid().into()]);
    let mark: Option<i64> = conn.value(statement).await?;
    u64::try_from(mark.unwrap_or_default())
        .map_err(|_| corrupt("head".to_owned(), "footprints: is negative".to_owned()))
}

/// Up to `limit` changes later than `number`, in order.
pub(crate) async fn changes_since(
    conn: &mut TenantConn,
    number: u64,
    limit: u32,
) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError> {
    let Ok(number) = i64::try_from(number) else { return Ok(Vec::new()) };
    let select = change::Entity::find()
        .filter(change::Column::TenantId.eq(conn.tenant().uuid()))
        .filter(change::Column::Number.gt(number))
        .order_by_asc(change::Column::Number)
        .limit(u64::from(limit));
    let changes: Vec<change::Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return Ok(Vec::new()) };
    let text = format!(
        "SELECT change, ordinal, verb, kind, id, digest, replaced FROM {ITEMS} AS item \
         WHERE tenant_id = $1 AND change BETWEEN $2 AND $3 ORDER BY change, ordinal"
    );
    let statement = sql(&text, [conn.tenant().uuid().into(), first.number.into(), last.number.into()]);
    let items: Vec<ItemRow> = conn.all(statement).await?;
    let mut items = items.into_iter().peekable();
    let mut read = Vec::with_capacity(changes.len());
    for row in changes {
        let number = row.number;
        let damaged = |Damage(detail)| corrupt(format!("change {number}"), detail);
        let mut of_change = Vec::new();
        while let Some(item) = items.next_if(|item| item.change == number) {
            of_change.push(item.read().map_err(damaged)?);
        }
        read.push((read_change(row).map_err(damaged)?, of_change));
    }
    Ok(read)
}

/// A change from its row.
pub(crate) fn read_change(row: change::Model) -> Result<Change, Damage> {
    Ok(Change {
        number: row::count("number", row.number)?,
        at: row::timestamp("at", row.at)?,
        actor: row.actor,
        cause: row.cause,
        digest: row::digest("digest", &row.digest)?,
    })
}

fn corrupt(subject: String, detail: String) -> StoreError {
    StoreError::Corrupt { subject, detail }
}
