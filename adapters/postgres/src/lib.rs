//! Tonne's store on PostgreSQL: all tenants in one database, kept apart by row-level security.
//!
//! Every statement runs in a transaction that names its tenant and has taken a role that the policies bind, or one of
//! the directory's role, which sees no tenant's records. What one
//! node writes, every other reads in its next transaction: nodes keep nothing that is not bound to a head's number.

mod activity;
mod answer;
mod begin;
mod blank;
mod bulk;
mod checkpoint;
mod closed_period;
mod conn;
mod connection_slots;
mod database;
mod directory;
mod entity;
mod error;
mod exchange;
mod exclusion;
mod factor;
mod footprint;
mod group_writer;
mod head;
mod import_batch;
mod input;
mod known_references;
mod ledger;
mod load;
mod message;
mod migration;
mod model;
mod node;
mod options;
mod partner;
mod pooled_transaction;
mod product;
mod reference;
mod role;
mod row;
mod row_security;
mod series;
mod server_state;
mod session;
mod setup;
mod sharing;
mod spool;
mod store;
mod switch;
mod table;
#[cfg(feature = "testing")]
pub mod testing;
mod tx;
mod usage;
mod verify;
mod worker;

pub use database::Database;
pub use directory::PostgresDirectory;
pub use error::{OpenError, Reason};
pub use migration::{STEPS, Sql, Step, script};
pub use options::{Options, Pooler};
pub use server_state::ServerState;
pub use spool::PostgresSpool;
pub use store::PostgresStore;
