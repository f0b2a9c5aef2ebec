//! Clients, keys and users: what they have in common in the store.

use domain::{Canonical as _, Timestamp};
use ports::directory::{Credential, DirectoryDraft, Entry, Versioned};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, TenantCredentials, TenantId, Version, Write};
use rusqlite::types::Value;
use rusqlite::{Connection, Params, params, params_from_iter};
use uuid::Uuid;

use crate::error::StoreErr as _;
use crate::row::{self, Columns, Damage, collect};

/// A client, a key or a user. Its table has the columns `id`, `tenant`, `last_used`, `version` and `digest`.
pub(super) trait CredentialTable: Credential
where
    Versioned<Self>: Entry,
{
    const TABLE: &'static str;
    /// The columns that are read, in the order of [`CredentialTable::read`].
    const COLUMNS: &'static str;
    /// The columns that are written besides `id`, `version` and `digest`, in the order of [`CredentialTable::values`].
    const WRITTEN: &'static [&'static str];

    /// The credential of a row.
    fn read(columns: &mut Columns<'_>) -> Result<Self, Damage>;
    /// The values of [`CredentialTable::WRITTEN`].
    fn values(&self) -> Vec<Value>;
}

/// The credentials that meet the conditions.
pub(super) fn query<T: CredentialTable>(
    conn: &Connection,
    conditions: &str,
    params: impl Params,
) -> Result<Vec<Versioned<T>>, StoreError>
where
    Versioned<T>: Entry,
{
    let sql = format!("SELECT {}, version FROM {} {conditions}", T::COLUMNS, T::TABLE);
    collect(conn, &sql, params, T::TABLE, read_versioned)
}

/// A credential with its version, from the columns of both.
pub(super) fn read_versioned<T: CredentialTable>(columns: &mut Columns<'_>) -> Result<Versioned<T>, Damage>
where
    Versioned<T>: Entry,
{
    Ok(Versioned { value: T::read(columns)?, version: Version(columns.take()?) })
}

pub(super) fn find<T: CredentialTable>(
    conn: &Connection,
    tenant: TenantId,
    id: T::Id,
) -> Result<Option<Versioned<T>>, StoreError>
where
    Versioned<T>: Entry,
{
    let id: Uuid = id.into();
    Ok(query(conn, "WHERE id = ? AND tenant = ?", params![id, tenant.uuid()])?.pop())
}

pub(super) fn list<T: CredentialTable>(
    conn: &Connection,
    tenant: TenantId,
    page: Page,
) -> Result<Listing<Versioned<T>>, StoreError>
where
    Versioned<T>: Entry,
{
    let sql = format!("SELECT count(*) FROM {} WHERE tenant = ?", T::TABLE);
    let count = conn.query_row(&sql, [tenant.uuid()], |row| row.get(0)).store_err()?;
    let params = params![tenant.uuid(), page.size, page.offset()];
    let data = query(conn, "WHERE tenant = ? ORDER BY id LIMIT ? OFFSET ?", params)?;
    Ok(Listing { count, page, data })
}

pub(super) fn add<T: CredentialTable>(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    value: T,
) -> Result<Version, StoreError>
where
    Versioned<T>: Entry,
{
    let (id, tenant): (Uuid, TenantId) = (value.id().into(), value.tenant());
    if !exists(conn, "tenant", tenant.uuid())? {
        return Err(StoreError::Conflict(Conflict::NoTenant(tenant)));
    }
    if exists(conn, T::TABLE, id)? {
        return Err(StoreError::Conflict(Conflict::Exists(id)));
    }
    let added = Versioned { value, version: draft.version() };
    draft.added(&added);
    let columns = T::WRITTEN.join(", ");
    let places = vec!["?"; T::WRITTEN.len() + 3].join(", ");
    let sql = format!("INSERT INTO {} (id, version, digest, {columns}) VALUES ({places})", T::TABLE);
    write(conn, &sql, &added)
}

pub(super) fn update<T: CredentialTable>(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    value: T,
    seen: Version,
) -> Result<Version, StoreError>
where
    Versioned<T>: Entry,
{
    let before = find::<T>(conn, value.tenant(), value.id())?.filter(|before| before.version == seen);
    let before = before.ok_or(StoreError::Stale)?;
    let updated = Versioned { value: value.with_last_used(before.value.last_used()), version: draft.version() };
    draft.updated(&before, &updated);
    let columns = ["version", "digest"].iter().chain(T::WRITTEN).zip(2..);
    let sets: Vec<String> = columns.map(|(column, at)| format!("{column} = ?{at}")).collect();
    write(conn, &format!("UPDATE {} SET {} WHERE id = ?1", T::TABLE, sets.join(", ")), &updated)
}

fn write<T: CredentialTable>(conn: &Connection, sql: &str, credential: &Versioned<T>) -> Result<Version, StoreError>
where
    Versioned<T>: Entry,
{
    let Versioned { value, version } = credential;
    let head = [row::id(value.id()), row::number(version.0), row::digest(credential.digest())];
    conn.execute(sql, params_from_iter(head.into_iter().chain(value.values()))).store_err()?;
    Ok(*version)
}

pub(super) fn remove<T: CredentialTable>(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    grant: &Grant<Write, TenantCredentials>,
    id: T::Id,
    seen: Option<Version>,
) -> Result<bool, StoreError>
where
    Versioned<T>: Entry,
{
    let Some(before) = find::<T>(conn, grant.tenant(), id)? else { return Ok(false) };
    if seen.is_some_and(|seen| seen != before.version) {
        return Err(StoreError::Stale);
    }
    draft.removed(&before);
    let id: Uuid = id.into();
    conn.execute(&format!("DELETE FROM {} WHERE id = ?", T::TABLE), [id]).store_err()?;
    Ok(true)
}

/// Removes those of a tenant.
pub(super) fn remove_all<T: CredentialTable>(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    tenant: TenantId,
) -> Result<(), StoreError>
where
    Versioned<T>: Entry,
{
    for credential in query::<T>(conn, "WHERE tenant = ? ORDER BY id", [tenant.uuid()])? {
        draft.removed(&credential);
    }
    conn.execute(&format!("DELETE FROM {} WHERE tenant = ?", T::TABLE), [tenant.uuid()]).store_err()?;
    Ok(())
}

pub(super) fn touch<T: CredentialTable>(conn: &Connection, used: &[(T::Id, Timestamp)]) -> Result<(), StoreError>
where
    Versioned<T>: Entry,
{
    let sql = format!("UPDATE {} SET last_used = max(ifnull(last_used, ?2), ?2) WHERE id = ?1", T::TABLE);
    for (id, at) in used {
        let id: Uuid = (*id).into();
        conn.execute(&sql, params![id, at.millis()]).store_err()?;
    }
    Ok(())
}

fn exists(conn: &Connection, table: &str, id: Uuid) -> Result<bool, StoreError> {
    conn.query_row(&format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE id = ?)"), [id], |row| row.get(0)).store_err()
}
