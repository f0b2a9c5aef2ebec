//! The directory: tenants and their credentials, with a version that every change raises.

use crate::{ClientId, FamilyId, KeyId, Permissions, TenantId, TenantSlug};
use async_trait::async_trait;
use domain::{Digest, Name, Timestamp};
use uuid::Uuid;

use crate::credential::SealedKey;
use crate::repo::{Listing, Page};
use crate::store::{StoreError, Verification};

/// Keeps tenants, clients, keys, signing keys, refresh tokens and revocations.
///
/// Implementations MUST raise the version in the transaction of every change but `touch_key`, `touch_client` and
/// `add_refresh`, and MUST keep a change chain of their own. Writes are durable when a call returns.
#[async_trait]
pub trait Directory: Send + Sync {
    /// The version: caches of credentials, positive and negative, are worth something at this version only.
    async fn version(&self) -> Result<u64, StoreError>;

    /// The tenant of that slug.
    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError>;
    /// The tenant of that id.
    async fn find_tenant_by_id(&self, id: TenantId) -> Result<Option<Tenant>, StoreError>;
    /// Every tenant, by slug.
    async fn list_tenants(&self) -> Result<Vec<Tenant>, StoreError>;
    /// Adds a tenant. `Conflict` when the slug is taken.
    async fn add_tenant(&self, tenant: Tenant) -> Result<(), StoreError>;
    /// Removes a tenant with its clients, keys and refresh tokens, each an item of the one change. Whether it was there.
    /// Its slug is free again.
    async fn remove_tenant(&self, id: TenantId, by: &str) -> Result<bool, StoreError>;

    /// The client of that id, of any tenant.
    async fn find_client(&self, id: ClientId) -> Result<Option<Client>, StoreError>;
    /// One page of a tenant's clients, by id.
    async fn list_clients(&self, tenant: TenantId, page: Page) -> Result<Listing<Client>, StoreError>;
    /// Adds a client or replaces the one of the same id. `by` is who did it.
    async fn put_client(&self, client: Client, by: &str) -> Result<(), StoreError>;
    /// Removes a client with its refresh tokens. Whether it was there.
    async fn remove_client(&self, tenant: TenantId, id: ClientId, by: &str) -> Result<bool, StoreError>;

    /// The key of that hash, of any tenant.
    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError>;
    /// The key of that id, of any tenant.
    async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError>;
    /// One page of a tenant's keys, by id.
    async fn list_keys(&self, tenant: TenantId, page: Page) -> Result<Listing<Key>, StoreError>;
    /// Adds a key or replaces the one of the same id.
    async fn put_key(&self, key: Key, by: &str) -> Result<(), StoreError>;
    /// Removes a key. Whether it was there.
    async fn remove_key(&self, tenant: TenantId, id: KeyId, by: &str) -> Result<bool, StoreError>;

    /// Notes that keys and clients were used; need not be durable at once.
    async fn touch(&self, keys: &[(KeyId, Timestamp)], clients: &[(ClientId, Timestamp)]) -> Result<(), StoreError>;

    /// Every signing key, newest first.
    async fn signing_keys(&self) -> Result<Vec<SealedKey>, StoreError>;
    /// Adds a signing key and retires those before it at its creation.
    async fn add_signing_key(&self, key: SealedKey, by: &str) -> Result<(), StoreError>;

    /// Keeps a refresh token of a family and the access token that was given with it.
    async fn add_refresh(&self, refresh: Refresh) -> Result<(), StoreError>;
    /// The refresh token of that hash, used ones too, for as long as its family may live.
    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError>;
    /// Marks the token of that hash as used and keeps its successor, at once. False, and nothing kept, when it was used
    /// or revoked already.
    async fn exchange_refresh(&self, hash: Digest, at: Timestamp, next: Refresh) -> Result<bool, StoreError>;
    /// Revokes a family: its refresh tokens and the access tokens given with it.
    async fn revoke_family(&self, family: FamilyId, at: Timestamp) -> Result<(), StoreError>;
    /// Revokes one access token until it runs out.
    async fn revoke_token(&self, jti: Uuid, expires: Timestamp) -> Result<(), StoreError>;
    /// The revoked access tokens that have not run out, and the families revoked.
    async fn revocations(&self, now: Timestamp) -> Result<Revocations, StoreError>;
    /// Forgets refresh tokens and revocations that have run out.
    async fn sweep(&self, now: Timestamp) -> Result<(), StoreError>;

    /// Checks the directory's change chain and its records' digests.
    async fn verify(&self) -> Result<Verification, StoreError>;
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
    /// When it was last used.
    pub last_used: Option<Timestamp>,
}

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Identifies it.
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
    /// When it was last used.
    pub last_used: Option<Timestamp>,
}

/// A refresh token as it is kept.
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
    /// What it renews.
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

/// What is revoked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revocations {
    /// Access tokens.
    pub tokens: Vec<Uuid>,
    /// Families of refresh tokens, with the access tokens given with them.
    pub families: Vec<FamilyId>,
}
