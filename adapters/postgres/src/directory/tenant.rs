//! Tenants.

use std::collections::BTreeMap;

use domain::{Consolidation, Description, Name, StatementSettings, YearStart};
use ports::directory::Tenant;
use ports::store::{Conflict, StoreError};
use ports::{TenantId, TenantSlug};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ColumnTrait as _, Condition, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QueryTrait as _,
};
use uuid::Uuid;

use super::chain::DirectoryWrite;
use super::entity::{refresh, tenant};
use super::entry::{self, EntryTable};
use crate::conn::Conn;
use crate::row::{self, Damage};

impl EntryTable for Tenant {
    type Table = tenant::Entity;

    fn decode(row: &tenant::Model) -> Result<Self, Damage> {
        Ok(Self {
            id: TenantId::new(row.id),
            slug: row::parse("slug", &row.slug, TenantSlug::parse)?,
            name: row::parse("name", &row.name, Name::parse)?,
            created: row::timestamp("created", row.created)?,
            epoch: row.epoch,
            year_start: row::parse("year_start", &row.year_start, YearStart::parse)?,
            statement: StatementSettings::default()
                .with_consolidation(row::parse_optional(
                    "consolidation",
                    row.consolidation.as_deref(),
                    Consolidation::parse,
                )?)
                .with_company(row::parse_optional("reporting_company", row.reporting_company.as_deref(), Name::parse)?)
                .with_boundary(row::parse_optional("boundary", row.boundary.as_deref(), Description::parse)?),
        })
    }

    fn digest_beside(row: &tenant::Model) -> &[u8] {
        &row.digest
    }
}

pub(super) async fn find(conn: &mut Conn, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
    entry::one(conn, tenant::Entity::find().filter(tenant::Column::Slug.eq(slug.as_str()))).await
}

pub(super) async fn find_by_id(conn: &mut Conn, id: TenantId) -> Result<Option<Tenant>, StoreError> {
    entry::one(conn, tenant::Entity::find_by_id(id.uuid())).await
}

pub(super) async fn list(conn: &mut Conn) -> Result<Vec<Tenant>, StoreError> {
    entry::all(conn, tenant::Entity::find().order_by_asc(tenant::Column::Slug)).await
}

pub(super) async fn add(write: &mut DirectoryWrite, tenant: &Tenant) -> Result<(), StoreError> {
    let Tenant { id, slug, name, created, epoch, year_start, statement } = tenant;
    let taken = Condition::any().add(tenant::Column::Slug.eq(slug.as_str())).add(tenant::Column::Id.eq(id.uuid()));
    let holder: Option<Tenant> = entry::one(&mut write.conn, tenant::Entity::find().filter(taken)).await?;
    if let Some(holder) = holder {
        let (is_slug, holder) = (holder.slug == *slug, holder.id.uuid());
        let conflict = if is_slug { Conflict::TenantSlug { holder } } else { Conflict::Exists(holder) };
        return Err(StoreError::Conflict(conflict));
    }
    let digest = write.draft.added(tenant);
    let row = tenant::Model {
        id: id.uuid(),
        slug: slug.to_string(),
        name: name.to_string(),
        created: created.instant(),
        epoch: *epoch,
        year_start: year_start.to_string(),
        consolidation: statement.consolidation.map(|approach| approach.to_string()),
        reporting_company: statement.company.as_ref().map(Name::to_string),
        boundary: statement.boundary.as_ref().map(Description::to_string),
        digest: entry::bytes(digest),
    };
    entry::add::<Tenant>(&mut write.conn, row).await
}

/// Gives each tenant its new epoch. `Stale` unless they are the tenants there are.
pub(super) async fn renew_epochs(
    write: &mut DirectoryWrite,
    epochs: &BTreeMap<TenantId, Uuid>,
) -> Result<(), StoreError> {
    let mut tenants = list(&mut write.conn).await?;
    tenants.sort_by_key(|tenant| tenant.id);
    if !tenants.iter().map(|tenant| &tenant.id).eq(epochs.keys()) {
        return Err(StoreError::Stale);
    }
    for (before, epoch) in tenants.iter().zip(epochs.values()) {
        let digest = write.draft.updated(before, &Tenant { epoch: *epoch, ..before.clone() });
        let renewed =
            tenant::ActiveModel { epoch: Set(*epoch), digest: Set(entry::bytes(digest)), ..Default::default() };
        let one = tenant::Entity::update_many().set(renewed).filter(tenant::Column::Id.eq(before.id.uuid()));
        write.conn.execute(one.build(DbBackend::Postgres)).await?;
    }
    Ok(())
}

/// Says what a tenant is called. Whether it is there.
pub(super) async fn set_name(write: &mut DirectoryWrite, id: TenantId, name: Name) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(&mut write.conn, id).await? else { return Ok(false) };
    if before.name != name {
        let digest = write.draft.updated(&before, &Tenant { name: name.clone(), ..before.clone() });
        let set = tenant::ActiveModel {
            name: Set(name.to_string()),
            digest: Set(entry::bytes(digest)),
            ..Default::default()
        };
        let one = tenant::Entity::update_many().set(set).filter(tenant::Column::Id.eq(id.uuid()));
        write.conn.execute(one.build(DbBackend::Postgres)).await?;
    }
    Ok(true)
}

/// Says on which day a tenant's years begin. Whether it is there.
pub(super) async fn set_year_start(
    write: &mut DirectoryWrite,
    id: TenantId,
    year_start: YearStart,
) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(&mut write.conn, id).await? else { return Ok(false) };
    if before.year_start != year_start {
        let digest = write.draft.updated(&before, &Tenant { year_start, ..before.clone() });
        let set = tenant::ActiveModel {
            year_start: Set(year_start.to_string()),
            digest: Set(entry::bytes(digest)),
            ..Default::default()
        };
        let one = tenant::Entity::update_many().set(set).filter(tenant::Column::Id.eq(id.uuid()));
        write.conn.execute(one.build(DbBackend::Postgres)).await?;
    }
    Ok(true)
}

/// Says what a tenant states. Whether it is there; `Stale` unless it stated `seen`.
pub(super) async fn set_statement(
    write: &mut DirectoryWrite,
    id: TenantId,
    seen: &StatementSettings,
    statement: StatementSettings,
) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(&mut write.conn, id).await? else { return Ok(false) };
    if before.statement != *seen {
        return Err(StoreError::Stale);
    }
    if before.statement != statement {
        let digest = write.draft.updated(&before, &Tenant { statement: statement.clone(), ..before.clone() });
        let set = tenant::ActiveModel {
            consolidation: Set(statement.consolidation.map(|approach| approach.to_string())),
            reporting_company: Set(statement.company.as_ref().map(Name::to_string)),
            boundary: Set(statement.boundary.as_ref().map(Description::to_string)),
            digest: Set(entry::bytes(digest)),
            ..Default::default()
        };
        let one = tenant::Entity::update_many().set(set).filter(tenant::Column::Id.eq(id.uuid()));
        write.conn.execute(one.build(DbBackend::Postgres)).await?;
    }
    Ok(true)
}

/// Removes a tenant whose clients and keys are removed already. Whether it was there.
pub(super) async fn remove(write: &mut DirectoryWrite, id: TenantId) -> Result<bool, StoreError> {
    let Some(before) = find_by_id(&mut write.conn, id).await? else { return Ok(false) };
    write.draft.removed(&before);
    let tokens = refresh::Entity::delete_many().filter(refresh::Column::Tenant.eq(id.uuid()));
    write.conn.execute(tokens.build(DbBackend::Postgres)).await?;
    write.conn.execute(tenant::Entity::delete_by_id(id.uuid()).build(DbBackend::Postgres)).await?;
    Ok(true)
}
