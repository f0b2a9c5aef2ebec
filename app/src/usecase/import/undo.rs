//! Undoing an import: in one change where it is small, else in batches that can be gone on with.
//!
//! Its changes are gone through from the newest to the first, and the items of each from the last part to the first. What the
//! next batch begins with is stored with what a batch wrote.

use std::sync::Arc;

use ports::clock::Clock;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{Error, UndoPatience};
use ports::ledger::PartPlace;
use ports::store::{Intent, Store, StoreError, WriteTx};
use ports::{Grant, ImportId, Revision, Write};

use super::check::check;
use super::edited::Places;
use super::nodes::Making;
use super::parts::{PARTS_AT_ONCE, changes_of, count_parts, items_of};
use super::patience::Patience;
use super::take_back::take_back;
use super::undo_tasks::UndoTasks;

/// After so many items a batch is committed, or after so many as are taken back in one change.
const ITEMS: u64 = 10_000;
/// How often what stands in the way is looked for in a snapshot that other writers overtook, before they wait for it.
const ATTEMPTS: usize = 3;

/// What undoes imports.
#[derive(Clone)]
pub(super) struct Undo {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    grant: Grant<Write>,
    making: Making,
    atomic_rows: u64,
    tasks: UndoTasks,
}

/// What is left of an import, while it is undone.
struct Left {
    batch: ImportBatch,
    /// The numbers of its changes that are not undone yet, in order.
    changes: Vec<u64>,
    /// Where in later changes its records were found.
    places: Places,
}

impl Undo {
    pub(super) fn new(
        store: &Arc<dyn Store>,
        clock: &Arc<dyn Clock>,
        grant: Grant<Write>,
        making: Making,
        atomic_rows: u64,
        tasks: &UndoTasks,
    ) -> Self {
        let tasks = tasks.clone();
        Self { store: Arc::clone(store), clock: Arc::clone(clock), grant, making, atomic_rows, tasks }
    }

    /// See [`ports::inbound::Imports::undo`].
    pub(super) async fn run(self, id: ImportId, patience: UndoPatience) -> Result<ImportBatch, Error> {
        let mut tx = self.store.read(&self.grant.to_read()).await?;
        let batch = tx.imports().find(id).await?.ok_or(Error::NotFound)?;
        match batch.state_at(self.clock.now()) {
            ImportState::Undone => return Ok(batch),
            ImportState::Running => return Err(running()),
            ImportState::Undoing => {}
            ImportState::Done | ImportState::BrokenOff => {
                if batch.counts.created + batch.counts.updated <= self.atomic_rows {
                    drop(tx);
                    return self.at_once(id).await;
                }
            }
        }
        drop(tx);
        let batch = if batch.state == ImportState::Undoing { batch } else { self.begin(id).await? };
        if batch.state == ImportState::Undone {
            return Ok(batch);
        }
        match patience {
            UndoPatience::Whole => self.go_on(id).await,
            UndoPatience::Begun => {
                // Whoever asks again waits for the task that there is.
                let Some(task) = self.tasks.begin(self.grant.tenant(), id) else { return Ok(batch) };
                tokio::spawn(async move {
                    let _task = task;
                    if let Err(cause) = self.go_on(id).await {
                        tracing::error!(
                            cause = &cause as &dyn std::error::Error,
                            import = %id,
                            "an import is not undone yet: undo it again to go on"
                        );
                    }
                });
                Ok(batch)
            }
        }
    }

    /// Undoes it in one change, or nothing where something stands in the way by now.
    async fn at_once(&self, id: ImportId) -> Result<ImportBatch, Error> {
        let mut tx = self.open(id).await?;
        let mut left = self.left(tx.as_mut(), id).await?;
        match left.batch.state_at(self.clock.now()) {
            ImportState::Undone => return Ok(left.batch),
            ImportState::Running => return Err(running()),
            ImportState::Done | ImportState::BrokenOff | ImportState::Undoing => {}
        }
        check(tx.as_mut(), &left.batch).await?;
        while !self.step(tx.as_mut(), &mut left).await? {}
        self.put(tx.as_mut(), &mut left.batch).await?;
        tx.commit().await?;
        Ok(left.batch)
    }

    /// Marks it as being undone, where nothing stands in the way. That is looked for in a snapshot, and it holds if nobody has
    /// written since: a period that is closed meanwhile, or an edit, is seen too.
    async fn begin(&self, id: ImportId) -> Result<ImportBatch, Error> {
        let mut attempts = 0..ATTEMPTS;
        loop {
            let checked = match attempts.next() {
                Some(_) => Some(self.checked(id).await?),
                None => None,
            };
            let mut tx = self.open(id).await?;
            let mut batch = tx.imports().find(id).await?.ok_or(Error::NotFound)?;
            match batch.state_at(self.clock.now()) {
                // Somebody else was first.
                ImportState::Undone | ImportState::Undoing => return Ok(batch),
                ImportState::Running => return Err(running()),
                ImportState::Done | ImportState::BrokenOff => {}
            }
            match checked {
                Some(checked) if checked == tx.head().await?.revision() => {}
                Some(_) => continue,
                None => check(tx.as_mut(), &batch).await?,
            }
            batch.state = ImportState::Undoing;
            self.put(tx.as_mut(), &mut batch).await?;
            tx.commit().await?;
            return Ok(batch);
        }
    }

    /// The point of history at which nothing stands in the way.
    async fn checked(&self, id: ImportId) -> Result<Revision, Error> {
        let mut tx = self.store.read(&self.grant.to_read()).await?;
        let batch = tx.imports().find(id).await?.ok_or(Error::NotFound)?;
        // What somebody else undoes meanwhile stands in nobody's way.
        if matches!(batch.state_at(self.clock.now()), ImportState::Done | ImportState::BrokenOff) {
            check(tx.as_mut(), &batch).await?;
        }
        Ok(tx.head().await?.revision())
    }

    /// Undoes batch after batch, until nothing is left.
    async fn go_on(&self, id: ImportId) -> Result<ImportBatch, Error> {
        let mut patience = Patience::new();
        loop {
            match self.one_batch(id).await {
                Ok(batch) if batch.state == ImportState::Undone => return Ok(batch),
                Ok(_) => patience = Patience::new(),
                Err(Error::Busy(_) | Error::Stale) if patience.allows_another().await => {}
                Err(error) => return Err(error),
            }
        }
    }

    async fn one_batch(&self, id: ImportId) -> Result<ImportBatch, Error> {
        let mut tx = self.open(id).await?;
        let mut left = self.left(tx.as_mut(), id).await?;
        if left.batch.state != ImportState::Undone {
            self.step(tx.as_mut(), &mut left).await?;
            self.put(tx.as_mut(), &mut left.batch).await?;
            tx.commit().await?;
        }
        Ok(left.batch)
    }

    /// What is left of it.
    async fn left(&self, tx: &mut dyn WriteTx, id: ImportId) -> Result<Left, Error> {
        let batch = tx.imports().find(id).await?.ok_or(Error::NotFound)?;
        let mut changes = changes_of(tx.ledger(), &batch).await?;
        if let Some(left) = batch.left {
            changes.retain(|number| *number <= left.change);
        }
        Ok(Left { batch, changes, places: Places::default() })
    }

    /// Takes back some of what is left, and notes where to go on; whether that was all.
    async fn step(&self, tx: &mut dyn WriteTx, left: &mut Left) -> Result<bool, Error> {
        let (cause, most, mut done) = (left.batch.undo_cause(), self.atomic_rows.min(ITEMS), 0);
        while let Some(change) = left.changes.last().copied() {
            if done >= most {
                return Ok(false);
            }
            let parts = match left.batch.left.filter(|left| left.change == change) {
                Some(left) => left.part,
                None => count_parts(tx.ledger(), change).await?,
            };
            let from = parts.saturating_sub(PARTS_AT_ONCE);
            let (items, _) = items_of(tx.ledger(), change, from, parts - from).await?;
            left.batch.kept += take_back(tx, change, &cause, self.making, &items, &mut left.places).await?;
            done += items.len() as u64;
            left.batch.left = Some(PartPlace { change, part: from });
            if from == 0 {
                left.changes.pop();
            }
        }
        left.batch.left = None;
        left.batch.state = ImportState::Undone;
        left.batch.undone_by = Some(self.grant.actor().to_owned());
        Ok(true)
    }

    /// Opens a transaction under the cause that takes back the import.
    async fn open(&self, id: ImportId) -> Result<Box<dyn WriteTx>, Error> {
        let found = self.store.read(&self.grant.to_read()).await?.imports().find(id).await?;
        let cause = found.ok_or(Error::NotFound)?.undo_cause();
        let mut patience = Patience::new();
        loop {
            let intent = Intent { at: self.clock.now(), cause: cause.clone() };
            match self.store.write(&self.grant, intent).await {
                Err(StoreError::Busy(_)) if patience.allows_another().await => {}
                opened => return Ok(opened?),
            }
        }
    }

    async fn put(&self, tx: &mut dyn WriteTx, batch: &mut ImportBatch) -> Result<(), Error> {
        batch.updated = self.clock.now();
        Ok(tx.imports_mut().put(batch.clone()).await?)
    }
}

fn running() -> Error {
    let detail = "the import is still running; wait until it has ended, or end it".to_owned();
    Error::Conflict { pointer: String::new(), detail }
}
