//! The index of the sets that there are: made when a search needs it, and anew when sets come or go, whichever process
//! brings them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use domain::Digest;
use ports::factor_sets::{FactorSets, InstalledSet, MOST_FACTORS};
use ports::inbound::Error;
use ports::store::StoreError;
use ports::{Grant, Read};

use super::index::{FactorIndex, IndexBuilder};

/// What an index is of: each set and its factors, by their digests.
type Content = Vec<(Digest, Digest)>;

/// The newest index.
#[derive(Debug, Default)]
pub(super) struct IndexCache {
    held: Mutex<Option<(Content, Arc<FactorIndex>)>>,
    building: tokio::sync::Mutex<()>,
}

impl IndexCache {
    /// The index of those sets. Whoever asks while it is made waits for it.
    pub(super) async fn of(
        &self,
        store: &dyn FactorSets,
        grant: &Grant<Read>,
        sets: &[InstalledSet],
    ) -> Result<Arc<FactorIndex>, Error> {
        let content: Content = sets.iter().map(|installed| (installed.set.id, installed.digest)).collect();
        if let Some(index) = self.held(&content) {
            return Ok(index);
        }
        let _building = self.building.lock().await;
        if let Some(index) = self.held(&content) {
            return Ok(index);
        }
        let begun = Instant::now();
        let mut builder = IndexBuilder::default();
        for installed in sets {
            let set = builder.set(installed);
            let mut behind = None;
            loop {
                let factors = store.factors_behind(grant, installed.set.id, behind.as_ref(), MOST_FACTORS).await?;
                let Some(last) = factors.last() else { break };
                behind = Some(last.cell.clone());
                for factor in &factors {
                    builder.factor(set, factor);
                }
            }
        }
        let built = tokio::task::spawn_blocking(|| builder.build()).await;
        let index = Arc::new(built.map_err(|error| StoreError::Failed(Box::new(error)))?);
        let (factors, bytes, took_ms) = (index.len(), index.bytes(), begun.elapsed().as_millis());
        tracing::debug!(sets = sets.len(), factors, bytes, took_ms, "the index of published factors was made");
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some((content, Arc::clone(&index)));
        Ok(index)
    }

    fn held(&self, content: &Content) -> Option<Arc<FactorIndex>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.as_ref().filter(|(of, _)| of == content).map(|(_, index)| Arc::clone(index))
    }
}
