//! Clients.

use domain::{Canonical, CanonicalWriter, Name, Timestamp};
use ports::directory::Client;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use ports::{ClientId, Permissions, TenantId};
use rusqlite::{Connection, params};

use super::chain::{Change, collect};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};

/// What entries of this table are called in the chain.
pub(super) const KIND: &str = "client";

/// A client as the chain binds it: without when it was last used.
pub(super) struct Bound<'a>(pub(super) &'a Client);

impl Canonical for Bound<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, last_used: _ } = self.0;
        record.text("kind", KIND);
        record.text("id", id);
        record.text("tenant", tenant);
        record.text("name", name);
        record.text("permissions", permissions);
        record.text("secretHash", secret_hash);
        record.text("created", created);
        record.text("updated", updated);
        record.optional("expires", *expires);
    }
}

/// The columns that [`read`] takes.
pub(super) const COLUMNS: &str = "id, tenant, name, permissions, secret_hash, created, updated, expires, last_used";

pub(super) fn read(columns: &mut Columns<'_>) -> Result<Client, Damage> {
    Ok(Client {
        id: columns.id()?,
        tenant: columns.id()?,
        name: columns.parse(Name::parse)?,
        permissions: columns.parse(Permissions::parse)?,
        secret_hash: columns.digest()?,
        created: columns.timestamp()?,
        updated: columns.timestamp()?,
        expires: columns.timestamp_optional()?,
        last_used: columns.timestamp_optional()?,
    })
}

pub(super) fn find(conn: &Connection, id: ClientId) -> Result<Option<Client>, StoreError> {
    Ok(collect(conn, KIND, &format!("SELECT {COLUMNS} FROM client WHERE id = ?"), [id.uuid()], read)?.pop())
}

pub(super) fn list(conn: &Connection, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError> {
    let tenant = tenant.uuid();
    let count = conn.query_row("SELECT count(*) FROM client WHERE tenant = ?", [tenant], |row| row.get(0)).meant()?;
    let sql = format!("SELECT {COLUMNS} FROM client WHERE tenant = ? ORDER BY id LIMIT ? OFFSET ?");
    let data = collect(conn, KIND, &sql, params![tenant, page.size, page.offset()], read)?;
    Ok(Listing { count, page, data })
}

pub(super) fn put(conn: &Connection, change: &mut Change, client: &Client) -> Result<(), StoreError> {
    let before = find(conn, client.id)?;
    let bound = before.as_ref().map(Bound);
    let digest =
        change.note(KIND, &client.id, bound.as_ref().map(|bound| bound as &dyn Canonical), Some(&Bound(client)));
    let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, last_used } = client;
    let last_used = before.and_then(|before| before.last_used).max(*last_used);
    conn.execute(
        "INSERT INTO client (id, tenant, name, permissions, secret_hash, created, updated, expires, last_used, digest) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (id) DO UPDATE SET tenant = ?2, name = ?3, \
         permissions = ?4, secret_hash = ?5, created = ?6, updated = ?7, expires = ?8, last_used = ?9, digest = ?10",
        params![
            id.uuid(),
            tenant.uuid(),
            name.as_str(),
            permissions.to_string(),
            secret_hash.as_bytes(),
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

pub(super) fn remove(
    conn: &Connection,
    change: &mut Change,
    tenant: TenantId,
    id: ClientId,
) -> Result<bool, StoreError> {
    let Some(before) = find(conn, id)?.filter(|client| client.tenant == tenant) else { return Ok(false) };
    change.note(KIND, &id, Some(&Bound(&before)), None);
    conn.execute("DELETE FROM refresh WHERE client = ?", [id.uuid()]).meant()?;
    conn.execute("DELETE FROM client WHERE id = ?", [id.uuid()]).meant()?;
    Ok(true)
}

/// Removes the clients of a tenant. Their refresh tokens stay.
pub(super) fn remove_all(conn: &Connection, change: &mut Change, tenant: TenantId) -> Result<(), StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM client WHERE tenant = ? ORDER BY id");
    for client in collect(conn, KIND, &sql, [tenant.uuid()], read)? {
        change.note(KIND, &client.id, Some(&Bound(&client)), None);
    }
    conn.execute("DELETE FROM client WHERE tenant = ?", [tenant.uuid()]).meant()?;
    Ok(())
}

pub(super) fn touch(conn: &Connection, used: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
    for (id, at) in used {
        conn.execute(
            "UPDATE client SET last_used = max(ifnull(last_used, ?2), ?2) WHERE id = ?1",
            params![id.uuid(), at.millis()],
        )
        .meant()?;
    }
    Ok(())
}
