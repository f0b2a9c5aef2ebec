//! What is kept of people.

use domain::{Digest, Name, Timestamp};

use super::{Identity, Locale, Rights, SignInName};
use crate::credential::PasswordHash;
use crate::store::StoreError;
use crate::{Grant, Permission, SessionId, TenantCredentials, TenantId, UserId, Write};

/// Somebody who signs in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Identifies the user; the actor of its changes is `user:` and this.
    pub id: UserId,
    /// The tenant it belongs to.
    pub tenant: TenantId,
    /// What it signs in with; unique in the tenant.
    pub name: SignInName,
    /// What it is called.
    pub display: Name,
    /// What it may do.
    pub rights: Rights,
    /// The digest of its password's hash, if it has one.
    pub password: Option<Digest>,
    /// Who it is at a provider, if it signs in there; unique in the tenant.
    pub identity: Option<Identity>,
    /// The language and region of its pages; the browser's where it has none.
    pub locale: Option<Locale>,
    /// When it was added.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
    /// Since when it cannot sign in.
    pub disabled: Option<Timestamp>,
    /// When it was last seen. No part of its canonical text.
    pub last_seen: Option<Timestamp>,
}

impl User {
    /// Who it is, as the change chain names it.
    #[must_use]
    pub fn actor(&self) -> String {
        format!("user:{}", self.id)
    }

    /// Whether it may administer the tenant, users included.
    #[must_use]
    pub fn administers(&self) -> bool {
        self.disabled.is_none() && self.rights.permissions().allows(Permission::Admin)
    }

    /// Whether its sessions and links outlive the change to `after`: rights, password, identity and whether it is disabled are
    /// the same.
    #[must_use]
    pub fn outlives(&self, after: &Self) -> bool {
        let what = |user: &Self| (user.rights, user.password, user.identity.clone(), user.disabled.is_some());
        what(self) == what(after)
    }

    /// Refuses to write it by a grant of another tenant.
    pub fn check_tenant(&self, grant: &Grant<Write, TenantCredentials>) -> Result<(), StoreError> {
        refuse_unless(self.tenant == grant.tenant(), "the user is another tenant's than the grant")
    }

    /// Refuses a password that is not the one that the record names.
    pub fn check_password(&self, password: Option<&PasswordHash>) -> Result<(), StoreError> {
        refuse_unless(
            self.password == password.map(PasswordHash::digest),
            "the password is not that of the user's record",
        )
    }
}

pub(super) fn refuse_unless(fits: bool, why: &str) -> Result<(), StoreError> {
    if fits { Ok(()) } else { Err(StoreError::Failed(why.into())) }
}

/// What a session began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignedInBy {
    /// The user's password.
    Password,
    /// A link that signs in once.
    Link,
    /// A provider of sign-ins.
    Provider,
}

impl SignedInBy {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Password, Self::Link, Self::Provider];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Link => "link",
            Self::Provider => "provider",
        }
    }

    /// The way of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|way| way.as_str() == word)
    }
}

/// A user who is signed in somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Tells a user's sessions apart.
    pub id: SessionId,
    /// Hash of the 256 random bits that its holder presents.
    pub hash: Digest,
    /// The user who signed in.
    pub user: UserId,
    /// The tenant of the user.
    pub tenant: TenantId,
    /// What it began with.
    pub by: SignedInBy,
    /// When it began.
    pub created: Timestamp,
    /// When it was last seen.
    pub last_seen: Timestamp,
    /// When it ends, however much it is used.
    pub expires: Timestamp,
    /// What the browser called itself, cut to [`Session::MAX_AGENT`] characters.
    pub agent: String,
}

impl Session {
    /// How long it lives unused: 12 h.
    pub const IDLE_MS: i64 = 12 * 60 * 60 * 1000;
    /// How long it lives at most: 7 days.
    pub const LIFETIME_MS: i64 = 7 * 24 * 60 * 60 * 1000;
    /// Sessions of a user at most.
    pub const MOST: usize = 32;
    /// Characters of the browser's name that are kept.
    pub const MAX_AGENT: usize = 200;

    /// Whether it has not run out.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now.millis() < self.expires.millis() && now.millis() < self.last_seen.millis().saturating_add(Self::IDLE_MS)
    }
}

/// A link that signs in once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Hash of the 256 random bits in it.
    pub hash: Digest,
    /// The user whom it signs in.
    pub user: UserId,
    /// The tenant of the user.
    pub tenant: TenantId,
    /// When it was made.
    pub created: Timestamp,
    /// When it runs out.
    pub expires: Timestamp,
    /// When it was used.
    pub used: Option<Timestamp>,
}

impl Link {
    /// How long it is good: 15 minutes.
    pub const LIFETIME_MS: i64 = 15 * 60 * 1000;

    /// Whether it signs in at that moment.
    #[must_use]
    pub fn is_good(&self, now: Timestamp) -> bool {
        self.used.is_none() && now < self.expires
    }

    /// Refuses to keep it by a grant of another tenant.
    pub fn check_tenant(&self, grant: &Grant<Write, TenantCredentials>) -> Result<(), StoreError> {
        refuse_unless(self.tenant == grant.tenant(), "the link is another tenant's than the grant")
    }
}
