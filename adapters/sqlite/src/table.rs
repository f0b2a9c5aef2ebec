//! What each kind of record says about its table, and everything that follows from it alone.

use domain::{Canonical, Digest};
use ports::repo::{Listing, Query, Use};
use ports::store::{Conflict, StoreError};
use ports::{Action, ChangeItem, Entity, Replaced, Stored, Verb, Version};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params_from_iter};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::json;
use crate::row::{self, Columns, Damage};
use crate::session::Session;

/// A kind of record that has a table of its own.
///
/// Every table has the columns `id`, `created`, `updated`, `version` and `digest`.
pub(crate) trait Table: Entity {
    /// The name of the table.
    const NAME: &'static str;
    /// What rows are read from: the table, and what is joined to it.
    const FROM: &'static str = Self::NAME;
    /// What is read of a row besides, in the order of [`Table::decode`].
    const COLUMNS: &'static str;
    /// What is written of a row besides, in the order of [`Table::values`].
    const WRITTEN: &'static [&'static str];
    /// The order of lists.
    const ORDER: &'static str;
    /// Whether the table has the column `sync_id`.
    const SYNC_ID: bool = true;
    /// The condition that selects the rows of a parent, whose identifier is its parameter.
    const PARENT: Option<&'static str> = None;

    /// The record of a row, without what is in other tables.
    fn decode(conn: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage>;

    /// The values of [`Table::WRITTEN`]. `Conflict::Missing` where the record refers to one that is not there.
    fn values(&self, conn: &Connection) -> Result<Vec<Value>, StoreError>;

    /// What refers to the record.
    fn uses(conn: &Connection, id: Uuid) -> Result<Vec<Use>, StoreError>;

    /// Gives a new record what only the store knows.
    fn complete(self, _session: &mut Session) -> Self {
        self
    }

    /// Finds what stands in the way besides a taken id or syncId.
    fn check(&self, _conn: &Connection) -> Result<(), StoreError> {
        Ok(())
    }

    /// Writes what is in other tables, in place of what stood there before.
    fn write_parts(&self, _conn: &Connection) -> Result<(), StoreError> {
        Ok(())
    }

    /// Removes what is in other tables and is nothing without the record.
    fn remove_parts(_conn: &Connection, _session: &mut Session, _id: Uuid) -> Result<(), StoreError> {
        Ok(())
    }

    /// Notes what the record posts now that `before` became `after`.
    fn post(
        _conn: &Connection,
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

/// The statement that reads all rows of a table, up to its conditions.
pub(crate) fn select<T: Table>() -> String {
    select_from::<T>(T::FROM)
}

/// The same with another way to the rows than [`Table::FROM`].
pub(crate) fn select_from<T: Table>(from: &str) -> String {
    let (name, columns) = (T::NAME, T::COLUMNS);
    format!("SELECT {name}.id, {name}.digest, {name}.created, {name}.updated, {name}.version, {columns} FROM {from}")
}

/// Reads a row of [`select`].
pub(crate) fn decode_row<T: Table>(conn: &Connection, row: &Row<'_>) -> Result<Decoded<T>, rusqlite::Error> {
    let id = row.get(0)?;
    let mut columns = Columns::new(row);
    let _ = columns.take::<Uuid>();
    let digest = columns.digest();
    let record = columns.stored().and_then(|stored| {
        let value = T::decode(conn, &mut columns)?;
        Ok(stored.map(|()| value))
    });
    Ok(Decoded { id, record, digest })
}

/// The records that meet the conditions behind [`select`].
pub(crate) fn query<T: Table>(
    conn: &Connection,
    conditions: &str,
    params: impl Params,
) -> Result<Vec<Stored<T>>, StoreError> {
    query_from(conn, T::FROM, conditions, params)
}

/// The records that meet the conditions behind [`select_from`].
pub(crate) fn query_from<T: Table>(
    conn: &Connection,
    from: &str,
    conditions: &str,
    params: impl Params,
) -> Result<Vec<Stored<T>>, StoreError> {
    let mut statement = conn.prepare_cached(&format!("{} {conditions}", select_from::<T>(from))).store_err()?;
    let mut rows = statement.query(params).store_err()?;
    let mut records = Vec::new();
    while let Some(row) = rows.next().store_err()? {
        let Decoded { id, record, .. } = decode_row::<T>(conn, row).store_err()?;
        let damaged = |Damage(detail)| StoreError::Corrupt { subject: format!("{} {id}", T::NAME), detail };
        records.push(record.map_err(damaged)?);
    }
    Ok(records)
}

/// The record of that id.
pub(crate) fn find<T: Table>(conn: &Connection, id: Uuid) -> Result<Option<Stored<T>>, StoreError> {
    Ok(query(conn, &format!("WHERE {}.id = ?", T::NAME), [id])?.pop())
}

/// The records of those ids, each once.
pub(crate) fn find_all<T: Table>(conn: &Connection, ids: &[Uuid]) -> Result<Vec<Stored<T>>, StoreError> {
    let condition = format!("WHERE {}.id IN (SELECT unhex(value) FROM json_each(?))", T::NAME);
    query(conn, &condition, [json::ids(ids.iter().copied())])
}

/// The record of that syncId.
pub(crate) fn find_by_sync_id<T: Table>(
    conn: &Connection,
    sync_id: &T::SyncId,
) -> Result<Option<Stored<T>>, StoreError> {
    if !T::SYNC_ID {
        return Ok(None);
    }
    let (conditions, params) = conditions::<T>(None, Some(sync_id));
    Ok(query(conn, &conditions, params_from_iter(params))?.pop())
}

/// One page of a list.
pub(crate) fn list<T: Table>(conn: &Connection, asked: &Query<T>) -> Result<Listing<Stored<T>>, StoreError> {
    let (conditions, mut params) = conditions::<T>(asked.parent.map(Into::into), asked.sync_id.as_ref());
    let count = conn
        .prepare_cached(&format!("SELECT count(*) FROM {} {conditions}", T::NAME))
        .and_then(|mut statement| statement.query_row(params_from_iter(&params), |row| row.get(0)))
        .store_err()?;
    let ordered = format!("{conditions} ORDER BY {} LIMIT ? OFFSET ?", T::ORDER);
    params.push(Value::Integer(asked.page.size.into()));
    params.push(row::number(asked.page.offset()));
    let data = query(conn, &ordered, params_from_iter(params))?;
    Ok(Listing { count, page: asked.page, data })
}

fn conditions<T: Table>(parent: Option<Uuid>, sync_id: Option<&T::SyncId>) -> (String, Vec<Value>) {
    let (mut terms, mut params) = (Vec::new(), Vec::new());
    match (parent, T::PARENT) {
        (Some(parent), Some(condition)) => {
            terms.push(condition.to_owned());
            params.push(row::id(parent));
        }
        // Records without a parent are no one's children.
        (Some(_), None) => terms.push("0".to_owned()),
        (None, _) => {}
    }
    match sync_id {
        Some(sync_id) if T::SYNC_ID => {
            terms.push(format!("{}.sync_id = ?", T::NAME));
            params.push(row::text(sync_id.as_ref()));
        }
        Some(_) => terms.push("0".to_owned()),
        None => {}
    }
    if terms.is_empty() { (String::new(), params) } else { (format!("WHERE {}", terms.join(" AND ")), params) }
}

pub(crate) fn add<T: Table>(conn: &Connection, session: &mut Session, record: T) -> Result<Stored<T>, StoreError> {
    let value = record.complete(session);
    let at = session.at();
    let stored = Stored { value, created: at, updated: at, version: session.version() };
    let (id, digest) = (stored.value.id().into(), insert(conn, &stored)?);
    T::post(conn, session, None, Some(&stored.value))?;
    session.note(ChangeItem { kind: T::KIND, id, action: Action::Added(digest) });
    Ok(stored)
}

/// Writes a new record as it is, and gives its digest.
pub(crate) fn insert<T: Table>(conn: &Connection, stored: &Stored<T>) -> Result<Digest, StoreError> {
    let id = stored.value.id().into();
    if exists(conn, T::NAME, id)? {
        return Err(StoreError::Conflict(Conflict::Exists(id)));
    }
    put(conn, stored, Verb::Added)
}

/// Replaces the record of the same id.
pub(crate) fn update<T: Table>(
    conn: &Connection,
    session: &mut Session,
    record: T,
    seen: Version,
) -> Result<Stored<T>, StoreError> {
    let id: Uuid = record.id().into();
    let before = seen_record::<T>(conn, id, seen)?;
    let stored = Stored { value: record, created: before.created, updated: session.at(), version: session.version() };
    let digest = put(conn, &stored, Verb::Updated)?;
    T::post(conn, session, Some(&before.value), Some(&stored.value))?;
    let action = Action::Updated { digest, replaced: Replaced::new(&before) };
    session.note(ChangeItem { kind: T::KIND, id, action });
    Ok(stored)
}

pub(crate) fn remove<T: Table>(
    conn: &Connection,
    session: &mut Session,
    id: Uuid,
    seen: Version,
) -> Result<(), StoreError> {
    let before = seen_record::<T>(conn, id, seen)?;
    let uses = T::uses(conn, id)?;
    if !uses.is_empty() {
        return Err(StoreError::Conflict(Conflict::InUse(uses)));
    }
    T::remove_parts(conn, session, id)?;
    erase(conn, session, &before)
}

/// Removes a record that nothing refers to any more.
fn erase<T: Table>(conn: &Connection, session: &mut Session, before: &Stored<T>) -> Result<(), StoreError> {
    let id: Uuid = before.value.id().into();
    conn.prepare_cached(&format!("DELETE FROM {} WHERE id = ?", T::NAME))
        .and_then(|mut statement| statement.execute([id]))
        .store_err()?;
    T::post(conn, session, Some(&before.value), None)?;
    session.note(ChangeItem::removed(before));
    Ok(())
}

fn seen_record<T: Table>(conn: &Connection, id: Uuid, seen: Version) -> Result<Stored<T>, StoreError> {
    find::<T>(conn, id)?.filter(|before| before.version == seen).ok_or(StoreError::Stale)
}

/// Writes a record's row and parts, and gives its digest.
fn put<T: Table>(conn: &Connection, stored: &Stored<T>, verb: Verb) -> Result<Digest, StoreError> {
    let record = &stored.value;
    let digest = stored.digest();
    let mut values = vec![
        row::id(record.id()),
        row::digest(digest),
        Value::Integer(stored.created.millis()),
        Value::Integer(stored.updated.millis()),
        row::number(stored.version.0),
    ];
    values.extend(record.values(conn)?);
    check_sync_id(conn, record)?;
    record.check(conn)?;
    let columns = ["id", "digest", "created", "updated", "version"].iter().chain(T::WRITTEN);
    let statement = if verb == Verb::Added {
        let columns: Vec<&str> = columns.copied().collect();
        let places = vec!["?"; columns.len()].join(", ");
        format!("INSERT INTO {} ({}) VALUES ({places})", T::NAME, columns.join(", "))
    } else {
        let sets: Vec<String> = columns.zip(1..).map(|(column, at)| format!("{column} = ?{at}")).collect();
        format!("UPDATE {} SET {} WHERE id = ?1", T::NAME, sets.join(", "))
    };
    conn.prepare_cached(&statement)
        .and_then(|mut statement| statement.execute(params_from_iter(values)))
        .store_err()?;
    record.write_parts(conn)?;
    Ok(digest)
}

fn check_sync_id<T: Table>(conn: &Connection, record: &T) -> Result<(), StoreError> {
    let Some(sync_id) = record.sync_id() else { return Ok(()) };
    let (conditions, mut params) = conditions::<T>(None, Some(sync_id));
    params.push(row::id(record.id()));
    let holder: Option<Uuid> = conn
        .prepare_cached(&format!("SELECT id FROM {} {conditions} AND id <> ?", T::NAME))
        .and_then(|mut statement| statement.query_row(params_from_iter(params), |row| row.get(0)).optional())
        .store_err()?;
    match holder {
        Some(holder) => Err(StoreError::Conflict(Conflict::SyncId { kind: T::KIND, holder })),
        None => Ok(()),
    }
}

fn exists(conn: &Connection, table: &str, id: Uuid) -> Result<bool, StoreError> {
    conn.prepare_cached(&format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?)"))
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)))
        .store_err()
}
