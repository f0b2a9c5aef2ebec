//! Sealing: what is kept of a secret is encrypted and authenticated with a key derived from the installation's secret, and
//! bound to what it belongs to, such as the name and the public half of a signing key.
//!
//! A sealed text is a version byte, a nonce of 12 bytes, the ciphertext, and a tag of 16 bytes.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};

const VERSION: u8 = 1;
const SALT: &[u8] = b"tonne";

/// Seals and opens with one installation's secret.
pub(crate) struct Sealer(RandomizedNonceKey);

impl Sealer {
    /// The sealer of that secret for that purpose: HKDF-SHA256, then AES-256-GCM.
    pub(crate) fn new(secret: &[u8], purpose: &[u8]) -> Result<Self, Unspecified> {
        let mut key = [0; 32];
        Salt::new(HKDF_SHA256, SALT).extract(secret).expand(&[purpose], HKDF_SHA256)?.fill(&mut key)?;
        RandomizedNonceKey::new(&AES_256_GCM, &key).map(Self)
    }

    /// The plain text sealed for that name and public key.
    pub(crate) fn seal(&self, plain: &[u8], kid: &str, public: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let mut text = plain.to_vec();
        let nonce = self.0.seal_in_place_append_tag(Aad::from(bound_to(kid, public)), &mut text)?;
        Ok([&[VERSION], nonce.as_ref().as_slice(), &text].concat())
    }

    /// The plain text, if it was sealed with this secret for that name and public key.
    pub(crate) fn open(&self, sealed: &[u8], kid: &str, public: &[u8]) -> Result<Vec<u8>, Unspecified> {
        let (version, rest) = sealed.split_first().ok_or(Unspecified)?;
        let (nonce, text) = rest.split_at_checked(NONCE_LEN).ok_or(Unspecified)?;
        if *version != VERSION {
            return Err(Unspecified);
        }
        let nonce = Nonce::try_assume_unique_for_key(nonce)?;
        let mut text = text.to_vec();
        let plain = self.0.open_in_place(nonce, Aad::from(bound_to(kid, public)), &mut text)?;
        Ok(plain.to_vec())
    }
}

/// Name and public key in one text that no other pair has: the public key's length is fixed by its place behind the
/// name's length.
fn bound_to(kid: &str, public: &[u8]) -> Vec<u8> {
    [&(kid.len() as u64).to_be_bytes(), kid.as_bytes(), public].concat()
}
