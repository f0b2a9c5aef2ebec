//! Clients and keys: adding, changing, rotating and removing them. All of it needs `admin`.

mod change;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{FaultCode, Faults, Timestamp};
use ports::clock::Clock;
use ports::credential::Secrets;
use ports::directory::{Client, Directory, Key, Versioned};
use ports::id_source::Ids;
use ports::inbound::{ClientView, CredentialDraft, Credentials, Error, KeyView, NewClient, NewKey};
use ports::repeat::KeyedRequest;
use ports::repo::{Listing, Page};
use ports::store::StoreError;
use ports::{
    Caller, ClientId, Grant, KeyId, Permission, Permissions, Read, TenantCredentials, Version, Write, demand, permit,
};

use super::access::{AccessFailure, CLIENT_SECRET_PREFIX, CredentialCache, KEY_PREFIX};
use super::activity::fresh;
pub(super) use change::Attempts;
use change::{Members, changed, new_members};

/// Characters of a key that tell it apart: its prefix and six random ones.
const SHOWN: usize = KEY_PREFIX.len() + 6;

/// Clients and keys over a directory.
pub struct CredentialService {
    directory: Arc<dyn Directory>,
    secrets: Arc<dyn Secrets>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    cache: Arc<CredentialCache>,
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
        Self { directory, secrets, clock, ids, cache }
    }

    async fn client(&self, grant: &Grant<Read, TenantCredentials>, id: ClientId) -> Result<Versioned<Client>, Error> {
        self.directory.find_client(grant, id).await?.ok_or(Error::NotFound)
    }

    async fn key(&self, grant: &Grant<Read, TenantCredentials>, id: KeyId) -> Result<Versioned<Key>, Error> {
        self.directory.find_key(grant, id).await?.ok_or(Error::NotFound)
    }

    /// Refuses a request that made something before, whatever stands against it now.
    async fn check_new(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        once: Option<KeyedRequest>,
        now: Timestamp,
    ) -> Result<(), Error> {
        let Some(request) = once else { return Ok(()) };
        match self.directory.shown_once(&grant.to_read(), request.key, now).await? {
            Some(made) => Err(made.conflict(&request).into()),
            None => Ok(()),
        }
    }

    /// Passes on what became of a change. Whether one that failed was written is not known, so the cache expires.
    fn changed<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        self.cache.expire();
        done
    }

    async fn write_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
        once: Option<KeyedRequest>,
    ) -> Result<ClientView, Error> {
        let written = self.directory.update_client_once(grant, client.clone(), seen, once).await;
        Ok(ClientView { version: self.changed(written)?, client })
    }

    async fn write_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        seen: Version,
    ) -> Result<KeyView, Error> {
        let written = self.directory.update_key(grant, key.clone(), seen).await;
        Ok(KeyView { version: self.changed(written)?, key })
    }
}

#[async_trait]
impl Credentials for CredentialService {
    async fn list_clients(&self, caller: &Caller, page: Page) -> Result<Listing<ClientView>, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        Ok(self.directory.list_clients(&grant, page).await?.map(client_view))
    }

    async fn get_client(&self, caller: &Caller, id: ClientId) -> Result<ClientView, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        Ok(client_view(self.client(&grant, id).await?))
    }

    async fn add_client_once(
        &self,
        caller: &Caller,
        draft: CredentialDraft,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let now = self.clock.now();
        self.check_new(&grant, once, now).await?;
        let Members { name, permissions, expires } = new_members(draft, now)?;
        let secret = self.secrets.generate(CLIENT_SECRET_PREFIX).map_err(AccessFailure::from)?;
        let client = Client {
            id: self.ids.next(now).into(),
            tenant: grant.tenant(),
            name,
            permissions,
            secret_hash: self.secrets.hash(&secret.0),
            created: now,
            updated: now,
            expires,
            partner: None,
            last_used: None,
        };
        let added = self.directory.add_client_once(&grant, client.clone(), once).await;
        Ok(NewClient { view: ClientView { version: self.changed(added)?, client }, secret })
    }

    async fn update_client(
        &self,
        caller: &Caller,
        id: ClientId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<ClientView, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let mut attempts = Attempts::new(seen);
        loop {
            let Versioned { value: mut client, version } = self.client(&grant.to_read(), id).await?;
            fresh(version, seen)?;
            let now = self.clock.now();
            let before =
                Members { name: client.name.clone(), permissions: client.permissions, expires: client.expires };
            let Some(members) = changed(&before, draft.clone(), now)? else {
                return Ok(ClientView { version, client });
            };
            // Beside reading what is shared, nothing is a partner's: what it may read is said by sharing.
            if client.partner.is_some() && members.permissions != Permissions::from_iter([Permission::FootprintRead]) {
                let detail =
                    "must be footprint:read alone: the client is a partner's, which may read what is shared with it";
                return Err(Faults::one_coded(FaultCode::Mismatch, "/permissions", detail).into());
            }
            Members { name: client.name, permissions: client.permissions, expires: client.expires } = members;
            client.updated = client.updated.max(now);
            if let Some(done) = attempts.ended(self.write_client(&grant, client, version, None).await) {
                return done;
            }
        }
    }

    async fn rotate_client_once(
        &self,
        caller: &Caller,
        id: ClientId,
        seen: Option<Version>,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        self.check_new(&grant, once, self.clock.now()).await?;
        let secret = self.secrets.generate(CLIENT_SECRET_PREFIX).map_err(AccessFailure::from)?;
        let mut attempts = Attempts::new(seen);
        loop {
            let Versioned { value: mut client, version } = self.client(&grant.to_read(), id).await?;
            fresh(version, seen)?;
            client.secret_hash = self.secrets.hash(&secret.0);
            client.updated = client.updated.max(self.clock.now());
            if let Some(done) = attempts.ended(self.write_client(&grant, client, version, once).await) {
                return Ok(NewClient { view: done?, secret });
            }
        }
    }

    async fn remove_client(&self, caller: &Caller, id: ClientId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let removed = self.directory.remove_client(&grant, id, seen).await;
        if self.changed(removed)? { Ok(()) } else { Err(Error::NotFound) }
    }

    async fn list_keys(&self, caller: &Caller, page: Page) -> Result<Listing<KeyView>, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        Ok(self.directory.list_keys(&grant, page).await?.map(key_view))
    }

    async fn get_key(&self, caller: &Caller, id: KeyId) -> Result<KeyView, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        Ok(key_view(self.key(&grant, id).await?))
    }

    async fn add_key_once(
        &self,
        caller: &Caller,
        draft: CredentialDraft,
        once: Option<KeyedRequest>,
    ) -> Result<NewKey, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let now = self.clock.now();
        self.check_new(&grant, once, now).await?;
        let Members { name, permissions, expires } = new_members(draft, now)?;
        let secret = self.secrets.generate(KEY_PREFIX).map_err(AccessFailure::from)?;
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
        let added = self.directory.add_key_once(&grant, key.clone(), once).await;
        Ok(NewKey { view: KeyView { version: self.changed(added)?, key }, secret })
    }

    async fn update_key(
        &self,
        caller: &Caller,
        id: KeyId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<KeyView, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let mut attempts = Attempts::new(seen);
        loop {
            let Versioned { value: mut key, version } = self.key(&grant.to_read(), id).await?;
            fresh(version, seen)?;
            let now = self.clock.now();
            let before = Members { name: key.name.clone(), permissions: key.permissions, expires: key.expires };
            let Some(members) = changed(&before, draft.clone(), now)? else { return Ok(KeyView { version, key }) };
            Members { name: key.name, permissions: key.permissions, expires: key.expires } = members;
            key.updated = key.updated.max(now);
            if let Some(done) = attempts.ended(self.write_key(&grant, key, version).await) {
                return done;
            }
        }
    }

    async fn remove_key(&self, caller: &Caller, id: KeyId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let removed = self.directory.remove_key(&grant, id, seen).await;
        if self.changed(removed)? { Ok(()) } else { Err(Error::NotFound) }
    }
}

fn client_view(client: Versioned<Client>) -> ClientView {
    ClientView { version: client.version, client: client.value }
}

fn key_view(key: Versioned<Key>) -> KeyView {
    KeyView { version: key.version, key: key.value }
}
