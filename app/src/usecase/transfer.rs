//! A whole tenant from one store to another, by way of a file: records, series and the change chain, without loss.
//!
//! Not carried are signing keys, refresh tokens and remembered answers of repeated requests; clients and keys only where
//! that is asked for.

mod cells;
mod check;
mod export;
mod file;
mod import;
mod source;

pub use export::{ExportError, Exported, export};
pub use file::{Existing, export_to_file};
pub use import::{Credential, ImportError, Imported, import};
pub use source::Incoming;

/// Whether clients and keys go along, with the hashes of their secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// They go along: secrets and keys that were given out stay good.
    Carried,
    /// The file has no credentials, or they are ignored.
    LeftOut,
}
