//! The reference store: tenants and the directory in memory, complete and plain.
//!
//! It keeps every promise of [`ports`] but one: what is committed does not outlive the process. A snapshot shares its
//! tables with the store, and a writer copies a table when it first writes to it, so readers and writers never wait for
//! each other. Nothing bounds how long a writer waits for its turn, but how many wait can be bounded.

mod activity;
mod answer;
mod answers;
mod directory;
mod exchange;
mod import_batch;
mod ledger;
mod load;
mod partner;
mod read;
mod record;
mod spool;
mod state;
mod store;
mod table;
mod tenant;
mod tx;
mod verify;
mod write;
mod writer_queue;

pub use directory::MemoryDirectory;
pub use spool::MemorySpool;
pub use store::MemoryStore;
