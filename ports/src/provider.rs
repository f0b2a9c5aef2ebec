//! What signs people in elsewhere: a provider of sign-ins, as the core asks it.

use async_trait::async_trait;
use domain::Timestamp;

use crate::credential::Secret;
use crate::inbound::ProvenIdentity;

/// A provider of sign-ins.
#[async_trait]
pub trait Provider: Send + Sync {
    /// Where a browser is sent to sign in, to come back to `attempt.redirect` with a code.
    async fn address(&self, attempt: &SignInAttempt) -> Result<String, ProviderError>;

    /// Who signed in, for the code that came back: the provider's word is checked against the attempt, the provider's keys,
    /// the issuer and the audience, and at the moment `now`.
    async fn identify(
        &self,
        attempt: &SignInAttempt,
        code: &Secret,
        now: Timestamp,
    ) -> Result<ProvenIdentity, ProviderError>;
}

/// One attempt of one browser, which alone can make its texts again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInAttempt {
    /// Where the browser comes back to.
    pub redirect: String,
    /// What comes back with the code.
    pub state: Secret,
    /// What the identity token must hold.
    pub nonce: Secret,
    /// What the code is exchanged with (PKCE): 43 URL-safe characters.
    pub verifier: Secret,
}

/// Why nobody was signed in elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider could not be reached, or does not do what the standard asks: for the operator to mend.
    #[error("the provider of sign-ins failed: {0}")]
    Failed(String),
    /// The provider vouches for nobody, or what it says is not right.
    #[error("the provider's answer is not right: {0}")]
    Refused(String),
}
