//! The directory in memory. Each call is one step under a lock that nothing is awaited under.

mod chain;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::SealedKey;
use ports::directory::{Client, Directory, Key, Refresh, Revocations, Tenant};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError, Verification};
use ports::{ClientId, FamilyId, KeyId, TenantId, TenantSlug, Verb};
use uuid::Uuid;

use chain::{Entry, Links};

/// A directory that keeps everything in memory.
#[derive(Default)]
pub struct MemoryDirectory(Mutex<State>);

#[derive(Default)]
struct State {
    links: Links,
    tenants: BTreeMap<TenantId, Tenant>,
    clients: BTreeMap<ClientId, Client>,
    keys: BTreeMap<KeyId, Key>,
    /// The newest last.
    signing_keys: Vec<SealedKey>,
    refreshes: HashMap<Digest, Refresh>,
    families: BTreeMap<FamilyId, Timestamp>,
    tokens: BTreeMap<Uuid, Timestamp>,
}

/// Whom the chain names where the caller names nobody.
const SERVICE: &str = "service";

impl MemoryDirectory {
    /// A directory without a tenant.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn paged<T: Clone>(all: Vec<&T>, page: Page) -> Listing<T> {
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let count = all.len() as u64;
    Listing { count, page, data: all.into_iter().skip(before).take(page.size as usize).cloned().collect() }
}

const fn verb(replaced: bool) -> Verb {
    if replaced { Verb::Updated } else { Verb::Added }
}

#[async_trait]
impl Directory for MemoryDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        Ok(self.state().links.count())
    }

    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        Ok(self.state().tenants.values().find(|tenant| tenant.slug == *slug).cloned())
    }

    async fn find_tenant_by_id(&self, id: TenantId) -> Result<Option<Tenant>, StoreError> {
        Ok(self.state().tenants.get(&id).cloned())
    }

    async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        let mut tenants: Vec<Tenant> = self.state().tenants.values().cloned().collect();
        tenants.sort_by(|a, b| a.slug.cmp(&b.slug));
        Ok(tenants)
    }

    async fn add_tenant(&self, tenant: Tenant) -> Result<(), StoreError> {
        let mut state = self.state();
        if let Some(holder) = state.tenants.values().find(|other| other.slug == tenant.slug) {
            return Err(StoreError::Conflict(Conflict::TenantSlug { holder: holder.id.uuid() }));
        }
        if state.tenants.contains_key(&tenant.id) {
            return Err(StoreError::Conflict(Conflict::Exists(tenant.id.uuid())));
        }
        state.links.note(SERVICE, Verb::Added, &Entry::of_tenant(&tenant));
        state.tenants.insert(tenant.id, tenant);
        Ok(())
    }

    async fn remove_tenant(&self, id: TenantId, by: &str) -> Result<bool, StoreError> {
        let State { links, tenants, clients, keys, refreshes, .. } = &mut *self.state();
        let Some(tenant) = tenants.remove(&id) else { return Ok(false) };
        for client in clients.extract_if(.., |_, client| client.tenant == id).map(|(_, client)| client) {
            links.note(by, Verb::Removed, &Entry::of_client(&client));
        }
        for key in keys.extract_if(.., |_, key| key.tenant == id).map(|(_, key)| key) {
            links.note(by, Verb::Removed, &Entry::of_key(&key));
        }
        links.note(by, Verb::Removed, &Entry::of_tenant(&tenant));
        refreshes.retain(|_, refresh| refresh.tenant != id);
        Ok(true)
    }

    async fn find_client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        Ok(self.state().clients.get(&id).cloned())
    }

    async fn list_clients(&self, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError> {
        Ok(paged(self.state().clients.values().filter(|client| client.tenant == tenant).collect(), page))
    }

    async fn put_client(&self, client: Client, by: &str) -> Result<(), StoreError> {
        let mut state = self.state();
        let replaced = state.clients.contains_key(&client.id);
        state.links.note(by, verb(replaced), &Entry::of_client(&client));
        state.clients.insert(client.id, client);
        Ok(())
    }

    async fn remove_client(&self, tenant: TenantId, id: ClientId, by: &str) -> Result<bool, StoreError> {
        let mut state = self.state();
        let Some(client) = state.clients.get(&id).filter(|client| client.tenant == tenant).cloned() else {
            return Ok(false);
        };
        state.links.note(by, Verb::Removed, &Entry::of_client(&client));
        state.clients.remove(&id);
        state.refreshes.retain(|_, refresh| refresh.client != id);
        Ok(true)
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        Ok(self.state().keys.values().find(|key| key.hash == hash).cloned())
    }

    async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        Ok(self.state().keys.get(&id).cloned())
    }

    async fn list_keys(&self, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError> {
        Ok(paged(self.state().keys.values().filter(|key| key.tenant == tenant).collect(), page))
    }

    async fn put_key(&self, key: Key, by: &str) -> Result<(), StoreError> {
        let mut state = self.state();
        let replaced = state.keys.contains_key(&key.id);
        state.links.note(by, verb(replaced), &Entry::of_key(&key));
        state.keys.insert(key.id, key);
        Ok(())
    }

    async fn remove_key(&self, tenant: TenantId, id: KeyId, by: &str) -> Result<bool, StoreError> {
        let mut state = self.state();
        let Some(key) = state.keys.get(&id).filter(|key| key.tenant == tenant).cloned() else { return Ok(false) };
        state.links.note(by, Verb::Removed, &Entry::of_key(&key));
        state.keys.remove(&id);
        Ok(true)
    }

    async fn touch(&self, keys: &[(KeyId, Timestamp)], clients: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
        let mut state = self.state();
        for (id, at) in keys {
            if let Some(key) = state.keys.get_mut(id) {
                key.last_used = Some(*at);
            }
        }
        for (id, at) in clients {
            if let Some(client) = state.clients.get_mut(id) {
                client.last_used = Some(*at);
            }
        }
        Ok(())
    }

    async fn signing_keys(&self) -> Result<Vec<SealedKey>, StoreError> {
        Ok(self.state().signing_keys.iter().rev().cloned().collect())
    }

    async fn add_signing_key(&self, key: SealedKey, by: &str) -> Result<(), StoreError> {
        let State { links, signing_keys, .. } = &mut *self.state();
        for before in signing_keys.iter_mut().filter(|before| before.retired.is_none()) {
            before.retired = Some(key.created);
            links.note(by, Verb::Updated, &Entry::of_signing_key(before));
        }
        links.note(by, Verb::Added, &Entry::of_signing_key(&key));
        signing_keys.push(key);
        Ok(())
    }

    async fn add_refresh(&self, refresh: Refresh) -> Result<(), StoreError> {
        self.state().refreshes.insert(refresh.hash, refresh);
        Ok(())
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        Ok(self.state().refreshes.get(&hash).cloned())
    }

    async fn exchange_refresh(&self, hash: Digest, at: Timestamp, next: Refresh) -> Result<bool, StoreError> {
        let mut state = self.state();
        let unused = |refresh: &&mut Refresh| refresh.used.is_none() && refresh.revoked.is_none();
        let Some(refresh) = state.refreshes.get_mut(&hash).filter(unused) else { return Ok(false) };
        refresh.used = Some(at);
        let entry = Entry::passing("refresh", &refresh.family, at);
        state.links.note(SERVICE, Verb::Updated, &entry);
        state.refreshes.insert(next.hash, next);
        Ok(true)
    }

    async fn revoke_family(&self, family: FamilyId, at: Timestamp) -> Result<(), StoreError> {
        let mut state = self.state();
        for refresh in state.refreshes.values_mut().filter(|refresh| refresh.family == family) {
            refresh.revoked.get_or_insert(at);
        }
        state.families.entry(family).or_insert(at);
        state.links.note(SERVICE, Verb::Added, &Entry::passing("revoked family", &family, at));
        Ok(())
    }

    async fn revoke_token(&self, jti: Uuid, expires: Timestamp) -> Result<(), StoreError> {
        let mut state = self.state();
        state.tokens.insert(jti, expires);
        state.links.note(SERVICE, Verb::Added, &Entry::passing("revoked token", &jti, expires));
        Ok(())
    }

    async fn revocations(&self, now: Timestamp) -> Result<Revocations, StoreError> {
        let state = self.state();
        let tokens = state.tokens.iter().filter(|(_, expires)| **expires > now).map(|(jti, _)| *jti).collect();
        Ok(Revocations { tokens, families: state.families.keys().copied().collect() })
    }

    async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        let State { links, refreshes, families, tokens, .. } = &mut *self.state();
        let live = refreshes.values().filter(|refresh| refresh.expires > now);
        let live: HashSet<FamilyId> = live.map(|refresh| refresh.family).collect();
        let count = refreshes.len() + families.len() + tokens.len();
        refreshes.retain(|_, refresh| live.contains(&refresh.family));
        families.retain(|family, _| live.contains(family));
        tokens.retain(|_, expires| *expires > now);
        if refreshes.len() + families.len() + tokens.len() < count {
            links.note(SERVICE, Verb::Removed, &Entry::passing("what ran out", &"sweep", now));
        }
        Ok(())
    }

    async fn verify(&self) -> Result<Verification, StoreError> {
        let state = self.state();
        let mut entries: Vec<Entry> = state.tenants.values().map(Entry::of_tenant).collect();
        entries.extend(state.clients.values().map(Entry::of_client));
        entries.extend(state.keys.values().map(Entry::of_key));
        entries.extend(state.signing_keys.iter().map(Entry::of_signing_key));
        Ok(state.links.verify(&entries))
    }
}
