//! Secrets of keys, clients and refresh tokens: 256 random bits, of which the SHA-256 is stored. No password hash: what
//! cannot be guessed needs no slow one.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::rand;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Digest;
use ports::credential::{CredentialError, Secret, Secrets};

/// Draws secrets from the operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomSecrets;

impl Secrets for RandomSecrets {
    fn generate(&self, prefix: &str) -> Result<Secret, CredentialError> {
        let bytes = random_bytes()?;
        Ok(Secret(format!("{prefix}{}", URL_SAFE_NO_PAD.encode(bytes))))
    }

    fn hash(&self, secret: &str) -> Digest {
        Digest::of(secret.as_bytes())
    }

    fn matches(&self, secret: &str, hash: &Digest) -> bool {
        verify_slices_are_equal(self.hash(secret).as_bytes(), hash.as_bytes()).is_ok()
    }
}

/// 256 random bits.
pub(crate) fn random_bytes() -> Result<[u8; 32], CredentialError> {
    let mut bytes = [0; 32];
    rand::fill(&mut bytes).map_err(|_| CredentialError::Failed("no random bytes can be had".to_owned()))?;
    Ok(bytes)
}
