//! API keys.

use domain::{Digest, Name, Timestamp};
use ports::directory::{Key, Versioned};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, KeyId, Permissions, Read, TenantCredentials, TenantId, Version, Write};
use sea_orm::{
    ActiveModelTrait as _, ColumnTrait as _, DbBackend, EntityTrait as _, IntoActiveModel as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _, QueryTrait as _,
};

use super::chain::DirectoryWrite;
use super::entity::key;
use super::entry::{self, EntryTable};
use super::tenant;
use crate::conn::Conn;
use crate::error::failed;
use crate::row::{self, Damage};

impl EntryTable for Versioned<Key> {
    type Table = key::Entity;

    fn decode(row: &key::Model) -> Result<Self, Damage> {
        let value = Key {
            id: KeyId::new(row.id),
            tenant: TenantId::new(row.tenant),
            name: row::parse("name", &row.name, Name::parse)?,
            permissions: row::parse("permissions", &row.permissions, Permissions::parse)?,
            prefix: row.prefix.clone(),
            hash: row::digest("hash", &row.hash)?,
            created: row::timestamp("created", row.created)?,
            updated: row::timestamp("updated", row.updated)?,
            expires: entry::timestamp_or_null("expires", row.expires)?,
            last_used: entry::timestamp_or_null("last_used", row.last_used)?,
        };
        Ok(Self { value, version: Version(row::count("version", row.version)?) })
    }

    fn digest_beside(row: &key::Model) -> &[u8] {
        &row.digest
    }
}

/// The row of a key with that digest.
fn row(key: &Versioned<Key>, digest: Digest) -> Result<key::Model, StoreError> {
    let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used } = &key.value;
    Ok(key::Model {
        id: id.uuid(),
        tenant: tenant.uuid(),
        name: name.to_string(),
        permissions: permissions.to_string(),
        prefix: prefix.clone(),
        hash: entry::bytes(*hash),
        created: created.instant(),
        updated: updated.instant(),
        expires: expires.map(Timestamp::instant),
        last_used: last_used.map(Timestamp::instant),
        version: i64::try_from(key.version.0).map_err(|_| failed("a version is out of range"))?,
        digest: entry::bytes(digest),
    })
}

pub(super) async fn find_by_hash(conn: &mut Conn, hash: Digest) -> Result<Option<Versioned<Key>>, StoreError> {
    entry::one(conn, key::Entity::find().filter(key::Column::Hash.eq(entry::bytes(hash)))).await
}

pub(super) async fn find(conn: &mut Conn, tenant: TenantId, id: KeyId) -> Result<Option<Versioned<Key>>, StoreError> {
    let found = key::Entity::find_by_id(id.uuid()).filter(key::Column::Tenant.eq(tenant.uuid()));
    entry::one(conn, found).await
}

pub(super) async fn list(
    conn: &mut Conn,
    grant: &Grant<Read, TenantCredentials>,
    page: Page,
) -> Result<Listing<Versioned<Key>>, StoreError> {
    let its_own = key::Entity::find().filter(key::Column::Tenant.eq(grant.tenant().uuid()));
    let count = entry::count(conn, its_own.clone()).await?;
    let shown = its_own.order_by_asc(key::Column::Id).limit(u64::from(page.size)).offset(page.offset());
    Ok(Listing { count, page, data: entry::all(conn, shown).await? })
}

pub(super) async fn add(write: &mut DirectoryWrite, value: Key) -> Result<(), StoreError> {
    if tenant::find_by_id(&mut write.conn, value.tenant).await?.is_none() {
        return Err(StoreError::Conflict(Conflict::NoTenant(value.tenant)));
    }
    let taken = key::Entity::find_by_id(value.id.uuid());
    if entry::one::<Versioned<Key>>(&mut write.conn, taken).await?.is_some() {
        return Err(StoreError::Conflict(Conflict::Exists(value.id.uuid())));
    }
    let added = Versioned { value, version: write.version() };
    let digest = write.draft.added(&added);
    entry::add::<Versioned<Key>>(&mut write.conn, row(&added, digest)?).await
}

/// Replaces a key as it was seen. When it was last used stays as it stands.
pub(super) async fn update(write: &mut DirectoryWrite, value: Key, seen: Version) -> Result<(), StoreError> {
    let before = find(&mut write.conn, value.tenant, value.id).await?;
    let before = before.filter(|before| before.version == seen).ok_or(StoreError::Stale)?;
    let updated = Versioned { value, version: write.version() };
    let digest = write.draft.updated(&before, &updated);
    let mut row = row(&updated, digest)?.into_active_model().reset_all();
    row.not_set(key::Column::LastUsed);
    let statement = key::Entity::update(row).validate().map_err(|error| failed(error.to_string()))?;
    write.conn.execute(statement.build(DbBackend::Postgres)).await.map(drop)
}

/// Removes a key of the grant's tenant. Whether it was there.
pub(super) async fn remove(
    write: &mut DirectoryWrite,
    grant: &Grant<Write, TenantCredentials>,
    id: KeyId,
    seen: Option<Version>,
) -> Result<bool, StoreError> {
    let Some(before) = find(&mut write.conn, grant.tenant(), id).await? else { return Ok(false) };
    if seen.is_some_and(|seen| seen != before.version) {
        return Err(StoreError::Stale);
    }
    write.draft.removed(&before);
    write.conn.execute(key::Entity::delete_by_id(id.uuid()).build(DbBackend::Postgres)).await?;
    Ok(true)
}

/// Removes the keys of a tenant.
pub(super) async fn remove_all(write: &mut DirectoryWrite, tenant: TenantId) -> Result<(), StoreError> {
    let its_own = key::Column::Tenant.eq(tenant.uuid());
    let select = key::Entity::find().filter(its_own.clone()).order_by_asc(key::Column::Id);
    let before: Vec<Versioned<Key>> = entry::all(&mut write.conn, select).await?;
    for key in &before {
        write.draft.removed(key);
    }
    let delete = key::Entity::delete_many().filter(its_own).build(DbBackend::Postgres);
    write.conn.execute(delete).await.map(drop)
}

pub(super) async fn touch(write: &mut DirectoryWrite, used: &[(KeyId, Timestamp)]) -> Result<(), StoreError> {
    entry::touch::<Versioned<Key>>(&mut write.conn, used.iter().map(|(id, at)| (id.uuid(), *at))).await
}
