//! A whole tenant from store to store, by a file.

mod export;
mod forged;
mod import;
mod postings;
mod refusal;
mod site;

/// The tenant that is exported.
const NUMBER: u64 = 7;
