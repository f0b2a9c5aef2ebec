//! Files of published factors: official ones as their publishers give them, and a plain table of ours.
//!
//! Which layout a file has is told by the text of its headers, wherever they stand.

mod account;
mod amount;
mod draft;
mod epa;
mod gwp;
mod layout;
mod plain;
mod sheet;
mod supply_chain;
mod uk;

use std::io::Read;

use domain::{Digest, FactorSet, Name, PublishedFactor};

use crate::error::FileError;
use crate::hashing::Hashing;

pub use account::{Finding, PublishedAccount, Skipped};
pub use layout::PublishedLayout;
pub use plain::published_csv;

/// A larger file is refused: all of it is in memory while it is read.
pub const MAX_PUBLISHED_BYTES: u64 = 64 << 20;

/// What a file of published factors says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedFile {
    /// The layout it was read by.
    pub layout: PublishedLayout,
    /// The set that the file is; its id is the SHA-256 of the file's bytes.
    pub set: FactorSet,
    /// Its factors, in the order of the file; the cell of each is unique.
    pub factors: Vec<PublishedFactor>,
    /// What became of its rows.
    pub account: PublishedAccount,
}

/// Reads a file of published factors to its end, whatever layout it has; `file` is its name, in which folders do not count.
///
/// A row that cannot be read is told in the account with its place, and the others are read. Refused as a whole are a file
/// without the header of a layout that is known, or with part of it, and one of more than [`MAX_PUBLISHED_BYTES`].
pub fn read_published(source: impl Read, file: &str) -> Result<PublishedFile, FileError> {
    let (bytes, id) = read_whole(source)?;
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let file = Name::parse(file)
        .map_err(|error| FileError::Published(format!("has a name that cannot be kept, {file:?}: {error}")))?;
    layout::read(&sheet::open(bytes)?, Origin { id, file })
}

/// What the set of a file is known by, whatever is in it.
#[derive(Clone, Debug)]
struct Origin {
    id: Digest,
    file: Name,
}

fn read_whole(source: impl Read) -> Result<(Vec<u8>, Digest), FileError> {
    let mut bytes = Vec::new();
    source.take(MAX_PUBLISHED_BYTES + 1).read_to_end(&mut bytes).map_err(FileError::Read)?;
    if bytes.len() as u64 > MAX_PUBLISHED_BYTES {
        let mebibytes = MAX_PUBLISHED_BYTES >> 20;
        return Err(FileError::Published(format!("is larger than {mebibytes} MiB, which no such file is")));
    }
    let id = Hashing::new(bytes.as_slice()).digest().map_err(FileError::Read)?;
    Ok((bytes, id))
}
