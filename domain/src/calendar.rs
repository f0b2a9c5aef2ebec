//! Days, spans of them, moments and timestamps.

pub(crate) mod day;
pub(crate) mod moment;
mod named_period;
pub(crate) mod stretch;
pub(crate) mod timestamp;
