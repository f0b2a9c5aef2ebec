//! The clock that the core asks: it reads the system's by no other way.

use domain::Timestamp;

/// The source of the present time.
pub trait Clock: Send + Sync {
    /// The time now, in UTC.
    fn now(&self) -> Timestamp;
}
