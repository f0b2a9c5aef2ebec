//! A backup of a whole installation as one file: a tar archive, whose last two members say what the others are.
//!
//! ```text
//! tenants/acme.db       a company's records, a SQLite file; or tenants/acme.tonne, its export
//! directory.db          companies, clients, keys; where records are SQLite files
//! secret.key            only where that was asked for
//! manifest.json         what is in the archive, and where each chain ends
//! SHA256SUMS            the digest of each member before it, as `sha256sum -c` reads it
//! ```
//!
//! Other programs can unpack and check it. One that was cut off lacks the last member.

mod manifest;
mod read;
mod write;

pub use manifest::{BackupDirectory, BackupManifest, BackupTenant, RecordsForm};
pub use read::{BackupError, check_backup, unpack_backup};
pub use write::BackupWriter;

/// The directory's file.
pub const DIRECTORY_FILE: &str = "directory.db";
/// The installation's secret.
pub const SECRET_FILE: &str = "secret.key";
const MANIFEST: &str = "manifest.json";
const SUMS: &str = "SHA256SUMS";
