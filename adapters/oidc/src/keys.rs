//! The keys that a provider signs with, read when they are needed and kept for a while.

use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, JwkSet};
use ports::provider::ProviderError;
use serde::Deserialize;
use serde_json::Value;

/// How long keys are good.
const LIVE: Duration = Duration::from_hours(1);
/// How long it is not asked again for a key of another name, once it was: a flood of made-up names asks no more often.
const UNKNOWN_LASTS: Duration = Duration::from_secs(30);
/// How long it is told of keys that could not be had, before they are asked for again.
pub(crate) const FAILURE_LASTS: Duration = Duration::from_secs(10);

/// The keys as a provider shows them: one that does not read here keeps nobody from the others.
#[derive(Deserialize)]
pub(crate) struct Shown {
    keys: Vec<Value>,
}

impl Shown {
    fn known(self) -> JwkSet {
        JwkSet { keys: self.keys.into_iter().filter_map(|key| serde_json::from_value::<Jwk>(key).ok()).collect() }
    }
}

/// What is known of a provider's keys.
#[derive(Default)]
pub(crate) struct Keys {
    read: Option<(Instant, JwkSet)>,
    /// When they were last asked for since a name was not among them.
    sought: Option<Instant>,
    failed: Option<(Instant, String)>,
}

/// What to do where a key is needed.
pub(crate) enum Next {
    Use(JwkSet),
    Fail(ProviderError),
    Ask,
}

impl Keys {
    /// What to do for a token that is signed with the key of that name, or of none.
    pub(crate) fn next(&self, kid: Option<&str>) -> Next {
        let read = self.live();
        let has = |keys: &&JwkSet| kid.is_none_or(|kid| keys.find(kid).is_some());
        if let Some(keys) = read.filter(has) {
            return Next::Use(keys.clone());
        }
        if let Some((_, why)) = self.failed.as_ref().filter(|(at, _)| at.elapsed() < FAILURE_LASTS) {
            return Next::Fail(ProviderError::Failed(why.clone()));
        }
        match read {
            Some(keys) if self.sought.is_some_and(|at| at.elapsed() < UNKNOWN_LASTS) => Next::Use(keys.clone()),
            Some(_) | None => Next::Ask,
        }
    }

    /// Takes what the provider answered, for whoever asked and for those that come next. Keys that are known stay where others
    /// could not be had.
    pub(crate) fn take(&mut self, answer: Result<Shown, ProviderError>) -> Result<JwkSet, ProviderError> {
        let now = Instant::now();
        match answer {
            Ok(shown) => {
                if self.live().is_some() {
                    self.sought = Some(now);
                }
                let keys = shown.known();
                (self.read, self.failed) = (Some((now, keys.clone())), None);
                Ok(keys)
            }
            Err(error) => {
                let (ProviderError::Failed(why) | ProviderError::Refused(why)) = &error;
                self.failed = Some((now, why.clone()));
                Err(error)
            }
        }
    }

    fn live(&self) -> Option<&JwkSet> {
        self.read.as_ref().filter(|(at, _)| at.elapsed() < LIVE).map(|(_, keys)| keys)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(names: &[&str]) -> Shown {
        let key = |kid: &&str| json!({ "kty": "OKP", "crv": "Ed25519", "kid": kid, "x": "AAAA" });
        Shown { keys: names.iter().map(key).collect() }
    }

    fn failure() -> Result<Shown, ProviderError> {
        Err(ProviderError::Failed("it is away".to_owned()))
    }

    fn said(next: &Next) -> &'static str {
        match next {
            Next::Use(_) => "use",
            Next::Fail(_) => "fail",
            Next::Ask => "ask",
        }
    }

    #[test]
    fn a_name_that_is_new_is_asked_for_at_once_and_others_not_again_for_a_while() {
        let mut keys = Keys::default();
        assert_eq!(said(&keys.next(Some("a"))), "ask");
        keys.take(Ok(shown(&["a"]))).unwrap();
        assert_eq!(said(&keys.next(Some("a"))), "use");
        assert_eq!(said(&keys.next(Some("b"))), "ask");
        assert!(keys.take(Ok(shown(&["b"]))).unwrap().find("b").is_some());
        assert_eq!(said(&keys.next(Some("b"))), "use");
        for made_up in ["c", "d"] {
            assert_eq!(said(&keys.next(Some(made_up))), "use", "without asking again");
        }
    }

    #[test]
    fn a_failure_is_told_from_memory_and_takes_no_key_away() {
        let mut keys = Keys::default();
        keys.take(failure()).unwrap_err();
        assert_eq!(said(&keys.next(None)), "fail");
        keys.failed = None;
        keys.take(Ok(shown(&["a"]))).unwrap();
        keys.take(failure()).unwrap_err();
        assert_eq!(said(&keys.next(Some("a"))), "use");
        assert_eq!(said(&keys.next(Some("b"))), "fail");
    }

    #[test]
    fn keys_that_do_not_read_or_are_of_unknown_kinds_keep_nobody_from_the_others() {
        let mut shown = shown(&["a"]);
        shown.keys.insert(0, json!({ "kty": "AKP", "alg": "ML-DSA-44", "kid": "new", "pub": "AAAA" }));
        shown.keys.push(json!({ "kty": "EC", "crv": "secp256k1", "kid": "coin", "x": "AAAA", "y": "AAAA" }));
        shown.keys.push(json!({ "kty": "EC", "kid": "cut" }));
        shown.keys.push(json!("none"));
        let known = shown.known();
        assert!(known.find("a").is_some());
        assert_eq!(known.keys.len(), 4, "what is no key is left out");
    }
}
