//! API keys.

use std::fmt::Display;

use domain::{CanonicalWriter, Digest, Name, Timestamp};
use ports::directory::Key;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use ports::{KeyId, Permissions, TenantId};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
};

use super::chain::Turn;
use super::entity::key;
use super::entry::{self, Entry};
use crate::conn::Conn;
use crate::row::{self, Damage};

impl Entry for Key {
    type Table = key::Entity;

    const KIND: &str = "key";

    fn id(&self) -> impl Display {
        self.id
    }

    fn bind(&self, record: &mut CanonicalWriter) {
        let Self { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used: _ } = self;
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

    fn read(row: &key::Model) -> Result<Self, Damage> {
        Ok(Self {
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
        })
    }

    fn digest(row: &key::Model) -> &[u8] {
        &row.digest
    }
}

pub(super) async fn find(conn: &mut Conn, id: KeyId) -> Result<Option<Key>, StoreError> {
    entry::one(conn, key::Entity::find_by_id(id.uuid())).await
}

pub(super) async fn find_by_hash(conn: &mut Conn, hash: Digest) -> Result<Option<Key>, StoreError> {
    entry::one(conn, key::Entity::find().filter(key::Column::Hash.eq(entry::bytes(hash)))).await
}

pub(super) async fn list(conn: &mut Conn, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError> {
    let its_own = key::Entity::find().filter(key::Column::Tenant.eq(tenant.uuid()));
    let count = entry::count(conn, its_own.clone()).await?;
    let shown = its_own.order_by_asc(key::Column::Id).limit(u64::from(page.size)).offset(page.offset());
    Ok(Listing { count, page, data: entry::all(conn, shown).await? })
}

pub(super) async fn put(turn: &mut Turn, key: &Key) -> Result<(), StoreError> {
    let before = find(&mut turn.conn, key.id).await?;
    let digest = turn.put(before.as_ref(), key);
    let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used } = key;
    let last_used = before.and_then(|before| before.last_used).max(*last_used);
    let row = key::Model {
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
        digest: entry::bytes(digest),
    };
    entry::put::<Key>(&mut turn.conn, row).await
}

pub(super) async fn remove(turn: &mut Turn, tenant: TenantId, id: KeyId) -> Result<bool, StoreError> {
    let found = find(&mut turn.conn, id).await?;
    let Some(before) = found.filter(|key| key.tenant == tenant) else { return Ok(false) };
    turn.remove(&before);
    turn.conn.execute(key::Entity::delete_by_id(id.uuid()).build(DbBackend::Postgres)).await?;
    Ok(true)
}

/// Removes the keys of a tenant.
pub(super) async fn remove_all(turn: &mut Turn, tenant: TenantId) -> Result<(), StoreError> {
    let its_own = key::Column::Tenant.eq(tenant.uuid());
    let select = key::Entity::find().filter(its_own.clone()).order_by_asc(key::Column::Id);
    let before: Vec<Key> = entry::all(&mut turn.conn, select).await?;
    for key in &before {
        turn.remove(key);
    }
    let delete = key::Entity::delete_many().filter(its_own).build(DbBackend::Postgres);
    turn.conn.execute(delete).await.map(drop)
}

pub(super) async fn touch(turn: &mut Turn, used: &[(KeyId, Timestamp)]) -> Result<(), StoreError> {
    entry::touch::<Key>(&mut turn.conn, used.iter().map(|(id, at)| (id.uuid(), *at))).await
}
