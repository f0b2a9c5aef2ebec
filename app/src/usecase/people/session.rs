//! Sessions: who a browser's cookie is of.

use async_trait::async_trait;
use ports::credential::Secret;
use ports::inbound::{
    AccessError, Browser, Error, NewPassword, NewSession, OwnDraft, PasswordSignIn, ProvenIdentity, Sessions,
    SignInError, SignedIn,
};
use ports::people::Session;
use ports::{SessionId, TenantId};

use super::{PeopleService, SESSION_PREFIX};
use crate::usecase::access::AccessFailure;

/// Characters of a session's text behind its prefix.
const CHARACTERS: usize = 43;

/// Whether a text has the form of those that sessions are presented by.
pub(super) fn is_of_session(text: &Secret) -> bool {
    text.0.strip_prefix(SESSION_PREFIX).is_some_and(|random| random.len() == CHARACTERS)
}

#[async_trait]
impl Sessions for PeopleService {
    async fn has_users(&self, tenant: TenantId) -> Result<bool, Error> {
        Ok(self.ports.people.has_users(tenant).await?)
    }

    async fn sign_in(&self, tenant: TenantId, given: PasswordSignIn) -> Result<NewSession, SignInError> {
        self.sign_in_with_password(tenant, given).await
    }

    async fn is_good_link(&self, tenant: TenantId, text: &Secret) -> Result<bool, SignInError> {
        Ok(self.good_link(tenant, text).await?.is_some())
    }

    async fn redeem_link(&self, tenant: TenantId, text: &Secret, browser: &Browser) -> Result<NewSession, SignInError> {
        self.sign_in_with_link(tenant, text, browser).await
    }

    async fn sign_in_as(
        &self,
        tenant: TenantId,
        who: ProvenIdentity,
        browser: &Browser,
    ) -> Result<NewSession, SignInError> {
        self.sign_in_by_provider(tenant, who, browser).await
    }

    async fn authenticate(&self, tenant: TenantId, text: &Secret) -> Result<SignedIn, AccessError> {
        Ok(self.session_of(tenant, text).await?.ok_or(AccessError::Invalid)?)
    }

    async fn sign_out(&self, signed_in: &SignedIn) -> Result<(), Error> {
        let at = self.ports.clock.now();
        let ended = self.ports.people.end_own_session(&signed_in.user, signed_in.session.id, at).await;
        self.changed(ended)?;
        Ok(())
    }

    async fn list_own(&self, signed_in: &SignedIn) -> Result<Vec<Session>, Error> {
        let mut sessions = self.ports.people.list_own_sessions(&signed_in.user).await?;
        let now = self.ports.clock.now();
        sessions.retain(|session| session.is_live(now));
        Ok(sessions)
    }

    async fn end_own(&self, signed_in: &SignedIn, id: SessionId) -> Result<(), Error> {
        let ended = self.ports.people.end_own_session(&signed_in.user, id, self.ports.clock.now()).await;
        if self.changed(ended)? { Ok(()) } else { Err(Error::NotFound) }
    }

    async fn update_own(&self, signed_in: &SignedIn, draft: OwnDraft) -> Result<(), Error> {
        self.change_own(signed_in, draft).await
    }

    async fn set_password(
        &self,
        signed_in: &SignedIn,
        given: NewPassword,
        browser: &Browser,
    ) -> Result<NewSession, Error> {
        self.change_password(signed_in, given, browser).await
    }
}

impl PeopleService {
    /// The session of that text, from what is known or from the directory.
    async fn session_of(&self, tenant: TenantId, text: &Secret) -> Result<Option<SignedIn>, AccessFailure> {
        if !is_of_session(text) {
            return Ok(None);
        }
        let (secrets, now) = (self.ports.secrets.as_ref(), self.ports.clock.now());
        let version = self.version.read(self.ports.directory.as_ref(), now).await?;
        let hash = secrets.hash(&text.0);
        let is_live = |session: &Session| session.is_live(now);
        let known = self.cache.find(hash, version);
        // Another node may have seen it since it was read here.
        let known = known.filter(|found| found.as_ref().is_none_or(|(session, _)| is_live(session)));
        let found = if let Some(found) = known {
            found
        } else {
            let found = self.ports.people.find_session(hash).await?;
            self.cache.put(hash, version, found.clone());
            found
        };
        let Some((session, user)) = found else { return Ok(None) };
        let Some(user) = user.with_session(tenant, &session, text, secrets, now) else { return Ok(None) };
        self.seen.note(session.id, now);
        Ok(Some(self.signed_in(user, session)))
    }
}
