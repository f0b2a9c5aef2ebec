//! The newest read model of each tenant, made when a report needs it and cached within a budget of memory.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use domain::{Catalog, NodeTree, TreeNode};
use metrics::{counter, gauge, histogram};
use ports::inbound::Error;
use ports::ledger::{self, StoredCells};
use ports::repo::TreeReader;
use ports::store::{ReadTx, StoreError};
use ports::{AdvanceError, ChainHead, Entity, ReadModel, TenantId, metric};
use tracing::{Instrument as _, info_span};

use super::breakdown::kept::{self as kept_breakdowns, BreakdownAnswers};
use super::checkpoint::{Checkpoints, is_due};
use super::completeness::kept::{self as kept_completeness, CompletenessAnswers};
use super::outdated::OutdatedActivities;
use super::report::answer::{self, ReportAnswers};
use crate::measure::gauge_value;

/// Cells of postings beyond which they are added on a thread of their own.
const LARGE: usize = 20_000;
/// With so many cells of later postings, some 50 MB of them, a read model is made anew from the newest checkpoint: another process
/// may have imported millions.
const MOST: usize = 200_000;
/// Bytes that a cell takes in a cube, running totals included.
const CELL_BYTES: usize = 80;

/// Read models by tenant.
#[derive(Debug)]
pub struct ReadModels {
    budget_cells: usize,
    /// See [`MOST`].
    most_postings: usize,
    cached: Mutex<Cached>,
    checkpoints: Arc<Checkpoints>,
    /// What reports on them came to.
    pub(super) answers: ReportAnswers,
    /// What breakdowns came to.
    pub(super) breakdowns: BreakdownAnswers,
    /// What was missing.
    pub(super) completeness: CompletenessAnswers,
    /// Which activities are outdated.
    pub(super) outdated: OutdatedActivities,
}

#[derive(Debug, Default)]
struct Cached {
    /// Counts uses, to find the read model that was not used for longest.
    clock: u64,
    slots: HashMap<TenantId, Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    used: u64,
    cells: usize,
    held: Option<Held>,
    building: Arc<tokio::sync::Mutex<()>>,
}

/// A read model, and what whoever makes it anew has to read beside the checkpoint.
#[derive(Clone, Debug)]
struct Held {
    model: Arc<ReadModel>,
    tail: Tail,
}

/// The postings behind a checkpoint.
#[derive(Clone, Copy, Debug)]
struct Tail {
    /// The number of the checkpoint's change; 0 when there is none.
    checkpoint: u64,
    /// How many cells later changes wrote, counted anew with each advance.
    cells: usize,
}

impl ReadModels {
    /// No read models yet; they may take about `budget_bytes`; the newest used one always stays.
    #[must_use]
    pub fn new(budget_bytes: usize, checkpoints: Arc<Checkpoints>) -> Self {
        Self {
            budget_cells: budget_bytes / CELL_BYTES,
            most_postings: MOST,
            cached: Mutex::default(),
            checkpoints,
            answers: answer::none(),
            breakdowns: kept_breakdowns::none(),
            completeness: kept_completeness::none(),
            outdated: OutdatedActivities::default(),
        }
    }

    /// The newest read model of a tenant, if one is cached.
    pub(super) fn newest(&self, tenant: TenantId) -> Option<Arc<ReadModel>> {
        self.lock().touch(tenant).held.as_ref().map(|held| Arc::clone(&held.model))
    }

    /// The read model of exactly the transaction's snapshot. `None` when a newer one is cached already: the caller opens
    /// another snapshot.
    pub async fn of(&self, tenant: TenantId, tx: &mut dyn ReadTx) -> Result<Option<Arc<ReadModel>>, Error> {
        let head = tx.head().await?;
        let building = {
            let mut read_models = self.lock();
            let slot = read_models.touch(tenant);
            match slot.held.as_ref().map(|held| compare(&held.model, &head)) {
                Some(Age::Equal) => return Ok(slot.held.as_ref().map(|held| Arc::clone(&held.model))),
                Some(Age::Newer) => return Ok(None),
                Some(Age::Older | Age::OtherEpoch) | None => Arc::clone(&slot.building),
            }
        };
        // One builds, the others find its work when they get here.
        let _turn = building.lock().await;
        let held = self.lock().touch(tenant).held.clone();
        let base = match held.as_ref().map(|held| compare(&held.model, &head)) {
            Some(Age::Equal) => return Ok(held.map(|held| held.model)),
            Some(Age::Newer) => return Ok(None),
            Some(Age::Older) => held,
            Some(Age::OtherEpoch) | None => None,
        };
        let mut held = build(base, head, tx, self.most_postings).instrument(info_span!("read_model.build")).await?;
        self.keep_checkpoint(tenant, &mut held, tx).await?;
        let model = Arc::clone(&held.model);
        self.publish(tenant, held);
        Ok(Some(model))
    }

    /// Has a checkpoint written when the tail is long, and nobody else has.
    async fn keep_checkpoint(&self, tenant: TenantId, held: &mut Held, tx: &mut dyn ReadTx) -> Result<(), Error> {
        let cells = held.model.cube().cell_count();
        if !is_due(held.tail.cells, cells) {
            return Ok(());
        }
        let newest = tx.ledger().checkpoint().await?.map_or(0, |stored| stored.number);
        if newest > held.tail.checkpoint {
            let later = ledger::cell_count_since(tx.ledger(), newest).await?;
            held.tail = Tail { checkpoint: newest, cells: later };
        }
        if is_due(held.tail.cells, cells) {
            let revision = held.model.revision();
            self.checkpoints.write(tenant, revision, Arc::clone(held.model.cube()));
            held.tail = Tail { checkpoint: revision.number, cells: 0 };
        }
        Ok(())
    }

    fn publish(&self, tenant: TenantId, held: Held) {
        let mut read_models = self.lock();
        self.put(&mut read_models, tenant, held);
        let held = read_models.slots.values().filter(|slot| slot.held.is_some());
        let (count, cells) = held.fold((0, 0), |(count, cells), slot| (count + 1, cells + slot.cells));
        gauge!(metric::READ_MODELS.name).set(gauge_value(count));
        gauge!(metric::READ_MODEL_BYTES.name).set(gauge_value(cells.saturating_mul(CELL_BYTES) as u64));
    }

    fn put(&self, read_models: &mut Cached, tenant: TenantId, held: Held) {
        let slot = read_models.touch(tenant);
        slot.cells = held.model.cube().cell_count();
        slot.held = Some(held);
        let mut total: usize = read_models.slots.values().map(|slot| slot.cells).sum();
        while total > self.budget_cells {
            let oldest = read_models.slots.iter_mut().filter(|(id, slot)| **id != tenant && slot.held.is_some());
            let Some((_, slot)) = oldest.min_by_key(|(_, slot)| slot.used) else { return };
            total -= slot.cells;
            slot.cells = 0;
            slot.held = None;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Cached> {
        // Nothing that holds the lock can fail half-way, so what was poisoned is as good as any.
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cached {
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
    let cached = read_model.head();
    if cached.epoch != head.epoch {
        return Age::OtherEpoch;
    }
    match cached.number.cmp(&head.number) {
        std::cmp::Ordering::Less => Age::Older,
        std::cmp::Ordering::Equal => Age::Equal,
        std::cmp::Ordering::Greater => Age::Newer,
    }
}

/// The read model at `head`, from the cached one of an earlier head or from nothing.
async fn build(base: Option<Held>, head: ChainHead, tx: &mut dyn ReadTx, most: usize) -> Result<Held, Error> {
    let started = Instant::now();
    let Some(Held { model: base, tail }) = base else { return build_anew(head, tx).await };
    let Some(postings) = ledger::few_postings_since(tx.ledger(), base.head().number, most).await? else {
        drop(base);
        return build_anew(head, tx).await;
    };
    let known = u32::try_from(base.cube().series().len()).map_err(damaged)?;
    let series = tx.ledger().series(known).await?;
    let catalog = if base.head().catalog == head.catalog { None } else { Some(Arc::new(read_catalog(tx).await?)) };
    let tail = Tail { cells: tail.cells + postings.len(), ..tail };
    let large = postings.len() > LARGE;
    let work = move || base.advance(head, series, postings, catalog);
    let model = if large { tokio::task::spawn_blocking(work).await.map_err(damaged)? } else { work() };
    let model = model.map_err(|error| match error {
        AdvanceError::Cells(cells) => {
            let subject = format!("postings of the changes up to {}", head.number);
            StoreError::Corrupt { subject, detail: cells.to_string() }.into()
        }
        AdvanceError::NotLater { .. } => damaged(error),
    })?;
    count_build("advanced", started);
    Ok(Held { model: Arc::new(model), tail })
}

/// Counts a read model that was made.
fn count_build(kind: &'static str, started: Instant) {
    counter!(metric::READ_MODEL_BUILDS.name, "kind" => kind).increment(1);
    histogram!(metric::READ_MODEL_BUILD_DURATION.name, "kind" => kind).record(started.elapsed());
}

/// The read model at `head`, from the newest checkpoint and what was written behind it.
async fn build_anew(head: ChainHead, tx: &mut dyn ReadTx) -> Result<Held, Error> {
    let started = Instant::now();
    let StoredCells { builder, checkpoint, tail } = ledger::cells(tx.ledger()).await?;
    let cube = tokio::task::spawn_blocking(move || builder.finish()).await.map_err(damaged)?;
    let catalog = Arc::new(read_catalog(tx).await?);
    let model = Arc::new(ReadModel::new(head, catalog, Arc::new(cube)));
    count_build("anew", started);
    Ok(Held { model, tail: Tail { checkpoint, cells: tail } })
}

/// The trees and the products' names of the transaction's snapshot.
async fn read_catalog(tx: &mut dyn ReadTx) -> Result<Catalog, StoreError> {
    Ok(Catalog {
        scopes: read_tree(tx.scopes()).await?,
        orgs: read_tree(tx.orgs()).await?,
        taxonomies: read_tree(tx.taxonomies()).await?,
        products: tx.products().names().await?.into_iter().collect(),
    })
}

async fn read_tree<T: Entity + TreeNode>(
    reader: &mut (impl TreeReader<T> + ?Sized),
) -> Result<NodeTree<T>, StoreError> {
    Ok(NodeTree::new(reader.all().await?.into_iter().map(|node| node.value).collect()))
}

fn damaged(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    StoreError::Failed(Box::new(error)).into()
}
