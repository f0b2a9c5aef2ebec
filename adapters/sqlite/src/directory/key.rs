//! API keys.

use domain::{Canonical, CanonicalWriter, Digest, Name, Timestamp};
use ports::directory::Key;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use ports::{KeyId, Permissions, TenantId};
use rusqlite::{Connection, params};

use super::chain::{Change, collect};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};

/// What entries of this table are called in the chain.
pub(super) const KIND: &str = "key";

/// A key as the chain binds it: without when it was last used.
pub(super) struct Bound<'a>(pub(super) &'a Key);

impl Canonical for Bound<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used: _ } = self.0;
        record.text("kind", KIND);
        record.text("id", id);
        record.text("tenant", tenant);
        record.text("name", name);
        record.text("permissions", permissions);
        record.text("prefix", prefix);
        record.text("hash", hash);
        record.text("created", created);
        record.text("updated", updated);
        record.optional("expires", *expires);
    }
}

/// The columns that [`read`] takes.
pub(super) const COLUMNS: &str = "id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used";

pub(super) fn read(columns: &mut Columns<'_>) -> Result<Key, Damage> {
    Ok(Key {
        id: columns.id()?,
        tenant: columns.id()?,
        name: columns.parse(Name::parse)?,
        permissions: columns.parse(Permissions::parse)?,
        prefix: columns.take()?,
        hash: columns.digest()?,
        created: columns.timestamp()?,
        updated: columns.timestamp()?,
        expires: columns.timestamp_optional()?,
        last_used: columns.timestamp_optional()?,
    })
}

pub(super) fn find(conn: &Connection, id: KeyId) -> Result<Option<Key>, StoreError> {
    Ok(collect(conn, KIND, &format!("SELECT {COLUMNS} FROM key WHERE id = ?"), [id.uuid()], read)?.pop())
}

pub(super) fn find_by_hash(conn: &Connection, hash: Digest) -> Result<Option<Key>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM key WHERE hash = ?");
    Ok(collect(conn, KIND, &sql, [hash.as_bytes()], read)?.pop())
}

pub(super) fn list(conn: &Connection, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError> {
    let tenant = tenant.uuid();
    let count = conn.query_row("SELECT count(*) FROM key WHERE tenant = ?", [tenant], |row| row.get(0)).meant()?;
    let sql = format!("SELECT {COLUMNS} FROM key WHERE tenant = ? ORDER BY id LIMIT ? OFFSET ?");
    let data = collect(conn, KIND, &sql, params![tenant, page.size, page.offset()], read)?;
    Ok(Listing { count, page, data })
}

pub(super) fn put(conn: &Connection, change: &mut Change, key: &Key) -> Result<(), StoreError> {
    let before = find(conn, key.id)?;
    let bound = before.as_ref().map(Bound);
    let digest = change.note(KIND, &key.id, bound.as_ref().map(|bound| bound as &dyn Canonical), Some(&Bound(key)));
    let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used } = key;
    let last_used = before.and_then(|before| before.last_used).max(*last_used);
    conn.execute(
        "INSERT INTO key (id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used, digest) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO UPDATE SET tenant = ?2, name = ?3, \
         permissions = ?4, prefix = ?5, hash = ?6, created = ?7, updated = ?8, expires = ?9, last_used = ?10, \
         digest = ?11",
        params![
            id.uuid(),
            tenant.uuid(),
            name.as_str(),
            permissions.to_string(),
            prefix,
            hash.as_bytes(),
            created.millis(),
            updated.millis(),
            expires.map(Timestamp::millis),
            last_used.map(Timestamp::millis),
            digest.as_bytes()
        ],
    )
    .meant()?;
    Ok(())
}

pub(super) fn remove(conn: &Connection, change: &mut Change, tenant: TenantId, id: KeyId) -> Result<bool, StoreError> {
    let Some(before) = find(conn, id)?.filter(|key| key.tenant == tenant) else { return Ok(false) };
    change.note(KIND, &id, Some(&Bound(&before)), None);
    conn.execute("DELETE FROM key WHERE id = ?", [id.uuid()]).meant()?;
    Ok(true)
}

/// Removes the keys of a tenant.
pub(super) fn remove_all(conn: &Connection, change: &mut Change, tenant: TenantId) -> Result<(), StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM key WHERE tenant = ? ORDER BY id");
    for key in collect(conn, KIND, &sql, [tenant.uuid()], read)? {
        change.note(KIND, &key.id, Some(&Bound(&key)), None);
    }
    conn.execute("DELETE FROM key WHERE tenant = ?", [tenant.uuid()]).meant()?;
    Ok(())
}

pub(super) fn touch(conn: &Connection, used: &[(KeyId, Timestamp)]) -> Result<(), StoreError> {
    for (id, at) in used {
        conn.execute(
            "UPDATE key SET last_used = max(ifnull(last_used, ?2), ?2) WHERE id = ?1",
            params![id.uuid(), at.millis()],
        )
        .meant()?;
    }
    Ok(())
}
