//! What can go wrong in a store.

use std::error::Error as StdError;

use domain::PackError;

use crate::conflict::Conflict;

/// What can go wrong in a store, by what the caller can do about it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another record stands in the way.
    #[error("{0}")]
    Conflict(Conflict),
    /// The record was changed or removed since it was read.
    #[error("the record was changed since it was read")]
    Stale,
    /// What is stored is not what was written.
    #[error("{subject} in the store is damaged: {detail}")]
    Corrupt {
        /// Table and key of the damaged row.
        subject: String,
        /// What is wrong with it.
        detail: String,
    },
    /// The store is busy or away for the moment; the same call may succeed later.
    #[error("the store is busy")]
    Busy(#[source] Option<Box<dyn StdError + Send + Sync>>),
    /// The commit was sent and its answer was lost: all of the transaction is stored, or nothing. Only a call that commits
    /// ends so. Whoever repeats it unseen may write twice.
    #[error("whether the store has it is not known: the answer to its commit was lost")]
    Unknown(#[source] Box<dyn StdError + Send + Sync>),
    /// The store failed; nothing of the transaction is stored.
    #[error("the store failed")]
    Failed(#[source] Box<dyn StdError + Send + Sync>),
}

/// Why a store failed whose disk is full or broken: once somebody has mended it the same call may succeed. It is no
/// [`StoreError::Busy`], for which imports wait.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DiskFailed(pub String);

impl DiskFailed {
    /// Whether that is among an error's causes.
    #[must_use]
    pub fn is_cause_of(error: &(dyn StdError + 'static)) -> bool {
        among_causes::<Self>(error).is_some()
    }
}

/// Why a store takes no writes for the moment, or not many rows at once: the log of what was written lacks the room, and cannot
/// be emptied while somebody reads an older state or while it fails to be copied. It is the cause of a [`StoreError::Busy`], and
/// says who reads, or that copying failed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct LogFull(pub String);

impl LogFull {
    /// That among an error's causes.
    #[must_use]
    pub fn among_causes<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Self> {
        among_causes(error)
    }
}

/// Why a store refuses rows that are to be written in one transaction: its disk lacks the room. It is the cause of a
/// [`StoreError::Failed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{rows} rows at once need {needed} bytes on the disk of the store, and {free} bytes are free: make room, or import them in \
     turn"
)]
pub struct NoRoom {
    /// How many rows.
    pub rows: u64,
    /// The bytes that they may need, with those that are to stay free.
    pub needed: u64,
    /// The bytes that are free.
    pub free: u64,
}

impl NoRoom {
    /// That among an error's causes.
    #[must_use]
    pub fn among_causes<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a Self> {
        among_causes(error)
    }
}

/// The first of an error's causes that is of that type, the error itself among them.
fn among_causes<'a, T: StdError + 'static>(error: &'a (dyn StdError + 'static)) -> Option<&'a T> {
    std::iter::successors(Some(error), |&error| error.source()).find_map(<dyn StdError>::downcast_ref::<T>)
}

impl From<PackError> for StoreError {
    /// Sums that are too large to be packed come of cells that were damaged.
    fn from(error: PackError) -> Self {
        match error {
            PackError::TooLarge => Self::Corrupt { subject: "cells".to_owned(), detail: error.to_string() },
            PackError::Order | PackError::Zero => Self::Failed(Box::new(error)),
        }
    }
}
