//! Series, postings, checkpoints and changes, read from the state.

use std::sync::Arc;

use async_trait::async_trait;
use domain::{PackedCells, SeriesKey};
use ports::ledger::{Checkpoint, PackedItems, PackedLines, PartPlace, TextPlace};
use ports::repo::{LedgerReader, LedgerWriter};
use ports::store::StoreError;
use ports::{Change, RecordKind, Version};
use uuid::Uuid;

use crate::tx::{Tx, Writing};

#[async_trait]
impl<W: Send> LedgerReader for Tx<W> {
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
        Ok(self.state.series.keys.iter().skip(from as usize).copied().collect())
    }

    async fn checkpoint(&mut self) -> Result<Option<Checkpoint>, StoreError> {
        let newest = self.state.checkpoint.as_ref();
        Ok(newest.map(|(number, parts)| Checkpoint {
            number: *number,
            parts: u32::try_from(parts.len()).unwrap_or(u32::MAX),
        }))
    }

    async fn checkpoint_part(&mut self, part: u32) -> Result<PackedCells, StoreError> {
        let parts = self.state.checkpoint.as_ref().and_then(|(_, parts)| parts.get(part as usize));
        let missing =
            || StoreError::Corrupt { subject: "checkpoint".to_owned(), detail: format!("has no part {part}") };
        parts.cloned().ok_or_else(missing)
    }

    async fn postings_since(
        &mut self,
        after: PartPlace,
        limit: u32,
    ) -> Result<Vec<(PartPlace, PackedCells)>, StoreError> {
        Ok(behind(&self.state.postings, after, limit))
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<Change>, StoreError> {
        let before = usize::try_from(number).unwrap_or(usize::MAX);
        Ok(self.state.changes.iter().skip(before).take(limit as usize).cloned().collect())
    }

    async fn items_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedItems)>, StoreError> {
        Ok(behind(&self.state.items, after, limit))
    }

    async fn lines_since(&mut self, after: PartPlace, limit: u32) -> Result<Vec<(PartPlace, PackedLines)>, StoreError> {
        Ok(behind(&self.state.lines, after, limit))
    }

    async fn version_of(&mut self, kind: RecordKind, id: Uuid) -> Result<Option<Version>, StoreError> {
        Ok(self.state.version_of(kind, id))
    }

    async fn removal_before(&mut self, kind: RecordKind, id: Uuid, number: u64) -> Result<Option<u64>, StoreError> {
        let mut earlier = self.state.removals.range((kind, id, 0)..(kind, id, number));
        Ok(earlier.next_back().map(|(_, _, change)| *change))
    }
}

#[async_trait]
impl LedgerWriter for Writing {
    async fn blank(&mut self, text: &TextPlace) -> Result<(), StoreError> {
        let found = self.state.items.binary_search_by_key(&text.part, |(place, _)| *place);
        let found = found.map_err(|_| StoreError::Stale)?;
        let items = Arc::make_mut(&mut self.state.items);
        let (_, part) = items.get_mut(found).ok_or(StoreError::Stale)?;
        *part = part.without_text(text).ok_or(StoreError::Stale)?;
        self.write.draft.note(text.item());
        self.write.draft.keep()
    }

    async fn note_lines(&mut self, lines: Vec<u64>) -> Result<(), StoreError> {
        self.write.draft.note_lines(&lines);
        self.write.draft.keep()
    }
}

/// Up to `limit` of the parts behind a place.
fn behind<T: Clone>(parts: &[(PartPlace, T)], after: PartPlace, limit: u32) -> Vec<(PartPlace, T)> {
    let from = parts.partition_point(|(place, _)| *place <= after);
    parts[from..].iter().take(limit as usize).cloned().collect()
}
