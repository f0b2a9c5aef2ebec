//! Signing in: with a password, with a link, by a provider's word.

use domain::{Digest, Name};
use ports::credential::Secret;
use ports::directory::Versioned;
use ports::inbound::{Browser, NewSession, PasswordSignIn, ProvenIdentity, SignInError};
use ports::people::{AuthenticatedUser, Link, Session, SignInName, SignedInBy, User};
use ports::store::StoreError;
use ports::{Grant, TenantId, UserId};
use uuid::Uuid;

use super::{LINK_PREFIX, PeopleService};
use crate::usecase::access::attempts::{AttemptKey, TooMany};
use crate::usecase::access::{AccessFailure, SYSTEM};

/// So often a sign-in is tried that a change of its user comes between.
const TRIES: usize = 3;
/// Characters of a link behind its prefix.
const LINK_CHARACTERS: usize = 43;

impl From<TooMany> for SignInError {
    fn from(TooMany(retry_after_s): TooMany) -> Self {
        Self::TooMany { retry_after_s }
    }
}

impl From<AccessFailure> for SignInError {
    fn from(trouble: AccessFailure) -> Self {
        match trouble {
            AccessFailure::Busy(cause) => Self::Busy(cause),
            AccessFailure::Unknown(cause) => Self::Unknown(cause),
            AccessFailure::Failed(cause) => Self::Failed(cause),
        }
    }
}

impl PeopleService {
    /// Signs in with a password. A password can be guessed, so behind ten that were wrong none is looked at until a minute has
    /// passed, not even the right one; it is not looked at for that account from that address alone. An address that was wrong
    /// thirty times, whatever the names, waits as well.
    pub(super) async fn sign_in_with_password(
        &self,
        tenant: TenantId,
        given: PasswordSignIn,
    ) -> Result<NewSession, SignInError> {
        let PasswordSignIn { name, password, browser } = given;
        let now = self.ports.clock.now();
        // One address guesses at few names and passwords in a minute, however many names it makes up.
        let source = AttemptKey::of_source(tenant, &browser.from);
        self.sources.fail(source, now)?;
        let key = AttemptKey::new(tenant, &name.trim().to_lowercase(), &browser.from);
        // Counted as a failure until it is none: of many tries at once no more are looked at than are allowed.
        self.attempts.fail(key, now)?;
        let name = SignInName::parse(&name).ok();
        for _ in 0..TRIES {
            let found = match &name {
                Some(name) => self.ports.people.find_user_by_name(tenant, name).await.map_err(AccessFailure::from)?,
                None => None,
            };
            // Asked for a user that is not there too, so that the time of an answer does not tell which are.
            let id = found.as_ref().map_or_else(|| UserId::new(Uuid::nil()), |user| user.value.id);
            let stored = self.ports.people.find_password(id).await.map_err(AccessFailure::from)?;
            let user = self
                .turns
                .prove(tenant, found, stored, password.clone(), &browser.from)
                .await?
                .ok_or(SignInError::Refused)?;
            match self.begin(user, SignedInBy::Password, &browser).await {
                // What was right at first is looked at again as it is now.
                Err(StoreError::Stale) => {}
                begun => {
                    self.attempts.succeed(key);
                    self.sources.succeed(source);
                    return begun.map_err(|error| AccessFailure::from(error).into());
                }
            }
        }
        Err(SignInError::Busy("others change the same user all the time".into()))
    }

    async fn begin(
        &self,
        user: AuthenticatedUser,
        by: SignedInBy,
        browser: &Browser,
    ) -> Result<NewSession, StoreError> {
        let (text, session) =
            self.new_session(&user, by, browser).map_err(|failure| StoreError::Failed(failure.into()))?;
        // An earlier session may have ended for this one.
        self.changed(self.ports.people.begin_session(&user, session.clone(), self.earlier(browser)).await)?;
        Ok(self.began(text, session, user))
    }

    /// The hash of the session that the browser presents.
    fn earlier(&self, browser: &Browser) -> Option<Digest> {
        let text = browser.session.as_ref().filter(|text| super::session::is_of_session(text))?;
        Some(self.ports.secrets.hash(&text.0))
    }

    /// The link of that text with its user, if it is good.
    pub(super) async fn good_link(
        &self,
        tenant: TenantId,
        text: &Secret,
    ) -> Result<Option<(Link, AuthenticatedUser)>, SignInError> {
        if text.0.strip_prefix(LINK_PREFIX).is_none_or(|random| random.len() != LINK_CHARACTERS) {
            return Ok(None);
        }
        let hash = self.ports.secrets.hash(&text.0);
        let found = self.ports.people.find_link(hash).await.map_err(AccessFailure::from)?;
        let (secrets, now) = (self.ports.secrets.as_ref(), self.ports.clock.now());
        Ok(found.and_then(|(link, user)| {
            let user = user.with_link(tenant, &link, text, secrets, now)?;
            Some((link, user))
        }))
    }

    /// Signs in with a link and uses it up.
    pub(super) async fn sign_in_with_link(
        &self,
        tenant: TenantId,
        text: &Secret,
        browser: &Browser,
    ) -> Result<NewSession, SignInError> {
        let (link, user) = self.good_link(tenant, text).await?.ok_or(SignInError::Refused)?;
        let (token, session) = self.new_session(&user, SignedInBy::Link, browser)?;
        let now = self.ports.clock.now();
        let redeemed =
            self.ports.people.redeem_link(&user, link.hash, now, session.clone(), self.earlier(browser)).await;
        if self.changed(redeemed).map_err(AccessFailure::from)? {
            Ok(self.began(token, session, user))
        } else {
            Err(SignInError::Refused)
        }
    }

    /// Signs in whom a provider vouched for.
    pub(super) async fn sign_in_by_provider(
        &self,
        tenant: TenantId,
        who: ProvenIdentity,
        browser: &Browser,
    ) -> Result<NewSession, SignInError> {
        for _ in 0..TRIES {
            let found = self.ports.people.find_user_by_identity(tenant, &who.identity).await;
            let user = match found.map_err(AccessFailure::from)? {
                Some(user) => user,
                None => match self.provided_user(tenant, &who).await? {
                    Some(user) => user,
                    None => continue,
                },
            };
            let user = user.with_identity(tenant, &who.identity).ok_or(SignInError::Refused)?;
            match self.begin(user, SignedInBy::Provider, browser).await {
                Err(StoreError::Stale) => {}
                begun => return begun.map_err(|error| AccessFailure::from(error).into()),
            }
        }
        Err(SignInError::Busy("others change the same user all the time".into()))
    }

    /// A new user for whom a provider vouched; refused where the installation takes none. `None` where another took its name
    /// meanwhile.
    async fn provided_user(
        &self,
        tenant: TenantId,
        who: &ProvenIdentity,
    ) -> Result<Option<Versioned<User>>, SignInError> {
        let rights = self.provided.ok_or(SignInError::Refused)?;
        let now = self.ports.clock.now();
        let id = self.ports.ids.next(now);
        let free = |name: Option<SignInName>| async {
            let Some(name) = name else { return Ok(None) };
            let taken = self.ports.people.find_user_by_name(tenant, &name).await?;
            Ok::<_, StoreError>(taken.is_none().then_some(name))
        };
        // A name that another has is none of the person's: it never becomes the same user by it.
        let name = match free(who.name.clone()).await.map_err(AccessFailure::from)? {
            Some(name) => name,
            None => SignInName::parse(&format!("user-{}", id.simple())).map_err(|_| SignInError::Refused)?,
        };
        let display = who.display.clone().or_else(|| Name::parse(name.as_str()).ok()).ok_or(SignInError::Refused)?;
        let user = User {
            id: id.into(),
            tenant,
            name,
            display,
            rights,
            password: None,
            identity: Some(who.identity.clone()),
            locale: None,
            created: now,
            updated: now,
            disabled: None,
            last_seen: None,
        };
        let grant = Grant::for_maintenance(tenant, SYSTEM).to_write_credentials();
        match self.changed(self.ports.people.add_user(&grant, user.clone(), None).await) {
            Ok(version) => Ok(Some(Versioned { value: user, version })),
            Err(StoreError::Conflict(_)) => Ok(None),
            Err(error) => Err(AccessFailure::from(error).into()),
        }
    }
}

/// Whether a session may still set a password that its user has forgotten: it began with a link lately.
pub(super) fn came_by_link(session: &Session, now: domain::Timestamp) -> bool {
    session.by == SignedInBy::Link && now.millis().saturating_sub(session.created.millis()) < Link::LIFETIME_MS
}
