//! Floor programs: what a path costs without what the program does beside it.

pub(super) mod digest;
pub(super) mod socket;
