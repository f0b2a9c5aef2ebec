//! Imports as batches that have a name. They are no records: no change lists them, nothing is exported of them, and no digest
//! binds them; the changes that they made name them in their cause.

use async_trait::async_trait;
use domain::Digest;

use super::{Listing, Page};
use crate::id::ImportId;
use crate::import_batch::ImportBatch;
use crate::store::StoreError;

/// Reads imports.
#[async_trait]
pub trait ImportReader: Send {
    /// The import of that identifier, if there is one.
    async fn find(&mut self, id: ImportId) -> Result<Option<ImportBatch>, StoreError>;

    /// One page of all imports, the one with the highest identifier first: the newest.
    async fn list(&mut self, page: Page) -> Result<Listing<ImportBatch>, StoreError>;

    /// The imports of files with that digest, the newest first.
    async fn with_hash(&mut self, hash: Digest) -> Result<Vec<ImportBatch>, StoreError>;

    /// The imports that are being undone, the newest first: those whose state is [`Undoing`](crate::import_batch::ImportState::Undoing).
    async fn undoing(&mut self) -> Result<Vec<ImportBatch>, StoreError>;
}

/// Writes imports, each in the transaction of what it wrote. A transaction that writes nothing else makes no change and is
/// committed all the same.
#[async_trait]
pub trait ImportWriter: ImportReader {
    /// Stores an import, in place of what is stored under its identifier.
    async fn put(&mut self, batch: ImportBatch) -> Result<(), StoreError>;
}
