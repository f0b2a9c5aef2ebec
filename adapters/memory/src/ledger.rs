//! Series, cells and changes, read from the state.

use async_trait::async_trait;
use domain::{Name, Node, NodeId, ProductId, SeriesKey, Slug};
use ports::repo::{LedgerReader, SeriesCell};
use ports::store::StoreError;
use ports::{Change, ChangeItem, Stored};

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

    async fn all_nodes(&mut self) -> Result<Vec<Stored<Node>>, StoreError> {
        Ok(self.state.nodes.iter().cloned().collect())
    }

    async fn taxonomy_with_slug(&mut self, parent: Option<NodeId>, slug: &Slug) -> Result<Option<NodeId>, StoreError> {
        let is_it = |node: &&Node| node.parent == parent && node.slug() == Some(slug);
        Ok(self.state.nodes.iter().map(|stored| &stored.value).find(is_it).map(|node| node.id))
    }

    async fn product_names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError> {
        Ok(self.state.products.iter().map(|stored| (stored.value.id, stored.value.name.clone())).collect())
    }

    async fn footprint_mark(&mut self) -> Result<u64, StoreError> {
        Ok(self.state.footprint_number)
    }

    async fn changes_since(&mut self, number: u64, limit: u32) -> Result<Vec<(Change, Vec<ChangeItem>)>, StoreError> {
        let before = usize::try_from(number).unwrap_or(usize::MAX);
        let later = self.state.changes.iter().skip(before).take(limit as usize);
        Ok(later.map(|change| change.as_ref().clone()).collect())
    }
}
