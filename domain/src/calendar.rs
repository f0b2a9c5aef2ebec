//! Days, spans of them, and moments.

pub(crate) mod day;
pub(crate) mod moment;
