//! Undoing imports: what was there before is there again, to the digit; what somebody edited since stands in the way.

use std::sync::Arc;

use domain::{Moment, Org, SyncId};
use ports::ImportId;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{
    Activities as _, ActivityDraft, Catalog as _, Error, ImportOptions, Imports as _, NodeStep, Nodes, Recalculation,
    Reference, Repeats, ReportQuery, RowDraft, UndoPatience,
};
use ports::repo::Page;
use ports::store::Store;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::read_model::ReadModels;

use super::meddled::{Begin, Deed, Meddled};
use super::{Counting, Noon, World, conflict, factor, given, name, quantity, unit, world};

/// A world, in which so many records are taken back in one change.
pub(super) struct Books {
    pub(super) world: World,
    pub(super) imports: ImportService,
    pub(super) activities: ActivityService,
}

pub(super) fn imports(store: Arc<dyn Store>, from: u64, atomic_rows: u64) -> ImportService {
    // Other identifiers than those of the world.
    let ids = Arc::new(Counting(std::sync::atomic::AtomicU64::new(from)));
    ImportService {
        store,
        clock: Arc::new(Noon),
        ids,
        atomic_rows,
        read_models: None,
        undo_tasks: UndoTasks::default(),
        chooser: super::chooser(),
    }
}

pub(super) async fn books(atomic_rows: u64) -> Books {
    let world = world().await;
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&world.store)))));
    let activities = ActivityService {
        store: Arc::clone(&world.store),
        read_models,
        clock: Arc::new(Noon),
        ids: Arc::new(Counting(std::sync::atomic::AtomicU64::new(1 << 40))),
        lookups: Arc::default(),
        chooser: super::chooser(),
    };
    Books { imports: imports(Arc::clone(&world.store), 1 << 32, atomic_rows), activities, world }
}

pub(super) fn row(line: u64, sync_id: &str, kilograms: &str) -> RowDraft {
    let draft = ActivityDraft {
        name: given(name("Boiler")),
        sync_id: given(SyncId::parse(sync_id).unwrap()),
        start: given(Moment::parse_start("2025-03-01").unwrap()),
        quantity: given(quantity(kilograms)),
        unit: given(unit("kg")),
        ..ActivityDraft::default()
    };
    RowDraft { line, draft }
}

impl Books {
    /// Imports those rows in that many calls.
    pub(super) async fn import(&self, calls: Vec<Vec<RowDraft>>) -> ImportId {
        let options = ImportOptions { name: "a.csv".to_owned(), repeats: Repeats::Last, ..ImportOptions::default() };
        let mut import = self.imports.begin(&self.world.admin, options).unwrap();
        for rows in calls {
            import.rows(rows).await.unwrap();
        }
        import.finish().await.unwrap();
        import.id().unwrap()
    }

    pub(super) async fn undo(&self, id: ImportId) -> Result<ImportBatch, Error> {
        self.imports.undo(&self.world.admin, id, UndoPatience::Whole).await
    }

    /// How many activities there are and what they come to, and that nothing is wrong with the store.
    pub(super) async fn total(&self) -> (u64, String) {
        let grant = ports::Grant::for_maintenance(self.world.admin.tenant, "test");
        assert_eq!(self.world.store.verify(&grant).await.unwrap().findings, []);
        let report = self.activities.report(&self.world.admin, ReportQuery::default()).await.unwrap();
        (report.count, report.uncategorized.to_string())
    }

    /// What the changes later than that one were for.
    async fn causes_since(&self, number: u64) -> Vec<String> {
        let grant = ports::permit(&self.world.admin, ports::demand::ACTIVITY_READ).unwrap();
        let mut tx = self.world.store.read(&grant).await.unwrap();
        let changes = tx.ledger().changes_since(number, 1_000).await.unwrap();
        changes.into_iter().map(|change| change.cause).collect()
    }

    async fn orgs(&self) -> u64 {
        Nodes::<Org>::list_nodes(&self.world.catalog, &self.world.admin, None, Page::FIRST).await.unwrap().count
    }

    /// Changes the name of the activity of that syncId.
    pub(super) async fn rename(&self, sync_id: &str, to: &str) {
        let grant = ports::permit(&self.world.admin, ports::demand::ACTIVITY_READ).unwrap();
        let mut tx = self.world.store.read(&grant).await.unwrap();
        let found = tx.activities().with_sync_ids(&[SyncId::parse(sync_id).unwrap()]).await.unwrap();
        drop(tx);
        let draft = ActivityDraft { name: given(name(to)), ..ActivityDraft::default() };
        self.activities.update(&self.world.admin, found[0].value.id, None, draft).await.unwrap();
    }
}

/// Rows with those amounts of the product, which has the factor 2.
async fn of_steel(books: &Books, rows: &[(&str, &str)]) -> Vec<RowDraft> {
    let product = books.world.steel("2").await;
    let with_product = |(line, (sync_id, kilograms)): (u64, &(&str, &str))| {
        let mut row = row(line, sync_id, kilograms);
        row.draft.product = given(Reference::Id(product.into()));
        row
    };
    (2..).zip(rows).map(with_product).collect()
}

#[tokio::test]
async fn what_an_import_created_goes_and_what_it_changed_is_as_before() {
    let books = books(1_000).await;
    let mut rows = of_steel(&books, &[("a", "10"), ("b", "0.000000000000000003")]).await;
    books.import(vec![rows.clone()]).await;
    let before = books.total().await;
    rows[0].draft.quantity = given(quantity("11"));
    rows.push(row(4, "c", "5"));
    let id = books.import(vec![rows]).await;
    assert_eq!(books.total().await.0, 3);
    let changes = books.world.changes().await;
    let undone = books.undo(id).await.unwrap();
    assert_eq!((undone.state, undone.kept), (ImportState::Undone, 0));
    assert_eq!(books.world.changes().await, changes + 1, "one change");
    assert_eq!(books.total().await, before);
    assert_eq!(books.undo(id).await.unwrap().state, ImportState::Undone);
    assert_eq!(books.world.changes().await, changes + 1);
}

#[tokio::test]
async fn a_later_edit_stands_in_the_way_and_is_named() {
    let books = books(1_000).await;
    let id = books.import(vec![vec![row(2, "a", "1"), row(3, "b", "2")]]).await;
    books.rename("b", "Another").await;
    let before = (books.total().await, books.world.changes().await);
    let (_, detail) = conflict(books.undo(id).await);
    assert!(detail.contains("1 of its activities was edited since"), "{detail}");
    assert_eq!((books.total().await, books.world.changes().await), before);
    assert_eq!(books.imports.find(&books.world.admin, id).await.unwrap().state, ImportState::Done);
    books.rename("b", "Boiler").await;
    books.undo(id).await.unwrap();
    assert_eq!(books.total().await.0, 0);
}

#[tokio::test]
async fn a_recalculation_and_an_import_that_was_undone_are_no_edits() {
    let books = books(1_000).await;
    let product = books.world.product("kg").await;
    let mut first = row(2, "a", "10");
    first.draft.product = given(Reference::Id(product.into()));
    let one = books.import(vec![vec![first.clone()]]).await;
    books.world.catalog.add_factor(&books.world.admin, product, factor("2", "2024-01-01")).await.unwrap();
    let asked = Recalculation { via: "recalculate".to_owned(), ..Recalculation::default() };
    assert_eq!(books.activities.recalculate(&books.world.admin, asked).await.unwrap().changed, 1);
    first.draft.name = given(name("Changed"));
    let two = books.import(vec![vec![first]]).await;
    assert!(books.undo(one).await.is_err());
    books.undo(two).await.unwrap();
    books.undo(one).await.unwrap();
    assert_eq!(books.total().await, (0, "0".to_owned()));
}

#[tokio::test]
async fn a_record_that_several_changes_of_an_import_wrote_is_taken_back_through_all_of_them() {
    for atomic_rows in [1_000, 1] {
        let books = books(atomic_rows).await;
        books.import(vec![vec![row(2, "a", "1")]]).await;
        let before = books.total().await;
        let calls =
            (0..4).map(|call| vec![row(2, "a", &format!("{}", call + 2)), row(3, "b", &format!("{}", call + 2))]);
        let id = books.import(calls.collect()).await;
        assert_eq!(books.undo(id).await.unwrap().kept, 0);
        assert_eq!(books.total().await, before);
    }
}

#[tokio::test]
async fn nodes_that_were_made_on_the_way_go_unless_others_use_them() {
    let books = books(1_000).await;
    let at = |line, sync_id: &str, plant: &str| {
        let step = |text| NodeStep { sync_id: None, name: name(text) };
        let mut row = row(line, sync_id, "1");
        row.draft.org = given(Reference::Path(vec![step("Group"), step(plant)]));
        row
    };
    let one = books.import(vec![vec![at(2, "a", "North"), at(3, "b", "South")]]).await;
    let two = books.import(vec![vec![at(2, "c", "North")]]).await;
    assert_eq!(books.undo(one).await.unwrap().kept, 2, "the group and its northern plant");
    assert_eq!(books.orgs().await, 2);
    books.undo(two).await.unwrap();
    assert_eq!((books.orgs().await, books.total().await.0), (2, 0));
}

#[tokio::test]
async fn a_large_import_is_undone_batch_by_batch_and_goes_on_after_a_crash() {
    let books = books(10).await;
    books.import(vec![vec![row(2, "0", "1")]]).await;
    let before = books.total().await;
    let calls = (0..3).map(|call| {
        let rows = (0..11_000).map(|at| row(at + 2, &format!("{}", call * 11_000 + at), "3"));
        rows.collect::<Vec<_>>()
    });
    let id = books.import(calls.collect()).await;
    assert_eq!(books.total().await.0, 33_000);
    let imported = books.world.changes().await;
    let (reached, waits) = tokio::sync::oneshot::channel();
    let stops: Deed = Box::pin(async move {
        reached.send(()).unwrap();
        std::future::pending::<()>().await;
    });
    // The first marks it, the second is a batch, the third never begins.
    let store = Meddled::store(Arc::clone(&books.world.store), [(Begin::Write(3), stops)]);
    let (service, admin) = (imports(store, 1 << 33, 10), books.world.admin.clone());
    let undoing = tokio::spawn(async move { service.undo(&admin, id, UndoPatience::Whole).await });
    waits.await.unwrap();
    undoing.abort();
    let seen = books.imports.find(&books.world.admin, id).await.unwrap();
    assert_eq!(seen.state, ImportState::Undoing);
    let left = books.total().await.0;
    assert!((1..33_000).contains(&left), "{left}");
    let undone = books.undo(id).await.unwrap();
    assert_eq!((undone.state, undone.kept), (ImportState::Undone, 0));
    assert_eq!(books.total().await, before);
    let causes = books.causes_since(imported).await;
    assert!(causes.len() > 2, "the mark and more than one batch: {causes:?}");
    let own = format!("undo import {id} a.csv");
    assert!(causes.iter().all(|cause| *cause == own), "{causes:?}");
}

#[tokio::test]
async fn an_import_under_way_is_not_undone() {
    let books = books(1_000).await;
    let options = ImportOptions { name: "a.csv".to_owned(), ..ImportOptions::default() };
    let mut import = books.imports.begin(&books.world.admin, options).unwrap();
    import.rows(vec![row(2, "a", "1")]).await.unwrap();
    import.rows(vec![row(3, "b", "1")]).await.unwrap();
    let id = import.id().unwrap();
    let (_, detail) = conflict(books.undo(id).await);
    assert!(detail.contains("running"), "{detail}");
    import.break_off().await.unwrap();
    assert_eq!(books.imports.find(&books.world.admin, id).await.unwrap().state, ImportState::BrokenOff);
    books.undo(id).await.unwrap();
    assert_eq!(books.total().await.0, 0);
}

#[tokio::test]
async fn a_file_that_is_imported_again_is_found_by_its_digest_until_it_is_undone() {
    let books = books(1_000).await;
    let hash = domain::Digest::of(b"file");
    let admin = &books.world.admin;
    assert_eq!(books.imports.same_file(admin, hash, None).await.unwrap(), None);
    let options = ImportOptions { hash: Some(hash), name: "a.csv".to_owned(), ..ImportOptions::default() };
    let mut import = books.imports.begin(admin, options).unwrap();
    import.rows(vec![row(2, "a", "1")]).await.unwrap();
    import.rows(vec![row(3, "b", "1")]).await.unwrap();
    let id = import.id().unwrap();
    let running = books.imports.same_file(admin, hash, None).await.unwrap().unwrap();
    assert_eq!((running.id, running.state), (id, ImportState::Running));
    import.finish().await.unwrap();
    assert_eq!(books.imports.same_file(admin, hash, None).await.unwrap().map(|batch| batch.id), Some(id));
    let other = Some(domain::Digest::of(b"map"));
    assert_eq!(books.imports.same_file(admin, hash, other).await.unwrap(), None);
    assert_eq!(books.imports.same_bytes(admin, hash).await.unwrap().map(|batch| batch.id), Some(id));
    books.undo(id).await.unwrap();
    assert_eq!(books.imports.same_file(admin, hash, None).await.unwrap(), None);
    assert_eq!(books.imports.same_bytes(admin, hash).await.unwrap(), None);
}
