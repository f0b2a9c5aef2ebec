//! Words behind a number, as files have them.

pub(crate) use files::counted;
