//! Access: who calls, and the tokens they call with.

use std::error::Error as StdError;

use crate::{Caller, Denied, Permission, Permissions, TenantId};
use async_trait::async_trait;

use crate::credential::Secret;
use crate::directory::AuthenticatedClient;

/// Tells who calls and issues tokens.
#[async_trait]
pub trait Access: Send + Sync {
    /// The caller that an API key or access token authenticates, at the address of `tenant`.
    async fn authenticate(&self, tenant: TenantId, bearer: &str) -> Result<Caller, AccessError>;

    /// Whether the caller holds the permission. Asked before anything costly of a request is read; what is done for the
    /// caller is checked again where it is done.
    fn check(&self, caller: &Caller, permission: Permission) -> Result<(), Denied>;

    /// The client of those credentials, which may ask for tokens and revoke them. Writes nothing.
    async fn client(&self, tenant: TenantId, given: &ClientCredentials) -> Result<AuthenticatedClient, TokenError>;

    /// A token for client credentials or a refresh token (RFC 6749).
    async fn token(&self, client: &AuthenticatedClient, request: TokenRequest) -> Result<Granted, TokenError>;

    /// Revokes an access or refresh token of the client (RFC 7009); a token that is unknown is revoked already.
    async fn revoke(&self, client: &AuthenticatedClient, token: &Secret) -> Result<(), TokenError>;

    /// The public keys that tokens of today are signed with.
    async fn public_keys(&self) -> Result<Vec<PublicKey>, AccessError>;
}

/// Why a caller is not let in.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The key or token is unknown, revoked, of another tenant or not one at all.
    #[error("the key or token is not valid here")]
    Invalid,
    /// It has run out.
    #[error("the key or token has run out")]
    Expired,
    /// The service is busy, or what it stands on is away; the same call may succeed later.
    #[error("the service is busy")]
    Busy(#[source] Box<dyn StdError + Send + Sync>),
    /// The service failed; its operator finds the cause in the log.
    #[error("the service failed")]
    Failed(#[source] Box<dyn StdError + Send + Sync>),
}

/// A client's credentials as they were presented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCredentials {
    /// The `client_id` as it was sent.
    pub id: String,
    /// The `client_secret` as it was sent.
    pub secret: Secret,
    /// The source that they came from, for the bound on failures: an address, or a network that counts as one.
    pub from: String,
}

/// The word that PACT has for reading footprints, beside the permission's own: a scope may name either.
pub const PACT_SCOPE: &str = "footprint:list";

/// What is asked of the token endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenRequest {
    /// `grant_type=client_credentials`.
    ClientCredentials {
        /// The asked scope: words separated by blanks, unknown ones ignored.
        scope: Option<String>,
        /// The base address that the token is issued from.
        issuer: String,
    },
    /// `grant_type=refresh_token`.
    Refresh {
        /// The refresh token that is exchanged.
        token: Secret,
        /// The asked scope, within the one given before.
        scope: Option<String>,
        /// The base address that the token is issued from.
        issuer: String,
    },
}

/// A token that was issued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Granted {
    /// The access token, for the header `Authorization`.
    pub access: Secret,
    /// The refresh token, to be used once.
    pub refresh: Secret,
    /// The permissions of the access token.
    pub scope: Permissions,
    /// Seconds until the access token runs out.
    pub expires_in_s: u64,
}

/// Why no token is issued (RFC 6749, section 5.2).
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// Unknown client or wrong secret.
    #[error("the client is unknown or its secret is wrong")]
    InvalidClient,
    /// The refresh token is unknown, used, revoked, run out, or another client's.
    #[error("the refresh token is not valid")]
    InvalidGrant,
    /// The refresh token was used before: it, or its successor, was stolen. Its family is revoked. Clients are told the same as
    /// of one that is not valid.
    #[error("the refresh token was used before; its family is revoked")]
    Reused,
    /// Nothing of the asked scope is held.
    #[error("none of the asked permissions is held by the client")]
    InvalidScope,
    /// Too many failed attempts.
    #[error("too many failed attempts; try again in {retry_after_s} s")]
    TooMany {
        /// Seconds until the next attempt is accepted.
        retry_after_s: u64,
    },
    /// The service is busy, or what it stands on is away; the same call may succeed later.
    #[error("the service is busy")]
    Busy(#[source] Box<dyn StdError + Send + Sync>),
    /// Whether the directory kept the token, or the revocation, is not known: the commit was sent and its answer lost.
    #[error("the outcome is not known")]
    Unknown(#[source] Box<dyn StdError + Send + Sync>),
    /// The service failed; its operator finds the cause in the log.
    #[error("the service failed")]
    Failed(#[source] Box<dyn StdError + Send + Sync>),
}

/// The public half of a signing key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The key's identifier, as tokens name it in their header.
    pub kid: String,
    /// 32 bytes of an Ed25519 key.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_holds_no_secret() {
        let secret = || Secret("hush".to_owned());
        let client = ClientCredentials { id: "a".to_owned(), secret: secret(), from: String::new() };
        let granted = Granted { access: secret(), refresh: secret(), scope: Permissions::NONE, expires_in_s: 1 };
        let refresh = TokenRequest::Refresh { token: secret(), scope: None, issuer: String::new() };
        for text in [format!("{client:?}"), format!("{granted:?}"), format!("{refresh:?}")] {
            assert!(text.contains("***") && !text.contains("hush"), "{text}");
        }
    }
}
