//! Identifiers and times that a test can foresee.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::Timestamp;
use uuid::Uuid;

use super::{at, uuid};
use crate::clock::Clock;
use crate::id_source::Ids;

/// Counts instead of making identifiers up: those of [`uuid`](super::uuid) from 4,000,001 on.
#[derive(Debug, Default)]
pub struct SampleIds(AtomicU64);

impl SampleIds {
    /// A new count, to be shared.
    #[must_use]
    pub fn shared() -> Arc<Self> {
        Arc::default()
    }
}

impl Ids for SampleIds {
    fn next(&self, _now: Timestamp) -> Uuid {
        uuid(4_000_001 + self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn random(&self) -> Uuid {
        uuid(4_000_001 + self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Stands still at the sample's beginning.
#[derive(Debug, Default)]
pub struct SampleClock;

impl SampleClock {
    /// A clock to be shared.
    #[must_use]
    pub fn shared() -> Arc<Self> {
        Arc::default()
    }
}

impl Clock for SampleClock {
    fn now(&self) -> Timestamp {
        at(0)
    }
}
