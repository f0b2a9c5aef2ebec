//! Access tokens: JWT signed with Ed25519 (RFC 8037), in the profile of RFC 9068.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::{Timestamp, parse_uuid};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, decode_header, encode};
use ports::credential::{Claims, CredentialError, SealedKey, TokenSigner, VerifyingKey};
use ports::{FamilyId, Permission};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::seal::Sealer;

const PURPOSE: &[u8] = b"tonne signing key v1";

/// The `typ` of an access token (RFC 9068, section 2.1).
const TYPE: &str = "at+jwt";

/// Longer texts are no token of this service.
const LONGEST: usize = 8 * 1024;

/// Signs access tokens with keys that are sealed with the installation's secret.
pub struct Ed25519Signer {
    sealer: Sealer,
}

impl Ed25519Signer {
    /// The signer of an installation. Its secret is at least 32 random bytes.
    pub fn new(secret: &[u8]) -> Result<Self, CredentialError> {
        let sealer =
            Sealer::new(secret, PURPOSE).map_err(|_| failed("no key can be derived from the installation's secret"))?;
        Ok(Self { sealer })
    }
}

impl TokenSigner for Ed25519Signer {
    fn generate_key(&self, kid: &str, created: Timestamp) -> Result<SealedKey, CredentialError> {
        let pair = Ed25519KeyPair::generate().map_err(|_| failed("no signing key can be made"))?;
        let private = pair.to_pkcs8().map_err(|_| failed("the signing key cannot be written"))?;
        let public = pair.public_key().as_ref().to_vec();
        let sealed =
            self.sealer.seal(private.as_ref(), kid, &public).map_err(|_| failed("the signing key cannot be sealed"))?;
        Ok(SealedKey { kid: kid.to_owned(), public, sealed, created, retired: None })
    }

    fn sign(&self, claims: &Claims, key: &SealedKey) -> Result<String, CredentialError> {
        let private = self
            .sealer
            .open(&key.sealed, &key.kid, &key.public)
            .map_err(|_| CredentialError::Sealed(key.kid.clone()))?;
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TYPE.to_owned());
        header.kid = Some(key.kid.clone());
        encode(&header, &Wire::from(claims), &EncodingKey::from_ed_der(&private))
            .map_err(|error| failed(&format!("the token cannot be signed: {error}")))
    }

    fn read(&self, token: &str, keys: &[VerifyingKey]) -> Result<Claims, CredentialError> {
        if token.len() > LONGEST {
            return Err(CredentialError::Invalid);
        }
        let header = decode_header(token).map_err(|_| CredentialError::Invalid)?;
        let key = keys.iter().find(|key| header.kid.as_ref() == Some(&key.kid)).ok_or(CredentialError::Invalid)?;
        if header.typ.as_deref() != Some(TYPE) || header.crit.is_some() {
            return Err(CredentialError::Invalid);
        }
        let public = DecodingKey::from_ed_components(&URL_SAFE_NO_PAD.encode(&key.public));
        let public = public.map_err(|_| CredentialError::Invalid)?;
        let wire = decode::<Wire>(token, &public, &signature_alone()).map_err(|_| CredentialError::Invalid)?.claims;
        wire.try_into()
    }
}

/// Checks that the algorithm is `EdDSA` and the signature fits; time, tenant and revocation are checked by the caller.
fn signature_alone() -> Validation {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation
}

fn failed(detail: &str) -> CredentialError {
    CredentialError::Failed(detail.to_owned())
}

/// The claims as a token carries them; times in whole seconds since 1970, the end rounded up.
#[derive(Serialize, Deserialize)]
struct Wire {
    iss: String,
    sub: String,
    client_id: String,
    aud: String,
    tenant: String,
    jti: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<String>,
    scope: String,
    iat: i64,
    exp: i64,
}

impl From<&Claims> for Wire {
    fn from(claims: &Claims) -> Self {
        Self {
            iss: claims.issuer.clone(),
            sub: claims.client.to_string(),
            client_id: claims.client.to_string(),
            aud: claims.issuer.clone(),
            tenant: claims.tenant.to_string(),
            jti: claims.jti.to_string(),
            family: claims.family.map(|family| family.to_string()),
            scope: claims.scope.to_string(),
            iat: claims.issued.millis().div_euclid(1000),
            exp: -(-claims.expires.millis()).div_euclid(1000),
        }
    }
}

impl TryFrom<Wire> for Claims {
    type Error = CredentialError;

    fn try_from(wire: Wire) -> Result<Self, CredentialError> {
        Ok(Self {
            issuer: wire.iss,
            tenant: uuid(&wire.tenant)?.into(),
            client: uuid(&wire.client_id)?.into(),
            jti: uuid(&wire.jti)?,
            family: wire.family.as_deref().map(uuid).transpose()?.map(FamilyId::new),
            scope: wire.scope.split(' ').filter_map(Permission::parse).collect(),
            issued: moment(wire.iat)?,
            expires: moment(wire.exp)?,
        })
    }
}

fn uuid(text: &str) -> Result<Uuid, CredentialError> {
    parse_uuid(text).map_err(|_| CredentialError::Invalid)
}

fn moment(seconds: i64) -> Result<Timestamp, CredentialError> {
    seconds.checked_mul(1000).and_then(Timestamp::from_millis).ok_or(CredentialError::Invalid)
}
