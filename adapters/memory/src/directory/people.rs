//! Users, their sessions and once-links.

use async_trait::async_trait;
use domain::{Digest, Timestamp};
use ports::credential::PasswordHash;
use ports::directory::{Event, Versioned};
use ports::people::{AuthenticatedUser, Identity, Link, People, Session, SignInName, User, check_users};
use ports::repo::{Listing, Page};
use ports::store::{Conflict, StoreError};
use ports::{Grant, Installation, Maintenance, Read, SessionId, TenantCredentials, TenantId, UserId, Version, Write};

use super::state::State;
use super::{MemoryDirectory, credential};

#[async_trait]
impl People for MemoryDirectory {
    async fn has_users(&self, tenant: TenantId) -> Result<bool, StoreError> {
        Ok(self.state().users.values().any(|user| user.value.tenant == tenant))
    }

    async fn find_user_by_name(
        &self,
        tenant: TenantId,
        name: &SignInName,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        Ok(self.state().users.values().find(|user| user.value.tenant == tenant && user.value.name == *name).cloned())
    }

    async fn find_user_by_identity(
        &self,
        tenant: TenantId,
        identity: &Identity,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        let is_it =
            |user: &&Versioned<User>| user.value.tenant == tenant && user.value.identity.as_ref() == Some(identity);
        Ok(self.state().users.values().find(is_it).cloned())
    }

    async fn find_password(&self, id: UserId) -> Result<Option<PasswordHash>, StoreError> {
        Ok(self.state().passwords.get(&id).cloned())
    }

    async fn find_session(&self, hash: Digest) -> Result<Option<(Session, Versioned<User>)>, StoreError> {
        let state = self.state();
        let found = state.sessions.values().find(|session| session.hash == hash);
        Ok(found.and_then(|session| Some((session.clone(), state.users.get(&session.user)?.clone()))))
    }

    async fn find_link(&self, hash: Digest) -> Result<Option<(Link, Versioned<User>)>, StoreError> {
        let state = self.state();
        Ok(state.links.get(&hash).and_then(|link| Some((link.clone(), state.users.get(&link.user)?.clone()))))
    }

    async fn begin_session(
        &self,
        user: &AuthenticatedUser,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<(), StoreError> {
        user.check_session(&session)?;
        let mut state = self.state();
        state.must_be_as_authenticated(user)?;
        state.begin_session(self.clock.now(), &user.user().actor(), session, earlier);
        Ok(())
    }

    async fn redeem_link(
        &self,
        user: &AuthenticatedUser,
        hash: Digest,
        at: Timestamp,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<bool, StoreError> {
        user.check_session(&session)?;
        let mut state = self.state();
        let mut draft = state.begin(self.clock.now(), &user.user().actor(), "use link");
        let own = user.user().id;
        let Some(link) = state.links.get_mut(&hash).filter(|link| link.user == own && link.is_good(at)) else {
            return Ok(false);
        };
        link.used = Some(at);
        draft.happened(&Event::LinkUsed { link: hash, session: session.id, user: own, at });
        state.end(draft);
        state.begin_session(self.clock.now(), &user.user().actor(), session, earlier);
        Ok(true)
    }

    async fn list_own_sessions(&self, user: &AuthenticatedUser) -> Result<Vec<Session>, StoreError> {
        Ok(self.state().sessions_of(user.user().tenant, user.user().id))
    }

    async fn end_own_session(
        &self,
        user: &AuthenticatedUser,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let own = user.user().id;
        Ok(self.state().end_session(self.clock.now(), &user.user().actor(), id, at, |session| session.user == own))
    }

    async fn update_own(
        &self,
        user: &AuthenticatedUser,
        changed: User,
        password: Option<PasswordHash>,
        renewed: Option<Session>,
    ) -> Result<Version, StoreError> {
        user.check_own(&changed, password.as_ref(), renewed.as_ref())?;
        let mut state = self.state();
        let version = state.replace_user(self.clock.now(), &user.user().actor(), changed.clone(), user.version())?;
        if let Some(password) = password {
            state.passwords.insert(changed.id, password);
        }
        if let Some(session) = renewed {
            state.begin_session(self.clock.now(), &user.user().actor(), session, None);
        }
        Ok(version)
    }

    async fn find_user(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: UserId,
    ) -> Result<Option<Versioned<User>>, StoreError> {
        Ok(credential::find(&self.state().users, grant.tenant(), id))
    }

    async fn list_users(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<User>>, StoreError> {
        Ok(credential::list(&self.state().users, grant.tenant(), page))
    }

    async fn add_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        password: Option<PasswordHash>,
    ) -> Result<Version, StoreError> {
        user.check_tenant(grant)?;
        user.check_password(password.as_ref())?;
        let mut state = self.state();
        if state.tenants.contains_key(&user.tenant) && !state.users.contains_key(&user.id) {
            check_users(&state.others(&user), None, Some(&user))?;
        }
        let id = user.id;
        let version = state.add(grant, self.clock.now(), "add user", user)?;
        if let Some(password) = password {
            state.passwords.insert(id, password);
        }
        Ok(version)
    }

    async fn update_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        seen: Version,
    ) -> Result<Version, StoreError> {
        user.check_tenant(grant)?;
        let mut state = self.state();
        if let Some(there) = credential::find(&state.users, user.tenant, user.id)
            && user.password.is_some()
            && user.password != there.value.password
        {
            return Err(StoreError::Stale);
        }
        state.replace_user(self.clock.now(), grant.actor(), user, seen)
    }

    async fn remove_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: UserId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let mut state = self.state();
        if let Some(there) = credential::find(&state.users, grant.tenant(), id)
            && seen.is_none_or(|seen| seen == there.version)
        {
            check_users(&state.others(&there.value), Some(&there.value), None)?;
        }
        state.remove_user(grant, self.clock.now(), id, seen)
    }

    async fn take_back_user(&self, grant: &Grant<Maintenance>, id: UserId) -> Result<bool, StoreError> {
        self.state().remove_user(&grant.to_write_credentials(), self.clock.now(), id, None)
    }

    async fn add_link(&self, grant: &Grant<Write, TenantCredentials>, link: Link) -> Result<(), StoreError> {
        link.check_tenant(grant)?;
        let mut state = self.state();
        if credential::find(&state.users, link.tenant, link.user).is_none() {
            return Err(StoreError::Conflict(Conflict::NoUser(link.user)));
        }
        state.links.retain(|_, before| before.user != link.user);
        state.links.insert(link.hash, link);
        Ok(())
    }

    async fn list_sessions(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        user: UserId,
    ) -> Result<Vec<Session>, StoreError> {
        Ok(self.state().sessions_of(grant.tenant(), user))
    }

    async fn end_session(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let tenant = grant.tenant();
        Ok(self.state().end_session(self.clock.now(), grant.actor(), id, at, |session| session.tenant == tenant))
    }

    async fn touch_sessions(
        &self,
        _: &Grant<Maintenance, Installation>,
        seen: &[(SessionId, Timestamp)],
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        for (id, at) in seen {
            let Some(session) = state.sessions.get_mut(id) else { continue };
            session.last_seen = session.last_seen.max(*at);
            let user = session.user;
            credential::touch(&mut state.users, &[(user, *at)]);
        }
        Ok(())
    }
}

impl State {
    /// The other users of a user's tenant.
    fn others(&self, user: &User) -> Vec<User> {
        let is_other = |other: &&User| other.tenant == user.tenant && other.id != user.id;
        self.users.values().map(|other| &other.value).filter(is_other).cloned().collect()
    }

    fn remove_user(
        &mut self,
        grant: &Grant<Write, TenantCredentials>,
        now: Timestamp,
        id: UserId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError> {
        let was_there = self.remove::<User>(grant, now, "remove user", id, seen)?;
        if was_there {
            self.passwords.remove(&id);
            self.sign_out(id);
        }
        Ok(was_there)
    }

    fn must_be_as_authenticated(&self, user: &AuthenticatedUser) -> Result<(), StoreError> {
        let there = self.users.get(&user.user().id);
        there.filter(|there| there.version == user.version()).map(drop).ok_or(StoreError::Stale)
    }

    /// A user's sessions, the newest first.
    fn sessions_of(&self, tenant: TenantId, user: UserId) -> Vec<Session> {
        let own = self.sessions.values().filter(|session| session.user == user && session.tenant == tenant);
        let mut own: Vec<Session> = own.cloned().collect();
        own.sort_by_key(|session| std::cmp::Reverse((session.created, session.id)));
        own
    }

    /// Begins a session, and ends that of the hash `earlier` and the oldest of its user's where there are too many.
    fn begin_session(&mut self, now: Timestamp, actor: &str, session: Session, earlier: Option<Digest>) {
        let is_earlier = |other: &&Session| Some(other.hash) == earlier && other.tenant == session.tenant;
        let mut over: Vec<Session> = self.sessions.values().filter(is_earlier).cloned().collect();
        let mut own = self.sessions_of(session.tenant, session.user);
        own.retain(|old| !over.iter().any(|other| other.id == old.id));
        over.extend(own.into_iter().skip(Session::MOST - 1));
        if !over.is_empty() {
            let mut draft = self.begin(now, actor, "begin session");
            for old in over {
                draft.happened(&Event::SessionEnded { session: old.id, user: old.user, at: session.created });
                self.sessions.remove(&old.id);
            }
            self.end(draft);
        }
        self.sessions.insert(session.id, session);
    }

    fn end_session(
        &mut self,
        now: Timestamp,
        actor: &str,
        id: SessionId,
        at: Timestamp,
        is_meant: impl FnOnce(&Session) -> bool,
    ) -> bool {
        let Some(user) = self.sessions.get(&id).filter(|session| is_meant(session)).map(|session| session.user) else {
            return false;
        };
        let mut draft = self.begin(now, actor, "end session");
        draft.happened(&Event::SessionEnded { session: id, user, at });
        self.sessions.remove(&id);
        self.end(draft);
        true
    }

    /// Ends all sessions of a user, and forgets its links.
    fn sign_out(&mut self, user: UserId) {
        self.sessions.retain(|_, session| session.user != user);
        self.links.retain(|_, link| link.user != user);
    }

    /// Writes a user in place of the one that was seen.
    fn replace_user(&mut self, now: Timestamp, actor: &str, user: User, seen: Version) -> Result<Version, StoreError> {
        let there = credential::find(&self.users, user.tenant, user.id).filter(|there| there.version == seen);
        let before = there.ok_or(StoreError::Stale)?;
        check_users(&self.others(&user), Some(&before.value), Some(&user))?;
        let mut draft = self.begin(now, actor, "update user");
        let updated = Versioned { value: User { last_seen: before.value.last_seen, ..user }, version: draft.version() };
        draft.updated(&before, &updated);
        let (id, version) = (updated.value.id, updated.version);
        if !before.value.outlives(&updated.value) {
            self.sign_out(id);
        }
        if updated.value.password.is_none() {
            self.passwords.remove(&id);
        }
        self.users.insert(id, updated);
        self.end(draft);
        Ok(version)
    }
}
