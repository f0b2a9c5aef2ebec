//! Imports: rows are built in a snapshot while those before them are written, and built again when somebody else was first.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use domain::{Moment, Org, ProductId, SyncId};
use ports::clock::Clock as _;
use ports::inbound::{
    Activities as _, ActivityDraft, BatchOutcome, Catalog as _, Error, Import, ImportOptions, Imports as _, NodeStep,
    Nodes, Outcome, Reference, ReportQuery, RowDraft,
};
use ports::repo::Page;
use ports::store::{Intent, Store};
use ports::{demand, permit};
use tempfile::TempDir;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::read_model::ReadModels;

use super::meddled::{Begin, Deed, Meddled};
use super::{Counting, Noon, World, factor, given, name, quantity, unit, world, world_of};

pub(super) fn begin(world: &World, store: Arc<dyn Store>, outcome: Outcome) -> Box<dyn Import> {
    begin_with(world, store, &ImportOptions { outcome, ..ImportOptions::default() })
}

pub(super) fn begin_with(world: &World, store: Arc<dyn Store>, options: &ImportOptions) -> Box<dyn Import> {
    static BEGUN: AtomicU64 = AtomicU64::new(0);
    // Other identifiers than those of the world and of other imports.
    let ids = Counting(AtomicU64::new((1 + BEGUN.fetch_add(1, Ordering::Relaxed)) << 32));
    let service = ImportService {
        store,
        clock: Arc::new(Noon),
        ids: Arc::new(ids),
        atomic_rows: 1_000,
        read_models: None,
        undo_tasks: UndoTasks::default(),
        chooser: super::chooser(),
    };
    service.begin(&world.admin, ImportOptions { name: "test".to_owned(), ..options.clone() }).unwrap()
}

pub(super) fn row(line: u64, sync_id: &str, product: Option<ProductId>) -> RowDraft {
    let draft = ActivityDraft {
        name: given(name("Boiler")),
        sync_id: given(SyncId::parse(sync_id).unwrap()),
        start: given(Moment::parse_start("2025-03-01").unwrap()),
        product: product.map(|product| given(Reference::Id(product.into()))).unwrap_or_default(),
        quantity: given(quantity("10")),
        unit: given(unit("kg")),
        ..ActivityDraft::default()
    };
    RowDraft { line, draft }
}

fn activities(world: &World) -> ActivityService {
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&world.store)))));
    let store = Arc::clone(&world.store);
    ActivityService {
        store,
        read_models,
        clock: Arc::new(Noon),
        ids: Arc::new(Counting::default()),
        lookups: Arc::default(),
        chooser: super::chooser(),
    }
}

/// How many activities there are, and what they come to.
pub(super) async fn total(world: &World) -> (u64, String) {
    let report = activities(world).report(&world.admin, ReportQuery::default()).await.unwrap();
    (report.count, report.uncategorized.to_string())
}

/// Gives all calls, and what became of the rows.
pub(super) async fn run(import: &mut dyn Import, calls: Vec<Vec<RowDraft>>) -> Result<BatchOutcome, Error> {
    let mut all = BatchOutcome::default();
    for rows in calls {
        all.add(import.rows(rows).await?);
    }
    all.add(import.finish().await?);
    Ok(all)
}

/// Somebody adds a factor of the product, from a day on.
fn adds_factor(world: &Arc<World>, product: ProductId, upstream: &'static str, from: &'static str) -> Deed {
    let world = Arc::clone(world);
    Box::pin(async move {
        world.catalog.add_factor(&world.admin, product, factor(upstream, from)).await.unwrap();
    })
}

#[tokio::test]
async fn rows_are_computed_by_a_factor_that_somebody_adds_before_they_are_written() {
    for outcome in [Outcome::KeepGood, Outcome::AllOrNothing] {
        let world = Arc::new(world().await);
        let product = world.product("kg").await;
        let added = adds_factor(&world, product, "2", "2024-01-01");
        let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(1), added)]);
        let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, outcome);
        let all =
            run(import.as_mut(), vec![vec![row(2, "a", Some(product)), row(3, "b", Some(product))]]).await.unwrap();
        assert!(store.is_done());
        assert_eq!((all.created, all.rejected, all.incomplete), (2, 0, 0), "{outcome:?}");
        assert_eq!(total(&world).await, (2, "40".to_owned()), "{outcome:?}");
    }
}

#[tokio::test]
async fn rows_that_are_overtaken_again_and_again_are_written_all_the_same() {
    let world = Arc::new(world().await);
    let product = world.steel("2").await;
    let deeds = (1..=6).map(|at| {
        let other = Arc::clone(&world);
        let adds: Deed = Box::pin(async move {
            other.product("kg").await;
        });
        (Begin::Write(at), adds)
    });
    let store = Meddled::store(Arc::clone(&world.store), deeds);
    let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::KeepGood);
    let calls =
        vec![vec![row(2, "a", Some(product))], vec![row(3, "b", Some(product))], vec![row(4, "c", Some(product))]];
    let all = run(import.as_mut(), calls).await.unwrap();
    assert!(store.is_done());
    assert_eq!((all.created, all.rejected), (3, 0));
    assert_eq!(total(&world).await, (3, "60".to_owned()));
}

#[tokio::test]
async fn a_sync_id_that_somebody_takes_meanwhile_is_found() {
    let world = Arc::new(world().await);
    let other = Arc::clone(&world);
    let taken: Deed = Box::pin(async move {
        activities(&other).add(&other.admin, row(0, "a", None).draft).await.unwrap();
    });
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(1), taken)]);
    let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::KeepGood);
    let all = run(import.as_mut(), vec![vec![row(2, "a", None), row(3, "b", None)]]).await.unwrap();
    assert!(store.is_done());
    assert_eq!((all.created, all.unchanged, all.rejected), (1, 1, 0));
    assert_eq!(total(&world).await.0, 2);
}

#[tokio::test]
async fn rows_find_what_rows_of_calls_before_them_made() {
    let world = world().await;
    let at = |line, sync_id: &str| {
        let step = |text| NodeStep { sync_id: None, name: name(text) };
        let mut row = row(line, sync_id, None);
        row.draft.org = given(Reference::Path(vec![step("Group"), step("Plant")]));
        row
    };
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::KeepGood);
    let calls = vec![vec![at(2, "a")], vec![at(3, "b"), at(4, "a")], vec![at(5, "b"), at(6, "c")]];
    let all = run(import.as_mut(), calls).await.unwrap();
    assert_eq!((all.created, all.rejected), (3, 2));
    assert_eq!(all.faults.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [4, 5]);
    let orgs = Nodes::<Org>::list_nodes(&world.catalog, &world.admin, None, Page::FIRST).await;
    assert_eq!(orgs.unwrap().count, 2);
}

#[tokio::test]
async fn a_product_that_somebody_removes_meanwhile_is_a_fault_of_the_rows_that_name_it() {
    let world = Arc::new(world().await);
    let product = world.product("kg").await;
    let other = Arc::clone(&world);
    let removed: Deed = Box::pin(async move {
        other.catalog.remove_product(&other.admin, product, None).await.unwrap();
    });
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(1), removed)]);
    let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::KeepGood);
    let all = run(import.as_mut(), vec![vec![row(2, "a", Some(product)), row(3, "b", None)]]).await.unwrap();
    assert!(store.is_done());
    assert_eq!((all.created, all.rejected), (1, 1));
    assert_eq!(all.faults[0].0, 2);
    assert_eq!(total(&world).await.0, 1);
}

#[tokio::test]
async fn rows_are_said_to_be_written_when_they_are() {
    let world = world().await;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::KeepGood);
    assert_eq!(import.rows(vec![row(2, "a", None)]).await.unwrap().created, 0, "they are being written");
    assert_eq!(import.rows(vec![row(3, "b", None)]).await.unwrap().created, 1);
    assert_eq!(import.finish().await.unwrap().created, 1);
    assert_eq!(import.finish().await.unwrap(), BatchOutcome::default());
    assert_eq!(total(&world).await.0, 2);
}

#[tokio::test]
async fn what_was_written_is_said_also_when_later_rows_cannot_be_built() {
    let world = Arc::new(world().await);
    let other = Arc::clone(&world);
    let fails: Deed = Box::pin(async move {
        // Nothing can be read of a tenant that is not there.
        let grant = ports::Grant::for_maintenance(other.admin.tenant, "test");
        other.store.remove(&grant, other.changes().await).await.unwrap();
    });
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Read(2), fails)]);
    let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::KeepGood);
    let mut made = row(2, "a", None);
    made.draft.org = given(Reference::Path(vec![NodeStep { sync_id: None, name: name("Group") }]));
    assert_eq!(import.rows(vec![made]).await.unwrap().created, 0);
    import.rows(vec![row(3, "b", None)]).await.unwrap_err();
    assert_eq!(import.finish().await.unwrap().created, 1);
}

#[tokio::test]
async fn an_import_waits_for_a_store_that_is_busy_and_tries_again() {
    for outcome in [Outcome::KeepGood, Outcome::AllOrNothing] {
        let world = world().await;
        // All rows or none are built in the transaction that writes them.
        let reads = [Begin::Read(1), Begin::Read(2)].into_iter().filter(|_| outcome == Outcome::KeepGood);
        let refused = reads.chain([Begin::Write(1), Begin::Write(2)]);
        let store = Meddled::busy(Arc::clone(&world.store), refused);
        let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, outcome);
        let all = run(import.as_mut(), vec![vec![row(2, "a", None), row(3, "b", None)]]).await.unwrap();
        assert!(store.is_done());
        assert_eq!((all.created, all.rejected), (2, 0), "{outcome:?}");
        assert_eq!(total(&world).await.0, 2, "{outcome:?}");
    }
}

/// A tenant in SQLite files, with other bounds than usual.
pub(super) async fn world_on_disk(change: impl FnOnce(&mut sqlite::Options)) -> (TempDir, Arc<World>) {
    let folder = TempDir::new().unwrap();
    let mut options = sqlite::Options::new(Arc::new(Noon), Arc::new(Counting::default()));
    change(&mut options);
    let world = world_of(Arc::new(sqlite::SqliteStore::open(folder.path(), options))).await;
    (folder, Arc::new(world))
}

pub(super) fn rows(from: u64, count: u64) -> Vec<RowDraft> {
    (from..from + count).map(|line| row(line, &format!("row {line}"), None)).collect()
}

#[tokio::test]
async fn rows_whose_turn_was_lost_are_written_in_another_one() {
    let (_folder, world) = world_on_disk(|options| options.hold = Duration::from_millis(50)).await;
    let (plain, grant) = (Arc::clone(&world.store), permit(&world.admin, demand::CATALOG_WRITE).unwrap());
    // Another transaction begins only when that of the import has lost its turn.
    let loses: Deed = Box::pin(async move {
        let intent = Intent { at: Noon.now(), cause: "test".to_owned() };
        drop(plain.write(&grant, intent).await.unwrap());
    });
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Opened(1), loses)]);
    let mut import = begin(&world, Arc::clone(&store) as Arc<dyn Store>, Outcome::KeepGood);
    let all = run(import.as_mut(), vec![rows(2, 1), rows(3, 1)]).await.unwrap();
    assert!(store.is_done());
    assert_eq!((all.created, all.rejected), (2, 0));
    assert_eq!(total(&world).await.0, 2);
}

#[tokio::test]
async fn all_rows_or_none_may_take_longer_to_build_than_a_transaction_may_be_silent() {
    const ROWS: u64 = 20_000;
    let (_folder, world) = world_on_disk(|options| options.hold = Duration::from_millis(150)).await;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing);
    let all = run(import.as_mut(), vec![rows(2, ROWS / 2), rows(2 + ROWS / 2, ROWS / 2)]).await.unwrap();
    assert_eq!((all.created, all.rejected), (ROWS, 0));
    assert_eq!(total(&world).await.0, ROWS);
}

#[tokio::test]
async fn of_all_rows_or_none_nothing_is_written_behind_a_rejected_one_or_without_an_end() {
    let world = world().await;
    let mut bad = row(4, "c", None);
    bad.draft.name = ports::inbound::Field::Null;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing);
    let all = run(import.as_mut(), vec![vec![row(2, "a", None)], vec![bad], vec![row(5, "d", None)]]).await.unwrap();
    assert_eq!((all.created, all.rejected), (2, 1));
    let mut broken = begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing);
    broken.rows(vec![row(2, "a", None)]).await.unwrap();
    broken.break_off().await.unwrap();
    drop(begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing).rows(vec![row(2, "a", None)]).await.unwrap());
    assert_eq!((total(&world).await.0, world.changes().await), (0, 0));
}
