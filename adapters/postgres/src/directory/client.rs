//! Clients.

use domain::{Digest, Name, Timestamp};
use ports::directory::{Client, Versioned};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{ClientId, Grant, Permissions, Read, TenantCredentials, TenantId, Version, Write};
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, DbBackend, EntityTrait as _, IntoActiveModel as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, QueryTrait as _,
};

use super::chain::DirectoryWrite;
use super::entity::{client, refresh};
use super::entry::{self, EntryTable};
use super::tenant;
use crate::conn::Conn;
use crate::error::failed;
use crate::row::{self, Damage};

impl EntryTable for Versioned<Client> {
    type Table = client::Entity;

    fn decode(row: &client::Model) -> Result<Self, Damage> {
        let value = Client {
            id: ClientId::new(row.id),
            tenant: TenantId::new(row.tenant),
            name: row::parse("name", &row.name, Name::parse)?,
            permissions: row::parse("permissions", &row.permissions, Permissions::parse)?,
            secret_hash: row::digest("secret_hash", &row.secret_hash)?,
            created: row::timestamp("created", row.created)?,
            updated: row::timestamp("updated", row.updated)?,
            expires: entry::timestamp_or_null("expires", row.expires)?,
            last_used: entry::timestamp_or_null("last_used", row.last_used)?,
        };
        Ok(Self { value, version: Version(row::count("version", row.version)?) })
    }

    fn digest_beside(row: &client::Model) -> &[u8] {
        &row.digest
    }
}

/// The row of a client with that digest.
fn row(client: &Versioned<Client>, digest: Digest) -> Result<client::Model, StoreError> {
    let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, last_used } = &client.value;
    Ok(client::Model {
        id: id.uuid(),
        tenant: tenant.uuid(),
        name: name.to_string(),
        permissions: permissions.to_string(),
        secret_hash: entry::bytes(*secret_hash),
        created: created.instant(),
        updated: updated.instant(),
        expires: expires.map(Timestamp::instant),
        last_used: last_used.map(Timestamp::instant),
        version: i64::try_from(client.version.0).map_err(|_| failed("a version is out of range"))?,
        digest: entry::bytes(digest),
    })
}

pub(super) async fn find_by_id(conn: &mut Conn, id: ClientId) -> Result<Option<Versioned<Client>>, StoreError> {
    entry::one(conn, client::Entity::find_by_id(id.uuid())).await
}

pub(super) async fn find(
    conn: &mut Conn,
    tenant: TenantId,
    id: ClientId,
) -> Result<Option<Versioned<Client>>, StoreError> {
    let found = client::Entity::find_by_id(id.uuid()).filter(client::Column::Tenant.eq(tenant.uuid()));
    entry::one(conn, found).await
}

pub(super) async fn list(
    conn: &mut Conn,
    grant: &Grant<Read, TenantCredentials>,
    page: Page,
) -> Result<Listing<Versioned<Client>>, StoreError> {
    let its_own = client::Entity::find().filter(client::Column::Tenant.eq(grant.tenant().uuid()));
    let count = entry::count(conn, its_own.clone()).await?;
    let shown = its_own.order_by_asc(client::Column::Id).limit(u64::from(page.size)).offset(page.offset());
    Ok(Listing { count, page, data: entry::all(conn, shown).await? })
}

pub(super) async fn add(write: &mut DirectoryWrite, value: Client) -> Result<(), StoreError> {
    if tenant::find_by_id(&mut write.conn, value.tenant).await?.is_none() {
        return Err(StoreError::Conflict(Conflict::NoTenant(value.tenant)));
    }
    let taken = client::Entity::find_by_id(value.id.uuid());
    if entry::one::<Versioned<Client>>(&mut write.conn, taken).await?.is_some() {
        return Err(StoreError::Conflict(Conflict::Exists(value.id.uuid())));
    }
    let added = Versioned { value, version: write.version() };
    let digest = write.draft.added(&added);
    entry::add::<Versioned<Client>>(&mut write.conn, row(&added, digest)?).await
}

/// Replaces a client as it was seen. When it was last used stays as it stands.
pub(super) async fn update(write: &mut DirectoryWrite, value: Client, seen: Version) -> Result<(), StoreError> {
    let before = find(&mut write.conn, value.tenant, value.id).await?;
    let before = before.filter(|before| before.version == seen).ok_or(StoreError::Stale)?;
    let updated = Versioned { value, version: write.version() };
    let digest = write.draft.updated(&before, &updated);
    let mut row = row(&updated, digest)?.into_active_model().reset_all();
    row.not_set(client::Column::LastUsed);
    let statement = client::Entity::update(row).validate().map_err(|error| failed(error.to_string()))?;
    write.conn.execute(statement.build(DbBackend::Postgres)).await.map(drop)
}

/// Removes a client of the grant's tenant. Whether it was there.
pub(super) async fn remove(
    write: &mut DirectoryWrite,
    grant: &Grant<Write, TenantCredentials>,
    id: ClientId,
    seen: Option<Version>,
) -> Result<bool, StoreError> {
    let Some(before) = find(&mut write.conn, grant.tenant(), id).await? else { return Ok(false) };
    if seen.is_some_and(|seen| seen != before.version) {
        return Err(StoreError::Stale);
    }
    write.draft.removed(&before);
    let tokens = refresh::Entity::delete_many().filter(refresh::Column::Client.eq(id.uuid()));
    write.conn.execute(tokens.build(DbBackend::Postgres)).await?;
    write.conn.execute(client::Entity::delete_by_id(id.uuid()).build(DbBackend::Postgres)).await?;
    Ok(true)
}

/// Removes the clients of a tenant.
pub(super) async fn remove_all(write: &mut DirectoryWrite, tenant: TenantId) -> Result<(), StoreError> {
    let its_own = client::Column::Tenant.eq(tenant.uuid());
    let select = client::Entity::find().filter(its_own.clone()).order_by_asc(client::Column::Id);
    let before: Vec<Versioned<Client>> = entry::all(&mut write.conn, select).await?;
    for client in &before {
        write.draft.removed(client);
    }
    let delete = client::Entity::delete_many().filter(its_own).build(DbBackend::Postgres);
    write.conn.execute(delete).await.map(drop)
}

pub(super) async fn touch(write: &mut DirectoryWrite, used: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
    entry::touch::<Versioned<Client>>(&mut write.conn, used.iter().map(|(id, at)| (id.uuid(), *at))).await
}
