//! Tonne's store on SQLite: a file for each tenant, and one for the directory of tenants and credentials.
//!
//! Each file has one thread that writes and many connections that read; a change is on the disk when it is answered.

mod activity;
mod answer;
mod blank;
mod checkpoint;
mod closed_period;
mod copy;
mod directory;
mod error;
mod exclusion;
mod factor;
mod file;
mod folder;
mod footprint;
mod identity;
mod import_batch;
mod input;
mod inspection;
mod json;
mod keys;
mod ledger;
mod load;
mod lock;
mod look;
mod migration;
mod model;
mod node;
mod options;
mod owner;
mod pool;
mod private;
mod product;
mod queue;
mod reference;
mod row;
mod run;
mod series;
mod session;
mod store;
mod switch;
mod table;
mod tenants;
mod thread;
mod tx;
mod usage;
mod verify;
mod writer;

pub use copy::{DirectoryCopy, TenantCopy};
pub use directory::SqliteDirectory;
pub use error::OpenError;
pub use inspection::Inspection;
pub use lock::ServeLock;
pub use options::{Access, Options};
pub use store::SqliteStore;
