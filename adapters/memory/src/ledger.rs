//! Series, cells and changes, read from the state.

use async_trait::async_trait;
use domain::SeriesKey;
use ports::repo::{LedgerReader, SeriesCell};
use ports::store::StoreError;
use ports::{Change, ChangeItem};

use crate::read::Tx;

#[async_trait]
impl<Means: Send> LedgerReader for Tx<Means> {
    async fn series(&mut self, from: u32) -> Result<Vec<SeriesKey>, StoreError> {
        Ok(self.state.series.keys.iter().skip(from as usize).copied().collect())
    }

    async fn cells_since(&mut self, number: u64) -> Result<Vec<SeriesCell>, StoreError> {
        let later = self.state.cells.iter().filter(|(_, stamped)| stamped.number > number);
        Ok(later.map(|(&(day, series), stamped)| SeriesCell { series, day, cell: stamped.cell }).collect())
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError> {
        let before = usize::try_from(number).unwrap_or(usize::MAX);
        let later = self.state.changes.iter().skip(before).take(limit as usize);
        Ok(later.map(|change| change.as_ref().clone()).collect())
    }
}
