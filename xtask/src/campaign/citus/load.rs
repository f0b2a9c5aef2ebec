//! Clients that write and read while something is done to the cluster, and what became of what they wrote.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::company::{Caller, Company};
use crate::campaign::service::Service;
use crate::campaign::watch;

const OK: u16 = 200;
const CREATED: u16 = 201;
/// Between two requests of a client that was refused.
const PAUSE: Duration = Duration::from_millis(20);

/// What clients may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Success,
    /// Or 503 with `Retry-After`.
    SuccessOrRefusal,
}

/// So many clients of a company.
pub(super) struct Clients<'a> {
    pub(super) service: &'a Service,
    pub(super) company: &'a Company,
    /// What the syncIds of their activities begin with.
    pub(super) prefix: &'static str,
    pub(super) count: u32,
    pub(super) expected: Expected,
}

/// Clients that have begun.
pub(super) struct Running<'scope>(Vec<ScopedJoinHandle<'scope, Result<Writes>>>);

impl<'a> Clients<'a> {
    /// Starts them; they go on until it is over, which it is as soon as one of them fails.
    pub(super) fn start<'scope>(
        self,
        scope: &'scope Scope<'scope, 'a>,
        is_over: &'scope AtomicBool,
    ) -> Running<'scope> {
        let Self { service, company, prefix, count, expected } = self;
        let clients = (0..count).map(|client| {
            scope.spawn(move || {
                let caller = company.caller(service);
                let writes = caller
                    .and_then(|mut caller| write_on(&mut caller, &format!("{prefix}{client}"), expected, is_over));
                is_over.fetch_or(writes.is_err(), Ordering::Relaxed);
                writes
            })
        });
        Running(clients.collect())
    }
}

impl Running<'_> {
    /// Waits for them, and gives what all of them wrote.
    pub(super) fn end(self) -> Result<Writes> {
        self.0.into_iter().try_fold(Writes::default(), |mut all, client| {
            all.add(client.join().ok().context("a client panicked")??);
            Ok(all)
        })
    }
}

/// What became of a client's activities.
#[derive(Debug, Default)]
pub(super) struct Writes {
    pub(super) acknowledged: BTreeSet<String>,
    /// Those that may have been written.
    unknown: BTreeSet<String>,
    /// Requests that were answered with success.
    pub(super) answered: u64,
    /// Requests that were refused.
    pub(super) refused: u64,
    pub(super) longest: Duration,
}

impl Writes {
    /// Takes in another client's.
    fn add(&mut self, other: Self) {
        self.acknowledged.extend(other.acknowledged);
        self.unknown.extend(other.unknown);
        self.answered += other.answered;
        self.refused += other.refused;
        self.longest = self.longest.max(other.longest);
    }

    /// What was acknowledged is among what was found, once, and of this client nothing else is that was refused for certain.
    pub(super) fn check(&self, prefix: &str, found: &[String]) -> Result<()> {
        let own: Vec<_> = found.iter().filter(|one| one.starts_with(prefix)).cloned().collect();
        let once: BTreeSet<_> = own.iter().cloned().collect();
        ensure!(once.len() == own.len(), "{} activities are there twice", own.len() - once.len());
        let lost: Vec<_> = self.acknowledged.difference(&once).take(5).collect();
        ensure!(lost.is_empty(), "acknowledged and lost, such as {lost:?}");
        let strange = once.iter().find(|one| !self.acknowledged.contains(*one) && !self.unknown.contains(*one));
        ensure!(strange.is_none(), "refused and there: {strange:?}");
        Ok(())
    }
}

/// Adds activities and reads in turns, until it is over.
fn write_on(caller: &mut Caller, prefix: &str, expected: Expected, is_over: &AtomicBool) -> Result<Writes> {
    let mut writes = Writes::default();
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        let sync_id = format!("{prefix}-{number}");
        let (written, read) = (caller.add(&sync_id)?, caller.read()?);
        writes.longest = writes.longest.max(written.took).max(read.took);
        for (answer, success) in [(&written, CREATED), (&read, OK)] {
            let may_be_refused = expected == Expected::SuccessOrRefusal && answer.is_refusal();
            ensure!(
                answer.status == success || may_be_refused,
                "{sync_id} was answered {}: {}",
                answer.status,
                answer.body
            );
            writes.refused += u64::from(answer.status != success);
            writes.answered += u64::from(answer.status == success);
        }
        if written.status == CREATED {
            writes.acknowledged.insert(sync_id);
        } else {
            if written.is_unknown() {
                writes.unknown.insert(sync_id);
            }
            std::thread::sleep(PAUSE);
        }
        watch::goes_on();
    }
    Ok(writes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_and_what_was_refused_and_is_there_are_told_and_what_is_in_doubt_may_be_either() {
        let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let mut writes = Writes::default();
        writes.acknowledged.insert("a-1".to_owned());
        writes.unknown.insert("a-2".to_owned());
        for found in [&["a-1"][..], &["a-1", "a-2"], &["a-2", "a-1", "b-1"]] {
            writes.check("a-", &of(found)).unwrap();
        }
        for (found, said) in [
            (&["a-2"][..], "acknowledged and lost, such as [\"a-1\"]"),
            (&["a-1", "a-3"], "refused and there: Some(\"a-3\")"),
            (&["a-1", "a-1"], "1 activities are there twice"),
        ] {
            assert_eq!(writes.check("a-", &of(found)).unwrap_err().to_string(), said);
        }
    }
}
