//! Sealing of the secrets that partners gave us: AES-256-GCM with a key derived from the installation's secret, bound to the
//! tenant and the partner.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::PartnerId;
use ports::TenantId;
use ports::credential::{CredentialError, Secret, SecretSealer};

use crate::seal::Sealer;

const PURPOSE: &[u8] = b"tonne partner secret v1";

/// Seals with one installation's secret.
pub struct PartnerSecretSealer(Sealer);

impl PartnerSecretSealer {
    /// The sealer of that secret, which is at least 32 random bytes.
    pub fn new(secret: &[u8]) -> Result<Self, CredentialError> {
        let failed = |_| CredentialError::Failed("no key can be derived from the installation's secret".to_owned());
        Sealer::new(secret, PURPOSE).map(Self).map_err(failed)
    }
}

impl SecretSealer for PartnerSecretSealer {
    fn seal(&self, secret: &Secret, tenant: TenantId, partner: PartnerId) -> Result<String, CredentialError> {
        let sealed = self.0.seal(secret.0.as_bytes(), &tenant.to_string(), partner.uuid().as_bytes());
        let sealed = sealed.map_err(|_| CredentialError::Failed("the secret cannot be sealed".to_owned()))?;
        Ok(URL_SAFE_NO_PAD.encode(sealed))
    }

    fn open(&self, sealed: &str, tenant: TenantId, partner: PartnerId) -> Result<Secret, CredentialError> {
        let bytes = URL_SAFE_NO_PAD.decode(sealed).map_err(|_| CredentialError::Invalid)?;
        let plain = self.0.open(&bytes, &tenant.to_string(), partner.uuid().as_bytes());
        let plain = plain.map_err(|_| CredentialError::Invalid)?;
        String::from_utf8(plain).map(Secret).map_err(|_| CredentialError::Invalid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_secret_opens_for_its_partner_of_its_tenant_under_its_installation_alone() {
        let [one, other] = [1, 2].map(|byte| PartnerSecretSealer::new(&[byte; 32]).unwrap());
        let [tenant, tenant_2] = [1, 2].map(|n| TenantId::new(Uuid::from_u128(n)));
        let [partner, partner_2] = [3, 4].map(|n| PartnerId::new(Uuid::from_u128(n)));
        let secret = Secret("hush: é".to_owned());
        let sealed = one.seal(&secret, tenant, partner).unwrap();
        assert!(!sealed.contains("hush"));
        assert_ne!(one.seal(&secret, tenant, partner).unwrap(), sealed);
        assert_eq!(one.open(&sealed, tenant, partner), Ok(secret));
        assert_eq!(one.open(&sealed, tenant_2, partner), Err(CredentialError::Invalid));
        assert_eq!(one.open(&sealed, tenant, partner_2), Err(CredentialError::Invalid));
        assert_eq!(other.open(&sealed, tenant, partner), Err(CredentialError::Invalid));
        for text in ["", "!", &sealed[1..], &sealed[..sealed.len() - 2]] {
            assert_eq!(one.open(text, tenant, partner), Err(CredentialError::Invalid), "{text}");
        }
    }
}
