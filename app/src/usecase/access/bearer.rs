//! The caller of a key or an access token.

use domain::{Digest, Timestamp};
use ports::credential::CredentialError;
use ports::inbound::AccessError;
use ports::{Caller, TenantId};

use super::cache::{BearerKey, Known, ValidCredential};
use super::last_used::Credential;
use super::{AccessFailure, AccessService, KEY_PREFIX};

/// Random characters of a key, behind its prefix.
const KEY_CHARACTERS: usize = 43;

/// Bytes of an access token at most.
const TOKEN_BYTES: usize = 8 * 1024;

impl AccessService {
    /// The caller, from what is known or from the directory.
    pub(super) async fn caller(&self, tenant: TenantId, bearer: &str) -> Result<Caller, AccessError> {
        if !has_form(bearer) {
            return Err(AccessError::Invalid);
        }
        let now = self.ports.clock.now();
        let version = self.cache.version(self.ports.directory.as_ref(), now).await.map_err(AccessFailure::from)?;
        let key_of_bearer = BearerKey { tenant, hash: self.ports.secrets.hash(bearer) };
        let found = match self.cache.find(&key_of_bearer, version) {
            Some(Known::Valid(valid)) => Some(valid),
            Some(Known::Invalid) => None,
            None => {
                let found = self.look_up(key_of_bearer, bearer, now).await?;
                self.cache.put(key_of_bearer, version, found.clone());
                found
            }
        };
        let valid = found.ok_or(AccessError::Invalid)?;
        if valid.expires.is_some_and(|expires| expires <= now) {
            return Err(AccessError::Expired);
        }
        self.uses.note(valid.used, now);
        Ok(valid.caller)
    }

    async fn look_up(
        &self,
        key_of_bearer: BearerKey,
        bearer: &str,
        now: Timestamp,
    ) -> Result<Option<ValidCredential>, AccessFailure> {
        if bearer.starts_with(KEY_PREFIX) {
            self.look_up_key(key_of_bearer.tenant, key_of_bearer.hash).await
        } else {
            self.look_up_token(key_of_bearer.tenant, bearer, now).await
        }
    }

    async fn look_up_key(&self, tenant: TenantId, hash: Digest) -> Result<Option<ValidCredential>, AccessFailure> {
        let key = self.ports.directory.find_key_by_hash(hash).await?;
        Ok(key.filter(|key| key.tenant == tenant).map(|key| ValidCredential {
            caller: Caller { tenant, actor: format!("key:{}", key.id), permissions: key.permissions, partner: None },
            expires: key.expires,
            used: Credential::Key(key.id),
        }))
    }

    /// A token permits what its scope says and its client still holds, for as long as both last.
    async fn look_up_token(
        &self,
        tenant: TenantId,
        token: &str,
        now: Timestamp,
    ) -> Result<Option<ValidCredential>, AccessFailure> {
        let tokens = self.tokens(now).await?;
        let keys: Vec<_> = self.verifying(&tokens, now).cloned().collect();
        let claims = match self.ports.signer.read(token, &keys) {
            Ok(claims) => claims,
            Err(CredentialError::Invalid) => return Ok(None),
            Err(error @ (CredentialError::Sealed(_) | CredentialError::Failed(_))) => return Err(error.into()),
        };
        let revoked = tokens.revoked.contains(&claims.jti)
            || claims.family.is_some_and(|family| tokens.revoked_families.contains(&family));
        if claims.tenant != tenant || revoked {
            return Ok(None);
        }
        let client = self.ports.directory.find_client_by_id(claims.client).await?;
        Ok(client.filter(|client| client.tenant == tenant).map(|client| ValidCredential {
            caller: Caller {
                tenant,
                actor: format!("client:{}", client.id),
                permissions: claims.scope.common(client.permissions),
                partner: client.partner,
            },
            expires: Some(client.expires.map_or(claims.expires, |expires| expires.min(claims.expires))),
            used: Credential::Client(client.id),
        }))
    }
}

/// Whether the text can be a key or a token; others cost no look-up and no place in the cache.
fn has_form(bearer: &str) -> bool {
    let url_safe = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    match bearer.strip_prefix(KEY_PREFIX) {
        Some(random) => random.len() == KEY_CHARACTERS && url_safe(random),
        None => bearer.len() <= TOKEN_BYTES && bearer.split('.').count() == 3 && bearer.split('.').all(url_safe),
    }
}
