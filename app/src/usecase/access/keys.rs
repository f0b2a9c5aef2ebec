//! Signing keys: one signs, those before it verify until their last tokens have run out.

use std::sync::Arc;

use domain::Timestamp;
use ports::credential::{SealedKey, VerifyingKey};
use ports::inbound::PublicKey;
use ports::{Grant, Installation, Maintenance};

use super::cache::Tokens;
use super::{AccessFailure, AccessService, SYSTEM};

/// How long a retired key may still have signed: another process may not know its successor yet.
const GRACE_MS: i64 = 60_000;

impl AccessService {
    /// Makes a new signing key; the ones before it verify until their tokens have run out.
    pub async fn rotate_signing_key(
        &self,
        grant: &Grant<Maintenance, Installation>,
    ) -> Result<PublicKey, AccessFailure> {
        let _turn = self.making.lock().await;
        self.make_key(grant).await.map(|key| public(&key.verifying()))
    }

    /// The keys that verify now, newest first. The first is made on demand.
    pub(super) async fn verifying_keys(&self) -> Result<Vec<PublicKey>, AccessFailure> {
        self.signing_key().await?;
        let now = self.ports.clock.now();
        let tokens = self.tokens(now).await?;
        Ok(self.verifying(&tokens, now).map(public).collect())
    }

    /// The key that signs now; made on demand.
    pub(super) async fn signing_key(&self) -> Result<SealedKey, AccessFailure> {
        let tokens = self.tokens(self.ports.clock.now()).await?;
        let newest = tokens.keys.iter().find(|key| key.retired.is_none());
        if let Some(key) = newest.and_then(|key| self.cache.signing_key(&key.kid)) {
            return Ok(key);
        }
        let _turn = self.making.lock().await;
        let grant = Grant::for_maintenance(Installation, SYSTEM);
        let key = match self.ports.directory.signing_key(&grant).await? {
            Some(key) => key,
            None => self.make_key(&grant).await?,
        };
        self.cache.put_signing_key(key.clone());
        Ok(key)
    }

    /// What access tokens are checked with, of the directory's present version.
    pub(super) async fn tokens(&self, now: Timestamp) -> Result<Arc<Tokens>, AccessFailure> {
        let directory = self.ports.directory.as_ref();
        let version = self.cache.version(directory, now).await?;
        if let Some(tokens) = self.cache.tokens(version) {
            return Ok(tokens);
        }
        let revocations = directory.revocations().await?;
        let tokens = Arc::new(Tokens {
            keys: directory.verifying_keys().await?,
            revoked: revocations.tokens.into_iter().collect(),
            revoked_families: revocations.families.into_iter().collect(),
        });
        self.cache.put_tokens(version, Arc::clone(&tokens));
        Ok(tokens)
    }

    /// The keys whose tokens may not all have run out.
    pub(super) fn verifying<'a>(&self, tokens: &'a Tokens, now: Timestamp) -> impl Iterator<Item = &'a VerifyingKey> {
        let tail_ms = self.lifetimes.access_ms().saturating_add(GRACE_MS);
        let verifies = move |retired: Timestamp| now.millis() < retired.millis().saturating_add(tail_ms);
        tokens.keys.iter().filter(move |key| key.retired.is_none_or(verifies))
    }

    async fn make_key(&self, grant: &Grant<Maintenance, Installation>) -> Result<SealedKey, AccessFailure> {
        let now = self.ports.clock.now();
        let kid = self.ports.ids.next(now).to_string();
        let key = self.ports.signer.generate_key(&kid, now)?;
        let added = self.ports.directory.add_signing_key(grant, key.clone()).await;
        self.cache.expire();
        added?;
        Ok(key)
    }
}

fn public(key: &VerifyingKey) -> PublicKey {
    PublicKey { kid: key.kid.clone(), bytes: key.public.clone() }
}
