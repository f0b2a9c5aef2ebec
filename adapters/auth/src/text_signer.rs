//! Signatures of texts that the service hands out and takes back: HMAC-SHA256 with a key derived from the installation's
//! secret.

use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::hmac::{self, HMAC_SHA256, Key};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ports::credential::{CredentialError, TextSigner};

const SALT: &[u8] = b"tonne";
const PURPOSE: &[u8] = b"tonne text signature v1";

/// Signs texts with one installation's secret.
pub struct HmacTextSigner(Key);

impl HmacTextSigner {
    /// The signer of that secret, which is at least 32 random bytes: HKDF-SHA256, then HMAC-SHA256.
    pub fn new(secret: &[u8]) -> Result<Self, CredentialError> {
        let mut key = [0; 32];
        let extracted = Salt::new(HKDF_SHA256, SALT).extract(secret);
        let filled = extracted.expand(&[PURPOSE], HKDF_SHA256).and_then(|derived| derived.fill(&mut key));
        let failed = |_| CredentialError::Failed("no key can be derived from the installation's secret".to_owned());
        filled.map_err(failed)?;
        Ok(Self(Key::new(HMAC_SHA256, &key)))
    }
}

impl TextSigner for HmacTextSigner {
    fn sign(&self, text: &str) -> String {
        URL_SAFE_NO_PAD.encode(hmac::sign(&self.0, text.as_bytes()))
    }

    fn fits(&self, text: &str, signature: &str) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature);
        signature.is_ok_and(|signature| hmac::verify(&self.0, text.as_bytes(), &signature).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_fits_its_text_under_its_secret_and_nothing_else() {
        let signer = HmacTextSigner::new(&[1; 32]).unwrap();
        let signature = signer.sign("a");
        assert_eq!(signature.len(), 43);
        assert!(signer.fits("a", &signature));
        assert!(HmacTextSigner::new(&[1; 32]).unwrap().fits("a", &signature));
        assert!(!HmacTextSigner::new(&[2; 32]).unwrap().fits("a", &signature));
        for (text, other) in [("b", signature.as_str()), ("a", ""), ("a", "ü"), ("a", &signature[..42])] {
            assert!(!signer.fits(text, other), "{text} {other}");
        }
    }
}
