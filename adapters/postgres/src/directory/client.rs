//! Clients.

use std::fmt::Display;

use domain::{CanonicalWriter, Name, Timestamp};
use ports::directory::Client;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use ports::{ClientId, Permissions, TenantId};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
};

use super::chain::Turn;
use super::entity::{client, refresh};
use super::entry::{self, Entry};
use crate::conn::Conn;
use crate::row::{self, Damage};

impl Entry for Client {
    type Table = client::Entity;

    const KIND: &str = "client";

    fn id(&self) -> impl Display {
        self.id
    }

    fn bind(&self, record: &mut CanonicalWriter) {
        let Self { id, tenant, name, permissions, secret_hash, created, updated, expires, last_used: _ } = self;
        record.text("id", id);
        record.text("tenant", tenant);
        record.text("name", name);
        record.text("permissions", permissions);
        record.text("secretHash", secret_hash);
        record.text("created", created);
        record.text("updated", updated);
        record.optional("expires", *expires);
    }

    fn read(row: &client::Model) -> Result<Self, Damage> {
        Ok(Self {
            id: ClientId::new(row.id),
            tenant: TenantId::new(row.tenant),
            name: row::parse("name", &row.name, Name::parse)?,
            permissions: row::parse("permissions", &row.permissions, Permissions::parse)?,
            secret_hash: row::digest("secret_hash", &row.secret_hash)?,
            created: row::timestamp("created", row.created)?,
            updated: row::timestamp("updated", row.updated)?,
            expires: entry::timestamp_or_null("expires", row.expires)?,
            last_used: entry::timestamp_or_null("last_used", row.last_used)?,
        })
    }

    fn digest(row: &client::Model) -> &[u8] {
        &row.digest
    }
}

pub(super) async fn find(conn: &mut Conn, id: ClientId) -> Result<Option<Client>, StoreError> {
    entry::one(conn, client::Entity::find_by_id(id.uuid())).await
}

pub(super) async fn list(conn: &mut Conn, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError> {
    let its_own = client::Entity::find().filter(client::Column::Tenant.eq(tenant.uuid()));
    let count = entry::count(conn, its_own.clone()).await?;
    let shown = its_own.order_by_asc(client::Column::Id).limit(u64::from(page.size)).offset(page.offset());
    Ok(Listing { count, page, data: entry::all(conn, shown).await? })
}

pub(super) async fn put(turn: &mut Turn, client: &Client) -> Result<(), StoreError> {
    let before = find(&mut turn.conn, client.id).await?;
    let digest = turn.put(before.as_ref(), client);
    let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, last_used } = client;
    let last_used = before.and_then(|before| before.last_used).max(*last_used);
    let row = client::Model {
        id: id.uuid(),
        tenant: tenant.uuid(),
        name: name.to_string(),
        permissions: permissions.to_string(),
        secret_hash: entry::bytes(*secret_hash),
        created: created.instant(),
        updated: updated.instant(),
        expires: expires.map(Timestamp::instant),
        last_used: last_used.map(Timestamp::instant),
        digest: entry::bytes(digest),
    };
    entry::put::<Client>(&mut turn.conn, row).await
}

pub(super) async fn remove(turn: &mut Turn, tenant: TenantId, id: ClientId) -> Result<bool, StoreError> {
    let found = find(&mut turn.conn, id).await?;
    let Some(before) = found.filter(|client| client.tenant == tenant) else { return Ok(false) };
    turn.remove(&before);
    let tokens = refresh::Entity::delete_many().filter(refresh::Column::Client.eq(id.uuid()));
    turn.conn.execute(tokens.build(DbBackend::Postgres)).await?;
    turn.conn.execute(client::Entity::delete_by_id(id.uuid()).build(DbBackend::Postgres)).await?;
    Ok(true)
}

/// Removes the clients of a tenant. Their refresh tokens stay.
pub(super) async fn remove_all(turn: &mut Turn, tenant: TenantId) -> Result<(), StoreError> {
    let its_own = client::Column::Tenant.eq(tenant.uuid());
    let select = client::Entity::find().filter(its_own.clone()).order_by_asc(client::Column::Id);
    let before: Vec<Client> = entry::all(&mut turn.conn, select).await?;
    for client in &before {
        turn.remove(client);
    }
    let delete = client::Entity::delete_many().filter(its_own).build(DbBackend::Postgres);
    turn.conn.execute(delete).await.map(drop)
}

pub(super) async fn touch(turn: &mut Turn, used: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
    entry::touch::<Client>(&mut turn.conn, used.iter().map(|(id, at)| (id.uuid(), *at))).await
}
