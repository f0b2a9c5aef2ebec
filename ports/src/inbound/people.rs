//! Users: adding, changing and removing those who sign in, by whoever administers the company.

use async_trait::async_trait;
use domain::{Faults, Name, Timestamp};

use super::{Error, Field};
use crate::credential::Secret;
use crate::people::{Identity, Locale, Rights, Session, SignInName, User};
use crate::repo::{Listing, Page};
use crate::{Caller, SessionId, UserId, Version};

/// The users of a company. All of it needs `admin`. What ends sessions counts within a second everywhere.
#[async_trait]
pub trait Users: Send + Sync {
    /// One page of the users.
    async fn list_users(&self, caller: &Caller, page: Page) -> Result<Listing<UserView>, Error>;
    /// The user with that identifier.
    async fn get_user(&self, caller: &Caller, id: UserId) -> Result<UserView, Error>;
    /// The user who signs in with that name.
    async fn find_user(&self, caller: &Caller, name: &SignInName) -> Result<UserView, Error>;
    /// Adds a user, who has no password yet.
    async fn add_user(&self, caller: &Caller, draft: UserDraft) -> Result<UserView, Error>;
    /// Changes a user: absent members stay. Other rights, another identity and being disabled end its sessions. `Conflict` where
    /// it is the last who may administer the company.
    async fn update_user(
        &self,
        caller: &Caller,
        id: UserId,
        seen: Option<Version>,
        draft: UserDraft,
    ) -> Result<UserView, Error>;
    /// Removes a user, who is signed out. `Conflict` where it is the last who may administer the company.
    async fn remove_user(&self, caller: &Caller, id: UserId, seen: Option<Version>) -> Result<(), Error>;

    /// A link that signs the user in once within a quarter of an hour, in place of its earlier ones.
    async fn make_link(&self, caller: &Caller, id: UserId) -> Result<NewLink, Error>;
    /// The link of the first start: where the company has no user, the user `admin` is added, who may do everything; while it is
    /// the only one and never signed in, it gets another link. Else `None`.
    async fn first_link(&self, caller: &Caller) -> Result<Option<NewLink>, Error>;

    /// What somebody may do whom a provider of sign-ins vouches for and nobody added; nobody comes in so where there is none.
    async fn provided_rights(&self, caller: &Caller) -> Result<Option<Rights>, Error>;

    /// Where the user is signed in, the newest first.
    async fn list_sessions(&self, caller: &Caller, id: UserId) -> Result<Vec<Session>, Error>;
    /// Ends a session of a user.
    async fn end_session(&self, caller: &Caller, id: SessionId) -> Result<(), Error>;
}

/// The members of a user that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserDraft {
    /// What it signs in with; required.
    pub name: Field<SignInName>,
    /// What it is called; else as it signs in.
    pub display: Field<Name>,
    /// What it may do; required.
    pub rights: Field<Rights>,
    /// Who it is at a provider of sign-ins.
    pub identity: Field<Identity>,
    /// The language and region of its pages.
    pub locale: Field<Locale>,
    /// Whether it may sign in.
    pub standing: Field<Standing>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// Whether a user may sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It may.
    Active,
    /// It may not, until it is active again.
    Disabled,
}

/// A user with its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserView {
    /// The user, of whose password nothing is told but whether there is one.
    pub user: User,
    /// What an update compares.
    pub version: Version,
}

/// A link in the clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// Whom it signs in.
    pub user: User,
    /// What stands behind `/login/once/` in it; shown this once.
    pub text: Secret,
    /// Until when it is good.
    pub expires: Timestamp,
}
