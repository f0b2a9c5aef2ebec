//! What is known of credentials, bound to the directory's version: any change there makes all of it worthless.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{Digest, Timestamp};
use ports::credential::{SealedKey, VerifyingKey};
use ports::directory::Directory;
use ports::store::StoreError;
use ports::{Caller, FamilyId, TenantId};
use uuid::Uuid;

use super::last_used::Credential;
use crate::usecase::version::DirectoryVersion;

/// Credentials that are remembered of each sort, valid and invalid. Full, the sort is forgotten: it costs a look-up each.
const MOST: usize = 10_000;

/// The credentials seen lately. The use cases that change credentials share it with those that check them, so that a
/// change counts at once in this process, and within a second everywhere.
#[derive(Default)]
pub struct CredentialCache {
    version: Arc<DirectoryVersion>,
    state: Mutex<State>,
    /// The key that signed last. A newer version may name another.
    signing: Mutex<Option<SealedKey>>,
}

#[derive(Default)]
struct State {
    version: u64,
    valid: HashMap<BearerKey, ValidCredential>,
    invalid: HashSet<BearerKey>,
    tokens: Option<Arc<Tokens>>,
}

/// A bearer text at a tenant's address, by its digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct BearerKey {
    pub(super) tenant: TenantId,
    pub(super) hash: Digest,
}

/// A credential that was verified, and until when it is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValidCredential {
    pub(super) caller: Caller,
    pub(super) expires: Option<Timestamp>,
    pub(super) used: Credential,
}

/// What is known of a bearer text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Valid(ValidCredential),
    Invalid,
}

/// What access tokens are checked with.
#[derive(Default)]
pub(super) struct Tokens {
    /// The newest key is first.
    pub(super) keys: Vec<VerifyingKey>,
    pub(super) revoked: HashSet<Uuid>,
    pub(super) revoked_families: HashSet<FamilyId>,
}

impl CredentialCache {
    /// Credentials of a directory whose version is shared with other caches.
    #[must_use]
    pub fn new(version: Arc<DirectoryVersion>) -> Self {
        Self { version, ..Self::default() }
    }

    /// Forgets the version, so that the next use reads it from the directory. To be called after each change of the directory.
    pub fn expire(&self) {
        self.version.expire();
    }

    /// The directory's version as it is known here. What is known of an older one is forgotten.
    pub(super) async fn version(&self, directory: &dyn Directory, now: Timestamp) -> Result<u64, StoreError> {
        let version = self.version.read(directory, now).await?;
        let mut state = self.state();
        if state.version != version {
            *state = State { version, ..State::default() };
        }
        Ok(version)
    }

    /// What is known of it at that version.
    pub(super) fn find(&self, bearer: &BearerKey, version: u64) -> Option<Known> {
        let state = self.state();
        if state.version != version {
            return None;
        }
        let valid = state.valid.get(bearer).cloned().map(Known::Valid);
        valid.or_else(|| state.invalid.contains(bearer).then_some(Known::Invalid))
    }

    /// Remembers what was found at that version, unless the directory has moved on.
    pub(super) fn put(&self, bearer: BearerKey, version: u64, found: Option<ValidCredential>) {
        let mut state = self.state();
        if state.version != version {
            return;
        }
        if let Some(valid) = found {
            if state.valid.len() >= MOST {
                state.valid.clear();
            }
            state.valid.insert(bearer, valid);
        } else {
            if state.invalid.len() >= MOST {
                state.invalid.clear();
            }
            state.invalid.insert(bearer);
        }
    }

    /// What tokens are checked with at that version.
    pub(super) fn tokens(&self, version: u64) -> Option<Arc<Tokens>> {
        let state = self.state();
        if state.version == version { state.tokens.clone() } else { None }
    }

    /// Remembers what tokens are checked with, unless the directory has moved on.
    pub(super) fn put_tokens(&self, version: u64, tokens: Arc<Tokens>) {
        let mut state = self.state();
        if state.version == version {
            state.tokens = Some(tokens);
        }
    }

    /// The key that signs, if it is still the one of that name.
    pub(super) fn signing_key(&self, kid: &str) -> Option<SealedKey> {
        let signing = self.signing.lock().unwrap_or_else(PoisonError::into_inner);
        signing.as_ref().filter(|key| key.kid == kid).cloned()
    }

    /// Remembers the key that signs.
    pub(super) fn put_signing_key(&self, key: SealedKey) {
        *self.signing.lock().unwrap_or_else(PoisonError::into_inner) = Some(key);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use ports::{KeyId, Permissions};

    use super::*;

    fn bearer(n: u64) -> BearerKey {
        BearerKey { tenant: TenantId::new(Uuid::nil()), hash: Digest::of(&n.to_be_bytes()) }
    }

    fn valid() -> ValidCredential {
        let caller = Caller {
            tenant: TenantId::new(Uuid::nil()),
            actor: "key".to_owned(),
            permissions: Permissions::NONE,
            partner: None,
        };
        ValidCredential { caller, expires: None, used: Credential::Key(KeyId::new(Uuid::nil())) }
    }

    #[test]
    fn a_flood_of_invalid_credentials_is_bounded_and_displaces_no_valid_one() {
        let cache = CredentialCache::default();
        cache.put(bearer(0), 0, Some(valid()));
        for n in 1..=MOST as u64 + 10 {
            cache.put(bearer(n), 0, None);
        }
        assert!(cache.state().invalid.len() <= MOST);
        assert_eq!(cache.find(&bearer(0), 0), Some(Known::Valid(valid())));
    }

    #[test]
    fn valid_credentials_are_bounded_too() {
        let cache = CredentialCache::default();
        for n in 0..=MOST as u64 + 10 {
            cache.put(bearer(n), 0, Some(valid()));
        }
        assert!(cache.state().valid.len() <= MOST);
    }

    #[test]
    fn what_was_found_at_another_version_is_not_kept() {
        let cache = CredentialCache::default();
        cache.put(bearer(0), 7, Some(valid()));
        cache.put_tokens(7, Arc::default());
        assert_eq!(cache.find(&bearer(0), 7), None);
        assert_eq!(cache.find(&bearer(0), 0), None);
        assert!(cache.tokens(0).is_none());
    }
}
