//! Security events in the log, under the target `tonne::security`: refused credentials, missing permissions, refresh tokens
//! that were used twice, and changes of credentials.
//!
//! What anybody can cause is limited: ten lines a minute of each sort from each source, then one line that says how many
//! were left out. A source is an address, of IPv6 a network of 64 bits. No line holds a secret, or a text that was sent in place of an identifier.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::forwarded::source;

const MINUTE: Duration = Duration::from_mins(1);
/// Lines of a sort from a source in a minute.
const MOST: u32 = 10;
/// Pairs of sort and source that are remembered; those beyond are counted as one.
const MANY: usize = 10_000;
/// All that is remembered is gone through for what is over this often at most.
const SWEEP_EVERY: Duration = Duration::from_secs(1);

/// A sort of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecurityEvent {
    /// A key or token was sent that is not valid.
    CredentialRefused,
    /// A valid credential lacks a permission.
    PermissionMissing,
    /// A client's secret was wrong, or there is no such client.
    SecretWrong,
    /// There were too many wrong secrets.
    LockedOut,
    /// A refresh token was used a second time: it, or its successor, was stolen.
    RefreshTokenReused,
    /// A client revoked a token.
    TokenRevoked,
    /// A client or key was added, changed, given a new secret or removed.
    CredentialChanged,
    /// A name or password to sign in with was wrong.
    PasswordWrong,
    /// A link to sign in with was used, had run out, or never was one.
    LinkRefused,
    /// A provider of sign-ins vouched for nobody who is known, or its answer was not right.
    ProviderRefused,
    /// Somebody signed in.
    SignedIn,
    /// Somebody signed out, or was signed out.
    SessionEnded,
    /// A form was sent that did not come from a page of the company, or for another session.
    FormRefused,
}

impl SecurityEvent {
    /// The word for it in the log.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::CredentialRefused => "credential_refused",
            Self::PermissionMissing => "permission_missing",
            Self::SecretWrong => "secret_wrong",
            Self::LockedOut => "locked_out",
            Self::RefreshTokenReused => "refresh_token_reused",
            Self::TokenRevoked => "token_revoked",
            Self::CredentialChanged => "credential_changed",
            Self::PasswordWrong => "password_wrong",
            Self::LinkRefused => "link_refused",
            Self::ProviderRefused => "provider_refused",
            Self::SignedIn => "signed_in",
            Self::SessionEnded => "session_ended",
            Self::FormRefused => "form_refused",
        }
    }

    /// Whether only somebody with valid credentials can cause it, as is the case with what changes something.
    const fn is_change(self) -> bool {
        match self {
            Self::TokenRevoked | Self::CredentialChanged | Self::SignedIn | Self::SessionEnded => true,
            Self::CredentialRefused
            | Self::PermissionMissing
            | Self::SecretWrong
            | Self::LockedOut
            | Self::RefreshTokenReused
            | Self::PasswordWrong
            | Self::LinkRefused
            | Self::ProviderRefused
            | Self::FormRefused => false,
        }
    }
}

/// An event, as the log tells it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told<'a> {
    pub(crate) event: SecurityEvent,
    /// Who did it, as far as that is known: a credential or a client's identifier.
    pub(crate) who: &'a str,
    /// The address that the request came from.
    pub(crate) from: Option<IpAddr>,
    pub(crate) request_id: &'a str,
    /// What was asked: a method and a path, or a permission.
    pub(crate) what: &'a str,
}

/// The lines about security events.
#[derive(Debug, Default)]
pub(crate) struct SecurityLog(Mutex<Minutes>);

#[derive(Debug, Default)]
struct Minutes {
    by_source: HashMap<(SecurityEvent, Option<IpAddr>), Minute>,
    /// When what is over was last forgotten.
    swept: Option<Instant>,
}

#[derive(Debug)]
struct Minute {
    end: Instant,
    events: u32,
}

/// Events that were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LeftOut {
    event: SecurityEvent,
    from: Option<IpAddr>,
    count: u32,
}

impl SecurityLog {
    /// Logs the event, unless there were too many like it from there.
    pub(crate) fn tell(&self, told: Told<'_>) {
        let Told { event, who, from, request_id, what } = told;
        metrics::counter!(ports::metric::SECURITY_EVENTS.name, "event" => event.as_str()).increment(1);
        let (is_due, left_out) =
            if event.is_change() { (true, Vec::new()) } else { self.count(event, from, Instant::now()) };
        for LeftOut { event, from, count } in left_out {
            let (event, from) = (event.as_str(), address(from));
            tracing::warn!(
                target: "tonne::security",
                event,
                from,
                count,
                "Security events of the last minutes were left out of the log."
            );
        }
        if !is_due {
            return;
        }
        let (is_change, event, from) = (event.is_change(), event.as_str(), address(from));
        if is_change {
            tracing::info!(target: "tonne::security", event, who, from, request.id = request_id, what, "A security event.");
        } else {
            tracing::warn!(target: "tonne::security", event, who, from, request.id = request_id, what, "A security event.");
        }
    }

    /// Whether the event is to be logged, and what was left out in minutes that are over by now.
    fn count(&self, event: SecurityEvent, from: Option<IpAddr>, now: Instant) -> (bool, Vec<LeftOut>) {
        let mut minutes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut key = (event, from.map(source));
        let mut left_out = Vec::new();
        if minutes.by_source.get(&key).is_none_or(|minute| minute.end <= now) {
            minutes.sweep(now, &mut left_out);
            if minutes.by_source.len() >= MANY && !minutes.by_source.contains_key(&key) {
                key.1 = None;
            }
        }
        let minute = minutes.by_source.entry(key).or_insert(Minute { end: now + MINUTE, events: 0 });
        if minute.end <= now {
            left_out.extend(minute.left_out(key));
            *minute = Minute { end: now + MINUTE, events: 0 };
        }
        minute.events = minute.events.saturating_add(1);
        (minute.events <= MOST, left_out)
    }
}

impl Minutes {
    /// Forgets the minutes that are over, unless that was done within the last second: however many sources there are, it
    /// costs one walk a second.
    fn sweep(&mut self, now: Instant, left_out: &mut Vec<LeftOut>) {
        if self.swept.is_some_and(|swept| now.saturating_duration_since(swept) < SWEEP_EVERY) {
            return;
        }
        self.swept = Some(now);
        let over = self.by_source.extract_if(|_, minute| minute.end <= now);
        left_out.extend(over.filter_map(|(key, minute)| minute.left_out(key)));
    }
}

impl Minute {
    /// What the log was not told of it.
    fn left_out(&self, (event, from): (SecurityEvent, Option<IpAddr>)) -> Option<LeftOut> {
        let count = self.events.saturating_sub(MOST);
        (count > 0).then_some(LeftOut { event, from, count })
    }
}

fn address(from: Option<IpAddr>) -> String {
    from.map_or_else(|| "unknown".to_owned(), |from| from.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: SecurityEvent = SecurityEvent::SecretWrong;

    #[test]
    fn every_event_is_among_the_values_that_metrics_begin_with() {
        let known = ports::metric::KNOWN_VALUES.iter().find(|(metric, ..)| *metric == ports::metric::SECURITY_EVENTS);
        let events = [
            SecurityEvent::CredentialRefused,
            SecurityEvent::PermissionMissing,
            SecurityEvent::SecretWrong,
            SecurityEvent::LockedOut,
            SecurityEvent::RefreshTokenReused,
            SecurityEvent::TokenRevoked,
            SecurityEvent::CredentialChanged,
            SecurityEvent::FormRefused,
        ];
        assert_eq!(known.unwrap().2, events.map(SecurityEvent::as_str));
    }

    fn one(number: u32) -> IpAddr {
        IpAddr::V4(number.into())
    }

    #[test]
    fn ten_lines_a_minute_are_due_and_then_a_count() {
        let (log, start) = (SecurityLog::default(), Instant::now());
        let due = (0..25).filter(|_| log.count(EVENT, Some(one(1)), start).0).count();
        assert_eq!(due, 10);
        let (is_due, left_out) = log.count(EVENT, Some(one(1)), start + MINUTE);
        assert_eq!((is_due, left_out), (true, vec![LeftOut { event: EVENT, from: Some(one(1)), count: 15 }]));
    }

    #[test]
    fn sorts_and_addresses_are_counted_apart() {
        let (log, start) = (SecurityLog::default(), Instant::now());
        for _ in 0..11 {
            log.count(EVENT, Some(one(1)), start);
        }
        assert!(!log.count(EVENT, Some(one(1)), start).0);
        assert!(log.count(EVENT, Some(one(2)), start).0);
        assert!(log.count(SecurityEvent::LockedOut, Some(one(1)), start).0);
    }

    #[test]
    fn a_flood_of_addresses_is_bounded() {
        let (log, start) = (SecurityLog::default(), Instant::now());
        let many = u32::try_from(MANY).unwrap();
        let due = (0..many + 100).filter(|number| log.count(EVENT, Some(one(*number)), start).0).count();
        assert_eq!(due, MANY + 10);
        assert!(log.0.lock().unwrap().by_source.len() <= MANY + 1);
        assert!(log.count(EVENT, Some(one(many + 200)), start + MINUTE).0);
        assert_eq!(log.0.lock().unwrap().by_source.len(), 1);
    }

    #[test]
    fn a_network_of_64_bits_of_ipv6_is_one_source() {
        let (log, start) = (SecurityLog::default(), Instant::now());
        let address = |number: u32| Some(format!("2001:db8::{number:x}").parse().unwrap());
        let due = (0..25).filter(|number| log.count(EVENT, address(*number), start).0).count();
        assert_eq!(due, 10);
        assert!(log.count(EVENT, Some("2001:db8:0:1::1".parse().unwrap()), start).0);
    }

    #[test]
    fn a_full_table_is_gone_through_once_a_second() {
        let (log, start) = (SecurityLog::default(), Instant::now());
        let many = u32::try_from(MANY).unwrap();
        for number in 0..many {
            log.count(EVENT, Some(one(number)), start);
        }
        let len = |log: &SecurityLog| log.0.lock().unwrap().by_source.len();
        log.count(EVENT, Some(one(many)), start + Duration::from_millis(59_500));
        log.count(EVENT, Some(one(many + 1)), start + MINUTE);
        assert_eq!(len(&log), MANY + 1, "gone through again within a second");
        log.count(EVENT, Some(one(many + 2)), start + MINUTE + Duration::from_millis(500));
        assert_eq!(len(&log), 2);
    }
}
