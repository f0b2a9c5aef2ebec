//! The keys that sign access tokens.

use domain::Timestamp;
use ports::credential::SealedKey;
use ports::store::StoreError;
use sea_orm::ActiveValue::Set;
use sea_orm::{ColumnTrait as _, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QueryTrait as _};

use super::chain::DirectoryWrite;
use super::entity::signing_key;
use super::entry::{self, EntryTable};
use crate::conn::{Conn, sql};
use crate::row::{self, Damage};

impl EntryTable for SealedKey {
    type Table = signing_key::Entity;

    fn decode(row: &signing_key::Model) -> Result<Self, Damage> {
        Ok(Self {
            kid: row.kid.clone(),
            public: row.public.clone(),
            sealed: row.sealed.clone(),
            created: row::timestamp("created", row.created)?,
            retired: entry::timestamp_or_null("retired", row.retired)?,
        })
    }

    fn digest_beside(row: &signing_key::Model) -> &[u8] {
        &row.digest
    }
}

/// All keys, the newest first.
pub(super) async fn list(conn: &mut Conn) -> Result<Vec<SealedKey>, StoreError> {
    entry::all(conn, signing_key::Entity::find().order_by_desc(signing_key::Column::Ordinal)).await
}

/// Removes all keys.
pub(super) async fn remove_all(write: &mut DirectoryWrite) -> Result<(), StoreError> {
    for key in list(&mut write.conn).await? {
        write.draft.removed(&key);
    }
    write.conn.execute(signing_key::Entity::delete_many().build(DbBackend::Postgres)).await.map(drop)
}

pub(super) async fn add(write: &mut DirectoryWrite, key: &SealedKey) -> Result<(), StoreError> {
    for before in list(&mut write.conn).await?.into_iter().filter(|before| before.retired.is_none()) {
        let after = SealedKey { retired: Some(key.created), ..before.clone() };
        let digest = write.draft.updated(&before, &after);
        let retire = signing_key::ActiveModel {
            retired: Set(Some(key.created.instant())),
            digest: Set(entry::bytes(digest)),
            ..Default::default()
        };
        let one = signing_key::Entity::update_many().set(retire).filter(signing_key::Column::Kid.eq(after.kid));
        write.conn.execute(one.build(DbBackend::Postgres)).await?;
    }
    let newest = sql("SELECT coalesce(max(ordinal), 0) FROM tonne_directory.signing_key", []);
    let newest: i32 = write.conn.value(newest).await?.unwrap_or_default();
    let digest = write.draft.added(key);
    let row = signing_key::Model {
        ordinal: newest.saturating_add(1),
        kid: key.kid.clone(),
        public: key.public.clone(),
        sealed: key.sealed.clone(),
        created: key.created.instant(),
        retired: key.retired.map(Timestamp::instant),
        digest: entry::bytes(digest),
    };
    entry::add::<SealedKey>(&mut write.conn, row).await
}
