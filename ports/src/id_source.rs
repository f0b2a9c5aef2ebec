//! The source of identifiers that the core asks: it uses the system's randomness by no other way.

use domain::Timestamp;
use uuid::Uuid;

/// The source of new identifiers.
pub trait Ids: Send + Sync {
    /// A version 7 UUID for a record created at `now`: later ones sort behind.
    fn next(&self, now: Timestamp) -> Uuid;

    /// A version 4 UUID.
    fn random(&self) -> Uuid;
}
