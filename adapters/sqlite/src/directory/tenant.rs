//! Tenants.

use std::collections::BTreeMap;

use domain::{Consolidation, Description, Name, StatementSettings, YearStart};
use ports::directory::{Client, DirectoryDraft, Key, Tenant};
use ports::people::User;
use ports::store::{Conflict, StoreError};
use ports::{TenantId, TenantSlug};
use rusqlite::{Connection, OptionalExtension as _, params};
use uuid::Uuid;

use super::credential;
use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};

const TABLE: &str = "tenant";

/// The columns that [`read`] takes.
pub(super) const COLUMNS: &str =
    "id, slug, name, created, epoch, year_start, consolidation, reporting_company, boundary";

pub(super) fn read(columns: &mut Columns<'_>) -> Result<Tenant, Damage> {
    Ok(Tenant {
        id: columns.id()?,
        slug: columns.parse(TenantSlug::parse)?,
        name: columns.parse(Name::parse)?,
        created: columns.timestamp()?,
        epoch: columns.id()?,
        year_start: columns.parse(YearStart::parse)?,
        statement: StatementSettings::default()
            .with_consolidation(columns.parse_optional(Consolidation::parse)?)
            .with_company(columns.parse_optional(Name::parse)?)
            .with_boundary(columns.parse_optional(Description::parse)?),
    })
}

pub(crate) fn find(conn: &Connection, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM tenant WHERE slug = ?");
    Ok(collect(conn, &sql, [slug.as_str()], TABLE, read)?.pop())
}

pub(super) fn find_by_id(conn: &Connection, id: TenantId) -> Result<Option<Tenant>, StoreError> {
    Ok(collect(conn, &format!("SELECT {COLUMNS} FROM tenant WHERE id = ?"), [id.uuid()], TABLE, read)?.pop())
}

pub(crate) fn list(conn: &Connection) -> Result<Vec<Tenant>, StoreError> {
    collect(conn, &format!("SELECT {COLUMNS} FROM tenant ORDER BY slug"), [], TABLE, read)
}

pub(super) fn add(conn: &Connection, draft: &mut DirectoryDraft, tenant: &Tenant) -> Result<(), StoreError> {
    let holder: Option<(Uuid, String)> = conn
        .query_row(
            "SELECT id, slug FROM tenant WHERE slug = ? OR id = ?",
            params![tenant.slug.as_str(), tenant.id.uuid()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .store_err()?;
    if let Some((holder, slug)) = holder {
        let is_slug = slug == tenant.slug.as_str();
        let conflict = if is_slug { Conflict::TenantSlug { holder } } else { Conflict::Exists(holder) };
        return Err(StoreError::Conflict(conflict));
    }
    let digest = draft.added(tenant);
    conn.execute(
        "INSERT INTO tenant (id, slug, name, created, epoch, year_start, consolidation, reporting_company, boundary, digest)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            tenant.id.uuid(),
            tenant.slug.as_str(),
            tenant.name.as_str(),
            tenant.created.millis(),
            tenant.epoch,
            tenant.year_start.to_string(),
            tenant.statement.consolidation.map(Consolidation::word),
            tenant.statement.company.as_ref().map(Name::as_str),
            tenant.statement.boundary.as_ref().map(Description::as_str),
            digest.as_bytes()
        ],
    )
    .store_err()?;
    Ok(())
}

/// Gives each tenant its new epoch. `Stale` unless they are the tenants there are.
pub(super) fn renew_epochs(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    epochs: &BTreeMap<TenantId, Uuid>,
) -> Result<(), StoreError> {
    let mut tenants = list(conn)?;
    tenants.sort_by_key(|tenant| tenant.id);
    if !tenants.iter().map(|tenant| &tenant.id).eq(epochs.keys()) {
        return Err(StoreError::Stale);
    }
    for (before, epoch) in tenants.iter().zip(epochs.values()) {
        let digest = draft.updated(before, &Tenant { epoch: *epoch, ..before.clone() });
        conn.execute(
            "UPDATE tenant SET epoch = ?, digest = ? WHERE id = ?",
            params![epoch, digest.as_bytes(), before.id.uuid()],
        )
        .store_err()?;
    }
    Ok(())
}

/// Says what a tenant is called. Whether it is there.
pub(super) fn set_name(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    id: TenantId,
    name: &Name,
) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(conn, id)? else { return Ok(false) };
    if before.name != *name {
        let digest = draft.updated(&before, &Tenant { name: name.clone(), ..before.clone() });
        conn.execute(
            "UPDATE tenant SET name = ?, digest = ? WHERE id = ?",
            params![name.as_str(), digest.as_bytes(), id.uuid()],
        )
        .store_err()?;
    }
    Ok(true)
}

/// Says on which day a tenant's years begin. Whether it is there.
pub(super) fn set_year_start(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    id: TenantId,
    year_start: YearStart,
) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(conn, id)? else { return Ok(false) };
    if before.year_start != year_start {
        let digest = draft.updated(&before, &Tenant { year_start, ..before.clone() });
        conn.execute(
            "UPDATE tenant SET year_start = ?, digest = ? WHERE id = ?",
            params![year_start.to_string(), digest.as_bytes(), id.uuid()],
        )
        .store_err()?;
    }
    Ok(true)
}

/// Says what a tenant states. Whether it is there; `Stale` unless it stated `seen`.
pub(super) fn set_statement(
    conn: &Connection,
    draft: &mut DirectoryDraft,
    id: TenantId,
    seen: &StatementSettings,
    statement: &StatementSettings,
) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(conn, id)? else { return Ok(false) };
    if before.statement != *seen {
        return Err(StoreError::Stale);
    }
    if before.statement != *statement {
        let digest = draft.updated(&before, &Tenant { statement: statement.clone(), ..before.clone() });
        conn.execute(
            "UPDATE tenant SET consolidation = ?, reporting_company = ?, boundary = ?, digest = ? WHERE id = ?",
            params![
                statement.consolidation.map(Consolidation::word),
                statement.company.as_ref().map(Name::as_str),
                statement.boundary.as_ref().map(Description::as_str),
                digest.as_bytes(),
                id.uuid()
            ],
        )
        .store_err()?;
    }
    Ok(true)
}

pub(super) fn remove(conn: &Connection, draft: &mut DirectoryDraft, id: TenantId) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(conn, id)? else { return Ok(false) };
    credential::remove_all::<Client>(conn, draft, id)?;
    credential::remove_all::<Key>(conn, draft, id)?;
    for statement in [
        "DELETE FROM session WHERE tenant = ?",
        "DELETE FROM once_link WHERE tenant = ?",
        "DELETE FROM user_password WHERE user_id IN (SELECT id FROM user WHERE tenant = ?)",
    ] {
        conn.execute(statement, [id.uuid()]).store_err()?;
    }
    credential::remove_all::<User>(conn, draft, id)?;
    draft.removed(&before);
    for statement in [
        "DELETE FROM refresh WHERE tenant = ?",
        "DELETE FROM shown_once WHERE tenant = ?",
        "DELETE FROM tenant WHERE id = ?",
    ] {
        conn.execute(statement, [id.uuid()]).store_err()?;
    }
    Ok(true)
}
