//! Signing in elsewhere: what of an attempt a browser carries, and what only the installation can make of it.

use std::fmt;
use std::sync::Arc;

use ports::credential::{CredentialError, Secret, Secrets, TextSigner};
use ports::provider::{Provider, SignInAttempt};

/// A provider of sign-ins (`OpenID` Connect), as pages know it.
#[derive(Clone)]
pub struct Elsewhere {
    /// What the button calls it.
    pub name: String,
    /// Its issuer.
    pub issuer: String,
    /// What asks it.
    pub provider: Arc<dyn Provider>,
    /// What draws the secret of an attempt.
    pub secrets: Arc<dyn Secrets>,
    /// What makes the texts of an attempt from its secret.
    pub signer: Arc<dyn TextSigner>,
}

impl fmt::Debug for Elsewhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elsewhere").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

impl Elsewhere {
    /// The secret of a new attempt, which stays in the browser that makes it.
    pub(crate) fn begin(&self) -> Result<Secret, CredentialError> {
        self.secrets.generate("")
    }

    /// The attempt of that secret. Any node makes the same of it and keeps nothing; nobody else can, so what comes back with the
    /// right state comes from the browser that was sent.
    pub(crate) fn attempt(&self, secret: &Secret, redirect: String) -> SignInAttempt {
        let text = |what: &str| Secret(self.signer.sign(&format!("oidc {what} {}", secret.0)));
        SignInAttempt { redirect, state: text("state"), nonce: text("nonce"), verifier: text("verifier") }
    }

    /// Whether the state that came back is that of the attempt.
    pub(crate) fn is_state(&self, secret: &Secret, state: &str) -> bool {
        self.signer.fits(&format!("oidc state {}", secret.0), state)
    }
}
