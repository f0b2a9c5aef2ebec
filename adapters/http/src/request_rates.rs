//! How many requests each credential makes in a minute, and what answers say of it: the headers `RateLimit` and
//! `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10).

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};

use crate::problem::{Kind, Problem};

const MINUTE: Duration = Duration::from_mins(1);
/// So many minutes are remembered before those that are over are forgotten for the first time.
const MANY: usize = 1_024;

const LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The requests of every credential in its present minute, which begins with its first request.
#[derive(Debug)]
pub(crate) struct RequestRates {
    /// 0 where nothing is counted.
    most: u32,
    minutes: Mutex<Minutes>,
}

#[derive(Debug)]
struct Minutes {
    by_credential: HashMap<Box<str>, Minute>,
    /// With so many, those that are over are forgotten. It is twice what was left the last time, so that each new one
    /// costs the look at two at most, however many there are.
    sweep_at: usize,
}

#[derive(Debug)]
struct Minute {
    end: Instant,
    requests: u32,
}

/// What is left of a credential's requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quota {
    most: u32,
    left: u32,
    /// Seconds until the next minute begins.
    reset_s: u64,
}

/// The credential made too many requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exceeded(pub(crate) Quota);

impl RequestRates {
    /// So many requests a minute for each credential; 0 for any number.
    pub(crate) fn new(most: u32) -> Self {
        Self { most, minutes: Mutex::new(Minutes { by_credential: HashMap::new(), sweep_at: MANY }) }
    }

    /// Counts a request of that credential. `None` where nothing is counted.
    pub(crate) fn count(&self, credential: &str, now: Instant) -> Result<Option<Quota>, Exceeded> {
        if self.most == 0 {
            return Ok(None);
        }
        let mut minutes = self.minutes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = minutes.by_credential.get_mut(credential);
        let (requests, end) = if let Some(minute) = known.filter(|minute| minute.end > now) {
            minute.requests = minute.requests.saturating_add(1);
            (minute.requests, minute.end)
        } else {
            if minutes.by_credential.len() >= minutes.sweep_at {
                minutes.by_credential.retain(|_, minute| minute.end > now);
                minutes.sweep_at = MANY.max(minutes.by_credential.len() * 2);
            }
            let end = now + MINUTE;
            minutes.by_credential.insert(credential.into(), Minute { end, requests: 1 });
            (1, end)
        };
        let quota = Quota {
            most: self.most,
            left: self.most.saturating_sub(requests),
            reset_s: end.saturating_duration_since(now).as_millis().div_ceil(1_000).try_into().unwrap_or(60),
        };
        if requests > self.most { Err(Exceeded(quota)) } else { Ok(Some(quota)) }
    }
}

impl Quota {
    /// Adds the headers that say so.
    pub(crate) fn tell(self, headers: &mut HeaderMap) {
        let Self { most, left, reset_s } = self;
        for (name, text) in [
            (POLICY, format!(r#""default";q={most};w={}"#, MINUTE.as_secs())),
            (LIMIT, format!(r#""default";r={left};t={reset_s}"#)),
        ] {
            if let Ok(value) = HeaderValue::from_str(&text) {
                headers.insert(name, value);
            }
        }
    }
}

impl From<Exceeded> for Problem {
    fn from(Exceeded(Quota { most, reset_s, .. }): Exceeded) -> Self {
        let detail = format!("These credentials may make {most} requests a minute; repeat this one in {reset_s} s.");
        Self::new(Kind::TooFast, detail).with_header(RETRY_AFTER, &reset_s.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(rates: &RequestRates, credential: &str, now: Instant) -> Result<u32, u64> {
        rates.count(credential, now).map(|quota| quota.unwrap().left).map_err(|Exceeded(quota)| quota.reset_s)
    }

    #[test]
    fn a_credential_has_its_requests_each_minute() {
        let (rates, start) = (RequestRates::new(2), Instant::now());
        let at = |ms| left(&rates, "key:a", start + Duration::from_millis(ms));
        assert_eq!([at(0), at(1), at(2), at(59_999)], [Ok(1), Ok(0), Err(60), Err(1)]);
        assert_eq!([at(60_000), at(60_001), at(60_002)], [Ok(1), Ok(0), Err(60)]);
    }

    #[test]
    fn credentials_are_counted_apart() {
        let (rates, now) = (RequestRates::new(1), Instant::now());
        assert_eq!([left(&rates, "key:a", now), left(&rates, "key:b", now)], [Ok(0), Ok(0)]);
        assert_eq!(left(&rates, "key:a", now), Err(60));
    }

    #[test]
    fn with_0_nothing_is_counted() {
        let rates = RequestRates::new(0);
        assert!((0..10).all(|_| rates.count("key:a", Instant::now()) == Ok(None)));
    }

    #[test]
    fn minutes_that_are_over_are_forgotten() {
        let (rates, start) = (RequestRates::new(1), Instant::now());
        for number in 0..MANY {
            left(&rates, &format!("key:{number}"), start).unwrap();
        }
        left(&rates, "key:later", start + MINUTE).unwrap();
        assert_eq!(rates.minutes.lock().unwrap().by_credential.len(), 1);
    }

    #[test]
    fn the_more_there_are_the_rarer_they_are_gone_through() {
        let (rates, start) = (RequestRates::new(1), Instant::now());
        for number in 0..=MANY {
            left(&rates, &format!("key:{number}"), start).unwrap();
        }
        for number in 0..MANY - 1 {
            left(&rates, &format!("later:{number}"), start + MINUTE).unwrap();
        }
        let len = || rates.minutes.lock().unwrap().by_credential.len();
        assert_eq!(len(), 2 * MANY, "nothing was gone through since");
        left(&rates, "key:last", start + MINUTE).unwrap();
        assert_eq!(len(), MANY);
    }

    #[test]
    fn the_headers_have_the_form_of_the_draft() {
        let mut headers = HeaderMap::new();
        Quota { most: 6_000, left: 5_999, reset_s: 60 }.tell(&mut headers);
        assert_eq!(headers.get("RateLimit-Policy").unwrap(), r#""default";q=6000;w=60"#);
        assert_eq!(headers.get("RateLimit").unwrap(), r#""default";r=5999;t=60"#);
    }
}
