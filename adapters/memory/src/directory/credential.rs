//! Clients, keys and users: what they have in common in the store.

use domain::Timestamp;
use ports::directory::{Client, Credential, Entry, Key, Versioned};
use ports::people::User;
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, TenantCredentials, TenantId, Version, Write};

use super::state::{self, State};

/// The table of those credentials.
type Table<T> = state::Table<<T as Credential>::Id, T>;

/// A client, a key or a user, of which the state has a table.
pub(super) trait CredentialTable: Credential
where
    Versioned<Self>: Entry,
{
    fn table(state: &mut State) -> &mut Table<Self>;
}

impl CredentialTable for Client {
    fn table(state: &mut State) -> &mut Table<Self> {
        &mut state.clients
    }
}

impl CredentialTable for Key {
    fn table(state: &mut State) -> &mut Table<Self> {
        &mut state.keys
    }
}

impl CredentialTable for User {
    fn table(state: &mut State) -> &mut Table<Self> {
        &mut state.users
    }
}

pub(super) fn find<T: CredentialTable>(table: &Table<T>, tenant: TenantId, id: T::Id) -> Option<Versioned<T>>
where
    Versioned<T>: Entry,
{
    table.get(&id).filter(|there| there.value.tenant() == tenant).cloned()
}

pub(super) fn list<T: CredentialTable>(table: &Table<T>, tenant: TenantId, page: Page) -> Listing<Versioned<T>>
where
    Versioned<T>: Entry,
{
    let all: Vec<_> = table.values().filter(|there| there.value.tenant() == tenant).collect();
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let count = all.len() as u64;
    Listing { count, page, data: all.into_iter().skip(before).take(page.size as usize).cloned().collect() }
}

pub(super) fn touch<T: CredentialTable>(table: &mut Table<T>, used: &[(T::Id, Timestamp)])
where
    Versioned<T>: Entry,
{
    for (id, at) in used {
        if let Some(there) = table.get_mut(id) {
            let last_used = there.value.last_used().max(Some(*at));
            there.value = there.value.clone().with_last_used(last_used);
        }
    }
}

impl State {
    pub(super) fn add<T: CredentialTable>(
        &mut self,
        grant: &Grant<Write, TenantCredentials>,
        now: Timestamp,
        cause: &str,
        value: T,
    ) -> Result<Version, StoreError>
    where
        Versioned<T>: Entry,
    {
        if !self.tenants.contains_key(&grant.tenant()) {
            return Err(StoreError::Conflict(Conflict::NoTenant(grant.tenant())));
        }
        let id = value.id();
        if T::table(self).contains_key(&id) {
            return Err(StoreError::Conflict(Conflict::Exists(id.into())));
        }
        let mut draft = self.begin(now, grant.actor(), cause);
        let added = Versioned { value, version: draft.version() };
        draft.added(&added);
        let version = added.version;
        T::table(self).insert(id, added);
        self.end(draft);
        Ok(version)
    }

    pub(super) fn update<T: CredentialTable>(
        &mut self,
        grant: &Grant<Write, TenantCredentials>,
        now: Timestamp,
        cause: &str,
        value: T,
        seen: Version,
    ) -> Result<Version, StoreError>
    where
        Versioned<T>: Entry,
    {
        let mut draft = self.begin(now, grant.actor(), cause);
        let (id, version) = (value.id(), draft.version());
        let there = T::table(self).get_mut(&id);
        let there = there.filter(|there| there.value.tenant() == grant.tenant() && there.version == seen);
        let Some(there) = there else { return Err(StoreError::Stale) };
        let updated = Versioned { value: value.with_last_used(there.value.last_used()), version };
        draft.updated(there, &updated);
        *there = updated;
        self.end(draft);
        Ok(version)
    }

    pub(super) fn remove<T: CredentialTable>(
        &mut self,
        grant: &Grant<Write, TenantCredentials>,
        now: Timestamp,
        cause: &str,
        id: T::Id,
        seen: Option<Version>,
    ) -> Result<bool, StoreError>
    where
        Versioned<T>: Entry,
    {
        let mut draft = self.begin(now, grant.actor(), cause);
        let Some(there) = find(T::table(self), grant.tenant(), id) else { return Ok(false) };
        if seen.is_some_and(|seen| seen != there.version) {
            return Err(StoreError::Stale);
        }
        draft.removed(&there);
        T::table(self).remove(&id);
        self.end(draft);
        Ok(true)
    }
}
