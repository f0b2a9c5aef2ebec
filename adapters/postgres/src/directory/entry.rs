//! What is in the directory's tables: between rows and values, and the way each is found and written.

use domain::{Digest, Timestamp};
use ports::directory::Entry;
use ports::store::StoreError;
use sea_orm::sea_query::{Asterisk, Expr, ExprTrait as _};
use sea_orm::{DbBackend, EntityTrait, IntoActiveModel, QuerySelect as _, QueryTrait as _, Select};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::conn::{Conn, sql};
use crate::error::failed;
use crate::row::{self, Damage};

/// A record of the directory that has a table, whose rows carry its digest.
pub(super) trait EntryTable: Entry {
    type Table: EntityTrait;

    fn decode(row: &Row<Self>) -> Result<Self, Damage>;

    /// The digest that is in its row.
    fn digest_beside(row: &Row<Self>) -> &[u8];
}

/// The row of a record.
pub(super) type Row<E> = <<E as EntryTable>::Table as EntityTrait>::Model;

/// The entries that a query selects.
pub(super) async fn all<E: EntryTable>(conn: &mut Conn, select: Select<E::Table>) -> Result<Vec<E>, StoreError> {
    let rows: Vec<Row<E>> = conn.all(select.build(DbBackend::Postgres)).await?;
    let mut entries = Vec::with_capacity(rows.len());
    for row in &rows {
        entries.push(E::decode(row).map_err(|Damage(detail)| corrupt::<E>(entries.len(), detail))?);
    }
    Ok(entries)
}

/// The one entry that a query selects, if there is one.
pub(super) async fn one<E: EntryTable>(conn: &mut Conn, select: Select<E::Table>) -> Result<Option<E>, StoreError> {
    Ok(all(conn, select).await?.pop())
}

/// Writes a row that is new.
pub(super) async fn add<E: EntryTable>(conn: &mut Conn, row: Row<E>) -> Result<(), StoreError>
where
    Row<E>: IntoActiveModel<<E::Table as EntityTrait>::ActiveModel>,
{
    conn.execute(E::Table::insert(row.into_active_model()).build(DbBackend::Postgres)).await.map(drop)
}

/// Notes in `last_used` when entries were used, where that is later than what is there.
pub(super) async fn touch<E: EntryTable>(
    conn: &mut Conn,
    used: impl Iterator<Item = (Uuid, Timestamp)>,
) -> Result<(), StoreError> {
    let (ids, times): (Vec<_>, Vec<_>) = used.map(|(id, at)| (id, at.instant())).unzip();
    if ids.is_empty() {
        return Ok(());
    }
    let text = format!(
        "UPDATE tonne_directory.{table} SET last_used = greatest(last_used, used.at) \
         FROM (SELECT id, max(at) AS at FROM unnest($1::uuid[], $2::timestamptz[]) AS each (id, at) GROUP BY id) AS used \
         WHERE {table}.id = used.id",
        table = E::KIND
    );
    conn.execute(sql(&text, [ids.into(), times.into()])).await.map(drop)
}

/// How many rows a query selects.
pub(super) async fn count<T: EntityTrait>(conn: &mut Conn, select: Select<T>) -> Result<u64, StoreError> {
    let select = select.select_only().expr(Expr::col(Asterisk).count());
    let count: i64 = conn.value(select.build(DbBackend::Postgres)).await?.unwrap_or_default();
    u64::try_from(count).map_err(|_| failed("a count is out of range"))
}

/// A moment that may be NULL.
pub(super) fn timestamp_or_null(column: &str, value: Option<OffsetDateTime>) -> Result<Option<Timestamp>, Damage> {
    value.map(|value| row::timestamp(column, value)).transpose()
}

fn corrupt<E: EntryTable>(place: usize, detail: String) -> StoreError {
    StoreError::Corrupt { subject: format!("row {place} of {}", E::KIND), detail }
}

/// The value of a digest in a column of type `bytea`.
pub(super) fn bytes(digest: Digest) -> Vec<u8> {
    digest.as_bytes().to_vec()
}
