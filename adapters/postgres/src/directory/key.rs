//! API keys.

use domain::{Digest, Name, Timestamp};
use ports::directory::{Key, Versioned};
use ports::store::StoreError;
use ports::{KeyId, Permissions, TenantId, Version};
use sea_orm::{ColumnTrait as _, EntityTrait as _, IntoActiveModel as _, QueryFilter as _};

use super::credential::{ActiveModel, Column, CredentialTable};
use super::entity::key;
use super::entry::{self, EntryTable};
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

impl CredentialTable for Key {
    const ID: Column<Self> = key::Column::Id;
    const TENANT: Column<Self> = key::Column::Tenant;
    const LAST_USED: Column<Self> = key::Column::LastUsed;

    fn row(credential: &Versioned<Self>, digest: Digest) -> Result<ActiveModel<Self>, StoreError> {
        let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used } =
            &credential.value;
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
            version: i64::try_from(credential.version.0).map_err(|_| failed("a version is out of range"))?,
            digest: entry::bytes(digest),
        };
        Ok(row.into_active_model())
    }
}

pub(super) async fn find_by_hash(conn: &mut Conn, hash: Digest) -> Result<Option<Versioned<Key>>, StoreError> {
    entry::one(conn, key::Entity::find().filter(key::Column::Hash.eq(entry::bytes(hash)))).await
}
