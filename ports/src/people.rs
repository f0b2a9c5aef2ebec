//! People who sign in: users of a tenant, their sessions, and links that sign in once.

mod authenticated;
mod entry;
mod identity;
mod locale;
mod name;
mod record;
mod rights;
mod rules;

use async_trait::async_trait;
use domain::{Digest, Timestamp};

use crate::credential::PasswordHash;
use crate::directory::Versioned;
use crate::repo::{Listing, Page};
use crate::store::StoreError;
use crate::{Grant, Installation, Maintenance, Read, SessionId, TenantCredentials, TenantId, UserId, Version, Write};

pub use authenticated::AuthenticatedUser;
pub use identity::{Identity, IdentityError};
pub use locale::{Locale, LocaleError};
pub use name::{SignInName, SignInNameError};
pub use record::{Link, Session, SignedInBy, User};
pub use rights::{Rights, Role};
pub use rules::check_users;

/// Keeps users, their sessions and once-links, beside the tenants and credentials of a [`Directory`](crate::directory::Directory)
/// and under its head: each change raises its version, so whatever is remembered of a session is worth nothing from then on.
///
/// A user is a record of the directory's chain; its password's hash is beside it, bound by its digest in the record and in no
/// text that the chain keeps. Sessions and links are none: they run out, as refresh tokens do. That one was ended, or a link was
/// used, is an item of the chain.
///
/// Look-ups that turn what somebody presents into a user ask for no proof. What a user does to its own account asks for an
/// [`AuthenticatedUser`], everything else for a grant of [`TenantCredentials`], which only the permission `admin` gives.
///
/// Implementations MUST end every session of a user, and forget its unused links, in the transaction that removes it or changes
/// what [`User::outlives`] names. A write that would leave a tenant with users but without one that [may administer](User::administers)
/// is refused as `Conflict`, unless there was none before.
#[async_trait]
pub trait People: Send + Sync {
    /// Whether the tenant has a user.
    async fn has_users(&self, tenant: TenantId) -> Result<bool, StoreError>;
    /// The user of that name.
    async fn find_user_by_name(
        &self,
        tenant: TenantId,
        name: &SignInName,
    ) -> Result<Option<Versioned<User>>, StoreError>;
    /// The user of that identity.
    async fn find_user_by_identity(
        &self,
        tenant: TenantId,
        identity: &Identity,
    ) -> Result<Option<Versioned<User>>, StoreError>;
    /// The hash of the user's password, if it has one.
    async fn find_password(&self, id: UserId) -> Result<Option<PasswordHash>, StoreError>;
    /// The session of that hash, of any tenant, run out or not, with its user.
    async fn find_session(&self, hash: Digest) -> Result<Option<(Session, Versioned<User>)>, StoreError>;
    /// The link of that hash, of any tenant, used and run out ones too, with its user.
    async fn find_link(&self, hash: Digest) -> Result<Option<(Link, Versioned<User>)>, StoreError>;

    /// Begins a session, which is no change. Of the user's others the oldest are ended where with this one there are more than
    /// [`Session::MOST`], and so is the session of the tenant with the hash `earlier`, whoever's it is: the one that the same browser
    /// had. That raises the version of the directory like any other end of a session. `Stale` when the user was changed since it
    /// was authenticated or is gone; `Failed` when the session is another's. Nothing is ended then.
    async fn begin_session(
        &self,
        user: &AuthenticatedUser,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<(), StoreError>;
    /// Marks the link of that hash as used and begins a session, at once, whichever node asks. False, and nothing written, when
    /// it was used before, has run out at that moment, is another's or is gone. `Failed` when the session is another's. The session
    /// of the hash `earlier` ends as in [`begin_session`](Self::begin_session).
    async fn redeem_link(
        &self,
        user: &AuthenticatedUser,
        hash: Digest,
        at: Timestamp,
        session: Session,
        earlier: Option<Digest>,
    ) -> Result<bool, StoreError>;
    /// The user's own sessions, the newest first.
    async fn list_own_sessions(&self, user: &AuthenticatedUser) -> Result<Vec<Session>, StoreError>;
    /// Ends one of the user's own sessions. Whether it was there.
    async fn end_own_session(&self, user: &AuthenticatedUser, id: SessionId, at: Timestamp)
    -> Result<bool, StoreError>;
    /// Replaces the user's own record as it was authenticated. With a new password its other sessions end, and `renewed` begins.
    /// `Stale` when it was changed since; `Failed` when more is changed than a user may change of itself, or the password is not
    /// that of the record.
    async fn update_own(
        &self,
        user: &AuthenticatedUser,
        changed: User,
        password: Option<PasswordHash>,
        renewed: Option<Session>,
    ) -> Result<Version, StoreError>;

    /// The user of that id, if it is of the grant's tenant.
    async fn find_user(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: UserId,
    ) -> Result<Option<Versioned<User>>, StoreError>;
    /// One page of the tenant's users, by id.
    async fn list_users(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<User>>, StoreError>;
    /// Adds a user with the password that its record names, and gives its version. `Conflict` when its id, name or identity is
    /// taken or its tenant is gone. `Failed` when the password is not that of the record.
    async fn add_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        password: Option<PasswordHash>,
    ) -> Result<Version, StoreError>;
    /// Replaces a user as it was seen, but for when it was last seen, and gives its new version. It keeps its password or has
    /// none from then on. `Stale`, and nothing is written, when it was changed since or is not there; `Conflict` as for adding.
    async fn update_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        user: User,
        seen: Version,
    ) -> Result<Version, StoreError>;
    /// Removes a user with its sessions and links. Whether it was there. `Stale`, and it stays, when a version is given that it
    /// has no more.
    async fn remove_user(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: UserId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError>;
    /// Takes back a user that was just added with others: as removing, but also the last who may administer the tenant goes.
    async fn take_back_user(&self, grant: &Grant<Maintenance>, id: UserId) -> Result<bool, StoreError>;
    /// Keeps a link that signs in once, in place of the user's earlier ones, which is no change. `Conflict` when its user is
    /// not there.
    async fn add_link(&self, grant: &Grant<Write, TenantCredentials>, link: Link) -> Result<(), StoreError>;
    /// The sessions of a user of the tenant, the newest first.
    async fn list_sessions(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        user: UserId,
    ) -> Result<Vec<Session>, StoreError>;
    /// Ends a session of a user of the tenant. Whether it was there.
    async fn end_session(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: SessionId,
        at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Notes that sessions, and with them their users, were seen, which changes no version; need not be durable at once.
    async fn touch_sessions(
        &self,
        grant: &Grant<Maintenance, Installation>,
        seen: &[(SessionId, Timestamp)],
    ) -> Result<(), StoreError>;
}
