//! What errors of the server mean to callers, by their codes.

use std::borrow::Cow;
use std::error::Error as _;
use std::fmt;

use sqlx::error::ErrorKind;

use super::*;

/// A refusal with that code and message.
#[derive(Debug)]
struct Refusal(&'static str, &'static str);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }
}

impl std::error::Error for Refusal {}

impl DatabaseError for Refusal {
    fn message(&self) -> &'static str {
        self.1
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.0))
    }

    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// An error with that code and message.
fn refused(code: &'static str, message: &'static str) -> sqlx::Error {
    sqlx::Error::Database(Box::new(Refusal(code, message)))
}

fn meant(code: &'static str) -> StoreError {
    of_server(refused(code, "as the server says"))
}

#[test]
fn what_passes_by_itself_is_busy_and_keeps_its_cause() {
    for code in ["08006", "53300", "40001", "57P01", "25006"] {
        let error = meant(code);
        assert!(matches!(error, StoreError::Busy(Some(_))), "{code}");
        assert!(error.source().unwrap().to_string().contains("as the server says"), "{code}");
    }
    assert!(matches!(of_server(sqlx::Error::PoolTimedOut), StoreError::Busy(Some(_))));
}

#[test]
fn a_commit_that_the_server_did_not_refuse_may_have_been_made() {
    let commit = |code| of_commit(refused(code, "as the server says"));
    for error in [of_commit(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())), commit("08007"), commit("57P01")] {
        assert!(matches!(error, StoreError::Unknown(_)), "{error:?}");
    }
    assert!(matches!(commit("40001"), StoreError::Busy(_)));
    assert!(matches!(commit("53100"), StoreError::Failed(_)));
}

#[test]
fn a_worker_of_a_cluster_that_goes_away_undoes_a_transaction_and_leaves_a_commit_in_doubt() {
    for within in [
        "failure on connection marked as essential: worker1:5432",
        "could not make changes to shard 102008 on any node",
    ] {
        let within = || refused("XX000", within);
        assert!(matches!(of_server(within()), StoreError::Busy(Some(_))), "{}", within());
        assert!(matches!(of_commit(within()), StoreError::Busy(Some(_))), "{}", within());
    }
    let committing = refused("XX000", "could not commit transaction for shard 102008 on at least one active node");
    assert!(matches!(of_commit(committing), StoreError::Unknown(_)));
    assert!(matches!(meant("XX000"), StoreError::Failed(_)));
}

#[test]
fn what_somebody_has_to_mend_has_failed_and_says_what() {
    for (code, what) in [("53100", "is full"), ("28P01", "user or password"), ("28000", "user or password")] {
        let StoreError::Failed(cause) = meant(code) else { panic!("{code}") };
        let told = cause.to_string();
        assert!(told.contains(what) && told.contains("as the server says"), "{told}");
    }
}

#[test]
fn a_disk_that_is_full_is_told_from_other_failures_to_each_who_waited() {
    let full = meant("53100");
    assert!(DiskFailed::is_cause_of(&full), "{full:?}");
    assert!(DiskFailed::is_cause_of(&SharedError::of(full).again()));
    for code in ["28P01", "23505"] {
        assert!(!DiskFailed::is_cause_of(&meant(code)), "{code}");
    }
}

#[test]
fn a_refusal_of_a_permission_is_not_busy() {
    assert!(matches!(meant("42501"), StoreError::Failed(_)));
}

#[test]
fn a_key_that_is_taken_keeps_the_error_of_the_server() {
    let StoreError::Failed(cause) = meant("23505") else { panic!("not failed") };
    assert!(cause.downcast_ref::<sqlx::Error>().is_some());
}
