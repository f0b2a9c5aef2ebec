//! The directory of tenants, credentials and signing keys, in a schema of its own that belongs to no tenant.

mod chain;
mod client;
mod entity;
mod entry;
mod key;
mod refresh;
mod signing_key;
mod tenant;
mod verify;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::SealedKey;
use ports::directory::{Client, Directory, Key, Refresh, Revocations, Tenant};
use ports::repo::{Listing, Page};
use ports::store::{StoreError, Verification};
use ports::{ClientId, FamilyId, KeyId, TenantId, TenantSlug};
use uuid::Uuid;

use crate::database::Database;
use chain::Turn;

/// Who makes changes that no caller is named for.
const SERVICE: &str = "service";

/// The directory of all tenants. What one node writes, every other reads from then on.
#[derive(Clone, Debug)]
pub struct PostgresDirectory {
    database: Arc<Database>,
}

impl PostgresDirectory {
    /// The directory in that database.
    #[must_use]
    pub const fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// The turn of a writer, behind the others.
    async fn turn(&self, by: &str, cause: &'static str) -> Result<Turn, StoreError> {
        let conn = self.database.write_directory().await?;
        Turn::open(conn, self.database.options().clock.now(), by, cause).await
    }
}

#[async_trait]
impl Directory for PostgresDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        self.database.directory_version().await
    }

    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        tenant::find(&mut self.database.read_directory().await?, slug).await
    }

    async fn find_tenant_by_id(&self, id: TenantId) -> Result<Option<Tenant>, StoreError> {
        tenant::find_by_id(&mut self.database.read_directory().await?, id).await
    }

    async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        tenant::list(&mut self.database.read_directory().await?).await
    }

    async fn add_tenant(&self, tenant: Tenant) -> Result<(), StoreError> {
        let mut turn = self.turn(SERVICE, "add tenant").await?;
        tenant::add(&mut turn, &tenant).await?;
        turn.close().await
    }

    async fn remove_tenant(&self, id: TenantId, by: &str) -> Result<bool, StoreError> {
        let mut turn = self.turn(by, "remove tenant").await?;
        let was_there = tenant::remove(&mut turn, id).await?;
        turn.close().await?;
        Ok(was_there)
    }

    async fn find_client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        client::find(&mut self.database.read_directory().await?, id).await
    }

    async fn list_clients(&self, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError> {
        client::list(&mut self.database.read_directory().await?, tenant, page).await
    }

    async fn put_client(&self, client: Client, by: &str) -> Result<(), StoreError> {
        let mut turn = self.turn(by, "put client").await?;
        client::put(&mut turn, &client).await?;
        turn.close().await
    }

    async fn remove_client(&self, tenant: TenantId, id: ClientId, by: &str) -> Result<bool, StoreError> {
        let mut turn = self.turn(by, "remove client").await?;
        let was_there = client::remove(&mut turn, tenant, id).await?;
        turn.close().await?;
        Ok(was_there)
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        key::find_by_hash(&mut self.database.read_directory().await?, hash).await
    }

    async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        key::find(&mut self.database.read_directory().await?, id).await
    }

    async fn list_keys(&self, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError> {
        key::list(&mut self.database.read_directory().await?, tenant, page).await
    }

    async fn put_key(&self, key: Key, by: &str) -> Result<(), StoreError> {
        let mut turn = self.turn(by, "put key").await?;
        key::put(&mut turn, &key).await?;
        turn.close().await
    }

    async fn remove_key(&self, tenant: TenantId, id: KeyId, by: &str) -> Result<bool, StoreError> {
        let mut turn = self.turn(by, "remove key").await?;
        let was_there = key::remove(&mut turn, tenant, id).await?;
        turn.close().await?;
        Ok(was_there)
    }

    async fn touch(&self, keys: &[(KeyId, Timestamp)], clients: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
        let mut turn = self.turn(SERVICE, "touch").await?;
        key::touch(&mut turn, keys).await?;
        client::touch(&mut turn, clients).await?;
        turn.close().await
    }

    async fn signing_keys(&self) -> Result<Vec<SealedKey>, StoreError> {
        signing_key::list(&mut self.database.read_directory().await?).await
    }

    async fn add_signing_key(&self, key: SealedKey, by: &str) -> Result<(), StoreError> {
        let mut turn = self.turn(by, "add signing key").await?;
        signing_key::add(&mut turn, &key).await?;
        turn.close().await
    }

    async fn add_refresh(&self, refresh: Refresh) -> Result<(), StoreError> {
        // A row that is new is in nobody's way, and no change: it waits for no turn.
        let mut conn = self.database.write_directory().await?;
        refresh::add(&mut conn, &refresh).await?;
        conn.commit().await
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        refresh::find(&mut self.database.read_directory().await?, hash).await
    }

    async fn exchange_refresh(&self, hash: Digest, at: Timestamp, next: Refresh) -> Result<bool, StoreError> {
        let mut turn = self.turn(&format!("client:{}", next.client), "exchange refresh").await?;
        let exchanged = refresh::exchange(&mut turn, hash, at, &next).await?;
        turn.close().await?;
        Ok(exchanged)
    }

    async fn revoke_family(&self, family: FamilyId, at: Timestamp) -> Result<(), StoreError> {
        let mut turn = self.turn(SERVICE, "revoke family").await?;
        refresh::revoke_family(&mut turn, family, at).await?;
        turn.close().await
    }

    async fn revoke_token(&self, jti: Uuid, expires: Timestamp) -> Result<(), StoreError> {
        let mut turn = self.turn(SERVICE, "revoke token").await?;
        refresh::revoke_token(&mut turn, jti, expires).await?;
        turn.close().await
    }

    async fn revocations(&self, now: Timestamp) -> Result<Revocations, StoreError> {
        refresh::revocations(&mut self.database.read_directory().await?, now).await
    }

    async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        let mut turn = self.turn(SERVICE, "sweep").await?;
        refresh::sweep(&mut turn, now).await?;
        turn.close().await
    }

    async fn verify(&self) -> Result<Verification, StoreError> {
        verify::directory(&mut self.database.read_directory().await?).await
    }
}
