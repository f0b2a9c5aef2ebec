//! The store on SQLite: the contract of all stores, and what is asked of this one alone.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking")]

mod contract;
mod directory;
#[cfg(unix)]
mod elsewhere;
mod failed_sync;
mod file;
mod footprint;
mod growth;
mod inspection;
mod later_version;
mod log;
mod many_tenants;
mod missing_files;
mod process;
mod queue;
mod shared_commit;
mod snapshot;
#[cfg(unix)]
mod stopped;
mod support;
mod tenant;
mod verify;
