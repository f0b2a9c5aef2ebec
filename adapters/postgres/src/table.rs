//! What each kind of record says about its table, and everything that follows from it alone.

use async_trait::async_trait;
use domain::{Canonical as _, Digest};
use ports::repo::{Listing, Query, Use};
use ports::store::{Conflict, StoreError};
use ports::{Action, ChangeItem, Entity, Replaced, Stored, Verb, Version};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityName as _, EntityTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _, Select,
};
use uuid::Uuid;

use crate::conn::TenantConn;
use crate::entity::{RecordRow, Stamp};
use crate::error::failed;
use crate::reference;
use crate::row::{self, Damage};
use crate::session::Session;

/// The row of a record.
pub(crate) type Row<T> = <<T as Table>::Orm as EntityTrait>::Model;
/// A column of a record's table.
pub(crate) type Column<T> = <<T as Table>::Orm as EntityTrait>::Column;

/// A kind of record that has a table of its own.
#[async_trait]
pub(crate) trait Table: Entity {
    type Orm: RecordRow;
    /// What is in other tables, of many records.
    type Parts: Default + Send;

    /// The order of lists.
    const ORDER: &'static [Column<Self>];
    /// The column of the syncId, where the kind has one.
    const SYNC_ID: Option<Column<Self>>;
    /// The column of the record's parent, by which lists are asked for.
    const PARENT: Option<Column<Self>> = None;

    /// Reads what is in other tables, for all these rows at once.
    async fn parts(_conn: &mut TenantConn, _rows: &[Row<Self>]) -> Result<Self::Parts, StoreError> {
        Ok(Self::Parts::default())
    }

    /// The record of a row. Its parts are taken out of those that were read.
    fn decode(row: Row<Self>, parts: &mut Self::Parts) -> Result<Self, Damage>;

    /// The row of the record, without what is in other tables. By now nothing stands in its way.
    async fn row(&self, conn: &mut TenantConn, stamp: Stamp) -> Result<Row<Self>, StoreError>;

    /// What refers to the record.
    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError>;

    /// Gives a new record what only the store knows.
    fn complete(self, _session: &mut Session) -> Self {
        self
    }

    /// Finds what stands in the way besides a taken id or syncId and missing references.
    async fn check(&self, _conn: &mut TenantConn) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes what is in other tables, in place of what stood there before.
    async fn write_parts(&self, _conn: &mut TenantConn) -> Result<(), StoreError> {
        Ok(())
    }

    /// Removes what is in other tables and is nothing without the record.
    async fn remove_parts(_conn: &mut TenantConn, _session: &mut Session, _id: Uuid) -> Result<(), StoreError> {
        Ok(())
    }

    /// Notes in the change and in the counts of uses that `before` became `after`.
    async fn post(
        _conn: &mut TenantConn,
        _session: &mut Session,
        _before: Option<&Self>,
        _after: Option<&Self>,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A row as it was read: the record, or what is wrong with it, and the digest that is beside it.
pub(crate) struct Decoded<T> {
    pub(crate) id: Uuid,
    pub(crate) record: Result<Stored<T>, Damage>,
    /// The digest that is in the row.
    pub(crate) digest: Result<Digest, Damage>,
}

/// Reads a row with its parts.
pub(crate) fn decode_row<T: Table>(mut row: Row<T>, parts: &mut T::Parts) -> Decoded<T> {
    let Stamp { id, created, updated, version, digest, .. } = T::Orm::stamp(&mut row);
    let read = || -> Result<Stored<T>, Damage> {
        Ok(Stored {
            created: row::timestamp("created", created)?,
            updated: row::timestamp("updated", updated)?,
            version: Version(row::count("version", version)?),
            value: T::decode(row, parts)?,
        })
    };
    Decoded { id, record: read(), digest: row::digest("digest", &digest) }
}

/// The table's name in the words of errors and findings.
pub(crate) fn name<T: Table>() -> &'static str {
    T::Orm::default().table_name()
}

/// All rows of the tenant, to be narrowed down.
pub(crate) fn select<T: Table>(conn: &TenantConn) -> Select<T::Orm> {
    T::Orm::find().filter(T::Orm::TENANT.eq(conn.tenant().uuid()))
}

/// The records of those rows.
pub(crate) async fn query<T: Table>(
    conn: &mut TenantConn,
    select: Select<T::Orm>,
) -> Result<Vec<Stored<T>>, StoreError> {
    let rows = conn.all(select.build(DbBackend::Postgres)).await?;
    records(conn, rows).await
}

/// The records of rows that were read.
pub(crate) async fn records<T: Table>(conn: &mut TenantConn, rows: Vec<Row<T>>) -> Result<Vec<Stored<T>>, StoreError> {
    let mut parts = T::parts(conn, &rows).await?;
    let mut records = Vec::with_capacity(rows.len());
    for row in rows {
        records.push(record(row, &mut parts)?);
    }
    Ok(records)
}

/// The record of a row with its parts.
pub(crate) fn record<T: Table>(row: Row<T>, parts: &mut T::Parts) -> Result<Stored<T>, StoreError> {
    let Decoded { id, record, .. } = decode_row::<T>(row, parts);
    record.map_err(|Damage(detail)| StoreError::Corrupt { subject: format!("{} {id}", name::<T>()), detail })
}

/// The record of that id.
pub(crate) async fn find<T: Table>(conn: &mut TenantConn, id: Uuid) -> Result<Option<Stored<T>>, StoreError> {
    let select = select::<T>(conn).filter(T::Orm::ID.eq(id));
    Ok(query(conn, select).await?.pop())
}

/// The records of those ids, each once.
pub(crate) async fn find_all<T: Table>(conn: &mut TenantConn, ids: &[Uuid]) -> Result<Vec<Stored<T>>, StoreError> {
    let select = select::<T>(conn).filter(T::Orm::ID.eq_any(ids.iter().copied()));
    query(conn, select).await
}

/// The record of that syncId.
pub(crate) async fn find_by_sync_id<T: Table>(
    conn: &mut TenantConn,
    sync_id: &T::SyncId,
) -> Result<Option<Stored<T>>, StoreError> {
    let Some(select) = narrowed::<T>(conn, None, Some(sync_id)) else { return Ok(None) };
    Ok(query(conn, select).await?.pop())
}

/// One page of a list.
pub(crate) async fn list<T: Table>(conn: &mut TenantConn, asked: &Query<T>) -> Result<Listing<Stored<T>>, StoreError> {
    let Query { parent, sync_id, page } = asked;
    let Some(mut select) = narrowed::<T>(conn, *parent, sync_id.as_ref()) else {
        return Ok(Listing { count: 0, page: *page, data: Vec::new() });
    };
    let count = reference::count(conn, select.clone()).await?;
    for column in T::ORDER {
        select = select.order_by_asc(*column);
    }
    let data = query(conn, select.limit(u64::from(page.size)).offset(page.offset())).await?;
    Ok(Listing { count, page: *page, data })
}

/// The rows of that parent and syncId; `None` where the kind has no column for one of them.
fn narrowed<T: Table>(
    conn: &TenantConn,
    parent: Option<T::Parent>,
    sync_id: Option<&T::SyncId>,
) -> Option<Select<T::Orm>> {
    let mut select = select::<T>(conn);
    if let Some(parent) = parent {
        select = select.filter(T::PARENT?.eq::<Uuid>(parent.into()));
    }
    if let Some(sync_id) = sync_id {
        select = select.filter(T::SYNC_ID?.eq(sync_id.as_ref()));
    }
    Some(select)
}

pub(crate) async fn add<T: Table>(
    conn: &mut TenantConn,
    session: &mut Session,
    record: T,
) -> Result<Stored<T>, StoreError> {
    let value = record.complete(session);
    let at = session.at();
    let stored = Stored { value, created: at, updated: at, version: session.version() };
    let (id, digest) = (stored.value.id().into(), insert(conn, &stored).await?);
    T::post(conn, session, None, Some(&stored.value)).await?;
    session.draft.note(ChangeItem { kind: T::KIND, id, action: Action::Added(digest) });
    Ok(stored)
}

/// Writes a new record as it is, and gives its digest.
pub(crate) async fn insert<T: Table>(conn: &mut TenantConn, stored: &Stored<T>) -> Result<Digest, StoreError> {
    let id = stored.value.id().into();
    if exists::<T>(conn, id).await? {
        return Err(StoreError::Conflict(Conflict::Exists(id)));
    }
    put(conn, stored, Verb::Added).await
}

/// Replaces the record of the same id.
pub(crate) async fn update<T: Table>(
    conn: &mut TenantConn,
    session: &mut Session,
    record: T,
    seen: Version,
) -> Result<Stored<T>, StoreError> {
    let id: Uuid = record.id().into();
    let before = seen_record::<T>(conn, id, seen).await?;
    let stored = Stored { value: record, created: before.created, updated: session.at(), version: session.version() };
    let digest = put(conn, &stored, Verb::Updated).await?;
    T::post(conn, session, Some(&before.value), Some(&stored.value)).await?;
    let action = Action::Updated { digest, replaced: Replaced::new(&before) };
    session.draft.note(ChangeItem { kind: T::KIND, id, action });
    Ok(stored)
}

pub(crate) async fn remove<T: Table>(
    conn: &mut TenantConn,
    session: &mut Session,
    id: Uuid,
    seen: Version,
) -> Result<(), StoreError> {
    let before = seen_record::<T>(conn, id, seen).await?;
    let uses = T::uses(conn, id).await?;
    if !uses.is_empty() {
        return Err(StoreError::Conflict(Conflict::InUse(uses)));
    }
    T::remove_parts(conn, session, id).await?;
    erase_all(conn, session, &[before]).await
}

/// Removes records that nothing refers to any more, in one step.
pub(crate) async fn erase_all<T: Table>(
    conn: &mut TenantConn,
    session: &mut Session,
    before: &[Stored<T>],
) -> Result<(), StoreError> {
    if before.is_empty() {
        return Ok(());
    }
    let ids = before.iter().map(|stored| -> Uuid { stored.value.id().into() });
    let rows = T::Orm::delete_many().filter(T::Orm::TENANT.eq(conn.tenant().uuid())).filter(T::Orm::ID.eq_any(ids));
    conn.execute(rows.build(DbBackend::Postgres)).await?;
    for stored in before {
        T::post(conn, session, Some(&stored.value), None).await?;
        session.draft.note(ChangeItem::removed(stored));
    }
    Ok(())
}

async fn seen_record<T: Table>(conn: &mut TenantConn, id: Uuid, seen: Version) -> Result<Stored<T>, StoreError> {
    find::<T>(conn, id).await?.filter(|before| before.version == seen).ok_or(StoreError::Stale)
}

/// Writes a record's row and parts once nothing stands in its way, and gives its digest.
async fn put<T: Table>(conn: &mut TenantConn, stored: &Stored<T>, verb: Verb) -> Result<Digest, StoreError> {
    let record = &stored.value;
    check_obstacles(conn, record).await?;
    let (digest, stamp) = (stored.digest(), Stamp::of(conn.tenant(), stored)?);
    let row = record.row(conn, stamp).await?;
    let statement = match verb {
        Verb::Added => T::Orm::insertion(row),
        Verb::Updated | Verb::Removed | Verb::Blanked => {
            T::Orm::replacement(row).map_err(|error| failed(error.to_string()))?
        }
    };
    conn.execute(statement).await?;
    record.write_parts(conn).await?;
    Ok(digest)
}

/// Finds what stands in the way of a record besides a taken id.
async fn check_obstacles<T: Table>(conn: &mut TenantConn, record: &T) -> Result<(), StoreError> {
    check_sync_id(conn, record).await?;
    if let Some(missing) = reference::first_missing(conn, &record.references()).await? {
        return Err(StoreError::Conflict(Conflict::Missing { kind: missing.kind, id: missing.id }));
    }
    record.check(conn).await
}

async fn check_sync_id<T: Table>(conn: &mut TenantConn, record: &T) -> Result<(), StoreError> {
    let Some(sync_id) = record.sync_id() else { return Ok(()) };
    let Some(others) = narrowed::<T>(conn, None, Some(sync_id)) else { return Ok(()) };
    let others = others.select_only().column(T::Orm::ID).filter(T::Orm::ID.ne::<Uuid>(record.id().into()));
    match conn.value(others.build(DbBackend::Postgres)).await? {
        Some(holder) => Err(StoreError::Conflict(Conflict::SyncId { kind: T::KIND, holder })),
        None => Ok(()),
    }
}

async fn exists<T: Table>(conn: &mut TenantConn, id: Uuid) -> Result<bool, StoreError> {
    let row = select::<T>(conn).filter(T::Orm::ID.eq(id)).select_only().column(T::Orm::ID);
    Ok(conn.value::<Uuid>(row.build(DbBackend::Postgres)).await?.is_some())
}
