//! The proof that a user showed who it is, which every call about its own account asks for.

use domain::Timestamp;

use super::record::refuse_unless;
use super::{Identity, Link, Session, User};
use crate::credential::{PasswordHash, Passwords, Secret, Secrets};
use crate::directory::Versioned;
use crate::store::StoreError;
use crate::{TenantId, Version};

/// A user who showed a password, a link, a session, or a provider's word. Nobody writes one by hand:
///
/// ```compile_fail,E0423
/// # use tonne_ports::directory::Versioned;
/// # use tonne_ports::people::{AuthenticatedUser, User};
/// fn forged(user: Versioned<User>) -> AuthenticatedUser {
///     AuthenticatedUser(user)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedUser(Versioned<User>);

impl Versioned<User> {
    /// The proof by its password, given the hash that is stored for it; `None` when the password is another, the hash is not
    /// the one that the record names, or the user is another tenant's or disabled. As slow whatever is wrong.
    #[must_use]
    pub fn with_password(
        self,
        tenant: TenantId,
        password: &Secret,
        stored: Option<&PasswordHash>,
        passwords: &dyn Passwords,
    ) -> Option<AuthenticatedUser> {
        let named = stored.filter(|stored| self.value.password == Some(stored.digest()));
        let fits = passwords.matches(password, named);
        self.proven(tenant, fits)
    }

    /// The proof by a link's text; `None` unless the link is good and the user's.
    #[must_use]
    pub fn with_link(
        self,
        tenant: TenantId,
        link: &Link,
        text: &Secret,
        secrets: &dyn Secrets,
        now: Timestamp,
    ) -> Option<AuthenticatedUser> {
        let fits = secrets.matches(&text.0, &link.hash) && link.user == self.value.id && link.is_good(now);
        self.proven(tenant, fits)
    }

    /// The proof by a session's text; `None` unless the session lives and is the user's.
    #[must_use]
    pub fn with_session(
        self,
        tenant: TenantId,
        session: &Session,
        text: &Secret,
        secrets: &dyn Secrets,
        now: Timestamp,
    ) -> Option<AuthenticatedUser> {
        let fits = secrets.matches(&text.0, &session.hash) && session.user == self.value.id && session.is_live(now);
        self.proven(tenant, fits)
    }

    /// The proof by an identity that a provider vouched for; `None` unless it is the user's.
    #[must_use]
    pub fn with_identity(self, tenant: TenantId, identity: &Identity) -> Option<AuthenticatedUser> {
        let fits = self.value.identity.as_ref() == Some(identity);
        self.proven(tenant, fits)
    }

    fn proven(self, tenant: TenantId, fits: bool) -> Option<AuthenticatedUser> {
        let may = self.value.tenant == tenant && self.value.disabled.is_none();
        (fits && may).then_some(AuthenticatedUser(self))
    }
}

impl AuthenticatedUser {
    /// The user as it was found.
    #[must_use]
    pub const fn user(&self) -> &User {
        &self.0.value
    }

    /// The version that it was found at.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.0.version
    }

    /// Refuses to begin the session of another.
    pub fn check_session(&self, session: &Session) -> Result<(), StoreError> {
        let own = (session.user, session.tenant) == (self.user().id, self.user().tenant);
        refuse_unless(own, "the session is not one of the user")
    }

    /// Refuses to change more than a user may of itself: its password, display name and locale. Another password comes with its
    /// hash, and the session that begins for it must be one of the user.
    pub fn check_own(
        &self,
        changed: &User,
        password: Option<&PasswordHash>,
        renewed: Option<&Session>,
    ) -> Result<(), StoreError> {
        let User { display, password: digest, locale, updated, .. } = changed.clone();
        let own = User { display, password: digest, locale, updated, ..self.user().clone() };
        refuse_unless(own == *changed, "a user changes nothing of itself but password, display name and locale")?;
        if password.is_some() {
            changed.check_password(password)?;
        } else {
            refuse_unless(changed.password == self.user().password, "the new password is missing")?;
        }
        renewed.map_or(Ok(()), |session| self.check_session(session))
    }
}
