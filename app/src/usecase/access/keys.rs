//! Signing keys: one signs, those before it verify until their last tokens have run out.

use std::sync::Arc;

use domain::Timestamp;
use ports::credential::SealedKey;
use ports::inbound::PublicKey;

use super::cache::Tokens;
use super::{AccessService, Trouble};

/// How long a retired key may still have signed: another process may not have heard of its successor.
const GRACE_MS: i64 = 60_000;

/// Who the change chain names for keys made on demand.
const SERVICE: &str = "service";

impl AccessService {
    /// Makes a new signing key; the ones before it verify until their tokens have run out. `by` is who did it.
    pub async fn rotate_signing_key(&self, by: &str) -> Result<PublicKey, Trouble> {
        let _turn = self.making.lock().await;
        self.make_key(by).await.map(|key| public(&key))
    }

    /// The keys that verify now, newest first. The first is made on demand.
    pub(super) async fn verifying_keys(&self) -> Result<Vec<PublicKey>, Trouble> {
        self.signing_key().await?;
        let now = self.ports.clock.now();
        let tokens = self.tokens(now).await?;
        Ok(self.verifying(&tokens, now).map(public).collect())
    }

    /// The key that signs now; made on demand.
    pub(super) async fn signing_key(&self) -> Result<SealedKey, Trouble> {
        let tokens = self.tokens(self.ports.clock.now()).await?;
        if let Some(key) = signing(&tokens.keys) {
            return Ok(key.clone());
        }
        let _turn = self.making.lock().await;
        let keys = self.ports.directory.signing_keys().await?;
        match signing(&keys) {
            Some(key) => Ok(key.clone()),
            None => self.make_key(SERVICE).await,
        }
    }

    /// What access tokens are checked with, of the directory's present version.
    pub(super) async fn tokens(&self, now: Timestamp) -> Result<Arc<Tokens>, Trouble> {
        let directory = self.ports.directory.as_ref();
        let version = self.cache.version(directory, now).await?;
        if let Some(tokens) = self.cache.tokens(version) {
            return Ok(tokens);
        }
        let revocations = directory.revocations(now).await?;
        let tokens = Arc::new(Tokens {
            keys: directory.signing_keys().await?,
            revoked: revocations.tokens.into_iter().collect(),
            revoked_families: revocations.families.into_iter().collect(),
        });
        self.cache.put_tokens(version, Arc::clone(&tokens));
        Ok(tokens)
    }

    /// The keys whose tokens may not all have run out.
    pub(super) fn verifying<'a>(&self, tokens: &'a Tokens, now: Timestamp) -> impl Iterator<Item = &'a SealedKey> {
        let tail_ms = self.lifetimes.access_ms().saturating_add(GRACE_MS);
        let verifies = move |retired: Timestamp| now.millis() < retired.millis().saturating_add(tail_ms);
        tokens.keys.iter().filter(move |key| key.retired.is_none_or(verifies))
    }

    async fn make_key(&self, by: &str) -> Result<SealedKey, Trouble> {
        let now = self.ports.clock.now();
        let kid = self.ports.ids.next(now).to_string();
        let key = self.ports.signer.generate_key(&kid, now)?;
        self.ports.directory.add_signing_key(key.clone(), by).await?;
        self.cache.expire();
        Ok(key)
    }
}

fn signing(keys: &[SealedKey]) -> Option<&SealedKey> {
    keys.iter().find(|key| key.retired.is_none())
}

fn public(key: &SealedKey) -> PublicKey {
    PublicKey { kid: key.kid.clone(), bytes: key.public.clone() }
}
