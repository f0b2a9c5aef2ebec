//! A whole tenant from one store to another, by way of a file: records, series, the change chain and imports, without loss.
//!
//! Not carried are signing keys, refresh tokens and remembered answers of repeated requests; sessions and links that sign in; clients, keys and users only
//! where that is asked for.

mod cells;
mod check;
mod export;
mod file;
mod import;
mod source;

use ports::directory::Directory;
use ports::people::People;

pub use export::{ExportError, Exported, export};
pub use file::{Existing, export_to_file, export_to_reader};
pub use import::{Credential, ImportError, Imported, import};
pub use source::Incoming;

/// The directory that credentials are of, with its people.
#[derive(Clone, Copy)]
pub struct WithPeople<'a> {
    /// Clients and keys.
    pub directory: &'a dyn Directory,
    /// Users.
    pub people: &'a dyn People,
}

impl std::fmt::Debug for WithPeople<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WithPeople").finish_non_exhaustive()
    }
}

/// Whether clients, keys and users go along, with the hashes of their secrets and passwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credentials {
    /// They go along: secrets and keys that were given out stay good.
    Carried,
    /// Users go along without their passwords, and clients and keys stay behind: people are let in anew by links.
    UsersAlone,
    /// The file has no credentials, or they are ignored.
    LeftOut,
}
