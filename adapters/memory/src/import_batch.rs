//! Imports as batches that have a name, in transactions.

use std::sync::Arc;

use async_trait::async_trait;
use domain::Digest;
use ports::ImportId;
use ports::import_batch::{ImportBatch, ImportState};
use ports::repo::{ImportReader, ImportWriter, Listing, Page};
use ports::store::StoreError;

use crate::tx::{Tx, Writing};

#[async_trait]
impl<W: Send> ImportReader for Tx<W> {
    async fn find(&mut self, id: ImportId) -> Result<Option<ImportBatch>, StoreError> {
        Ok(self.state.imports.get(&id).cloned())
    }

    async fn list(&mut self, page: Page) -> Result<Listing<ImportBatch>, StoreError> {
        let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let newest = self.state.imports.values().rev();
        let data = newest.skip(before).take(page.size as usize).cloned().collect();
        Ok(Listing { count: self.state.imports.len() as u64, page, data })
    }

    async fn with_hash(&mut self, hash: Digest) -> Result<Vec<ImportBatch>, StoreError> {
        Ok(self.state.imports.values().rev().filter(|batch| batch.hash == Some(hash)).cloned().collect())
    }

    async fn undoing(&mut self) -> Result<Vec<ImportBatch>, StoreError> {
        let is_undone = |batch: &&ImportBatch| batch.state == ImportState::Undoing;
        Ok(self.state.imports.values().rev().filter(is_undone).cloned().collect())
    }
}

#[async_trait]
impl ImportWriter for Writing {
    async fn put(&mut self, batch: ImportBatch) -> Result<(), StoreError> {
        Arc::make_mut(&mut self.state.imports).insert(batch.id, batch);
        self.write.writes_beside = true;
        Ok(())
    }
}
