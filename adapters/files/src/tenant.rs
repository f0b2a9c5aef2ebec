//! A whole tenant as a file of lines, the same bytes for the same tenant, from whatever store it comes.
//!
//! Each line is a JSON object with one member, whose name says what the line is. In order:
//!
//! | line | holds |
//! |---|---|
//! | `tonne-tenant` | the header: format 1, the tenant, whether credentials follow |
//! | `series` | a series by its index, from 0 |
//! | `scope` ... `activity` | a record in its canonical form, with times and version |
//! | `change`, then its `item`s | a change of the chain, and what it wrote, in order |
//! | `client`, `key` | credentials: hashes, no secrets |
//! | `end` | where the history ends, and how many lines of each sort there are |
//! | `sha256` | the digest of all bytes before this line |
//!
//! Every line is canonical: it is read only if writing what it says gives the same bytes again. What a member means is
//! said where its type is: this module adds no rule of its own but the form.

mod credential;
mod fields;
mod header;
mod ledger;
mod members;
mod read;
mod record;
mod write;

use domain::{Digest, SeriesKey};
use ports::directory::{Client, Key};
use ports::load::AnyRecord;
use ports::{Change, ChangeItem};

pub use header::{TenantCounts, TenantEnd, TenantHeader};
pub use read::{TenantError, TenantReader};
pub use write::TenantWriter;

/// The version of the format that is written, and the only one that is read.
const FORMAT: i64 = 1;

/// A line, without the last one, which the reader keeps to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TenantLine {
    /// The header.
    Header(TenantHeader),
    /// A series with its index.
    Series(u32, SeriesKey),
    /// A record.
    Record(Box<Canonized>),
    /// A change, and how many items follow.
    Change(Change, u64),
    /// An item of the change before it.
    Item(ChangeItem),
    /// A client with the hash of its secret. Its tenant is that of the header.
    Client(Client),
    /// A key with its hash. Its tenant is that of the header.
    Key(Key),
    /// What the history ends with.
    End(TenantEnd),
}

/// A record and the digest of its canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonized {
    /// The record.
    pub record: AnyRecord,
    /// The digest of its canonical text.
    pub digest: Digest,
}
