//! What an earlier run of the same file left, which was interrupted or only seems to be.

use std::pin::pin;

use ports::ImportId;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{Error, UndoPatience};
use ports::store::Intent;

use super::{Pass, ticks};
use crate::usecase::staged::conflict;

impl Pass {
    /// Takes back what an earlier run wrote that was interrupted, where rows have no syncId to be found by.
    pub(super) async fn take_back(&mut self) -> Result<(), Error> {
        let Some(earlier) = self.kept.staged.import else { return Ok(()) };
        let are_found_again = self.kept.staged.checked.as_ref().is_some_and(|checked| checked.without_sync_id == 0);
        if are_found_again {
            return Ok(());
        }
        match self.found(earlier).await? {
            None => return self.fence(earlier).await,
            Some(batch) if batch.state == ImportState::Undone || batch.changes.is_none() => return Ok(()),
            Some(_) => {}
        }
        let (imports, caller) = (self.service.imports.clone(), self.caller.clone());
        let mut undoing = pin!(imports.undo(&caller, earlier, UndoPatience::Whole));
        let mut ticks = ticks();
        loop {
            tokio::select! {
                undone = &mut undoing => return undone.map(drop),
                _ = ticks.tick() => self.kept.save().await?,
            }
        }
    }

    async fn found(&self, id: ImportId) -> Result<Option<ImportBatch>, Error> {
        let mut tx = self.service.store.read(&self.kept.grant.to_read()).await?;
        Ok(tx.imports().find(id).await?)
    }

    /// Stores an import that has written nothing yet as undone, so that whoever began it and only seems to be gone writes nothing
    /// any more.
    async fn fence(&self, id: ImportId) -> Result<(), Error> {
        let (now, staged) = (self.service.clock.now(), &self.kept.staged);
        let batch = ImportBatch::begin(id, staged.name.clone(), self.caller.actor.clone(), now, staged.hash);
        let intent = Intent { at: now, cause: "import".to_owned() };
        let mut tx = self.service.store.write(&self.kept.grant, intent).await?;
        // It may have begun to write meanwhile: then there is something to be taken back.
        if tx.imports().find(id).await?.is_some() {
            let detail = "an earlier run of it goes on after all; run it again when that has ended".to_owned();
            return Err(conflict(detail));
        }
        tx.imports_mut().put(ImportBatch { state: ImportState::Undone, ..batch }).await?;
        tx.commit().await?;
        Ok(())
    }

    /// An import that ended before it wrote anything is none that a later run takes back.
    pub(super) async fn forget_unwritten(&mut self) {
        if let Some(id) = self.kept.staged.import
            && matches!(self.found(id).await, Ok(None))
        {
            self.kept.staged.import = None;
        }
    }
}
