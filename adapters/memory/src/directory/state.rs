//! The data of the directory, with the chain of its changes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::{Canonical as _, Digest, Timestamp};
use ports::credential::SealedKey;
use ports::directory::{
    Client, DirectoryChange, DirectoryCheck, DirectoryDraft, DirectoryHead, Key, MOST_REFRESHES, Refresh, Tenant,
    Versioned,
};
use ports::store::Verification;
use ports::{ClientId, FamilyId, Grant, KeyId, Maintenance, TenantId};
use uuid::Uuid;

/// Clients or keys by their identifier.
pub(super) type Table<Id, T> = BTreeMap<Id, Versioned<T>>;

#[derive(Default)]
pub(super) struct State {
    /// All of them, the oldest first.
    changes: Vec<DirectoryChange>,
    pub(super) tenants: BTreeMap<TenantId, Tenant>,
    pub(super) clients: Table<ClientId, Client>,
    pub(super) keys: Table<KeyId, Key>,
    /// The newest is last.
    pub(super) signing_keys: Vec<SealedKey>,
    pub(super) refreshes: HashMap<Digest, Refresh>,
    pub(super) families: BTreeSet<FamilyId>,
    /// Access tokens that are revoked, and when each runs out.
    pub(super) tokens: BTreeMap<Uuid, Timestamp>,
}

impl State {
    pub(super) fn head(&self) -> DirectoryHead {
        self.changes.last().map_or(DirectoryHead::NEW, DirectoryChange::head)
    }

    /// Begins a change. It counts when it [ends](Self::end), which happens under the same lock.
    pub(super) fn begin(&self, now: Timestamp, actor: &str, cause: &str) -> DirectoryDraft {
        DirectoryDraft::behind(self.head(), now, actor, cause)
    }

    pub(super) fn end(&mut self, draft: DirectoryDraft) {
        self.changes.extend(draft.close());
    }

    /// Removes the grant's tenant with all that is its own.
    pub(super) fn remove_tenant(&mut self, grant: &Grant<Maintenance>, now: Timestamp) -> bool {
        let id = grant.tenant();
        let mut draft = self.begin(now, grant.actor(), "remove tenant");
        let Some(tenant) = self.tenants.remove(&id) else { return false };
        for (_, client) in self.clients.extract_if(.., |_, client| client.value.tenant == id) {
            draft.removed(&client);
        }
        for (_, key) in self.keys.extract_if(.., |_, key| key.value.tenant == id) {
            draft.removed(&key);
        }
        draft.removed(&tenant);
        self.refreshes.retain(|_, refresh| refresh.tenant != id);
        self.end(draft);
        true
    }

    /// Forgets the families of the client's oldest live refresh tokens, where with a new one there are too many.
    pub(super) fn forget_oldest_refreshes(&mut self, newest: &Refresh) {
        let is_live = |one: &&Refresh| one.client == newest.client && one.used.is_none() && one.revoked.is_none();
        let mut live: Vec<_> = self.refreshes.values().filter(is_live).map(|one| (one.created, one.family)).collect();
        live.sort_unstable();
        let too_many = live.len().saturating_sub(MOST_REFRESHES - 1);
        let forgotten: HashSet<FamilyId> = live.into_iter().take(too_many).map(|(_, family)| family).collect();
        self.refreshes.retain(|_, one| !forgotten.contains(&one.family));
    }

    /// Forgets what ran out, which no cache can hold: no change.
    pub(super) fn sweep(&mut self, now: Timestamp) {
        let live = self.refreshes.values().filter(|refresh| refresh.expires > now);
        let live: HashSet<FamilyId> = live.map(|refresh| refresh.family).collect();
        self.refreshes.retain(|_, refresh| live.contains(&refresh.family));
        self.families.retain(|family| live.contains(family));
        self.tokens.retain(|_, expires| *expires > now);
    }

    pub(super) fn verify(&self) -> Verification {
        let mut check = DirectoryCheck::default();
        self.changes.iter().for_each(|change| check.change(change));
        self.tenants.values().for_each(|tenant| check.record(tenant, tenant.digest()));
        self.clients.values().for_each(|client| check.record(client, client.digest()));
        self.keys.values().for_each(|key| check.record(key, key.digest()));
        self.signing_keys.iter().for_each(|key| check.record(key, key.digest()));
        check.finish(self.head())
    }
}
