//! A directory in memory that counts what it is asked and fails when it is told to.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::SealedKey;
use ports::directory::{Client, Directory, Key, Refresh, Revocations, Tenant};
use ports::repo::{Listing, Page};
use ports::store::{StoreError, Verification};
use ports::{ClientId, FamilyId, KeyId, TenantId, TenantSlug};
use uuid::Uuid;

#[derive(Default)]
pub(crate) struct TestDirectory {
    rows: Mutex<Rows>,
    /// Look-ups of keys and clients.
    pub(crate) looked_up: AtomicU64,
    /// Readings of the version.
    pub(crate) asked: AtomicU64,
    /// Whether every call fails as busy.
    pub(crate) busy: AtomicBool,
    /// Whether another exchange of a refresh token always comes first.
    pub(crate) loses_exchanges: AtomicBool,
}

#[derive(Default)]
struct Rows {
    version: u64,
    clients: BTreeMap<ClientId, Client>,
    keys: BTreeMap<KeyId, Key>,
    signing: Vec<SealedKey>,
    refresh: BTreeMap<Digest, Refresh>,
    tokens: Vec<(Uuid, Timestamp)>,
    families: Vec<FamilyId>,
    touches: Vec<(Uuid, Timestamp)>,
    actors: Vec<String>,
}

impl TestDirectory {
    fn rows(&self) -> Result<MutexGuard<'_, Rows>, StoreError> {
        if self.busy.load(Ordering::SeqCst) { Err(StoreError::Busy(None)) } else { Ok(self.rows.lock().unwrap()) }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Rows) -> T) -> Result<T, StoreError> {
        let mut rows = self.rows()?;
        rows.version += 1;
        Ok(change(&mut rows))
    }

    pub(crate) fn touches(&self) -> Vec<(Uuid, Timestamp)> {
        self.rows.lock().unwrap().touches.clone()
    }

    pub(crate) fn refresh_tokens(&self) -> Vec<Refresh> {
        self.rows.lock().unwrap().refresh.values().cloned().collect()
    }

    pub(crate) fn actors(&self) -> Vec<String> {
        self.rows.lock().unwrap().actors.clone()
    }
}

fn page_of<T: Clone>(all: Vec<T>, page: Page) -> Listing<T> {
    let count = all.len() as u64;
    let skip = usize::try_from(page.offset()).unwrap();
    Listing { count, page, data: all.into_iter().skip(skip).take(page.size as usize).collect() }
}

#[async_trait]
impl Directory for TestDirectory {
    async fn version(&self) -> Result<u64, StoreError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let version = self.rows().map(|rows| rows.version);
        tokio::task::yield_now().await; // so that others can come between
        version
    }

    async fn find_tenant(&self, _slug: &TenantSlug) -> Result<Option<Tenant>, StoreError> {
        Ok(None)
    }

    async fn find_tenant_by_id(&self, _id: TenantId) -> Result<Option<Tenant>, StoreError> {
        Ok(None)
    }

    async fn remove_tenant(&self, _id: TenantId, _by: &str) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError> {
        Ok(Vec::new())
    }

    async fn add_tenant(&self, _tenant: Tenant) -> Result<(), StoreError> {
        Ok(())
    }

    async fn find_client(&self, id: ClientId) -> Result<Option<Client>, StoreError> {
        self.looked_up.fetch_add(1, Ordering::SeqCst);
        Ok(self.rows()?.clients.get(&id).cloned())
    }

    async fn list_clients(&self, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError> {
        let rows = self.rows()?;
        Ok(page_of(rows.clients.values().filter(|client| client.tenant == tenant).cloned().collect(), page))
    }

    async fn put_client(&self, client: Client, by: &str) -> Result<(), StoreError> {
        self.change(|rows| {
            rows.actors.push(by.to_owned());
            rows.clients.insert(client.id, client);
        })
    }

    async fn remove_client(&self, tenant: TenantId, id: ClientId, by: &str) -> Result<bool, StoreError> {
        self.change(|rows| {
            rows.actors.push(by.to_owned());
            rows.refresh.retain(|_, refresh| refresh.client != id);
            rows.clients.remove(&id).is_some_and(|client| client.tenant == tenant)
        })
    }

    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError> {
        self.looked_up.fetch_add(1, Ordering::SeqCst);
        Ok(self.rows()?.keys.values().find(|key| key.hash == hash).cloned())
    }

    async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        Ok(self.rows()?.keys.get(&id).cloned())
    }

    async fn list_keys(&self, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError> {
        let rows = self.rows()?;
        Ok(page_of(rows.keys.values().filter(|key| key.tenant == tenant).cloned().collect(), page))
    }

    async fn put_key(&self, key: Key, by: &str) -> Result<(), StoreError> {
        self.change(|rows| {
            rows.actors.push(by.to_owned());
            rows.keys.insert(key.id, key);
        })
    }

    async fn remove_key(&self, tenant: TenantId, id: KeyId, by: &str) -> Result<bool, StoreError> {
        self.change(|rows| {
            rows.actors.push(by.to_owned());
            rows.keys.remove(&id).is_some_and(|key| key.tenant == tenant)
        })
    }

    async fn touch(&self, keys: &[(KeyId, Timestamp)], clients: &[(ClientId, Timestamp)]) -> Result<(), StoreError> {
        let mut rows = self.rows()?;
        rows.touches.extend(keys.iter().map(|(id, at)| (id.uuid(), *at)));
        rows.touches.extend(clients.iter().map(|(id, at)| (id.uuid(), *at)));
        Ok(())
    }

    async fn signing_keys(&self) -> Result<Vec<SealedKey>, StoreError> {
        let keys = self.rows()?.signing.clone();
        tokio::task::yield_now().await;
        Ok(keys)
    }

    async fn add_signing_key(&self, key: SealedKey, by: &str) -> Result<(), StoreError> {
        self.change(|rows| {
            rows.actors.push(by.to_owned());
            for old in rows.signing.iter_mut().filter(|old| old.retired.is_none()) {
                old.retired = Some(key.created);
            }
            rows.signing.insert(0, key);
        })
    }

    async fn add_refresh(&self, refresh: Refresh) -> Result<(), StoreError> {
        self.rows()?.refresh.insert(refresh.hash, refresh);
        Ok(())
    }

    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError> {
        Ok(self.rows()?.refresh.get(&hash).cloned())
    }

    async fn exchange_refresh(&self, hash: Digest, at: Timestamp, next: Refresh) -> Result<bool, StoreError> {
        if self.loses_exchanges.load(Ordering::SeqCst) {
            return Ok(false);
        }
        self.change(|rows| {
            let live = |refresh: &&mut Refresh| refresh.used.is_none() && refresh.revoked.is_none();
            let Some(old) = rows.refresh.get_mut(&hash).filter(live) else { return false };
            old.used = Some(at);
            rows.refresh.insert(next.hash, next);
            true
        })
    }

    async fn revoke_family(&self, family: FamilyId, at: Timestamp) -> Result<(), StoreError> {
        self.change(|rows| {
            rows.families.push(family);
            for refresh in rows.refresh.values_mut().filter(|refresh| refresh.family == family) {
                refresh.revoked = Some(at);
            }
        })
    }

    async fn revoke_token(&self, jti: Uuid, expires: Timestamp) -> Result<(), StoreError> {
        self.change(|rows| rows.tokens.push((jti, expires)))
    }

    async fn revocations(&self, now: Timestamp) -> Result<Revocations, StoreError> {
        let rows = self.rows()?;
        let tokens = rows.tokens.iter().filter(|(_, expires)| *expires > now).map(|(jti, _)| *jti).collect();
        Ok(Revocations { tokens, families: rows.families.clone() })
    }

    async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        self.change(|rows| {
            rows.refresh.retain(|_, refresh| refresh.expires > now);
            rows.tokens.retain(|(_, expires)| *expires > now);
        })
    }

    async fn verify(&self) -> Result<Verification, StoreError> {
        Ok(Verification::default())
    }
}
