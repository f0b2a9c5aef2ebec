//! The directory: tenants and their credentials, with a version that every change raises.

mod authenticated;
mod chain;
mod credential;
mod entry;
mod event;
#[cfg(test)]
mod golden;
mod record;
mod shown_once;
mod sweep;
mod verify;

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::{Digest, Name, StatementSettings, Timestamp, YearStart};
use uuid::Uuid;

use crate::credential::{Claims, SealedKey, VerifyingKey};
use crate::repeat::{KeyedRequest, RequestKey};
use crate::repo::{Listing, Page};
use crate::store::{StoreError, Verification};
use crate::{
    ClientId, FamilyId, Grant, Installation, KeyId, Maintenance, Read, TenantCredentials, TenantId, TenantSlug,
    Version, Write,
};

pub use crate::credential_kind::CredentialKind;
pub use authenticated::AuthenticatedClient;
pub use chain::{DirectoryChange, DirectoryDraft, DirectoryHead, DirectoryItem};
pub use credential::Credential;
pub use entry::{Entry, EntryKind, read_statement, read_year_start, write_statement, write_year_start};
pub(crate) use entry::{begin as begin_entry, begun as begun_entry};
pub use event::Event;
pub use record::{Client, Key, MOST_REFRESHES, Refresh, Revocations, Tenant, Versioned};
pub use shown_once::ShownOnce;
pub use sweep::{ClockBehind, SweepState, Swept};
pub use verify::DirectoryCheck;

/// Keeps tenants, clients, keys, signing keys, refresh tokens and revocations.
///
/// Records are added, updated with the version they were read at, and removed; nothing is put in place of what it has not
/// seen. So what was revoked, lowered or rotated never comes back out of an older copy, whichever process holds it.
///
/// Every call asks for a proof but the look-ups that turn a credential into a caller, when nobody holds one yet: they read
/// one record by what only its holder knows, or what every reader of a token must know. They are `version`, `find_tenant`,
/// `find_client_by_id`, `find_key_by_hash`, `verifying_keys`, `find_refresh` and `revocations`.
///
/// What a client does with its tokens asks for an [`AuthenticatedClient`], which showed its secret; clients and keys for a
/// grant of [`TenantCredentials`], which only the permission `admin` gives; the rest is maintenance. So nothing is written
/// without a proof.
///
/// Implementations MUST order all changes by one head, raise the version in the transaction of every change but `touch`,
/// `add_refresh` and `sweep`, and keep each change in a chain as [`DirectoryDraft`] closes it. Writes are durable when a
/// call returns. A [`Client`] or [`Key`] whose tenant is not the grant's is refused, see
/// [`check_tenant`](Client::check_tenant).
#[async_trait]
pub trait Directory: Send + Sync {
    /// The version, which is the number of the newest change: caches of credentials, positive and negative, are worth
    /// something at this version only.
    async fn version(&self) -> Result<u64, StoreError>;

    /// The tenant of that slug.
    async fn find_tenant(&self, slug: &TenantSlug) -> Result<Option<Tenant>, StoreError>;
    /// The client of that id, of any tenant: its secret and its tenant are still to be compared.
    async fn find_client_by_id(&self, id: ClientId) -> Result<Option<Client>, StoreError>;
    /// The key of that hash, of any tenant: its tenant is still to be compared.
    async fn find_key_by_hash(&self, hash: Digest) -> Result<Option<Key>, StoreError>;
    /// The public half of every signing key, newest first.
    async fn verifying_keys(&self) -> Result<Vec<VerifyingKey>, StoreError>;

    /// The refresh token of that hash, used ones too, for as long as it could have been used.
    async fn find_refresh(&self, hash: Digest) -> Result<Option<Refresh>, StoreError>;
    /// The revoked access tokens, and the families revoked: all that are not forgotten, whatever the time is, since they are
    /// cached at a version and clocks may be set back.
    async fn revocations(&self) -> Result<Revocations, StoreError>;

    /// Keeps a refresh token of a family and the access token that was given with it. Of the client's others that are
    /// neither used nor revoked the oldest are forgotten with their families, where with this one there are more than
    /// [`MOST_REFRESHES`]. `Failed` when it is not the client's own.
    async fn add_refresh(&self, client: &AuthenticatedClient, refresh: Refresh) -> Result<(), StoreError>;
    /// Marks the token of that hash as used and stores its successor, at once. False, and nothing stored, when it was used
    /// or revoked already or is another client's. `Failed` when the successor is not the client's own.
    async fn exchange_refresh(
        &self,
        client: &AuthenticatedClient,
        hash: Digest,
        at: Timestamp,
        next: Refresh,
    ) -> Result<bool, StoreError>;
    /// Revokes a family: its refresh tokens and the access tokens given with it. No change when it is revoked already or
    /// has no refresh token of the client's.
    async fn revoke_family(
        &self,
        client: &AuthenticatedClient,
        family: FamilyId,
        at: Timestamp,
    ) -> Result<(), StoreError>;
    /// Revokes the access token that says so until it runs out. No change when it is revoked already. `Failed` when it is
    /// not the client's own.
    async fn revoke_token(&self, client: &AuthenticatedClient, token: &Claims) -> Result<(), StoreError>;

    /// The client of that id, if it is of the grant's tenant.
    async fn find_client(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: ClientId,
    ) -> Result<Option<Versioned<Client>>, StoreError>;
    /// One page of the tenant's clients, by id.
    async fn list_clients(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Client>>, StoreError>;
    /// Adds a client, and gives its version. `Conflict` when its id is taken or its tenant is gone.
    async fn add_client(&self, grant: &Grant<Write, TenantCredentials>, client: Client) -> Result<Version, StoreError> {
        self.add_client_once(grant, client, None).await
    }
    /// The same once: `Conflict`, as [`ShownOnce`] says it, where the request made something within the last day. What it
    /// makes is noted in the same transaction.
    async fn add_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError>;
    /// Replaces a client as it was seen, but for when it was last used, and gives its new version. `Stale`, and nothing
    /// is written, when it was changed since or is not there.
    async fn update_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
    ) -> Result<Version, StoreError> {
        self.update_client_once(grant, client, seen, None).await
    }
    /// The same once, as [`add_client_once`](Self::add_client_once).
    async fn update_client_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        client: Client,
        seen: Version,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError>;
    /// Removes a client with its refresh tokens. Whether it was there. `Stale`, and it stays, when a version is given
    /// that it has no more.
    async fn remove_client(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: ClientId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError>;

    /// The key of that id, if it is of the grant's tenant.
    async fn find_key(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        id: KeyId,
    ) -> Result<Option<Versioned<Key>>, StoreError>;
    /// One page of the tenant's keys, by id.
    async fn list_keys(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        page: Page,
    ) -> Result<Listing<Versioned<Key>>, StoreError>;
    /// Adds a key, and gives its version. `Conflict` when its id is taken or its tenant is gone.
    async fn add_key(&self, grant: &Grant<Write, TenantCredentials>, key: Key) -> Result<Version, StoreError> {
        self.add_key_once(grant, key, None).await
    }
    /// The same once, as [`add_client_once`](Self::add_client_once).
    async fn add_key_once(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        request: Option<KeyedRequest>,
    ) -> Result<Version, StoreError>;
    /// Replaces a key as it was seen, but for when it was last used, and gives its new version. `Stale`, and nothing is
    /// written, when it was changed since or is not there.
    async fn update_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        key: Key,
        seen: Version,
    ) -> Result<Version, StoreError>;
    /// Removes a key. Whether it was there. `Stale`, and it stays, when a version is given that it has no more.
    async fn remove_key(
        &self,
        grant: &Grant<Write, TenantCredentials>,
        id: KeyId,
        seen: Option<Version>,
    ) -> Result<bool, StoreError>;

    /// What the request of that key made of the tenant's credentials within the day before `now`.
    async fn shown_once(
        &self,
        grant: &Grant<Read, TenantCredentials>,
        key: RequestKey,
        now: Timestamp,
    ) -> Result<Option<ShownOnce>, StoreError>;

    /// Every tenant, by slug.
    async fn list_tenants(&self, grant: &Grant<Maintenance, Installation>) -> Result<Vec<Tenant>, StoreError>;
    /// The grant's tenant, if it is there.
    async fn find_tenant_by_id(&self, grant: &Grant<Maintenance>) -> Result<Option<Tenant>, StoreError>;
    /// Adds a tenant. `Conflict` when its slug or its id is taken.
    async fn add_tenant(&self, grant: &Grant<Maintenance, Installation>, tenant: Tenant) -> Result<(), StoreError>;
    /// Says what the grant's tenant is called. Whether the tenant is there. No change when it is called so already.
    async fn set_name(&self, grant: &Grant<Maintenance>, name: Name) -> Result<bool, StoreError>;
    /// Says on which day the grant's tenant's fiscal years begin. Whether the tenant is there. No change when it is that
    /// day already.
    async fn set_year_start(&self, grant: &Grant<Maintenance>, year_start: YearStart) -> Result<bool, StoreError>;
    /// Says what the grant's tenant states for its inventory statements, in place of all that it stated. Whether the tenant
    /// is there. `Stale` unless it stated `seen`; no change when it states that already.
    async fn set_statement(
        &self,
        grant: &Grant<Maintenance>,
        seen: &StatementSettings,
        statement: StatementSettings,
    ) -> Result<bool, StoreError>;
    /// Removes the grant's tenant with its clients, keys, users, refresh tokens and sessions, each client, key and user an item
    /// of the one change, before the tenant. Whether it was there. Its slug is free again.
    async fn remove_tenant(&self, grant: &Grant<Maintenance>) -> Result<bool, StoreError>;

    /// Begins a new epoch of every tenant: each gets the one that is named for it, and no token that was given before is good
    /// any more, since signing keys, refresh tokens and revocations are removed, each signing key an item of the one change
    /// behind the tenants; nor any session or once-link. Clients, keys and users stay. `Stale`, and nothing is written, unless those are the tenants there are.
    async fn renew_epochs(
        &self,
        grant: &Grant<Maintenance, Installation>,
        epochs: &BTreeMap<TenantId, Uuid>,
    ) -> Result<(), StoreError>;

    /// The key that signs: the newest, unless it is retired.
    async fn signing_key(&self, grant: &Grant<Maintenance, Installation>) -> Result<Option<SealedKey>, StoreError>;
    /// Adds a signing key and retires those before it at its creation.
    async fn add_signing_key(&self, grant: &Grant<Maintenance, Installation>, key: SealedKey)
    -> Result<(), StoreError>;

    /// Notes that keys and clients were used, which changes no version; need not be durable at once.
    async fn touch(
        &self,
        grant: &Grant<Maintenance, Installation>,
        keys: &[(KeyId, Timestamp)],
        clients: &[(ClientId, Timestamp)],
    ) -> Result<(), StoreError>;
    /// Forgets refresh tokens, revocations, sessions and once-links that had run out at a moment that is certainly past: a [`SweepState`], which is
    /// kept with the directory, says which one; and what requests made more than a day ago. Called every hour.
    /// Gives how many it removed, and how far the clock that says `now` is behind that of an earlier sweep, where it is too
    /// far.
    async fn sweep(&self, grant: &Grant<Maintenance, Installation>, now: Timestamp) -> Result<Swept, StoreError>;
    /// Checks the directory's change chain and its records' digests, by a [`DirectoryCheck`], and the factors of each set.
    async fn verify(&self, grant: &Grant<Maintenance, Installation>) -> Result<Verification, StoreError>;
}
