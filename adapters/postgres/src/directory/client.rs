//! Clients.

use domain::{Digest, Name, PartnerId, Timestamp};
use ports::directory::{Client, Versioned};
use ports::store::StoreError;
use ports::{ClientId, Permissions, TenantId, Version};
use sea_orm::{ColumnTrait as _, DbBackend, EntityTrait as _, IntoActiveModel as _, QueryFilter as _, QueryTrait as _};

use super::chain::DirectoryWrite;
use super::credential::{ActiveModel, Column, CredentialTable};
use super::entity::{client, refresh};
use super::entry::{self, EntryTable};
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
            partner: row.partner.map(PartnerId::new),
            last_used: entry::timestamp_or_null("last_used", row.last_used)?,
        };
        Ok(Self { value, version: Version(row::count("version", row.version)?) })
    }

    fn digest_beside(row: &client::Model) -> &[u8] {
        &row.digest
    }
}

impl CredentialTable for Client {
    const ID: Column<Self> = client::Column::Id;
    const TENANT: Column<Self> = client::Column::Tenant;
    const LAST_USED: Column<Self> = client::Column::LastUsed;

    fn row(credential: &Versioned<Self>, digest: Digest) -> Result<ActiveModel<Self>, StoreError> {
        let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, partner, last_used } =
            &credential.value;
        let row = client::Model {
            id: id.uuid(),
            tenant: tenant.uuid(),
            name: name.to_string(),
            permissions: permissions.to_string(),
            secret_hash: entry::bytes(*secret_hash),
            created: created.instant(),
            updated: updated.instant(),
            expires: expires.map(Timestamp::instant),
            partner: partner.map(PartnerId::uuid),
            last_used: last_used.map(Timestamp::instant),
            version: i64::try_from(credential.version.0).map_err(|_| failed("a version is out of range"))?,
            digest: entry::bytes(digest),
        };
        Ok(row.into_active_model())
    }
}

pub(super) async fn find_by_id(conn: &mut Conn, id: ClientId) -> Result<Option<Versioned<Client>>, StoreError> {
    entry::one(conn, client::Entity::find_by_id(id.uuid())).await
}

/// Removes the refresh tokens of a client.
pub(super) async fn remove_tokens(write: &mut DirectoryWrite, id: ClientId) -> Result<(), StoreError> {
    let tokens = refresh::Entity::delete_many().filter(refresh::Column::Client.eq(id.uuid()));
    write.conn.execute(tokens.build(DbBackend::Postgres)).await.map(drop)
}
