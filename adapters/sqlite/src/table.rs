//! What each kind of record says about its table, and everything that follows from it alone.

use domain::{Canonical, Digest, SyncId};
use ports::repo::{Listing, Query, Use};
use ports::store::{Conflict, StoreError};
use ports::{ChangeItem, Entity, RecordKind, Stored, Verb, Version};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params, params_from_iter};
use uuid::Uuid;

use crate::error::Meaning as _;
use crate::json;
use crate::row::{self, Columns, Damage};
use crate::session::{Session, kind_code};

/// A kind of record that has a table of its own.
///
/// Every table has the columns `id`, `created`, `updated`, `version` and `digest`.
pub(crate) trait Table: Entity {
    /// The table.
    const NAME: &'static str;
    /// What rows are read from: the table, and what is joined to it.
    const FROM: &'static str = Self::NAME;
    /// What is read of a row besides, in the order of [`Table::read`].
    const COLUMNS: &'static str;
    /// What is written of a row besides, in the order of [`Table::values`].
    const WRITTEN: &'static [&'static str];
    /// The order of lists.
    const ORDER: &'static str;
    /// Whether the table has the column `sync_id`.
    const SYNC_ID: bool = true;
    /// The condition that selects the rows of a parent, whose identifier is its parameter.
    const PARENT: Option<&'static str> = None;
    /// The column that tells kinds apart where the table holds several.
    const KIND: Option<&'static str> = None;

    /// The record of a row, without what stands in other tables.
    fn read(conn: &Connection, columns: &mut Columns<'_>) -> Result<Self, Damage>;

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

    /// Writes what stands in other tables, in place of what stood there before.
    fn write_parts(&self, _conn: &Connection) -> Result<(), StoreError> {
        Ok(())
    }

    /// Removes what stands in other tables and is nothing without the record.
    fn remove_parts(_conn: &Connection, _session: &mut Session, _id: Uuid) -> Result<(), StoreError> {
        Ok(())
    }

    /// Carries over to the cells that `before` became `after`.
    fn post(
        _conn: &Connection,
        _session: &Session,
        _before: Option<&Self>,
        _after: Option<&Self>,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A row as it was read: the record, or what is wrong with it, and the digest that stands beside it.
pub(crate) struct Found<T> {
    /// Its identifier.
    pub(crate) id: Uuid,
    /// The record.
    pub(crate) record: Result<Stored<T>, Damage>,
    /// The digest that stands in the row.
    pub(crate) digest: Result<Digest, Damage>,
}

/// The statement that reads all rows of a table, up to its conditions.
pub(crate) fn select<T: Table>() -> String {
    let (name, columns, from) = (T::NAME, T::COLUMNS, T::FROM);
    format!("SELECT {name}.id, {name}.digest, {name}.created, {name}.updated, {name}.version, {columns} FROM {from}")
}

/// Reads a row of [`select`].
pub(crate) fn found<T: Table>(conn: &Connection, row: &Row<'_>) -> Result<Found<T>, rusqlite::Error> {
    let id = row.get(0)?;
    let mut columns = Columns::new(row);
    let _ = columns.take::<Uuid>();
    let digest = columns.digest();
    let record = columns.stored().and_then(|stored| {
        let value = T::read(conn, &mut columns)?;
        Ok(stored.map(|()| value))
    });
    Ok(Found { id, record, digest })
}

/// The records that meet the conditions behind [`select`].
pub(crate) fn query<T: Table>(
    conn: &Connection,
    conditions: &str,
    params: impl Params,
) -> Result<Vec<Stored<T>>, StoreError> {
    let mut statement = conn.prepare_cached(&format!("{} {conditions}", select::<T>())).meant()?;
    let mut rows = statement.query(params).meant()?;
    let mut records = Vec::new();
    while let Some(row) = rows.next().meant()? {
        let Found { id, record, .. } = found::<T>(conn, row).meant()?;
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

/// The record of that kind and syncId.
pub(crate) fn find_by_sync_id<T: Table>(
    conn: &Connection,
    kind: RecordKind,
    sync_id: &SyncId,
) -> Result<Option<Stored<T>>, StoreError> {
    if !T::SYNC_ID {
        return Ok(None);
    }
    let (conditions, params) = conditions::<T>(kind, None, Some(sync_id));
    Ok(query(conn, &conditions, params_from_iter(params))?.pop())
}

/// One page of a list.
pub(crate) fn list<T: Table>(conn: &Connection, asked: &Query) -> Result<Listing<Stored<T>>, StoreError> {
    let (conditions, mut params) = conditions::<T>(asked.kind, asked.parent, asked.sync_id.as_ref());
    let count = conn
        .prepare_cached(&format!("SELECT count(*) FROM {} {conditions}", T::NAME))
        .and_then(|mut statement| statement.query_row(params_from_iter(&params), |row| row.get(0)))
        .meant()?;
    let ordered = format!("{conditions} ORDER BY {} LIMIT ? OFFSET ?", T::ORDER);
    params.push(Value::Integer(asked.page.size.into()));
    params.push(Value::Integer(i64::try_from(asked.page.offset()).unwrap_or(i64::MAX)));
    let data = query(conn, &ordered, params_from_iter(params))?;
    Ok(Listing { count, page: asked.page, data })
}

fn conditions<T: Table>(kind: RecordKind, parent: Option<Uuid>, sync_id: Option<&SyncId>) -> (String, Vec<Value>) {
    let (mut terms, mut params) = (Vec::new(), Vec::new());
    if let Some(column) = T::KIND {
        terms.push(format!("{column} = ?"));
        params.push(Value::Integer(kind_code(kind)));
    }
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
            params.push(row::text(sync_id));
        }
        Some(_) => terms.push("0".to_owned()),
        None => {}
    }
    if terms.is_empty() { (String::new(), params) } else { (format!("WHERE {}", terms.join(" AND ")), params) }
}

/// Adds a record.
pub(crate) fn add<T: Table>(conn: &Connection, session: &mut Session, record: T) -> Result<Stored<T>, StoreError> {
    let value = record.complete(session);
    let at = session.at();
    let stored = Stored { value, created: at, updated: at, version: session.version() };
    let (id, digest) = (stored.value.id().into(), insert(conn, &stored)?);
    T::post(conn, session, None, Some(&stored.value))?;
    session.note(conn, &ChangeItem { verb: Verb::Added, kind: stored.value.kind(), id, digest, replaced: None })?;
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
    let replaced = Some(before.canonical());
    session.note(conn, &ChangeItem { verb: Verb::Updated, kind: stored.value.kind(), id, digest, replaced })?;
    Ok(stored)
}

/// Removes a record.
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
pub(crate) fn erase<T: Table>(conn: &Connection, session: &mut Session, before: &Stored<T>) -> Result<(), StoreError> {
    let id: Uuid = before.value.id().into();
    conn.prepare_cached(&format!("DELETE FROM {} WHERE id = ?", T::NAME))
        .and_then(|mut statement| statement.execute([id]))
        .meant()?;
    T::post(conn, session, Some(&before.value), None)?;
    let replaced = before.canonical();
    let digest = Digest::of(replaced.as_bytes());
    let item = ChangeItem { verb: Verb::Removed, kind: before.value.kind(), id, digest, replaced: Some(replaced) };
    session.note(conn, &item)
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
        Value::Integer(i64::try_from(stored.version.0).unwrap_or(i64::MAX)),
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
    conn.prepare_cached(&statement).and_then(|mut statement| statement.execute(params_from_iter(values))).meant()?;
    record.write_parts(conn)?;
    Ok(digest)
}

fn check_sync_id<T: Table>(conn: &Connection, record: &T) -> Result<(), StoreError> {
    let Some(sync_id) = record.sync_id() else { return Ok(()) };
    let (conditions, mut params) = conditions::<T>(record.kind(), None, Some(sync_id));
    params.push(row::id(record.id()));
    let holder: Option<Uuid> = conn
        .prepare_cached(&format!("SELECT id FROM {} {conditions} AND id <> ?", T::NAME))
        .and_then(|mut statement| statement.query_row(params_from_iter(params), |row| row.get(0)).optional())
        .meant()?;
    match holder {
        Some(holder) => Err(StoreError::Conflict(Conflict::SyncId { kind: record.kind(), holder })),
        None => Ok(()),
    }
}

fn exists(conn: &Connection, table: &str, id: Uuid) -> Result<bool, StoreError> {
    conn.prepare_cached(&format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?)"))
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)))
        .meant()
}

/// The integer key of a record that another one refers to; `Conflict::Missing` when it is not there.
pub(crate) fn key_of(conn: &Connection, table: &str, kind: RecordKind, id: impl Into<Uuid>) -> Result<i64, StoreError> {
    let id = id.into();
    conn.prepare_cached(&format!("SELECT key FROM {table} WHERE id = ?"))
        .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
        .meant()?
        .ok_or(StoreError::Conflict(Conflict::Missing { kind, id }))
}

/// The integer key of a node of that tree; `Conflict::Missing` when it is not there.
pub(crate) fn node_key(conn: &Connection, tree: RecordKind, id: impl Into<Uuid>) -> Result<i64, StoreError> {
    let id = id.into();
    conn.prepare_cached("SELECT key FROM node WHERE id = ? AND tree = ?")
        .and_then(|mut statement| statement.query_row(params![id, kind_code(tree)], |row| row.get(0)).optional())
        .meant()?
        .ok_or(StoreError::Conflict(Conflict::Missing { kind: tree, id }))
}

/// Counts the records of each kind that refer to one: each statement takes its identifier. Kinds without any are left
/// out.
pub(crate) fn count_uses(conn: &Connection, id: Uuid, counts: &[(RecordKind, &str)]) -> Result<Vec<Use>, StoreError> {
    let mut uses = Vec::new();
    for (kind, statement) in counts {
        let count: u64 = conn
            .prepare_cached(statement)
            .and_then(|mut statement| statement.query_row([id], |row| row.get(0)))
            .meant()?;
        if count > 0 {
            uses.push(Use { kind: *kind, count });
        }
    }
    Ok(uses)
}
