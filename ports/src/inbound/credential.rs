//! Clients and keys: who may call.

use crate::{Caller, ClientId, KeyId, Permissions, Version};
use async_trait::async_trait;
use domain::{Faults, Name, Timestamp};

use super::Error;
use super::draft::Field;
use crate::credential::Secret;
use crate::directory::{Client, Key};
use crate::repeat::KeyedRequest;
use crate::repo::{Listing, Page};

/// Clients and keys of the caller's tenant; all of it needs `admin`.
#[async_trait]
pub trait Credentials: Send + Sync {
    /// One page of the clients.
    async fn list_clients(&self, caller: &Caller, page: Page) -> Result<Listing<ClientView>, Error>;
    /// The client with that identifier.
    async fn get_client(&self, caller: &Caller, id: ClientId) -> Result<ClientView, Error>;
    /// Adds a client; its secret is shown this once.
    async fn add_client(&self, caller: &Caller, draft: CredentialDraft) -> Result<NewClient, Error> {
        self.add_client_once(caller, draft, None).await
    }
    /// The same once, where the request may be sent again: then it is `Conflict` and names what it made, since the secret is
    /// shown once. `KeyReused` when its key was used for another.
    async fn add_client_once(
        &self,
        caller: &Caller,
        draft: CredentialDraft,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error>;
    /// Changes name, permissions or expiry: absent members stay.
    async fn update_client(
        &self,
        caller: &Caller,
        id: ClientId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<ClientView, Error>;
    /// A new secret for a client; the old one is dead.
    async fn rotate_client(&self, caller: &Caller, id: ClientId, seen: Option<Version>) -> Result<NewClient, Error> {
        self.rotate_client_once(caller, id, seen, None).await
    }
    /// The same once, where the request may be sent again: then it is `Conflict` and names what it made, since the secret is
    /// shown once. `KeyReused` when its key was used for another.
    async fn rotate_client_once(
        &self,
        caller: &Caller,
        id: ClientId,
        seen: Option<Version>,
        once: Option<KeyedRequest>,
    ) -> Result<NewClient, Error>;
    /// Removes a client; its tokens are dead.
    async fn remove_client(&self, caller: &Caller, id: ClientId, seen: Option<Version>) -> Result<(), Error>;

    /// One page of the keys.
    async fn list_keys(&self, caller: &Caller, page: Page) -> Result<Listing<KeyView>, Error>;
    /// The key with that identifier.
    async fn get_key(&self, caller: &Caller, id: KeyId) -> Result<KeyView, Error>;
    /// Adds a key; it is shown this once.
    async fn add_key(&self, caller: &Caller, draft: CredentialDraft) -> Result<NewKey, Error> {
        self.add_key_once(caller, draft, None).await
    }
    /// The same once, where the request may be sent again: then it is `Conflict` and names what it made, since the secret is
    /// shown once. `KeyReused` when its key was used for another.
    async fn add_key_once(
        &self,
        caller: &Caller,
        draft: CredentialDraft,
        once: Option<KeyedRequest>,
    ) -> Result<NewKey, Error>;
    /// Changes name, permissions or expiry: absent members stay.
    async fn update_key(
        &self,
        caller: &Caller,
        id: KeyId,
        seen: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<KeyView, Error>;
    /// Removes a key: it is dead.
    async fn remove_key(&self, caller: &Caller, id: KeyId, seen: Option<Version>) -> Result<(), Error>;
}

/// The members of a client or key that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CredentialDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// Required, at least one.
    pub permissions: Field<Permissions>,
    /// When it runs out; in the future.
    pub expires: Field<Timestamp>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// A client with its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientView {
    /// The client without its secret.
    pub client: Client,
    /// What an `If-Match` compares.
    pub version: Version,
}

/// A client with its secret in the clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClient {
    /// The client without its secret.
    pub view: ClientView,
    /// The secret, which is shown this once.
    pub secret: Secret,
}

/// A key with its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyView {
    /// The key without its secret.
    pub key: Key,
    /// What an `If-Match` compares.
    pub version: Version,
}

/// A key in the clear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// The key without its secret.
    pub view: KeyView,
    /// The whole of it.
    pub secret: Secret,
}
