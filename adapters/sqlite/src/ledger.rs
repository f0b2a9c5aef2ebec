//! Series, cells and changes: what read models are built from and auditors read.

use domain::{Digest, Name, ProductId, SeriesKey};
use ports::repo::SeriesCell;
use ports::store::StoreError;
use ports::{Change, ChangeItem, RecordKind, Verb};
use rusqlite::Connection;

use crate::error::{Meaning as _, failed};
use crate::postings;
use crate::row::{Columns, Damage};
use crate::series;
use crate::session::{kind_code, verb_code};

/// The series with the index `from` and above, in order.
pub(crate) fn series_from(conn: &Connection, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
    let sql = format!("SELECT {} FROM series WHERE key >= ? ORDER BY key", series::COLUMNS);
    collect(conn, &sql, from, "series", |row| series::read(&mut Columns::new(row)))
}

/// The cells that changes later than `number` wrote, in order of day, then series.
pub(crate) fn cells_since(conn: &Connection, number: u64) -> Result<Vec<SeriesCell>, StoreError> {
    // All cells are read in their own order; later ones are found by the index and sorted.
    let index = if number == 0 { "" } else { "INDEXED BY cell_version" };
    let sql = format!(
        "SELECT cell.day, cell.series, {} FROM cell {index} WHERE cell.version > ? ORDER BY cell.day, cell.series",
        postings::COLUMNS
    );
    collect(conn, &sql, number, "cell", |row| {
        let mut columns = Columns::new(row);
        Ok(SeriesCell { day: columns.day()?, series: columns.take()?, cell: postings::read(&mut columns)? })
    })
}

/// The names of all products.
pub(crate) fn product_names(conn: &Connection) -> Result<Vec<(ProductId, Name)>, StoreError> {
    collect(conn, "SELECT id, name FROM product WHERE key > ?", 0, "product", |row| {
        let mut columns = Columns::new(row);
        Ok((columns.id()?, columns.parse(Name::parse)?))
    })
}

/// The highest number a footprint ever had.
pub(crate) fn footprint_mark(conn: &Connection) -> Result<u64, StoreError> {
    // A write transaction moves the head when it is closed.
    conn.prepare_cached("SELECT max(footprints, (SELECT ifnull(max(number), 0) FROM footprint)) FROM head")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .meant()
}

/// Up to `limit` changes later than `number`, in order.
pub(crate) fn changes_since(
    conn: &Connection,
    number: u64,
    limit: u32,
) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError> {
    let sql =
        format!("SELECT number, at, actor, cause, digest FROM change WHERE number > ? ORDER BY number LIMIT {limit}");
    let changes = collect(conn, &sql, number, "change", |row| read_change(&mut Columns::new(row)))?;
    let with_items = |change: Change| items_of(conn, change.number).map(|items| (change, items));
    changes.into_iter().map(with_items).collect()
}

fn items_of(conn: &Connection, change: u64) -> Result<Vec<ChangeItem>, StoreError> {
    let sql = format!("SELECT {ITEM} FROM change_item WHERE change = ? ORDER BY ordinal");
    collect(conn, &sql, change, "change_item", |row| read_item(&mut Columns::new(row)))
}

/// The columns that [`read_item`] takes.
pub(crate) const ITEM: &str = "verb, kind, id, digest, replaced";

/// A change from its columns: number, time, actor, cause, digest.
pub(crate) fn read_change(columns: &mut Columns<'_>) -> Result<Change, Damage> {
    Ok(Change {
        number: columns.take()?,
        at: columns.timestamp()?,
        actor: columns.take()?,
        cause: columns.take()?,
        digest: columns.digest()?,
    })
}

/// An item of a change from its columns.
pub(crate) fn read_item(columns: &mut Columns<'_>) -> Result<ChangeItem, Damage> {
    let (verb, kind): (i64, i64) = (columns.take()?, columns.take()?);
    let verb = [Verb::Added, Verb::Updated, Verb::Removed].into_iter().find(|known| verb_code(*known) == verb);
    let kind = RecordKind::ALL.into_iter().find(|known| kind_code(*known) == kind);
    let (Some(verb), Some(kind)) = (verb, kind) else { return Err(Damage("kind: is none".to_owned())) };
    let (id, digest): (_, Digest) = (columns.take()?, columns.digest()?);
    Ok(ChangeItem { verb, kind, id, digest, replaced: columns.take()? })
}

fn collect<T>(
    conn: &Connection,
    sql: &str,
    from: impl TryInto<i64>,
    table: &str,
    read: impl Fn(&rusqlite::Row<'_>) -> Result<T, Damage>,
) -> Result<Vec<T>, StoreError> {
    let from: i64 = from.try_into().map_err(|_| failed("a number is out of range"))?;
    let mut statement = conn.prepare_cached(sql).meant()?;
    let mut rows = statement.query([from]).meant()?;
    let mut values = Vec::new();
    while let Some(row) = rows.next().meant()? {
        let damaged =
            |Damage(detail)| StoreError::Corrupt { subject: format!("row {} of {table}", values.len()), detail };
        values.push(read(row).map_err(damaged)?);
    }
    Ok(values)
}
