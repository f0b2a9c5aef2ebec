//! The newest read model of each tenant, made when a report needs it and kept within a budget of memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Catalog, Cube};
use ports::ReadModel;
use ports::inbound::Error;
use ports::repo::SeriesCell;
use ports::store::{ReadTx, StoreError};
use ports::{AdvanceError, ChainHead, TenantId};

/// Cells beyond which a cube is built on a thread of its own.
const LARGE: usize = 20_000;
/// Bytes that a cell takes in a cube, running totals included.
const CELL_BYTES: usize = 160;

/// Read models by tenant.
#[derive(Debug)]
pub struct ReadModels {
    budget_cells: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    /// Counts uses, to find the read model that was not used for longest.
    clock: u64,
    slots: HashMap<TenantId, Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    used: u64,
    cells: usize,
    read_model: Option<Arc<ReadModel>>,
    building: Arc<tokio::sync::Mutex<()>>,
}

impl ReadModels {
    /// No read models yet; they may take about `budget_bytes`; the newest used one always stays.
    #[must_use]
    pub fn new(budget_bytes: usize) -> Self {
        Self { budget_cells: budget_bytes / CELL_BYTES, kept: Mutex::default() }
    }

    /// The read model of exactly the transaction's snapshot. `None` when a newer one is kept already: the caller opens
    /// another snapshot.
    pub async fn of(&self, tenant: TenantId, tx: &mut dyn ReadTx) -> Result<Option<Arc<ReadModel>>, Error> {
        let head = tx.head().await?;
        let building = {
            let mut read_models = self.lock();
            let slot = read_models.touch(tenant);
            match slot.read_model.as_ref().map(|read_model| compare(read_model, &head)) {
                Some(Age::Equal) => return Ok(slot.read_model.clone()),
                Some(Age::Newer) => return Ok(None),
                Some(Age::Older | Age::OtherEpoch) | None => Arc::clone(&slot.building),
            }
        };
        // One builds, the others find its work when they get here.
        let _turn = building.lock().await;
        let kept = self.lock().touch(tenant).read_model.clone();
        let base = match kept.as_ref().map(|read_model| compare(read_model, &head)) {
            Some(Age::Equal) => return Ok(kept),
            Some(Age::Newer) => return Ok(None),
            Some(Age::Older) => kept,
            Some(Age::OtherEpoch) | None => None,
        };
        let (read_model, cells) = build(base, head, tx).await?;
        self.publish(tenant, &read_model, cells);
        Ok(Some(read_model))
    }

    fn publish(&self, tenant: TenantId, read_model: &Arc<ReadModel>, cells: usize) {
        let mut read_models = self.lock();
        let slot = read_models.touch(tenant);
        slot.read_model = Some(Arc::clone(read_model));
        slot.cells = cells;
        let mut total: usize = read_models.slots.values().map(|slot| slot.cells).sum();
        while total > self.budget_cells {
            let oldest = read_models.slots.iter_mut().filter(|(id, slot)| **id != tenant && slot.read_model.is_some());
            let Some((_, slot)) = oldest.min_by_key(|(_, slot)| slot.used) else { return };
            total -= slot.cells;
            slot.cells = 0;
            slot.read_model = None;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        // Nothing that holds the lock can fail half-way, so what was poisoned is as good as any.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn touch(&mut self, tenant: TenantId) -> &mut Slot {
        self.clock += 1;
        let slot = self.slots.entry(tenant).or_default();
        slot.used = self.clock;
        slot
    }
}

enum Age {
    Older,
    Equal,
    Newer,
    OtherEpoch,
}

fn compare(read_model: &ReadModel, head: &ChainHead) -> Age {
    let kept = read_model.head();
    if kept.epoch != head.epoch {
        return Age::OtherEpoch;
    }
    match kept.number.cmp(&head.number) {
        std::cmp::Ordering::Less => Age::Older,
        std::cmp::Ordering::Equal => Age::Equal,
        std::cmp::Ordering::Greater => Age::Newer,
    }
}

/// The read model at `head` from the one at an earlier head, or from nothing, and its number of cells.
async fn build(
    base: Option<Arc<ReadModel>>,
    head: ChainHead,
    tx: &mut dyn ReadTx,
) -> Result<(Arc<ReadModel>, usize), Error> {
    let known = base.as_ref().map_or(0, |read_model| read_model.cube().series().len());
    let since = base.as_ref().map_or(0, |read_model| read_model.head().number);
    let series = tx.ledger().series(u32::try_from(known).map_err(damaged)?).await?;
    let cells = tx.ledger().cells_since(since).await?;
    let catalog = if base.as_ref().is_none_or(|read_model| read_model.head().catalog != head.catalog) {
        let nodes = tx.ledger().all_nodes().await?.into_iter().map(|node| node.value).collect();
        Some(Arc::new(Catalog::new(nodes, tx.ledger().product_names().await?)))
    } else {
        None
    };
    let large = cells.len() > LARGE;
    let work = move || -> Result<(Arc<ReadModel>, usize), AdvanceError> {
        let rows = cells.into_iter().map(|SeriesCell { series, day, cell }| (series, day, cell));
        let read_model = match base {
            Some(base) => base.advance(head, series, rows.collect(), catalog)?,
            None => ReadModel::new(head, catalog.unwrap_or_default(), Arc::new(Cube::new(series, rows)?)),
        };
        let size = read_model.cube().cell_count();
        Ok((Arc::new(read_model), size))
    };
    if large {
        tokio::task::spawn_blocking(work).await.map_err(damaged)?.map_err(damaged)
    } else {
        work().map_err(damaged)
    }
}

fn damaged(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    StoreError::Failed(Box::new(error)).into()
}
