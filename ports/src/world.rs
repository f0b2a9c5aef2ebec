//! Time and chance, which come in through the door.

use domain::Timestamp;
use uuid::Uuid;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// Makes identifiers up.
pub trait Ids: Send + Sync {
    /// A version 7 UUID for a record created at `now`: later ones sort behind.
    fn next(&self, now: Timestamp) -> Uuid;

    /// A version 4 UUID.
    fn random(&self) -> Uuid;
}
