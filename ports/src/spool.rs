//! The spool: files that somebody gave to be imported, kept in chunks until they are.

use async_trait::async_trait;

use crate::id::StagedId;
use crate::store::StoreError;
use crate::{Grant, Read, Write};

/// The bytes of a chunk. Each chunk of a part but the last has exactly so many.
pub const CHUNK: usize = 1 << 20;

/// What is kept of a staged import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpoolPart {
    /// The file as it came.
    File,
    /// Why rows of it were rejected, line by line.
    Rejected,
}

impl SpoolPart {
    /// Every part.
    pub const ALL: [Self; 2] = [Self::File, Self::Rejected];

    /// The word for it, as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Rejected => "rejected",
        }
    }
}

/// A staged import as the spool knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpoolEntry {
    /// Its identifier.
    pub id: StagedId,
    /// Raised by one each time the content is replaced; 1 in the beginning.
    pub version: u64,
    /// What is known of it: a text that the spool does not read.
    pub content: String,
}

/// What became of an entry that was to be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is there.
    Added,
    /// The tenant has as many as it may, and nothing was changed.
    Full,
}

/// Keeps files of tenants until they are imported. They are no records: no change lists them, nothing exports or restores them.
///
/// Implementations MUST keep the tenants apart, count a tenant's entries and add one in one step, and make what a call wrote
/// visible to every node before it returns. Chunks are not bound to an entry's version.
#[async_trait]
pub trait Spool: Send + Sync {
    /// Every entry of the tenant, the highest id first.
    async fn list(&self, grant: &Grant<Read>) -> Result<Vec<SpoolEntry>, StoreError>;

    /// The entry of that id, if there is one.
    async fn find(&self, grant: &Grant<Read>, id: StagedId) -> Result<Option<SpoolEntry>, StoreError>;

    /// Adds an entry without chunks at version 1, unless the tenant has `most` already.
    async fn add(&self, grant: &Grant<Write>, id: StagedId, content: &str, most: usize) -> Result<Added, StoreError>;

    /// Replaces the content of the entry that has the version `seen`, and gives its new version; `Stale` where it has another or
    /// is gone.
    async fn update(&self, grant: &Grant<Write>, id: StagedId, seen: u64, content: &str) -> Result<u64, StoreError>;

    /// Stores a chunk, in place of the one of that number; numbers begin with 0. `Stale` where the entry is gone.
    async fn put_chunk(
        &self,
        grant: &Grant<Write>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
        bytes: Vec<u8>,
    ) -> Result<(), StoreError>;

    /// A chunk of a part, if there is one.
    async fn chunk(
        &self,
        grant: &Grant<Read>,
        id: StagedId,
        part: SpoolPart,
        number: u32,
    ) -> Result<Option<Vec<u8>>, StoreError>;

    /// Removes the chunks of a part.
    async fn clear(&self, grant: &Grant<Write>, id: StagedId, part: SpoolPart) -> Result<(), StoreError>;

    /// Removes an entry with its chunks, if it is there.
    async fn remove(&self, grant: &Grant<Write>, id: StagedId) -> Result<(), StoreError>;
}
