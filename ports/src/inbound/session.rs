//! Sessions: signing in and out, and what a user does to its own account.

use std::error::Error as StdError;

use async_trait::async_trait;
use domain::Name;

use super::{AccessError, Error, Field};
use crate::credential::Secret;
use crate::people::{AuthenticatedUser, Identity, Locale, Session, SignInName};
use crate::{Caller, SessionId, TenantId};

/// Signs people in and tells who they are from then on.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Whether the company has a user at all.
    async fn has_users(&self, tenant: TenantId) -> Result<bool, Error>;

    /// Signs in with a password. Whoever has no password, or is no user, is told the same after the same work.
    async fn sign_in(&self, tenant: TenantId, given: PasswordSignIn) -> Result<NewSession, SignInError>;
    /// Whether a link is good. Writes nothing, so that whatever opens links in mails uses none up.
    async fn is_good_link(&self, tenant: TenantId, text: &Secret) -> Result<bool, SignInError>;
    /// Signs in with a link, which is used up.
    async fn redeem_link(&self, tenant: TenantId, text: &Secret, browser: &Browser) -> Result<NewSession, SignInError>;
    /// Signs in whom a provider vouched for. Whom the company does not know by that identity is refused, or added where the
    /// installation says what such users may do.
    async fn sign_in_as(
        &self,
        tenant: TenantId,
        who: ProvenIdentity,
        browser: &Browser,
    ) -> Result<NewSession, SignInError>;

    /// The session of that text, at the address of `tenant`.
    async fn authenticate(&self, tenant: TenantId, text: &Secret) -> Result<SignedIn, AccessError>;
    /// Ends the session.
    async fn sign_out(&self, signed_in: &SignedIn) -> Result<(), Error>;

    /// Where the user is signed in, the newest first.
    async fn list_own(&self, signed_in: &SignedIn) -> Result<Vec<Session>, Error>;
    /// Ends one of the user's own sessions.
    async fn end_own(&self, signed_in: &SignedIn, id: SessionId) -> Result<(), Error>;
    /// Changes what the user is called and reads in: absent members stay.
    async fn update_own(&self, signed_in: &SignedIn, draft: OwnDraft) -> Result<(), Error>;
    /// Sets the user's password and ends its sessions everywhere, with a new one here. Whoever has a password shows it, but in a
    /// session that began with a link within its quarter of an hour.
    async fn set_password(
        &self,
        signed_in: &SignedIn,
        given: NewPassword,
        browser: &Browser,
    ) -> Result<NewSession, Error>;
}

/// What a browser tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Browser {
    /// Where it is: an address, or a network that counts as one.
    pub from: String,
    /// What it calls itself.
    pub agent: String,
    /// The text of the session that it presents, good or not. A new one takes its place: it ends when somebody signs in there.
    pub session: Option<Secret>,
}

/// A name with a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PasswordSignIn {
    /// The name as it was typed.
    pub name: String,
    /// The password as it was typed.
    pub password: Secret,
    /// Where it was typed.
    pub browser: Browser,
}

/// Who a provider says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvenIdentity {
    /// Issuer and subject: what a user is found by.
    pub identity: Identity,
    /// What the person would sign in with, for a new user.
    pub name: Option<SignInName>,
    /// What the person is called, for a new user.
    pub display: Option<Name>,
}

/// A password in place of the one there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPassword {
    /// The one there is, where the user has one.
    pub current: Option<Secret>,
    /// The one that is to be.
    pub password: Secret,
}

/// What a user may change of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnDraft {
    /// What it is called.
    pub display: Field<Name>,
    /// The language and region of its pages.
    pub locale: Field<Locale>,
}

/// A session that began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSession {
    /// What its holder presents; given this once.
    pub text: Secret,
    /// The session.
    pub signed_in: SignedIn,
}

/// A user in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedIn {
    /// Who calls, for use cases.
    pub caller: Caller,
    /// The proof that the user is signed in.
    pub user: AuthenticatedUser,
    /// The session.
    pub session: Session,
    /// What every form of this session carries, so that no other site's form passes for one of it.
    pub form_token: Secret,
}

/// Why somebody is not signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// Name, password or link are not right, or the user may not sign in. Which of it is told to nobody.
    #[error("the sign-in is not right")]
    Refused,
    /// There were too many tries that were not right.
    #[error("there were too many tries that were not right; wait {retry_after_s} s")]
    TooMany {
        /// Seconds until the next is looked at.
        retry_after_s: u64,
    },
    /// The service is busy, or what it stands on is away; the same may succeed later.
    #[error("the service is busy")]
    Busy(#[source] Box<dyn StdError + Send + Sync>),
    /// Whether the session began is not known.
    #[error("the outcome is not known")]
    Unknown(#[source] Box<dyn StdError + Send + Sync>),
    /// The service failed; its operator finds the cause in the log.
    #[error("the service failed")]
    Failed(#[source] Box<dyn StdError + Send + Sync>),
}
