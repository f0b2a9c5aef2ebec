//! Secrets and tokens: how they are made and checked, without saying where they are stored.

use crate::{ClientId, FamilyId, Permissions, TenantId};
use domain::{Digest, PartnerId, Timestamp};
use uuid::Uuid;

/// Makes secrets and hashes them.
pub trait Secrets: Send + Sync {
    /// A new secret of 256 random bits with that prefix, in URL-safe characters. `Failed` without a source of randomness.
    fn generate(&self, prefix: &str) -> Result<Secret, CredentialError>;

    /// What is stored of a secret.
    fn hash(&self, secret: &str) -> Digest;

    /// Whether the secret has that hash, in time that does not depend on where they differ.
    fn matches(&self, secret: &str, hash: &Digest) -> bool;
}

/// A secret in the clear: shown once, never stored, never logged.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// What is kept of a password, as `argon2` writes it: with its parameters and its salt. Never shown, never in the chain.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(pub String);

impl PasswordHash {
    /// What the user's record names it by.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// Hashes passwords, which people can remember and others could guess: slowly, on purpose. Not to be called where others wait.
pub trait Passwords: Send + Sync {
    /// What is kept of a password, with a salt of its own. `Failed` without a source of randomness.
    fn hash(&self, password: &Secret) -> Result<PasswordHash, CredentialError>;

    /// Whether the password has that hash; `None` fits none. As slow in every case.
    fn matches(&self, password: &Secret, hash: Option<&PasswordHash>) -> bool;
}

/// What an access token says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Who issued it: the tenant's base address.
    pub issuer: String,
    /// The tenant it is worth something in.
    pub tenant: TenantId,
    /// The client that it was issued to.
    pub client: ClientId,
    /// Unique per token; revocations name it.
    pub jti: Uuid,
    /// The refresh family that it was issued with.
    pub family: Option<FamilyId>,
    /// What it permits at most.
    pub scope: Permissions,
    /// When it was issued.
    pub issued: Timestamp,
    /// When it runs out.
    pub expires: Timestamp,
}

/// Signs and reads access tokens.
pub trait TokenSigner: Send + Sync {
    /// A new key pair, its private half sealed for the directory.
    fn generate_key(&self, kid: &str, created: Timestamp) -> Result<SealedKey, CredentialError>;

    /// Signs the claims with that key.
    fn sign(&self, claims: &Claims, key: &SealedKey) -> Result<String, CredentialError>;

    /// Reads a token that one of the keys signed. Says nothing about its time: the caller compares `expires`.
    fn read(&self, token: &str, keys: &[VerifyingKey]) -> Result<Claims, CredentialError>;
}

/// Signs texts that the service hands out and takes back, such as links to the next part of a list, with the installation's
/// secret: every node makes and knows the same signatures, and nobody else can make one.
pub trait TextSigner: Send + Sync {
    /// The signature of a text: 43 URL-safe characters.
    fn sign(&self, text: &str) -> String;

    /// Whether it is the signature of the text, in time that does not depend on where they differ.
    fn fits(&self, text: &str, signature: &str) -> bool;
}

/// Seals the secrets that partners gave us, for the store to keep.
pub trait SecretSealer: Send + Sync {
    /// The secret, encrypted and authenticated with the installation's secret for that partner of that tenant, in URL-safe
    /// characters.
    fn seal(&self, secret: &Secret, tenant: TenantId, partner: PartnerId) -> Result<String, CredentialError>;

    /// The secret that was sealed for that partner of that tenant. `Invalid` when it was sealed for another or with another
    /// installation's secret.
    fn open(&self, sealed: &str, tenant: TenantId, partner: PartnerId) -> Result<Secret, CredentialError>;
}

/// A signing key as the directory keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedKey {
    /// Its name in a token's header and in the key set.
    pub kid: String,
    /// The public half: 32 bytes of an Ed25519 key.
    pub public: Vec<u8>,
    /// The private half, encrypted and authenticated with the installation's secret.
    pub sealed: Vec<u8>,
    /// When it was made.
    pub created: Timestamp,
    /// Since when it signs no more.
    pub retired: Option<Timestamp>,
}

/// What a signing key's tokens are checked with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyingKey {
    /// Its name in a token's header and in the key set.
    pub kid: String,
    /// The public half: 32 bytes of an Ed25519 key.
    pub public: Vec<u8>,
    /// When it was made.
    pub created: Timestamp,
    /// Since when it signs no more.
    pub retired: Option<Timestamp>,
}

impl SealedKey {
    /// The key without its private half.
    #[must_use]
    pub fn verifying(&self) -> VerifyingKey {
        let Self { kid, public, sealed: _, created, retired } = self.clone();
        VerifyingKey { kid, public, created, retired }
    }
}

impl std::fmt::Debug for SealedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SealedKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// Why a token or key is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CredentialError {
    /// Not a token of this service, or its signature does not fit.
    #[error("the token is not valid")]
    Invalid,
    /// The private key cannot be opened with the installation's secret.
    #[error("the signing key {0} cannot be opened: the installation's secret is not the one it was sealed with")]
    Sealed(String),
    /// Signing or sealing failed, for that reason.
    #[error("{0}")]
    Failed(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inbound::{Browser, NewPassword, PasswordSignIn};
    use crate::partner_host::PartnerAddress;
    use crate::provider::SignInAttempt;

    #[test]
    fn nothing_that_holds_a_secret_prints_it_by_debug() {
        let hush = || "hush".to_owned();
        let secret = || Secret(hush());
        let created = Timestamp::from_millis(0).unwrap();
        let key =
            SealedKey { kid: "one".to_owned(), public: vec![1; 32], sealed: b"hush".to_vec(), created, retired: None };
        let browser = Browser { session: Some(secret()), ..Browser::default() };
        let address = PartnerAddress {
            base_url: "https://partner.example".to_owned(),
            auth_url: None,
            client_id: "us".to_owned(),
            client_secret: hush(),
            private_addresses: false,
            plain_http: false,
        };
        let attempt = SignInAttempt { redirect: String::new(), state: secret(), nonce: secret(), verifier: secret() };
        // As text, and as the bytes that a list of them prints as.
        let bytes = format!("{:?}", b"hush").trim_matches(['[', ']']).to_owned();
        for text in [
            format!("{:?}", secret()),
            format!("{:?}", PasswordHash(hush())),
            format!("{key:?}"),
            format!("{:?}", PasswordSignIn { name: "ana".to_owned(), password: secret(), browser }),
            format!("{:?}", NewPassword { current: Some(secret()), password: secret() }),
            format!("{address:?}"),
            format!("{attempt:?}"),
        ] {
            assert!(!text.is_empty() && !text.contains("hush") && !text.contains(&bytes), "{text}");
        }
    }
}
