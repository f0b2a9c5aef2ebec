//! A directory in memory that counts its calls and fails when the test says so.

use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use domain::{Digest, Name, Timestamp};
use memory::MemoryDirectory;
use ports::contract::sample::SampleClock;
use ports::credential::{Claims, SealedKey, VerifyingKey};
use ports::directory::{
    AuthenticatedClient, Client, Directory, Key, Refresh, Revocations, ShownOnce, Swept, Tenant, Versioned,
};
use ports::repeat::{KeyedRequest, RequestKey};
use ports::repo::{Listing, Page};
use ports::store::{StoreError, Verification};
use ports::{
    Access, ClientId, FamilyId, Grant, Installation, KeyId, Maintenance, Read, TenantCredentials, TenantSlug, Version,
    Write,
};
use uuid::Uuid;

use super::{OTHER, TENANT};

pub(crate) struct TestDirectory {
    rows: MemoryDirectory,
    /// Look-ups of keys and clients by what they present.
    pub(crate) looked_up: AtomicU64,
    /// Readings of the version.
    pub(crate) asked: AtomicU64,
    /// Whether every call fails as busy.
    pub(crate) busy: AtomicBool,
    /// Whether adding a tenant fails, and nothing else.
    pub(crate) refuses_tenants: AtomicBool,
    /// Whether the answer to each change of tokens is lost, after it was made.
    pub(crate) loses_answers: AtomicBool,
    /// Whether another exchange of a refresh token always comes first.
    pub(crate) loses_exchanges: AtomicBool,
    touches: Mutex<Vec<(Uuid, Timestamp)>>,
    refreshes: Mutex<Vec<Digest>>,
    actors: Mutex<Vec<String>>,
}

impl Default for TestDirectory {
    fn default() -> Self {
        let rows = MemoryDirectory::new(SampleClock::shared());
        for (id, slug) in [(TENANT, "main"), (OTHER, "other")] {
            let (slug, name) = (TenantSlug::parse(slug).unwrap(), Name::parse(slug).unwrap());
            let tenant = Tenant {
                id,
                slug,
                name,
                created: Timestamp::from_millis(0).unwrap(),
                epoch: Uuid::nil(),
                year_start: domain::YearStart::default(),
                statement: domain::StatementSettings::default(),
            };
            let grant = Grant::for_maintenance(Installation, "test");
            let added = pin!(rows.add_tenant(&grant, tenant)).poll(&mut Context::from_waker(Waker::noop()));
            assert!(matches!(added, Poll::Ready(Ok(()))), "a directory in memory never waits");
        }
        Self {
            rows,
            looked_up: AtomicU64::default(),
            asked: AtomicU64::default(),
            busy: AtomicBool::default(),
            refuses_tenants: AtomicBool::default(),
            loses_answers: AtomicBool::default(),
            loses_exchanges: AtomicBool::default(),
            touches: Mutex::default(),
            refreshes: Mutex::default(),
            actors: Mutex::default(),
        }
    }
}

impl TestDirectory {
    /// The rows, unless it is busy.
    fn rows(&self) -> Result<&MemoryDirectory, StoreError> {
        if self.busy.load(Ordering::SeqCst) { Err(StoreError::Busy(None)) } else { Ok(&self.rows) }
    }

    /// The rows, to be changed by the grant's holder.
    fn change<A: Access, S>(&self, grant: &Grant<A, S>) -> Result<&MemoryDirectory, StoreError> {
        let rows = self.rows()?;
        self.actors.lock().unwrap().push(grant.actor().to_owned());
        Ok(rows)
    }

    /// What was done, unless its answer is lost.
    fn answered<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        if self.loses_answers.load(Ordering::SeqCst) {
            return Err(StoreError::Unknown("the connection was cut".into()));
        }
        done
    }

    pub(crate) fn touches(&self) -> Vec<(Uuid, Timestamp)> {
        self.touches.lock().unwrap().clone()
    }

    pub(crate) async fn refresh_tokens(&self) -> Vec<Refresh> {
        let hashes = self.refreshes.lock().unwrap().clone();
        let mut kept = Vec::new();
        for hash in hashes {
            kept.extend(self.rows.find_refresh(hash).await.unwrap());
        }
        kept
    }

    /// Who changed credentials and signing keys, the first first.
    pub(crate) fn actors(&self) -> Vec<String> {
        self.actors.lock().unwrap().clone()
    }

    /// Puts a client in place of the one of its id, as another process may have done meanwhile.
    pub(crate) async fn change_client(&self, client: Client) {
        let grant = Grant::for_maintenance(client.tenant, "elsewhere");
        let there = self.rows.find_client(&grant.to_read_credentials(), client.id).await.unwrap().unwrap();
        self.rows.update_client(&grant.to_write_credentials(), client, there.version).await.unwrap();
    }
}

#[async_trait]
impl Directory for TestDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let version = match self.rows() {
            Ok(rows) => rows.version().await,
            Err(error) => Err(error),
        };
        tokio::task::yield_now().await; // so that others can come between
        version
    }

    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        self.rows()?.find_tenant(slug).await
    }

    async fn find_tenant_by_id(&self, grant: &Grant<Maintenance>) -> Result<Option<Tenant>, StoreError> {
        self.rows()?.find_tenant_by_id(grant).await
    }

    async fn set_name(&self, grant: &Grant<Maintenance>, name: domain::Name) -> Result<bool, StoreError> {
        self.rows()?.set_name(grant, name).await
    }

    async fn set_year_start(
        &self,
        grant: &Grant<Maintenance>,
        year_start: domain::YearStart,
    ) -> Result<bool, StoreError> {
        self.rows()?.set_year_start(grant, year_start).await
    }

    async fn set_statement(
        &self,
        grant: &Grant<Maintenance>,
        seen: &domain::StatementSettings,
        statement: domain::StatementSettings,
    ) -> Result<bool, StoreError> {
        self.rows()?.set_statement(grant, seen, statement).await
    }

    async fn renew_epochs(
        &self,
        grant: &Grant<Maintenance, Installation>,
        epochs: &std::collections::BTreeMap<ports::TenantId, Uuid>,
    ) -> Result<(), StoreError> {
        self.rows()?.renew_epochs(grant, epochs).await
    }

    async fn find_client_by_id(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.looked_up.fetch_add(1, Ordering::SeqCst);
        self.rows()?.find_client_by_id(id).await
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        self.looked_up.fetch_add(1, Ordering::SeqCst);
        self.rows()?.find_key_by_hash(hash).await
    }

    async fn verifying_keys(&self) -> Result<Vec<VerifyingKey>, StoreError> {
        let keys = self.rows()?.verifying_keys().await;
        tokio::task::yield_now().await;
        keys
    }

    async fn add_refresh(&self, client: &AuthenticatedClient, refresh: Refresh) -> Result<(), StoreError> {
        let rows = self.rows()?;
        self.refreshes.lock().unwrap().push(refresh.hash);
        self.answered(rows.add_refresh(client, refresh).await)
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        self.rows()?.find_refresh(hash).await
    }

    async fn exchange_refresh(
        &self,
        client: &AuthenticatedClient,
        hash: Digest,
        at: Timestamp,
        next: Refresh,
    ) -> Result<bool, StoreError> {
        if self.loses_exchanges.load(Ordering::SeqCst) {
            return Ok(false);
        }
        let rows = self.rows()?;
        self.refreshes.lock().unwrap().push(next.hash);
        self.answered(rows.exchange_refresh(client, hash, at, next).await)
    }

    async fn revoke_family(
        &self,
        client: &AuthenticatedClient,
        family: FamilyId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let rows = self.rows()?;
        self.answered(rows.revoke_family(client, family, at).await)
    }

    async fn revoke_token(&self, client: &AuthenticatedClient, token: &Claims) -> Result<(), StoreError> {
        self.rows()?.revoke_token(client, token).await
    }

    async fn revocations(&self) -> Result<Revocations, StoreError> {
        self.rows()?.revocations().await
    }

    async fn find_client(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: ClientId,
    ) -> Result<Option<Versioned<Client>>, StoreError> {
        let found = self.rows()?.find_client(grant, id).await;
        tokio::task::yield_now().await;
        found
    }

    async fn list_clients(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Client>>, StoreError> {
        self.rows()?.list_clients(grant, page).await
    }

    async fn add_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        self.change(grant)?.add_client_once(grant, client, request).await
    }

    async fn update_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        self.change(grant)?.update_client_once(grant, client, seen, request).await
    }

    async fn remove_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: ClientId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        self.change(grant)?.remove_client(grant, id, seen).await
    }

    async fn find_key(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: KeyId,
    ) -> Result<Option<Versioned<Key>>, StoreError> {
        let found = self.rows()?.find_key(grant, id).await;
        tokio::task::yield_now().await;
        found
    }

    async fn list_keys(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Key>>, StoreError> {
        self.rows()?.list_keys(grant, page).await
    }

    async fn add_key_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        self.change(grant)?.add_key_once(grant, key, request).await
    }

    async fn update_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        seen: Version,
    ) -> Result<Version, StoreError> {
        self.change(grant)?.update_key(grant, key, seen).await
    }

    async fn remove_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: KeyId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        self.change(grant)?.remove_key(grant, id, seen).await
    }

    async fn shown_once(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        key: RequestKey,
        now: Timestamp,
    ) -> Result<Option<ShownOnce>, StoreError> {
        self.rows()?.shown_once(grant, key, now).await
    }

    async fn list_tenants(&self, grant: &Grant<Maintenance, Installation>) -> Result<Vec<Tenant>, StoreError> {
        self.rows()?.list_tenants(grant).await
    }

    async fn add_tenant(&self, grant: &Grant<Maintenance, Installation>, tenant: Tenant) -> Result<(), StoreError> {
        if self.refuses_tenants.load(Ordering::SeqCst) {
            return Err(StoreError::Failed("the disk is full".into()));
        }
        self.answered(self.rows()?.add_tenant(grant, tenant).await)
    }

    async fn remove_tenant(&self, grant: &Grant<Maintenance>) -> Result<bool, StoreError> {
        self.rows()?.remove_tenant(grant).await
    }

    async fn signing_key(&self, grant: &Grant<Maintenance, Installation>) -> Result<Option<SealedKey>, StoreError> {
        let key = self.rows()?.signing_key(grant).await;
        tokio::task::yield_now().await;
        key
    }

    async fn add_signing_key(
        &self,
        grant: &Grant<Maintenance, Installation>,
        key: SealedKey,
    ) -> Result<(), StoreError> {
        self.change(grant)?.add_signing_key(grant, key).await
    }

    async fn touch(
        &self,
        grant: &Grant<Maintenance, Installation>,
        keys: &[(KeyId, Timestamp)],
        clients: &[(ClientId, Timestamp)],
    ) -> Result<(), StoreError> {
        let rows = self.rows()?;
        {
            let mut touches = self.touches.lock().unwrap();
            touches.extend(keys.iter().map(|(id, at)| (id.uuid(), *at)));
            touches.extend(clients.iter().map(|(id, at)| (id.uuid(), *at)));
        }
        rows.touch(grant, keys, clients).await
    }

    async fn sweep(&self, grant: &Grant<Maintenance, Installation>, now: Timestamp) -> Result<Swept, StoreError> {
        self.rows()?.sweep(grant, now).await
    }

    async fn verify(&self, grant: &Grant<Maintenance, Installation>) -> Result<Verification, StoreError> {
        self.rows()?.verify(grant).await
    }
}
