//! Checkpoints: the cells of a tenant stored as they were at one revision, so that whoever reads them later has few postings
//! to add.

use std::collections::HashSet;
use std::error::Error as StdError;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::Cube;
use ports::store::{Store, StoreError};
use ports::{Grant, Maintenance, Revision, TenantId, ledger};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::access::SYSTEM;

/// With fewer cells of later postings a checkpoint is not worth its writing.
const FEWEST: usize = 5_000;

/// How long checkpoints under way are waited for at the end.
const END: Duration = Duration::from_secs(30);

/// Writes checkpoints behind the callers' backs, one at a time. A failure is logged only: without it readers
/// add more postings, and the next one is tried when there are as many again.
pub struct Checkpoints {
    store: Arc<dyn Store>,
    state: Mutex<State>,
    turn: Arc<Semaphore>,
}

#[derive(Default)]
struct State {
    tenants: HashSet<TenantId>,
    under_way: JoinSet<TenantId>,
}

impl std::fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checkpoints").finish_non_exhaustive()
    }
}

/// Whether so many cells of later postings are worth a new checkpoint of so many cells.
pub(super) const fn is_due(tail: usize, cells: usize) -> bool {
    tail >= FEWEST && tail > cells / 4
}

impl Checkpoints {
    /// Checkpoints of that store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, state: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }

    /// Writes the cells of that revision in the background, unless one of the tenant is under way.
    pub(super) fn write(&self, tenant: TenantId, revision: Revision, cells: Arc<Cube>) {
        let Ok(runtime) = Handle::try_current() else { return };
        let mut state = self.state();
        while let Some(ended) = state.under_way.try_join_next() {
            match ended {
                Ok(ended) => drop(state.tenants.remove(&ended)),
                // Which one ended so is not known; at worst one is written twice.
                Err(_) => state.tenants.clear(),
            }
        }
        if !state.tenants.insert(tenant) {
            return;
        }
        let (store, turn) = (Arc::clone(&self.store), Arc::clone(&self.turn));
        let task = async move {
            if let Ok(_turn) = turn.acquire().await {
                report(store.checkpoint(&grant(tenant), revision, cells).await);
            }
            tenant
        };
        state.under_way.spawn_on(task, &runtime);
    }

    /// Writes the newest cells when an import has ended, unless it left few postings.
    pub async fn after_import(&self, tenant: TenantId) {
        report(self.write_newest(tenant).await);
    }

    async fn write_newest(&self, tenant: TenantId) -> Result<(), StoreError> {
        let grant = grant(tenant);
        let mut tx = self.store.read(&grant.to_read()).await?;
        let kept = tx.ledger().checkpoint().await?.map_or(0, |kept| kept.number);
        if !ledger::has_postings_since(tx.ledger(), kept, FEWEST).await? {
            return Ok(());
        }
        let revision = tx.head().await?.revision();
        let cells = ledger::packed_cells(tx.ledger()).await?;
        drop(tx);
        self.store.checkpoint(&grant, revision, Arc::new(cells)).await
    }

    /// Waits for those under way, for a while; one that is left half-way is as if it had never begun.
    pub async fn finish(&self) {
        let State { tenants: _, mut under_way } = std::mem::take(&mut *self.state());
        if tokio::time::timeout(END, async { while under_way.join_next().await.is_some() {} }).await.is_err() {
            tracing::warn!("a checkpoint was left half-written; a later one takes its place");
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn grant(tenant: TenantId) -> Grant<Maintenance> {
    Grant::for_maintenance(tenant, SYSTEM)
}

fn report(written: Result<(), StoreError>) {
    match written {
        // Another process wrote a later one, or the tenant is another one now.
        Ok(()) | Err(StoreError::Stale) => {}
        Err(error) => {
            let cause: &dyn StdError = &error;
            tracing::warn!(cause, "a checkpoint was not written; reports take longer until the next one is");
        }
    }
}

#[cfg(test)]
mod tests {
    use memory::MemoryStore;
    use ports::contract::sample;
    use ports::repo::ActivityWrite;
    use ports::store::ReadTx;

    use super::*;
    use crate::id_source::SystemIds;
    use crate::usecase::read_model::ReadModels;

    struct Desk {
        store: Arc<dyn Store>,
        grant: Grant<Maintenance>,
        checkpoints: Arc<Checkpoints>,
        read_models: ReadModels,
    }

    impl Desk {
        async fn new() -> Self {
            let store: Arc<dyn Store> = Arc::new(MemoryStore::new(Arc::new(SystemIds::new())));
            let grant = Grant::for_maintenance(sample::id(1), "test");
            store.prepare(&grant).await.unwrap();
            let checkpoints = Arc::new(Checkpoints::new(Arc::clone(&store)));
            let read_models = ReadModels::new(1 << 30, Arc::clone(&checkpoints));
            Self { store, grant, checkpoints, read_models }
        }

        /// Adds activities, each on a day of its own.
        async fn add(&self, numbers: std::ops::Range<u64>) {
            let activity = |number| {
                let day = domain::Day::from_number(2_440_000 + i32::try_from(number).unwrap()).unwrap().to_string();
                ActivityWrite::Add(sample::activity_in(number, sample::span(&day, &day), "1"))
            };
            let mut tx = self.store.write(&self.grant.to_write(), sample::intent()).await.unwrap();
            tx.activities_mut().put_all(numbers.map(activity).collect()).await.unwrap();
            tx.commit().await.unwrap();
        }

        async fn read(&self) -> Box<dyn ReadTx> {
            self.store.read(&self.grant.to_read()).await.unwrap()
        }

        /// Makes or advances the read model.
        async fn report(&self) -> usize {
            let read_model = self.read_models.of(self.grant.tenant(), self.read().await.as_mut()).await.unwrap();
            read_model.unwrap().cube().cell_count()
        }

        /// The number of the newest checkpoint, once none is under way.
        async fn kept(&self) -> u64 {
            self.checkpoints.finish().await;
            self.read().await.ledger().checkpoint().await.unwrap().map_or(0, |kept| kept.number)
        }
    }

    #[test]
    fn a_tail_is_due_above_a_quarter_and_from_some_thousands_on() {
        assert!(is_due(FEWEST, FEWEST));
        assert!(!is_due(FEWEST - 1, FEWEST - 1));
        assert!(!is_due(25_000, 100_000));
        assert!(is_due(25_001, 100_000));
    }

    #[tokio::test]
    async fn who_holds_a_read_model_with_a_long_tail_writes_a_checkpoint() {
        let desk = Desk::new().await;
        desk.add(0..4_000).await;
        assert_eq!((desk.report().await, desk.kept().await), (4_000, 0), "too few");
        desk.add(4_000..6_000).await;
        assert_eq!((desk.report().await, desk.kept().await), (6_000, 2), "built up by advancing");
        desk.add(6_000..6_100).await;
        assert_eq!((desk.report().await, desk.kept().await), (6_100, 2), "less than a quarter");
        desk.add(6_100..11_100).await;
        assert_eq!((desk.report().await, desk.kept().await), (11_100, 4));
    }

    #[tokio::test]
    async fn a_read_model_made_anew_knows_the_tail_behind_the_checkpoint() {
        let desk = Desk::new().await;
        desk.add(0..6_000).await;
        desk.report().await;
        assert_eq!(desk.kept().await, 1);
        desk.add(6_000..6_500).await;
        let elsewhere = ReadModels::new(1 << 30, Arc::clone(&desk.checkpoints));
        let read_model = elsewhere.of(desk.grant.tenant(), desk.read().await.as_mut()).await.unwrap().unwrap();
        assert_eq!((read_model.cube().cell_count(), desk.kept().await), (6_500, 1));
    }

    #[tokio::test]
    async fn a_checkpoint_that_another_wrote_is_not_written_again() {
        let desk = Desk::new().await;
        desk.add(0..6_000).await;
        desk.report().await;
        assert_eq!(desk.kept().await, 1);
        desk.add(6_000..12_000).await;
        desk.checkpoints.after_import(desk.grant.tenant()).await;
        assert_eq!(desk.kept().await, 2);
        desk.add(12_000..12_100).await;
        assert_eq!((desk.report().await, desk.kept().await), (12_100, 2), "only a hundred are behind it");
    }

    #[tokio::test]
    async fn an_import_that_ends_writes_a_checkpoint_unless_it_was_short() {
        let desk = Desk::new().await;
        desk.add(0..FEWEST as u64 - 1).await;
        desk.checkpoints.after_import(desk.grant.tenant()).await;
        assert_eq!(desk.kept().await, 0);
        desk.add(FEWEST as u64 - 1..FEWEST as u64).await;
        desk.checkpoints.after_import(desk.grant.tenant()).await;
        assert_eq!(desk.kept().await, 2);
    }

    #[tokio::test]
    async fn a_checkpoint_that_fails_fails_no_report() {
        let desk = Desk::new().await;
        let nowhere = Arc::new(Checkpoints::new(Arc::new(MemoryStore::new(Arc::new(SystemIds::new())))));
        let read_models = ReadModels::new(1 << 30, Arc::clone(&nowhere));
        desk.add(0..6_000).await;
        let read_model = read_models.of(desk.grant.tenant(), desk.read().await.as_mut()).await.unwrap();
        assert_eq!(read_model.unwrap().cube().cell_count(), 6_000);
        nowhere.after_import(desk.grant.tenant()).await;
        assert_eq!(desk.kept().await, 0);
    }
}
