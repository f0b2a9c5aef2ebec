//! The data of the directory, with the chain of its changes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::{Canonical as _, Digest, Name, StatementSettings, Timestamp, YearStart};
use ports::credential::{PasswordHash, SealedKey};
use ports::directory::{
    Client, DirectoryChange, DirectoryCheck, DirectoryDraft, DirectoryHead, Key, MOST_REFRESHES, Refresh, ShownOnce,
    SweepState, Swept, Tenant, Versioned,
};
use ports::factor_sets::FactorsCheck;
use ports::people::{Link, Session, User};
use ports::repeat::{RequestKey, outdated_before};
use ports::store::{StoreError, Verification};
use ports::{ClientId, FamilyId, Grant, Installation, KeyId, Maintenance, SessionId, TenantId, UserId};
use uuid::Uuid;

use super::factor_sets::{KeptSet, Sets};

/// Clients, keys or users by their identifier.
pub(super) type Table<Id, T> = BTreeMap<Id, Versioned<T>>;

#[derive(Default)]
pub(super) struct State {
    /// All of them, the oldest first.
    changes: Vec<DirectoryChange>,
    pub(super) tenants: BTreeMap<TenantId, Tenant>,
    pub(super) clients: Table<ClientId, Client>,
    pub(super) keys: Table<KeyId, Key>,
    pub(super) users: Table<UserId, User>,
    pub(super) passwords: BTreeMap<UserId, PasswordHash>,
    pub(super) sessions: BTreeMap<SessionId, Session>,
    pub(super) links: HashMap<Digest, Link>,
    /// The newest is last.
    pub(super) signing_keys: Vec<SealedKey>,
    pub(super) refreshes: HashMap<Digest, Refresh>,
    pub(super) families: BTreeSet<FamilyId>,
    /// Access tokens that are revoked, and when each runs out.
    pub(super) tokens: BTreeMap<Uuid, Timestamp>,
    /// What the sweeps have seen of the time, once there was one.
    swept: Option<SweepState>,
    /// What requests made whose answer holds a secret, and when.
    pub(super) shown_once: BTreeMap<(TenantId, RequestKey), (Timestamp, ShownOnce)>,
    /// The sets of published factors, by the digest of their file.
    pub(super) sets: Sets,
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
        for (_, user) in self.users.extract_if(.., |_, user| user.value.tenant == id) {
            draft.removed(&user);
            self.passwords.remove(&user.value.id);
        }
        draft.removed(&tenant);
        self.sessions.retain(|_, session| session.tenant != id);
        self.links.retain(|_, link| link.tenant != id);
        self.refreshes.retain(|_, refresh| refresh.tenant != id);
        self.shown_once.retain(|(tenant, _), _| *tenant != id);
        self.end(draft);
        true
    }

    /// Says what the grant's tenant is called. Whether it is there.
    pub(super) fn set_name(&mut self, grant: &Grant<Maintenance>, name: Name, now: Timestamp) -> bool {
        let Some(before) = self.tenants.get(&grant.tenant()).cloned() else { return false };
        if before.name != name {
            let mut draft = self.begin(now, grant.actor(), "set name");
            let after = Tenant { name, ..before.clone() };
            draft.updated(&before, &after);
            self.tenants.insert(after.id, after);
            self.end(draft);
        }
        true
    }

    /// Says on which day the years of the grant's tenant begin. Whether it is there.
    pub(super) fn set_year_start(&mut self, grant: &Grant<Maintenance>, start: YearStart, now: Timestamp) -> bool {
        let Some(before) = self.tenants.get(&grant.tenant()).cloned() else { return false };
        if before.year_start != start {
            let mut draft = self.begin(now, grant.actor(), "set year start");
            let after = Tenant { year_start: start, ..before.clone() };
            draft.updated(&before, &after);
            self.tenants.insert(after.id, after);
            self.end(draft);
        }
        true
    }

    /// Says what the grant's tenant states. Whether it is there; `Stale` unless it stated `seen`.
    pub(super) fn set_statement(
        &mut self,
        grant: &Grant<Maintenance>,
        seen: &StatementSettings,
        statement: StatementSettings,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Some(before) = self.tenants.get(&grant.tenant()).cloned() else { return Ok(false) };
        if before.statement != *seen {
            return Err(StoreError::Stale);
        }
        if before.statement != statement {
            let mut draft = self.begin(now, grant.actor(), "set statement");
            let after = Tenant { statement, ..before.clone() };
            draft.updated(&before, &after);
            self.tenants.insert(after.id, after);
            self.end(draft);
        }
        Ok(true)
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

    /// Gives each tenant its new epoch, and forgets every token.
    pub(super) fn renew_epochs(
        &mut self,
        grant: &Grant<Maintenance, Installation>,
        epochs: &BTreeMap<TenantId, Uuid>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if !self.tenants.keys().eq(epochs.keys()) {
            return Err(StoreError::Stale);
        }
        let mut draft = self.begin(now, grant.actor(), "renew epochs");
        for (tenant, epoch) in self.tenants.values_mut().zip(epochs.values()) {
            let after = Tenant { epoch: *epoch, ..tenant.clone() };
            draft.updated(tenant, &after);
            *tenant = after;
        }
        for key in self.signing_keys.drain(..) {
            draft.removed(&key);
        }
        self.refreshes.clear();
        self.families.clear();
        self.tokens.clear();
        self.sessions.clear();
        self.links.clear();
        self.end(draft);
        Ok(())
    }

    /// Forgets what certainly ran out, which no cache can hold: no change.
    pub(super) fn sweep(&mut self, now: Timestamp) -> Swept {
        let before = self.expiring();
        self.shown_once.retain(|_, (at, _)| *at > outdated_before(now));
        let behind = SweepState::behind(self.swept, now);
        let (state, past) = SweepState::advance(self.swept, now);
        self.swept = Some(state);
        if let Some(past) = past {
            self.refreshes.retain(|_, refresh| refresh.expires > past);
            let live: HashSet<FamilyId> = self.refreshes.values().map(|refresh| refresh.family).collect();
            self.families.retain(|family| live.contains(family));
            self.tokens.retain(|_, expires| *expires > past);
            self.sessions.retain(|_, session| session.is_live(past));
            self.links.retain(|_, link| link.expires > past);
        }
        Swept { removed: (before - self.expiring()) as u64, behind, past }
    }

    /// How many records there are that run out.
    fn expiring(&self) -> usize {
        let of_people = self.sessions.len() + self.links.len();
        self.shown_once.len() + self.refreshes.len() + self.families.len() + self.tokens.len() + of_people
    }

    pub(super) fn verify(&self) -> Verification {
        let mut check = DirectoryCheck::default();
        self.changes.iter().for_each(|change| check.change(change));
        self.tenants.values().for_each(|tenant| check.record(tenant, tenant.digest()));
        self.clients.values().for_each(|client| check.record(client, client.digest()));
        self.keys.values().for_each(|key| check.record(key, key.digest()));
        for user in self.users.values() {
            check.record(user, user.digest());
            check.password(user.value.id, user.value.password, self.passwords.get(&user.value.id));
        }
        self.signing_keys.iter().for_each(|key| check.record(key, key.digest()));
        for KeptSet { installed, rows } in self.sets.values() {
            check.record(installed, installed.digest());
            let mut factors = FactorsCheck::of(installed);
            for row in rows.values() {
                factors.row(&mut check, row.cell.as_str(), &row.text, row.digest);
            }
            factors.finish(&mut check);
        }
        check.finish(self.head())
    }
}
