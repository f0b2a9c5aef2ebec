//! Series, changes, postings and checkpoints: how they are written, and how they are read again.

use domain::{PackedCells, SeriesKey};
use ports::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace, Parts};
use ports::store::StoreError;
use ports::{Change, RecordKind};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
};
use uuid::Uuid;

use crate::bulk::{Kind, Rows, Target};
use crate::conn::{TenantConn, column, sql};
use crate::database::Bulk;
use crate::entity::change;
use crate::error::failed;
use crate::row::{self, Damage};
use crate::series;

static ITEMS: Target = Target {
    table: "tonne.change_items",
    columns: &[("change", Kind::Bigint), ("part", Kind::Integer), ("items", Kind::Bytes)],
    end: "",
};

static POSTINGS: Target = Target {
    table: "tonne.posting",
    columns: &[("change", Kind::Bigint), ("part", Kind::Integer), ("postings", Kind::Bytes)],
    end: "",
};

static LINES: Target = Target {
    table: "tonne.import_lines",
    columns: &[("change", Kind::Bigint), ("part", Kind::Integer), ("lines", Kind::Bytes)],
    end: "",
};

static REMOVED: Target = Target {
    table: "tonne.removed",
    columns: &[("kind", Kind::Smallint), ("id", Kind::Uuid), ("change", Kind::Bigint)],
    // A record may be removed, added again and removed within one change.
    end: "ON CONFLICT DO NOTHING",
};

static CHANGES: Target = Target {
    table: "tonne.change",
    columns: &[
        ("number", Kind::Bigint),
        ("at", Kind::Timestamp),
        ("actor", Kind::Text),
        ("cause", Kind::Text),
        ("digest", Kind::Bytes),
    ],
    end: "",
};

/// Parts of so many bytes go into one statement.
const MOST_BYTES: usize = 4 << 20;

/// Writes parts of changes.
pub(crate) async fn write(conn: &mut TenantConn, parts: Parts) -> Result<(), StoreError> {
    let Parts { items, postings, lines, removals } = parts;
    write_parts(conn, &ITEMS, items.into_iter().map(|(place, items)| (place, items.into_bytes()))).await?;
    write_parts(conn, &POSTINGS, postings.into_iter().map(|(place, cells)| (place, cells.into_bytes()))).await?;
    write_parts(conn, &LINES, lines.into_iter().map(|(place, lines)| (place, lines.into_bytes()))).await?;
    let mut rows = Rows::new(&REMOVED);
    for removal in removals {
        rows.row().smallint(removal.kind.code().into()).id(removal.id).bigint(number(removal.change)?);
    }
    rows.insert(conn, Bulk::Rows).await
}

/// Rows of the table `change`, none so far.
pub(crate) fn changes() -> Rows {
    Rows::new(&CHANGES)
}

/// Rows of the table `change_items`, none so far.
pub(crate) fn items() -> Rows {
    Rows::new(&ITEMS)
}

/// Rows of the table `posting`, none so far.
pub(crate) fn postings() -> Rows {
    Rows::new(&POSTINGS)
}

/// Appends the row of a change.
pub(crate) fn change_row(rows: &mut Rows, change: &Change) -> Result<(), StoreError> {
    let Change { number: count, at, actor, cause, digest } = change;
    rows.row().bigint(number(*count)?).timestamp(*at).text(actor).text(cause).digest(*digest);
    Ok(())
}

/// Appends the row of a part of a change.
pub(crate) fn part_row(rows: &mut Rows, place: PartPlace, bytes: &[u8]) -> Result<(), StoreError> {
    let part = i32::try_from(place.part).map_err(|_| failed("a change has too many parts"))?;
    rows.row().bigint(number(place.change)?).integer(part).bytes(bytes);
    Ok(())
}

async fn write_parts(
    conn: &mut TenantConn,
    target: &'static Target,
    parts: impl Iterator<Item = (PartPlace, Vec<u8>)>,
) -> Result<(), StoreError> {
    let mut rows = Rows::new(target);
    for (place, bytes) in parts {
        part_row(&mut rows, place, &bytes)?;
        if rows.bytes() >= MOST_BYTES {
            std::mem::replace(&mut rows, Rows::new(target)).insert(conn, Bulk::Rows).await?;
        }
    }
    rows.insert(conn, Bulk::Rows).await
}

/// The series with the index `from` and above, in order.
pub(crate) async fn series_from(conn: &mut TenantConn, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
    let text = "SELECT scope, org, taxonomy FROM tonne.series WHERE tenant_id = $1 AND key >= $2 ORDER BY key";
    // No index is above the largest integer of the column.
    let Ok(from) = i32::try_from(from) else { return Ok(Vec::new()) };
    let statement = sql(text, [conn.tenant().uuid().into(), from.into()]);
    let mut found = Vec::new();
    conn.each(statement, |row| {
        found.push(series::read([column(row, 0)?, column(row, 1)?, column(row, 2)?]));
        Ok(())
    })
    .await?;
    Ok(found)
}

/// The newest checkpoint whose last row is there; its `part` is how many parts there are.
pub(crate) async fn checkpoint(conn: &mut TenantConn) -> Result<Option<Checkpoint>, StoreError> {
    let text = "SELECT number, part FROM tonne.checkpoint WHERE tenant_id = $1 AND last ORDER BY number DESC LIMIT 1";
    let statement = sql(text, [conn.tenant().uuid().into()]);
    let mut found = None;
    conn.each(statement, |row| {
        let (number, parts): (i64, i32) = (column(row, 0)?, column(row, 1)?);
        let number = u64::try_from(number).map_err(|_| failed("the number of a checkpoint is negative"))?;
        let parts = u32::try_from(parts).map_err(|_| failed("a checkpoint has a negative part"))?;
        found = Some(Checkpoint { number, parts });
        Ok(())
    })
    .await?;
    Ok(found)
}

/// A part of the newest checkpoint.
pub(crate) async fn checkpoint_part(conn: &mut TenantConn, part: u32) -> Result<PackedCells, StoreError> {
    let text = "SELECT cells FROM tonne.checkpoint WHERE tenant_id = $1 AND part = $2 AND NOT last AND number = \
                (SELECT max(number) FROM tonne.checkpoint WHERE tenant_id = $1 AND last)";
    let place = i32::try_from(part).unwrap_or(i32::MAX);
    let statement = sql(text, [conn.tenant().uuid().into(), place.into()]);
    let cells: Option<Vec<u8>> = conn.value(statement).await?;
    let missing = || corrupt("checkpoint".to_owned(), format!("has no part {part}"));
    cells.map(PackedCells::from_stored).ok_or_else(missing)
}

/// Up to `limit` parts of postings behind that place, in order.
pub(crate) async fn postings_since(
    conn: &mut TenantConn,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
    let parts = parts(conn, "postings FROM tonne.posting", after, limit).await?;
    Ok(parts.into_iter().map(|(place, bytes)| (place, PackedCells::from_stored(bytes))).collect())
}

/// Up to `limit` parts of items behind that place, in order.
pub(crate) async fn items_since(
    conn: &mut TenantConn,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
    let parts = parts(conn, "items FROM tonne.change_items", after, limit).await?;
    Ok(parts.into_iter().map(|(place, bytes)| (place, PackedItems::from_stored(bytes))).collect())
}

/// Up to `limit` parts of lines behind that place, in order.
pub(crate) async fn lines_since(
    conn: &mut TenantConn,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
    let parts = parts(conn, "lines FROM tonne.import_lines", after, limit).await?;
    Ok(parts.into_iter().map(|(place, bytes)| (place, PackedLines::from_stored(bytes))).collect())
}

async fn parts(
    conn: &mut TenantConn,
    from: &str,
    after: PartPlace,
    limit: u32,
) -> Result<Vec<(PartPlace, Vec<u8>)>, StoreError> {
    // Nothing is behind the largest number of the column.
    let Ok(change) = i64::try_from(after.change) else { return Ok(Vec::new()) };
    let part = i32::try_from(after.part).unwrap_or(i32::MAX);
    let text = format!(
        "SELECT change, part, {from} WHERE tenant_id = $1 AND (change, part) > ($2, $3) \
         ORDER BY change, part LIMIT $4"
    );
    let values = [conn.tenant().uuid().into(), change.into(), part.into(), i64::from(limit).into()];
    let mut found = Vec::new();
    conn.each(sql(&text, values), |row| {
        let (change, part): (i64, i32) = (column(row, 0)?, column(row, 1)?);
        let change = u64::try_from(change).map_err(|_| failed("the number of a change is negative"))?;
        let part = u32::try_from(part).map_err(|_| failed("a part of a change is negative"))?;
        found.push((PartPlace { change, part }, column(row, 2)?));
        Ok(())
    })
    .await?;
    Ok(found)
}

/// Up to `limit` changes later than `number`, in order.
pub(crate) async fn changes_since(conn: &mut TenantConn, number: u64, limit: u32) -> Result<Vec<Change>, StoreError> {
    let Ok(number) = i64::try_from(number) else { return Ok(Vec::new()) };
    let select = change::Entity::find()
        .filter(change::Column::TenantId.eq(conn.tenant().uuid()))
        .filter(change::Column::Number.gt(number))
        .order_by_asc(change::Column::Number)
        .limit(u64::from(limit));
    let rows: Vec<change::Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let read = |row: change::Model| {
        let number = row.number;
        read_change(row).map_err(|Damage(detail)| corrupt(format!("change {number}"), detail))
    };
    rows.into_iter().map(read).collect()
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

/// The newest change earlier than `number` that removed such a record.
pub(crate) async fn removal_before(
    conn: &mut TenantConn,
    kind: RecordKind,
    id: Uuid,
    number: u64,
) -> Result<Option<u64>, StoreError> {
    let text = "SELECT change FROM tonne.removed WHERE tenant_id = $1 AND kind = $2 AND id = $3 AND change < $4 \
                ORDER BY change DESC LIMIT 1";
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let values = [conn.tenant().uuid().into(), i16::from(kind.code()).into(), id.into(), number.into()];
    let change: Option<i64> = conn.value(sql(text, values)).await?;
    change.map(|change| u64::try_from(change).map_err(|_| failed("the number of a change is negative"))).transpose()
}

pub(crate) fn number(change: u64) -> Result<i64, StoreError> {
    i64::try_from(change).map_err(|_| failed("the number of a change is out of range"))
}

fn corrupt(subject: String, detail: String) -> StoreError {
    StoreError::Corrupt { subject, detail }
}
