//! Two nodes that go on with one staged import.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use async_trait::async_trait;
use domain::Digest;
use ports::ImportId;
use ports::import_batch::ImportBatch;
use ports::inbound::{BatchOutcome, Import, Imports, RowDraft};
use ports::repo::{Listing, Page};
use postgres::PostgresSpool;
use postgres::testing::Fresh;

use super::*;

/// Two nodes, and the database that they share where they share one.
struct Pair {
    nodes: [Site; 2],
    fresh: Option<Fresh>,
}

impl Pair {
    async fn in_memory() -> Self {
        let store: Arc<dyn Store> = Arc::new(memory::MemoryStore::new(Arc::new(Counting::default())));
        let (spool, clock): (Arc<dyn Spool>, Arc<Later>) = (Arc::new(MemorySpool::default()), Arc::default());
        let node = |number| site_of(Arc::clone(&store), Arc::clone(&spool), Arc::clone(&clock), number);
        Self { nodes: [node(1).await, node(2).await], fresh: None }
    }

    async fn on_postgresql() -> Self {
        let fresh = Fresh::migrated().await;
        let clock: Arc<Later> = Arc::default();
        let node = async |number| {
            let database = fresh.database().await;
            let store = Arc::new(postgres::PostgresStore::new(Arc::clone(&database)));
            site_of(store, Arc::new(PostgresSpool::new(database)), Arc::clone(&clock), number).await
        };
        Self { nodes: [node(1).await, node(2).await], fresh: Some(fresh) }
    }

    async fn all() -> [Self; 2] {
        [Self::in_memory().await, Self::on_postgresql().await]
    }
}

/// A file of so many rows, each with a syncId or none.
fn rows(count: u64, has_ids: bool) -> String {
    let id = |at: u64| if has_ids { format!("id-{at}") } else { String::new() };
    let rows: Vec<String> = (0..count).map(|at| format!("{},Van {at},2025-03-01,1.5\n", id(at))).collect();
    format!("{HEADER}{}", rows.concat())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_receives_another_checks_and_of_two_runs_one_begins() {
    for Pair { nodes: [one, other], fresh: _fresh } in Pair::all().await {
        let id = one.stage(&rows(30, false)).await;
        let sniffed = other.service.sniff(other.admin(), id, &StagedReading::default()).await.unwrap();
        assert_eq!(sniffed.rows.len(), 20);
        let checked = other.checked(id, None).await;
        assert_eq!(
            one.service.find(one.admin(), id).await.unwrap().checked,
            checked.checked,
            "both see what was found"
        );
        let how = RunOptions { rows: RunRows::Good, again: Again::Yes };
        let begun = tokio::join!(one.service.run(one.admin(), id, how), other.service.run(other.admin(), id, how));
        let begun = [begun.0, begun.1];
        assert_eq!(begun.iter().filter(|begun| begun.is_ok()).count(), 1, "{begun:?}");
        let is_told =
            |begun: &Result<StagedImport, Error>| matches!(begun, Ok(_) | Err(Error::Stale | Error::Conflict { .. }));
        assert!(begun.iter().all(is_told), "{begun:?}");
        for node in [&one, &other] {
            assert_eq!(node.ended(id).await.state, StagedState::Done);
            assert_eq!(node.total("2025").await, (30, "45".to_owned()));
        }
    }
}

/// Imports that stand still before a batch, as those of a node that hangs do, until they are let go.
struct Hanging {
    inner: Arc<ImportService>,
    /// So many batches are taken before.
    batches: usize,
    /// Of the one import that begins: taken by it.
    ends: Mutex<Option<Ends>>,
}

/// What the import that hangs waits for, and what it says when it is over.
struct Ends {
    let_go: Receiver<()>,
    over: Sender<()>,
}

struct HangingImport {
    inner: Box<dyn Import>,
    left: usize,
    /// Dropped behind the import.
    ends: Option<Ends>,
}

impl Hanging {
    /// With what lets the import go, and what says that it is over.
    fn new(inner: Arc<ImportService>, batches: usize) -> (Self, Sender<()>, Receiver<()>) {
        let ((go, let_go), (over, is_over)) = (channel(), channel());
        (Self { inner, batches, ends: Mutex::new(Some(Ends { let_go, over })) }, go, is_over)
    }
}

#[async_trait]
impl Import for HangingImport {
    fn id(&self) -> Option<ImportId> {
        self.inner.id()
    }

    fn hashed(&mut self, hash: Digest) {
        self.inner.hashed(hash);
    }

    async fn check_room(&mut self, rows: u64) -> Result<(), Error> {
        self.inner.check_room(rows).await
    }

    async fn rows(&mut self, rows: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        if self.left == 0
            && let Some(Ends { let_go, .. }) = &self.ends
        {
            // The whole thread stands still: nothing says meanwhile that the import goes on.
            let_go.recv().unwrap();
        }
        self.left = self.left.saturating_sub(1);
        self.inner.rows(rows).await
    }

    async fn finish(&mut self) -> Result<BatchOutcome, Error> {
        self.inner.finish().await
    }

    async fn break_off(&mut self) -> Result<BatchOutcome, Error> {
        self.inner.break_off().await
    }
}

impl Drop for HangingImport {
    fn drop(&mut self) {
        if let Some(Ends { over, .. }) = self.ends.take() {
            over.send(()).ok();
        }
    }
}

#[async_trait]
impl Imports for Hanging {
    fn begin(&self, caller: &Caller, options: ImportOptions) -> Result<Box<dyn Import>, Error> {
        let inner = self.inner.begin(caller, options)?;
        let ends = if inner.id().is_some() { self.ends.lock().unwrap().take() } else { None };
        Ok(Box::new(HangingImport { inner, left: self.batches, ends }))
    }

    async fn find(&self, caller: &Caller, id: ImportId) -> Result<ImportBatch, Error> {
        self.inner.find(caller, id).await
    }

    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<ImportBatch>, Error> {
        self.inner.list(caller, page).await
    }

    async fn same_file(&self, by: &Caller, hash: Digest, read: Option<Digest>) -> Result<Option<ImportBatch>, Error> {
        self.inner.same_file(by, hash, read).await
    }

    async fn same_bytes(&self, caller: &Caller, hash: Digest) -> Result<Option<ImportBatch>, Error> {
        self.inner.same_bytes(caller, hash).await
    }

    async fn undoing(&self, caller: &Caller) -> Result<Vec<ImportBatch>, Error> {
        self.inner.undoing(caller).await
    }

    async fn undo(&self, caller: &Caller, id: ImportId, patience: UndoPatience) -> Result<ImportBatch, Error> {
        self.inner.undo(caller, id, patience).await
    }
}

/// A node hangs in a run behind so many batches, another goes on, and then the first one wakes.
async fn hangs_behind(batches: usize, has_ids: bool, again: Again) {
    for Pair { nodes: [mut one, other], fresh } in Pair::all().await {
        let what = format!("{batches} batches, with syncIds {has_ids}, on PostgreSQL {}", fresh.is_some());
        let (hanging, go, is_over) = Hanging::new(Arc::clone(&one.imports), batches);
        one.service.imports = Arc::new(hanging);
        let id = one.stage(&rows(30, has_ids)).await;
        one.checked(id, None).await;
        let how = RunOptions { rows: RunRows::Good, again };
        one.service.run(one.admin(), id, how).await.unwrap();
        let mut looks = tokio::time::interval(Duration::from_millis(2));
        loop {
            let staged = other.service.find(other.admin(), id).await.unwrap();
            if staged.import.is_some() && staged.rows >= 7 * batches as u64 {
                break;
            }
            looks.tick().await;
        }
        let refused = other.service.run(other.admin(), id, how).await;
        assert!(matches!(refused, Err(Error::Conflict { .. })), "{what}: it may be running still: {refused:?}");
        other.clock.0.fetch_add(SILENT_MS + 1_000, Ordering::Relaxed);
        assert_eq!(other.service.find(other.admin(), id).await.unwrap().state, StagedState::RunFailed, "{what}");
        let done = other.run(id, RunRows::Good, again).await;
        assert_eq!(done.state, StagedState::Done, "{what}: {:?}", done.failure);
        assert_eq!(other.total("2025").await, (30, "45".to_owned()), "{what}");

        go.send(()).unwrap();
        tokio::task::spawn_blocking(move || is_over.recv().unwrap()).await.unwrap();
        for node in [&one, &other] {
            assert_eq!(node.total("2025").await, (30, "45".to_owned()), "{what}: the one that hung adds nothing");
            let staged = node.service.find(node.admin(), id).await.unwrap();
            assert_eq!(
                (staged.state, staged.import, staged.outcome),
                (StagedState::Done, done.import, done.outcome),
                "{what}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_node_that_hangs_in_a_run_is_followed_by_another_and_adds_nothing_when_it_wakes() {
    for has_ids in [true, false] {
        hangs_behind(2, has_ids, Again::No).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_node_that_hangs_before_its_first_rows_adds_nothing_when_it_wakes() {
    for (has_ids, again) in [(true, Again::Yes), (false, Again::No), (false, Again::Yes)] {
        hangs_behind(0, has_ids, again).await;
    }
}
