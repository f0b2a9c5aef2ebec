//! A whole tenant as a file of lines, the same bytes for the same tenant, from whatever store it comes.
//!
//! Each line is a canonical text, and begins with its form and its kind. In order:
//!
//! | kind | what the line holds |
//! |---|---|
//! | `export` | the header: the tenant, and whether credentials follow |
//! | `series` | a series by its index, from 0 |
//! | `scope` ... `activity` | a record: its canonical text as it is |
//! | `change`, then its `items`, `postings` and `lines` | a change of the chain, what it wrote, by how much it changed the cells, and from which lines of its file an import wrote its activities: packed, in parts, in base64 |
//! | `import` | an import of activities: its file and what became of its rows |
//! | `client`, `key` | credentials: the entries of the directory, with hashes, without secrets |
//! | `end` | where the history ends, and how many lines of each kind there are |
//! | `seal` | the digest of all bytes before this line |

mod header;
mod ledger;
mod read;
mod user;
mod write;

use domain::{CanonicalError, CanonicalReader, CanonicalWriter, Digest, PackedCells, SeriesKey};
use ports::credential::PasswordHash;
use ports::directory::{Client, Key};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::load::AnyRecord;
use ports::people::User;
use ports::{Change, Version, read_form, write_form};

pub use header::{ExportedTenant, TenantCounts, TenantEnd, TenantHeader};
pub use read::{TenantError, TenantReader};
pub use write::TenantWriter;

/// The version that is in a credential's line: its own belongs to the directory that keeps it, and no other.
const NO_VERSION: Version = Version(0);

/// A line, without the last one, which the reader keeps to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TenantLine {
    /// The first line: the company and the form of the file.
    Header(TenantHeader),
    /// A series with its index.
    Series(u32, SeriesKey),
    /// A record of any kind.
    Record(Box<Canonized>),
    /// A change without its items, postings and lines, which follow it.
    Change(Change),
    /// A part of a change's items.
    Items(PartPlace, PackedItems),
    /// A part of a change's postings.
    Postings(PartPlace, PackedCells),
    /// A part of the lines that an import wrote a change's activities from.
    Lines(PartPlace, PackedLines),
    /// An import.
    Import(Box<ImportBatch>),
    /// A client with the hash of its secret.
    Client(Client),
    /// A key with its hash.
    Key(Key),
    /// A user, with the hash of its password where it has one.
    User(Box<User>, Option<PasswordHash>),
    /// What the history ends with.
    End(TenantEnd),
}

/// A record and the digest of its canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonized {
    /// The record as it was read.
    pub record: AnyRecord,
    /// The digest of its canonical text.
    pub digest: Digest,
}

/// Writes what every line begins with.
fn begin(kind: &str, to: &mut CanonicalWriter) {
    write_form(to);
    to.text("kind", kind);
}

/// Reads what every line begins with, of that kind.
fn begun(kind: &str, from: &mut CanonicalReader<'_>) -> Result<(), CanonicalError> {
    read_form(from)?;
    from.word("kind", |word| (word == kind).then_some(()))
}
