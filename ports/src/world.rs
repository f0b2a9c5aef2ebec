//! The clock and the source of identifiers: the core reads neither the system's clock nor its randomness by itself.

use domain::Timestamp;
use uuid::Uuid;

/// The source of the present time.
pub trait Clock: Send + Sync {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// The source of new identifiers.
pub trait Ids: Send + Sync {
    /// A version 7 UUID for a record created at `now`: later ones sort behind.
    fn next(&self, now: Timestamp) -> Uuid;

    /// A version 4 UUID.
    fn random(&self) -> Uuid;
}
