//! What a directory keeps.

use domain::{Digest, Name, PartnerId, StatementSettings, Timestamp, YearStart};
use uuid::Uuid;

use crate::store::StoreError;
use crate::{ClientId, FamilyId, Grant, KeyId, Permissions, TenantCredentials, TenantId, TenantSlug, Version, Write};

/// A record with the version that an update of it must name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned<T> {
    /// The entry as it was last written.
    pub value: T,
    /// The number of the directory's change that last wrote it.
    pub version: Version,
}

/// A company with its own base address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// Identifies it; never used again.
    pub id: TenantId,
    /// Its part of the address.
    pub slug: TenantSlug,
    /// What it is called.
    pub name: Name,
    /// When it was added.
    pub created: Timestamp,
    /// Random, and another one after a restore or an import: versions of its records and credentials that were shown under
    /// one epoch say nothing under the next.
    pub epoch: Uuid,
    /// The day on which its fiscal years begin; 1 January unless it says otherwise.
    pub year_start: YearStart,
    /// What it states for its inventory statements.
    pub statement: StatementSettings,
}

/// Machine credentials that get tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Identifies it; its text is the `client_id`.
    pub id: ClientId,
    /// The tenant it belongs to.
    pub tenant: TenantId,
    /// What it is called.
    pub name: Name,
    /// What it may do.
    pub permissions: Permissions,
    /// Hash of its secret.
    pub secret_hash: Digest,
    /// When it was added.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
    /// When it runs out.
    pub expires: Option<Timestamp>,
    /// The partner that calls with it; `None` for the company's own.
    pub partner: Option<PartnerId>,
    /// When it was last used. No part of its canonical text.
    pub last_used: Option<Timestamp>,
}

impl Client {
    /// Refuses to write it by a grant of another tenant.
    pub fn check_tenant(&self, grant: &Grant<Write, TenantCredentials>) -> Result<(), StoreError> {
        check_tenant("client", self.tenant, grant)
    }
}

/// A secret that a program sends with each request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Unique in the directory.
    pub id: KeyId,
    /// The tenant it belongs to.
    pub tenant: TenantId,
    /// What it is called.
    pub name: Name,
    /// What it may do.
    pub permissions: Permissions,
    /// Its first characters, to tell keys apart.
    pub prefix: String,
    /// Hash of the whole of it.
    pub hash: Digest,
    /// When it was added.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
    /// When it runs out.
    pub expires: Option<Timestamp>,
    /// When it was last used. No part of its canonical text.
    pub last_used: Option<Timestamp>,
}

impl Key {
    /// Refuses to write it by a grant of another tenant.
    pub fn check_tenant(&self, grant: &Grant<Write, TenantCredentials>) -> Result<(), StoreError> {
        check_tenant("key", self.tenant, grant)
    }
}

fn check_tenant(kind: &str, tenant: TenantId, grant: &Grant<Write, TenantCredentials>) -> Result<(), StoreError> {
    if tenant == grant.tenant() {
        return Ok(());
    }
    let granted = grant.tenant();
    Err(StoreError::Failed(format!("a {kind} of the tenant {tenant} is not written by a grant of {granted}").into()))
}

/// Live refresh tokens that a client has at most.
pub const MOST_REFRESHES: usize = 16;

/// A refresh token as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refresh {
    /// Hash of the token.
    pub hash: Digest,
    /// The family that it descends in.
    pub family: FamilyId,
    /// The client that it was given to.
    pub client: ClientId,
    /// The tenant of the client.
    pub tenant: TenantId,
    /// The permissions that a renewed access token has.
    pub scope: Permissions,
    /// The access token that was given with it.
    pub jti: Uuid,
    /// When it was given.
    pub created: Timestamp,
    /// When it runs out.
    pub expires: Timestamp,
    /// When it was exchanged for the next.
    pub used: Option<Timestamp>,
    /// When its family was revoked.
    pub revoked: Option<Timestamp>,
}

/// Access tokens that are refused before they run out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revocations {
    /// Revoked tokens, by their `jti`.
    pub tokens: Vec<Uuid>,
    /// Families of refresh tokens, with the access tokens given with them.
    pub families: Vec<FamilyId>,
}
