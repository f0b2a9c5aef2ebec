//! Clients and keys: adding, changing, rotating and removing them. All of it needs `admin`.

mod change;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use ports::credential::Secrets;
use ports::directory::{Client, Directory, Key};
use ports::inbound::{ClientView, CredentialDraft, Credentials, Error, KeyView, NewClient, NewKey};
use ports::repo::{Listing, Page};
use ports::world::{Clock, Ids};
use ports::{Caller, ClientId, Grant, KeyId, Permission, Version, permit};

use super::access::{CLIENT_SECRET_PREFIX, CredentialCache, KEY_PREFIX, Trouble};
use change::{Members, after, changed, expect, new_members, version};

/// Characters of a key that tell it apart: its prefix and six random ones.
const SHOWN: usize = KEY_PREFIX.len() + 6;

/// Clients and keys over a directory.
pub struct CredentialService {
    directory: Arc<dyn Directory>,
    secrets: Arc<dyn Secrets>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    cache: Arc<CredentialCache>,
    /// One change at a time reads, compares and writes.
    changing: tokio::sync::Mutex<()>,
}

impl CredentialService {
    /// The use cases over that directory. The cache is the one that access checks credentials with.
    #[must_use]
    pub fn new(
        directory: Arc<dyn Directory>,
        secrets: Arc<dyn Secrets>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        cache: Arc<CredentialCache>,
    ) -> Self {
        Self { directory, secrets, clock, ids, cache, changing: tokio::sync::Mutex::default() }
    }

    async fn client(&self, grant: &Grant, id: ClientId) -> Result<Client, Error> {
        let found = self.directory.find_client(id).await?;
        found.filter(|client| client.tenant == grant.tenant()).ok_or(Error::NotFound)
    }

    async fn key(&self, grant: &Grant, id: KeyId) -> Result<Key, Error> {
        let found = self.directory.find_key(id).await?;
        found.filter(|key| key.tenant == grant.tenant()).ok_or(Error::NotFound)
    }

    async fn put_client(&self, grant: &Grant, client: Client) -> Result<ClientView, Error> {
        let done = self.directory.put_client(client.clone(), grant.actor()).await;
        self.cache.expire(); // whether it failed before or after it was written is not known
        done?;
        Ok(client_view(client))
    }

    async fn put_key(&self, grant: &Grant, key: Key) -> Result<KeyView, Error> {
        let done = self.directory.put_key(key.clone(), grant.actor()).await;
        self.cache.expire();
        done?;
        Ok(key_view(key))
    }
}

#[async_trait]
impl Credentials for CredentialService {
    async fn list_clients(&self, caller: &Caller, page: Page) -> Result<Listing<ClientView>, Error> {
        let grant = permit(caller, Permission::Admin)?;
        Ok(self.directory.list_clients(grant.tenant(), page).await?.map(client_view))
    }

    async fn get_client(&self, caller: &Caller, id: ClientId) -> Result<ClientView, Error> {
        let grant = permit(caller, Permission::Admin)?;
        Ok(client_view(self.client(&grant, id).await?))
    }

    async fn add_client(&self, caller: &Caller, draft: CredentialDraft) -> Result<NewClient, Error> {
        let grant = permit(caller, Permission::Admin)?;
        let now = self.clock.now();
        let Members { name, permissions, expires } = new_members(draft, now)?;
        let secret = self.secrets.generate(CLIENT_SECRET_PREFIX).map_err(Trouble::from)?;
        let client = Client {
            id: self.ids.next(now).into(),
            tenant: grant.tenant(),
            name,
            permissions,
            secret_hash: self.secrets.hash(&secret.0),
            created: now,
            updated: now,
            expires,
            last_used: None,
        };
        Ok(NewClient { view: self.put_client(&grant, client).await?, secret })
    }

    async fn update_client(
        &self,
        caller: &Caller,
        id: ClientId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<ClientView, Error> {
        let grant = permit(caller, Permission::Admin)?;
        let _turn = self.changing.lock().await;
        let mut client = self.client(&grant, id).await?;
        expect(seen, client.updated)?;
        let now = self.clock.now();
        let before = Members { name: client.name.clone(), permissions: client.permissions, expires: client.expires };
        let Some(members) = changed(&before, draft, now)? else { return Ok(client_view(client)) };
        Members { name: client.name, permissions: client.permissions, expires: client.expires } = members;
        client.updated = after(client.updated, now);
        self.put_client(&grant, client).await
    }

    async fn rotate_client(&self, caller: &Caller, id: ClientId) -> Result<NewClient, Error> {
        let grant = permit(caller, Permission::Admin)?;
        let _turn = self.changing.lock().await;
        let mut client = self.client(&grant, id).await?;
        let secret = self.secrets.generate(CLIENT_SECRET_PREFIX).map_err(Trouble::from)?;
        client.secret_hash = self.secrets.hash(&secret.0);
        client.updated = after(client.updated, self.clock.now());
        Ok(NewClient { view: self.put_client(&grant, client).await?, secret })
    }

    async fn remove_client(&self, caller: &Caller, id: ClientId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, Permission::Admin)?;
        let _turn = self.changing.lock().await;
        expect(seen, self.client(&grant, id).await?.updated)?;
        let removed = self.directory.remove_client(grant.tenant(), id, grant.actor()).await;
        self.cache.expire();
        if removed? { Ok(()) } else { Err(Error::NotFound) }
    }

    async fn list_keys(&self, caller: &Caller, page: Page) -> Result<Listing<KeyView>, Error> {
        let grant = permit(caller, Permission::Admin)?;
        Ok(self.directory.list_keys(grant.tenant(), page).await?.map(key_view))
    }

    async fn get_key(&self, caller: &Caller, id: KeyId) -> Result<KeyView, Error> {
        let grant = permit(caller, Permission::Admin)?;
        Ok(key_view(self.key(&grant, id).await?))
    }

    async fn add_key(&self, caller: &Caller, draft: CredentialDraft) -> Result<NewKey, Error> {
        let grant = permit(caller, Permission::Admin)?;
        let now = self.clock.now();
        let Members { name, permissions, expires } = new_members(draft, now)?;
        let secret = self.secrets.generate(KEY_PREFIX).map_err(Trouble::from)?;
        let key = Key {
            id: self.ids.next(now).into(),
            tenant: grant.tenant(),
            name,
            permissions,
            prefix: secret.0.chars().take(SHOWN).collect(),
            hash: self.secrets.hash(&secret.0),
            created: now,
            updated: now,
            expires,
            last_used: None,
        };
        Ok(NewKey { view: self.put_key(&grant, key).await?, secret })
    }

    async fn update_key(
        &self,
        caller: &Caller,
        id: KeyId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<KeyView, Error> {
        let grant = permit(caller, Permission::Admin)?;
        let _turn = self.changing.lock().await;
        let mut key = self.key(&grant, id).await?;
        expect(seen, key.updated)?;
        let now = self.clock.now();
        let before = Members { name: key.name.clone(), permissions: key.permissions, expires: key.expires };
        let Some(members) = changed(&before, draft, now)? else { return Ok(key_view(key)) };
        Members { name: key.name, permissions: key.permissions, expires: key.expires } = members;
        key.updated = after(key.updated, now);
        self.put_key(&grant, key).await
    }

    async fn remove_key(&self, caller: &Caller, id: KeyId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, Permission::Admin)?;
        let _turn = self.changing.lock().await;
        expect(seen, self.key(&grant, id).await?.updated)?;
        let removed = self.directory.remove_key(grant.tenant(), id, grant.actor()).await;
        self.cache.expire();
        if removed? { Ok(()) } else { Err(Error::NotFound) }
    }
}

fn client_view(client: Client) -> ClientView {
    ClientView { version: version(client.updated), client }
}

fn key_view(key: Key) -> KeyView {
    KeyView { version: version(key.updated), key }
}
