//! The directory in memory. Each call is one step under a lock that nothing is awaited under.

mod credential;
mod factor_sets;
mod people;
mod shown_once;
mod state;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::{Digest, Name, StatementSettings, Timestamp, YearStart};
use ports::clock::Clock;
use ports::credential::{Claims, SealedKey, VerifyingKey};
use ports::directory::{
    AuthenticatedClient, Client, CredentialKind, Directory, Event, Key, Refresh, Revocations, ShownOnce, Swept, Tenant,
    Versioned,
};
use ports::repeat::{KeyedRequest, RequestKey};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError, Verification};
use ports::{
    ClientId, FamilyId, Grant, Installation, KeyId, Maintenance, Read, TenantCredentials, TenantId, TenantSlug,
    Version, Write,
};
use uuid::Uuid;

use state::State;

/// A directory that keeps everything in memory. Its clones are the same directory.
#[derive(Clone)]
pub struct MemoryDirectory {
    clock: Arc<dyn Clock>,
    state: Arc<Mutex<State>>,
}

impl MemoryDirectory {
    /// A directory without a tenant. `clock` says when changes are made.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, state: Arc::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Directory for MemoryDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        Ok(self.state().head().number)
    }

    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        Ok(self.state().tenants.values().find(|tenant| tenant.slug == *slug).cloned())
    }

    async fn find_tenant_by_id(&self, grant: &Grant<Maintenance>) -> Result<Option<Tenant>, StoreError> {
        Ok(self.state().tenants.get(&grant.tenant()).cloned())
    }

    async fn find_client_by_id(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        Ok(self.state().clients.get(&id).map(|client| client.value.clone()))
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        let state = self.state();
        Ok(state.keys.values().map(|key| &key.value).find(|key| key.hash == hash).cloned())
    }

    async fn verifying_keys(&self) -> Result<Vec<VerifyingKey>, StoreError> {
        Ok(self.state().signing_keys.iter().rev().map(SealedKey::verifying).collect())
    }

    async fn add_refresh(&self, client: &AuthenticatedClient, refresh: Refresh) -> Result<(), StoreError> {
        client.check_refresh(&refresh)?;
        let mut state = self.state();
        state.forget_oldest_refreshes(&refresh);
        state.refreshes.insert(refresh.hash, refresh);
        Ok(())
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        Ok(self.state().refreshes.get(&hash).cloned())
    }

    async fn exchange_refresh(
        &self,
        client: &AuthenticatedClient,
        hash: Digest,
        at: Timestamp,
        next: Refresh,
    ) -> Result<bool, StoreError> {
        client.check_refresh(&next)?;
        let mut state = self.state();
        let mut draft = state.begin(self.clock.now(), &client.actor(), "exchange refresh");
        let own = client.client().id;
        let unused =
            |refresh: &&mut Refresh| refresh.client == own && refresh.used.is_none() && refresh.revoked.is_none();
        let Some(refresh) = state.refreshes.get_mut(&hash).filter(unused) else { return Ok(false) };
        refresh.used = Some(at);
        draft.happened(&Event::Exchanged { from: hash, to: &next });
        state.refreshes.insert(next.hash, next);
        state.end(draft);
        Ok(true)
    }

    async fn revoke_family(
        &self,
        client: &AuthenticatedClient,
        family: FamilyId,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let own = client.client().id;
        let is_own = state.refreshes.values().any(|refresh| refresh.family == family && refresh.client == own);
        if !is_own || state.families.contains(&family) {
            return Ok(());
        }
        let mut draft = state.begin(self.clock.now(), &client.actor(), "revoke family");
        for refresh in state.refreshes.values_mut().filter(|refresh| refresh.family == family) {
            refresh.revoked.get_or_insert(at);
        }
        state.families.insert(family);
        draft.happened(&Event::FamilyRevoked { family, at });
        state.end(draft);
        Ok(())
    }

    async fn revoke_token(&self, client: &AuthenticatedClient, token: &Claims) -> Result<(), StoreError> {
        client.check_claims(token)?;
        let Claims { jti, expires, .. } = *token;
        let mut state = self.state();
        if state.tokens.contains_key(&jti) {
            return Ok(());
        }
        let mut draft = state.begin(self.clock.now(), &client.actor(), "revoke token");
        state.tokens.insert(jti, expires);
        draft.happened(&Event::TokenRevoked { jti, expires });
        state.end(draft);
        Ok(())
    }

    async fn revocations(&self) -> Result<Revocations, StoreError> {
        let state = self.state();
        let tokens = state.tokens.keys().copied().collect();
        Ok(Revocations { tokens, families: state.families.iter().copied().collect() })
    }

    async fn find_client(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: ClientId,
    ) -> Result<Option<Versioned<Client>>, StoreError> {
        Ok(credential::find(&self.state().clients, grant.tenant(), id))
    }

    async fn list_clients(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Client>>, StoreError> {
        Ok(credential::list(&self.state().clients, grant.tenant(), page))
    }

    async fn add_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        client.check_tenant(grant)?;
        let (made, now) = ((CredentialKind::Client, client.id.uuid()), self.clock.now());
        self.state().once(grant, now, request, made, |state| state.add(grant, now, "add client", client))
    }

    async fn update_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        client.check_tenant(grant)?;
        let (made, now) = ((CredentialKind::Client, client.id.uuid()), self.clock.now());
        self.state().once(grant, now, request, made, |state| state.update(grant, now, "update client", client, seen))
    }

    async fn remove_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: ClientId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let mut state = self.state();
        let was_there = state.remove::<Client>(grant, self.clock.now(), "remove client", id, seen)?;
        if was_there {
            state.refreshes.retain(|_, refresh| refresh.client != id);
        }
        Ok(was_there)
    }

    async fn find_key(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: KeyId,
    ) -> Result<Option<Versioned<Key>>, StoreError> {
        Ok(credential::find(&self.state().keys, grant.tenant(), id))
    }

    async fn list_keys(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Key>>, StoreError> {
        Ok(credential::list(&self.state().keys, grant.tenant(), page))
    }

    async fn add_key_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError> {
        key.check_tenant(grant)?;
        let (made, now) = ((CredentialKind::Key, key.id.uuid()), self.clock.now());
        self.state().once(grant, now, request, made, |state| state.add(grant, now, "add key", key))
    }

    async fn update_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        seen: Version,
    ) -> Result<Version, StoreError> {
        key.check_tenant(grant)?;
        self.state().update(grant, self.clock.now(), "update key", key, seen)
    }

    async fn remove_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: KeyId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        self.state().remove::<Key>(grant, self.clock.now(), "remove key", id, seen)
    }

    async fn shown_once(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        key: RequestKey,
        now: Timestamp,
    ) -> Result<Option<ShownOnce>, StoreError> {
        Ok(self.state().shown_once(grant.tenant(), key, now))
    }

    async fn list_tenants(&self, _: &Grant<Maintenance, Installation>) -> Result<Vec<Tenant>, StoreError> {
        let mut tenants: Vec<Tenant> = self.state().tenants.values().cloned().collect();
        tenants.sort_by(|a, b| a.slug.cmp(&b.slug));
        Ok(tenants)
    }

    async fn add_tenant(&self, grant: &Grant<Maintenance, Installation>, tenant: Tenant) -> Result<(), StoreError> {
        let mut state = self.state();
        if let Some(holder) = state.tenants.values().find(|other| other.slug == tenant.slug) {
            return Err(StoreError::Conflict(Conflict::TenantSlug { holder: holder.id.uuid() }));
        }
        if state.tenants.contains_key(&tenant.id) {
            return Err(StoreError::Conflict(Conflict::Exists(tenant.id.uuid())));
        }
        let mut draft = state.begin(self.clock.now(), grant.actor(), "add tenant");
        draft.added(&tenant);
        state.tenants.insert(tenant.id, tenant);
        state.end(draft);
        Ok(())
    }

    async fn set_name(&self, grant: &Grant<Maintenance>, name: Name) -> Result<bool, StoreError> {
        Ok(self.state().set_name(grant, name, self.clock.now()))
    }

    async fn set_year_start(&self, grant: &Grant<Maintenance>, year_start: YearStart) -> Result<bool, StoreError> {
        Ok(self.state().set_year_start(grant, year_start, self.clock.now()))
    }

    async fn set_statement(
        &self,
        grant: &Grant<Maintenance>,
        seen: &StatementSettings,
        statement: StatementSettings,
    ) -> Result<bool, StoreError> {
        self.state().set_statement(grant, seen, statement, self.clock.now())
    }

    async fn remove_tenant(&self, grant: &Grant<Maintenance>) -> Result<bool, StoreError> {
        Ok(self.state().remove_tenant(grant, self.clock.now()))
    }

    async fn renew_epochs(
        &self,
        grant: &Grant<Maintenance, Installation>,
        epochs: &BTreeMap<TenantId, Uuid>,
    ) -> Result<(), StoreError> {
        self.state().renew_epochs(grant, epochs, self.clock.now())
    }

    async fn signing_key(&self, _: &Grant<Maintenance, Installation>) -> Result<Option<SealedKey>, StoreError> {
        Ok(self.state().signing_keys.last().filter(|key| key.retired.is_none()).cloned())
    }

    async fn add_signing_key(
        &self,
        grant: &Grant<Maintenance, Installation>,
        key: SealedKey,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        let mut draft = state.begin(self.clock.now(), grant.actor(), "add signing key");
        for before in state.signing_keys.iter_mut().filter(|before| before.retired.is_none()) {
            let after = SealedKey { retired: Some(key.created), ..before.clone() };
            draft.updated(before, &after);
            *before = after;
        }
        draft.added(&key);
        state.signing_keys.push(key);
        state.end(draft);
        Ok(())
    }

    async fn touch(
        &self,
        _: &Grant<Maintenance, Installation>,
        keys: &[(KeyId, Timestamp)],
        clients: &[(ClientId, Timestamp)],
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        credential::touch(&mut state.keys, keys);
        credential::touch(&mut state.clients, clients);
        Ok(())
    }

    async fn sweep(&self, _: &Grant<Maintenance, Installation>, now: Timestamp) -> Result<Swept, StoreError> {
        Ok(self.state().sweep(now))
    }

    async fn verify(&self, _: &Grant<Maintenance, Installation>) -> Result<Verification, StoreError> {
        Ok(self.state().verify())
    }
}
