//! Tenants.

use domain::{Canonical, CanonicalWriter, Name};
use ports::directory::Tenant;
use ports::store::{Conflict, StoreError};
use ports::{TenantId, TenantSlug};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::chain::{Change, collect};
use super::{client, key};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};

/// What entries of this table are called in the chain.
pub(super) const KIND: &str = "tenant";

/// A tenant as the chain binds it.
pub(super) struct Bound<'a>(pub(super) &'a Tenant);

impl Canonical for Bound<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        let Tenant { id, slug, name, created } = self.0;
        record.text("kind", KIND);
        record.text("id", id);
        record.text("slug", slug);
        record.text("name", name);
        record.text("created", created);
    }
}

/// The columns that [`read`] takes.
pub(super) const COLUMNS: &str = "id, slug, name, created";

pub(super) fn read(columns: &mut Columns<'_>) -> Result<Tenant, Damage> {
    Ok(Tenant {
        id: columns.id()?,
        slug: columns.parse(TenantSlug::parse)?,
        name: columns.parse(Name::parse)?,
        created: columns.timestamp()?,
    })
}

pub(crate) fn find(conn: &Connection, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM tenant WHERE slug = ?");
    Ok(collect(conn, KIND, &sql, [slug.as_str()], read)?.pop())
}

pub(super) fn find_by_id(conn: &Connection, id: TenantId) -> Result<Option<Tenant>, StoreError> {
    Ok(collect(conn, KIND, &format!("SELECT {COLUMNS} FROM tenant WHERE id = ?"), [id.uuid()], read)?.pop())
}

pub(crate) fn list(conn: &Connection) -> Result<Vec<Tenant>, StoreError> {
    collect(conn, KIND, &format!("SELECT {COLUMNS} FROM tenant ORDER BY slug"), [], read)
}

pub(super) fn add(conn: &Connection, change: &mut Change, tenant: &Tenant) -> Result<(), StoreError> {
    let holder: Option<(Uuid, String)> = conn
        .query_row(
            "SELECT id, slug FROM tenant WHERE slug = ? OR id = ?",
            params![tenant.slug.as_str(), tenant.id.uuid()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .meant()?;
    if let Some((holder, slug)) = holder {
        let is_slug = slug == tenant.slug.as_str();
        let conflict = if is_slug { Conflict::TenantSlug { holder } } else { Conflict::Exists(holder) };
        return Err(StoreError::Conflict(conflict));
    }
    let digest = change.note(KIND, &tenant.id, None, Some(&Bound(tenant)));
    conn.execute(
        "INSERT INTO tenant (id, slug, name, created, digest) VALUES (?, ?, ?, ?, ?)",
        params![
            tenant.id.uuid(),
            tenant.slug.as_str(),
            tenant.name.as_str(),
            tenant.created.millis(),
            digest.as_bytes()
        ],
    )
    .meant()?;
    Ok(())
}

pub(super) fn remove(conn: &Connection, change: &mut Change, id: TenantId) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(conn, id)? else { return Ok(false) };
    client::remove_all(conn, change, id)?;
    key::remove_all(conn, change, id)?;
    change.note(KIND, &id, Some(&Bound(&before)), None);
    for statement in ["DELETE FROM refresh WHERE tenant = ?", "DELETE FROM tenant WHERE id = ?"] {
        conn.execute(statement, [id.uuid()]).meant()?;
    }
    Ok(true)
}
