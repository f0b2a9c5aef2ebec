//! The directory of tenants, credentials and signing keys, in a schema of its own that belongs to no tenant.

mod chain;
mod client;
mod credential;
mod entity;
mod entry;
mod factor_sets;
mod key;
mod people;
mod refresh;
mod session;
mod shown_once;
mod signing_key;
mod sweep;
mod tenant;
mod user;
mod verify;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use domain::{Digest, Name, StatementSettings, Timestamp, YearStart};
use ports::credential::{Claims, SealedKey, VerifyingKey};
use ports::directory::{
    AuthenticatedClient, Client, CredentialKind, Directory, Key, Refresh, Revocations, ShownOnce, Swept, Tenant,
    Versioned,
};
use ports::people::User;
use ports::repeat::{KeyedRequest, RequestKey};
use ports::repo::{Listing, Page};
use ports::store::{StoreError, Verification};
use ports::{
    ClientId, FamilyId, Grant, Installation, KeyId, Maintenance, Read, TenantCredentials, TenantId, TenantSlug,
    Version, Write,
};
use uuid::Uuid;

use crate::database::Database;
use chain::DirectoryWrite;

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

    /// A transaction that writes, behind the others.
    async fn write(&self, actor: &str, cause: &'static str) -> Result<DirectoryWrite, StoreError> {
        let conn = self.database.write_directory().await?;
        DirectoryWrite::open(conn, self.database.options().clock.now(), actor, cause).await
    }

    /// Notes what a request makes, if it may be sent again.
    async fn note(
        &self,
        write: &mut DirectoryWrite,
        grant: &Grant<Write, TenantCredentials>,
        request: Option<KeyedRequest>,
        made: (CredentialKind, Uuid),
    ) -> Result<(), StoreError> {
        let Some(request) = request else { return Ok(()) };
        shown_once::add(write, grant.tenant(), self.database.options().clock.now(), &request, made).await
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

    async fn find_tenant_by_id(&self, grant: &Grant<Maintenance>) -> Result<Option<Tenant>, StoreError> {
        tenant::find_by_id(&mut self.database.read_directory().await?, grant.tenant()).await
    }

    async fn find_client_by_id(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        let found = client::find_by_id(&mut self.database.read_directory().await?, id).await?;
        Ok(found.map(|client| client.value))
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        let found = key::find_by_hash(&mut self.database.read_directory().await?, hash).await?;
        Ok(found.map(|key| key.value))
    }

    async fn verifying_keys(&self) -> Result<Vec<VerifyingKey>, StoreError> {
        let keys = signing_key::list(&mut self.database.read_directory().await?).await?;
        Ok(keys.iter().map(SealedKey::verifying).collect())
    }

    async fn add_refresh(&self, client: &AuthenticatedClient, refresh: Refresh) -> Result<(), StoreError> {
        client.check_refresh(&refresh)?;
        // A row that is new is in nobody's way, and no change: it waits for no other writer, but for whoever changes the format.
        let mut conn = self.database.write_directory().await?;
        chain::check_format_beside_writers(&mut conn).await?;
        refresh::add(&mut conn, &refresh).await?;
        refresh::forget_oldest(&mut conn, &refresh).await?;
        conn.end().await
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        refresh::find(&mut self.database.read_directory().await?, hash).await
    }

    async fn exchange_refresh(
        &self,
        client: &AuthenticatedClient,
        hash: Digest,
        at: Timestamp,
        next: Refresh,
    ) -> Result<bool, StoreError> {
        client.check_refresh(&next)?;
        let mut write = self.write(&client.actor(), "exchange refresh").await?;
        let exchanged = refresh::exchange(&mut write, hash, at, &next).await?;
        write.close().await?;
        Ok(exchanged)
    }

    async fn revoke_family(
        &self,
        client: &AuthenticatedClient,
        family: FamilyId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut write = self.write(&client.actor(), "revoke family").await?;
        refresh::revoke_family(&mut write, client.client().id, family, at).await?;
        write.close().await
    }

    async fn revoke_token(&self, client: &AuthenticatedClient, token: &Claims) -> Result<(), StoreError> {
        client.check_claims(token)?;
        let mut write = self.write(&client.actor(), "revoke token").await?;
        refresh::revoke_token(&mut write, token.jti, token.expires).await?;
        write.close().await
    }

    async fn revocations(&self) -> Result<Revocations, StoreError> {
        refresh::revocations(&mut self.database.read_directory().await?).await
    }

    async fn find_client(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: ClientId,
    ) -> Result<Option<Versioned<Client>>, StoreError> {
        credential::find(&mut self.database.read_directory().await?, grant.tenant(), id).await
    }

    async fn list_clients(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Client>>, StoreError> {
        credential::list(&mut self.database.read_directory().await?, grant, page).await
    }

    async fn add_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        client.check_tenant(grant)?;
        let mut write = self.write(grant.actor(), "add client").await?;
        let version = write.version();
        self.note(&mut write, grant, request, (CredentialKind::Client, client.id.uuid())).await?;
        credential::add(&mut write, client).await?;
        write.close().await?;
        Ok(version)
    }

    async fn update_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        client.check_tenant(grant)?;
        let mut write = self.write(grant.actor(), "update client").await?;
        let version = write.version();
        self.note(&mut write, grant, request, (CredentialKind::Client, client.id.uuid())).await?;
        credential::update(&mut write, client, seen).await?;
        write.close().await?;
        Ok(version)
    }

    async fn remove_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: ClientId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "remove client").await?;
        let was_there = credential::remove::<Client>(&mut write, grant, id, seen).await?;
        if was_there {
            client::remove_tokens(&mut write, id).await?;
        }
        write.close().await?;
        Ok(was_there)
    }

    async fn find_key(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: KeyId,
    ) -> Result<Option<Versioned<Key>>, StoreError> {
        credential::find(&mut self.database.read_directory().await?, grant.tenant(), id).await
    }

    async fn list_keys(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Key>>, StoreError> {
        credential::list(&mut self.database.read_directory().await?, grant, page).await
    }

    async fn add_key_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        key.check_tenant(grant)?;
        let mut write = self.write(grant.actor(), "add key").await?;
        let version = write.version();
        self.note(&mut write, grant, request, (CredentialKind::Key, key.id.uuid())).await?;
        credential::add(&mut write, key).await?;
        write.close().await?;
        Ok(version)
    }

    async fn update_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        seen: Version,
    ) -> Result<Version, StoreError> {
        key.check_tenant(grant)?;
        let mut write = self.write(grant.actor(), "update key").await?;
        let version = write.version();
        credential::update(&mut write, key, seen).await?;
        write.close().await?;
        Ok(version)
    }

    async fn remove_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: KeyId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "remove key").await?;
        let was_there = credential::remove::<Key>(&mut write, grant, id, seen).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn shown_once(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        key: RequestKey,
        now: Timestamp,
    ) -> Result<Option<ShownOnce>, StoreError> {
        shown_once::find(&mut self.database.read_directory().await?, grant.tenant(), key, now).await
    }

    async fn list_tenants(&self, _: &Grant<Maintenance, Installation>) -> Result<Vec<Tenant>, StoreError> {
        tenant::list(&mut self.database.read_directory().await?).await
    }

    async fn add_tenant(&self, grant: &Grant<Maintenance, Installation>, tenant: Tenant) -> Result<(), StoreError> {
        let mut write = self.write(grant.actor(), "add tenant").await?;
        tenant::add(&mut write, &tenant).await?;
        write.close().await
    }

    async fn set_name(&self, grant: &Grant<Maintenance>, name: Name) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "set name").await?;
        let was_there = tenant::set_name(&mut write, grant.tenant(), name).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn set_year_start(&self, grant: &Grant<Maintenance>, year_start: YearStart) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "set year start").await?;
        let was_there = tenant::set_year_start(&mut write, grant.tenant(), year_start).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn set_statement(
        &self,
        grant: &Grant<Maintenance>,
        seen: &StatementSettings,
        statement: StatementSettings,
    ) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "set statement").await?;
        let was_there = tenant::set_statement(&mut write, grant.tenant(), seen, statement).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn remove_tenant(&self, grant: &Grant<Maintenance>) -> Result<bool, StoreError> {
        let mut write = self.write(grant.actor(), "remove tenant").await?;
        credential::remove_all::<Client>(&mut write, grant.tenant()).await?;
        credential::remove_all::<Key>(&mut write, grant.tenant()).await?;
        session::remove_of(&mut write, grant.tenant()).await?;
        people::forget_passwords(&mut write, grant.tenant()).await?;
        credential::remove_all::<User>(&mut write, grant.tenant()).await?;
        shown_once::remove_all(&mut write, grant.tenant()).await?;
        let was_there = tenant::remove(&mut write, grant.tenant()).await?;
        write.close().await?;
        Ok(was_there)
    }

    async fn renew_epochs(
        &self,
        grant: &Grant<Maintenance, Installation>,
        epochs: &BTreeMap<TenantId, Uuid>,
    ) -> Result<(), StoreError> {
        let mut write = self.write(grant.actor(), "renew epochs").await?;
        tenant::renew_epochs(&mut write, epochs).await?;
        signing_key::remove_all(&mut write).await?;
        session::remove_all(&mut write).await?;
        refresh::remove_all(&mut write).await?;
        write.close().await
    }

    async fn signing_key(&self, _: &Grant<Maintenance, Installation>) -> Result<Option<SealedKey>, StoreError> {
        let keys = signing_key::list(&mut self.database.read_directory().await?).await?;
        Ok(keys.into_iter().next().filter(|key| key.retired.is_none()))
    }

    async fn add_signing_key(
        &self,
        grant: &Grant<Maintenance, Installation>,
        key: SealedKey,
    ) -> Result<(), StoreError> {
        let mut write = self.write(grant.actor(), "add signing key").await?;
        signing_key::add(&mut write, &key).await?;
        write.close().await
    }

    async fn touch(
        &self,
        grant: &Grant<Maintenance, Installation>,
        keys: &[(KeyId, Timestamp)],
        clients: &[(ClientId, Timestamp)],
    ) -> Result<(), StoreError> {
        let mut write = self.write(grant.actor(), "touch").await?;
        credential::touch::<Key>(&mut write, keys).await?;
        credential::touch::<Client>(&mut write, clients).await?;
        write.close().await
    }

    async fn sweep(&self, grant: &Grant<Maintenance, Installation>, now: Timestamp) -> Result<Swept, StoreError> {
        let mut write = self.write(grant.actor(), "sweep").await?;
        let swept = sweep::sweep(&mut write, now).await?;
        let removed = swept.removed + shown_once::sweep(&mut write, now).await?;
        write.close().await?;
        Ok(Swept { removed, ..swept })
    }

    async fn verify(&self, _: &Grant<Maintenance, Installation>) -> Result<Verification, StoreError> {
        verify::directory(&mut self.database.read_directory().await?).await
    }
}
