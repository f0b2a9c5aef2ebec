//! The plain table of ours: a row a factor, its columns named. Any published set can be written as it.

mod columns;
mod read;
mod write;

pub(super) use read::{find, read};
pub use write::published_csv;
