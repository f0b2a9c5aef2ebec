//! Undoing imports while others write: nothing of theirs is lost, and what cannot be put back is said before anything is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use domain::{Org, SyncId, Timestamp};
use ports::ImportId;
use ports::clock::Clock;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{
    Activities as _, ActivityDraft, Error, Field, Import, ImportOptions, Imports as _, NodeDraft, Nodes, Outcome,
    Repeats, UndoPatience,
};
use ports::store::{Intent, Store};
use tonne::usecase::import::ImportService;

use super::meddled::{Begin, Deed, Meddled};
use super::undo::{Books, books, imports, row};
use super::unsaid::Unsaid;
use super::{Counting, Noon, by_id, conflict, given, name};

fn begin(service: &ImportService, books: &Books) -> Box<dyn Import> {
    let options = ImportOptions { name: "b.csv".to_owned(), repeats: Repeats::Last, ..ImportOptions::default() };
    service.begin(&books.world.admin, options).unwrap()
}

/// Marks an import as being undone, as a large one is while nobody goes on with it.
async fn mark_undoing(store: Arc<dyn Store>, admin: ports::Caller, id: ImportId) {
    let grant = ports::permit(&admin, ports::demand::ACTIVITY_WRITE).unwrap();
    let intent = Intent { at: Noon.now(), cause: "test".to_owned() };
    let mut tx = store.write(&grant, intent).await.unwrap();
    let batch = tx.imports().find(id).await.unwrap().unwrap();
    tx.imports_mut().put(ImportBatch { state: ImportState::Undoing, ..batch }).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn what_a_commit_of_unknown_outcome_wrote_is_undone_too() {
    let books = books(1_000).await;
    let store = Unsaid::store(Arc::clone(&books.world.store), 2);
    let mut import = begin(&imports(store, 1 << 33, 1_000), &books);
    import.rows(vec![row(2, "a", "1")]).await.unwrap();
    import.rows(vec![row(3, "b", "1")]).await.unwrap();
    let unknown = import.rows(vec![row(4, "c", "1")]).await;
    assert!(matches!(unknown, Err(Error::Unknown(_))), "{unknown:?}");
    import.break_off().await.unwrap();
    let id = import.id().unwrap();
    let seen = books.imports.find(&books.world.admin, id).await.unwrap();
    assert_eq!((seen.state, seen.counts.created), (ImportState::BrokenOff, 2));
    assert_eq!(books.total().await.0, 2);
    books.undo(id).await.unwrap();
    assert_eq!(books.total().await.0, 0);
}

#[tokio::test]
async fn nothing_is_imported_while_an_import_is_being_undone() {
    let books = books(1).await;
    let one = books.import(vec![vec![row(2, "a", "1"), row(3, "b", "1")]]).await;
    mark_undoing(Arc::clone(&books.world.store), books.world.admin.clone(), one).await;
    for outcome in [Outcome::KeepGood, Outcome::AllOrNothing, Outcome::Nothing] {
        let options = ImportOptions { outcome, name: "b.csv".to_owned(), ..ImportOptions::default() };
        let mut import = books.imports.begin(&books.world.admin, options).unwrap();
        let (_, detail) = conflict(import.rows(vec![row(2, "a", "1"), row(3, "c", "1")]).await);
        assert!(detail.contains(&format!("{one} (a.csv) is being undone")), "{detail}");
        import.break_off().await.unwrap();
    }
    books.undo(one).await.unwrap();
    books.import(vec![vec![row(2, "a", "1")]]).await;
    assert_eq!(books.total().await.0, 1);
}

#[tokio::test]
async fn rows_that_were_built_before_another_import_is_undone_are_not_written_beside_it() {
    let books = books(1).await;
    let one = books.import(vec![vec![row(2, "a", "1"), row(3, "b", "1")]]).await;
    let marks: Deed = Box::pin(mark_undoing(Arc::clone(&books.world.store), books.world.admin.clone(), one));
    let store = Meddled::store(Arc::clone(&books.world.store), [(Begin::Write(1), marks)]);
    let mut import = begin(&imports(store, 1 << 33, 1), &books);
    import.rows(vec![row(2, "a", "1"), row(3, "c", "1")]).await.unwrap();
    let (_, detail) = conflict(import.finish().await);
    assert!(detail.contains("is being undone"), "{detail}");
    assert_eq!(books.total().await.0, 2, "nothing of it is written");
}

#[tokio::test]
async fn an_undoing_that_somebody_else_brought_to_its_end_meanwhile_is_left_so() {
    let books = Arc::new(books(1).await);
    books.import(vec![vec![row(2, "a", "1"), row(3, "b", "1")]]).await;
    let id = books.import(vec![vec![row(2, "a", "5"), row(3, "b", "5")]]).await;
    let other = Arc::clone(&books);
    let undoes: Deed = Box::pin(async move {
        other.undo(id).await.unwrap();
        other.rename("a", "Another").await;
    });
    let store = Meddled::store(Arc::clone(&books.world.store), [(Begin::Write(1), undoes)]);
    let undone = imports(store, 1 << 33, 1).undo(&books.world.admin, id, UndoPatience::Whole).await.unwrap();
    assert_eq!((undone.state, undone.kept), (ImportState::Undone, 0));
    assert_eq!(books.imports.find(&books.world.admin, id).await.unwrap(), undone);
}

#[tokio::test]
async fn what_somebody_edits_between_two_batches_of_an_undoing_stays() {
    let books = Arc::new(books(1).await);
    let mut second: Vec<_> = (0..10_000).map(|at| row(at + 3, &format!("{at}"), "3")).collect();
    second.push(row(20_000, "a", "2"));
    let id = books.import(vec![vec![row(2, "a", "1")], second]).await;
    let other = Arc::clone(&books);
    let edits: Deed = Box::pin(async move { other.rename("a", "Another").await });
    // The first marks it, the second takes back the later of its changes.
    let store = Meddled::store(Arc::clone(&books.world.store), [(Begin::Write(3), edits)]);
    let service = imports(Arc::clone(&store) as Arc<dyn Store>, 1 << 33, 1);
    let undone = service.undo(&books.world.admin, id, UndoPatience::Whole).await.unwrap();
    assert!(store.is_done());
    assert_eq!((undone.state, undone.kept), (ImportState::Undone, 1));
    assert_eq!(books.total().await.0, 1);
}

#[tokio::test]
async fn an_edit_in_a_late_part_of_a_large_change_stands_in_the_way() {
    let books = books(1).await;
    let one = books.import(vec![vec![row(2, "a", "1"), row(3, "b", "1")]]).await;
    assert_eq!(books.imports.find(&books.world.admin, one).await.unwrap().counts.updated, 0);
    let mut second: Vec<_> = (0..10_000).map(|at| row(at + 3, &format!("{at}"), "3")).collect();
    second.push(row(20_000, "a", "2"));
    books.import(vec![second]).await;
    let before = books.total().await;
    let (_, detail) = conflict(books.undo(one).await);
    assert!(!detail.is_empty());
    assert_eq!(books.total().await, before);
}

/// So many milliseconds after noon.
struct Later(AtomicI64);

impl Clock for Later {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(Noon.now().millis() + self.0.load(Ordering::Relaxed)).unwrap()
    }
}

#[tokio::test]
async fn an_import_that_was_silent_and_writes_again_is_not_undone() {
    for atomic_rows in [1_000, 1] {
        let books = books(atomic_rows).await;
        let clock = Arc::new(Later(AtomicI64::new(0)));
        let service = |store: Arc<dyn Store>, from| ImportService {
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            ids: Arc::new(Counting(std::sync::atomic::AtomicU64::new(from))),
            ..imports(store, from, atomic_rows)
        };
        let mut import = begin(&service(Arc::clone(&books.world.store), 1 << 33), &books);
        let id = import.id().unwrap();
        import.rows(vec![row(2, "a", "1"), row(3, "b", "1")]).await.unwrap();
        import.rows(vec![row(4, "c", "1")]).await.unwrap();
        clock.0.store(10 * 60_000, Ordering::Relaxed);
        let goes_on: Deed = Box::pin(async move {
            import.rows(vec![row(5, "d", "1")]).await.unwrap();
            import.rows(vec![row(6, "e", "1")]).await.unwrap();
        });
        let store = Meddled::store(Arc::clone(&books.world.store), [(Begin::Write(1), goes_on)]);
        let undone = service(store, 1 << 34).undo(&books.world.admin, id, UndoPatience::Whole).await;
        let (_, detail) = conflict(undone);
        assert!(detail.contains("running"), "{detail}");
    }
}

#[tokio::test]
async fn what_was_before_and_cannot_be_put_back_refuses_the_undoing() {
    for atomic_rows in [1_000, 1] {
        let books = books(atomic_rows).await;
        let admin = &books.world.admin;
        let draft = NodeDraft { name: given(name("Plant")), ..NodeDraft::default() };
        let org = Nodes::<Org>::add_node(&books.world.catalog, admin, draft).await.unwrap().node.value.id;
        let mut first = row(2, "a", "1");
        first.draft.org = given(by_id(org));
        books.import(vec![vec![first.clone(), row(3, "b", "1")]]).await;
        first.draft.org = Field::Null;
        let id = books.import(vec![vec![first, row(3, "b", "2")]]).await;
        Nodes::<Org>::remove_node(&books.world.catalog, admin, org, None).await.unwrap();
        let before = (books.total().await, books.world.changes().await);
        let (_, detail) = conflict(books.undo(id).await);
        assert!(detail.contains(&format!("org {org} is not there")), "{detail}");
        assert_eq!((books.total().await, books.world.changes().await), before);
        assert_eq!(books.imports.find(admin, id).await.unwrap().state, ImportState::Done);
    }
}

#[tokio::test]
async fn a_large_undoing_that_is_asked_for_again_is_one_task() {
    let books = books(1).await;
    let id = books.import(vec![vec![row(2, "a", "1"), row(3, "b", "1")]]).await;
    let (let_go, waits) = tokio::sync::oneshot::channel::<()>();
    let blocks: Deed = Box::pin(async move { waits.await.unwrap() });
    let is_second = Arc::new(AtomicBool::new(false));
    let second = Arc::clone(&is_second);
    let notes: Deed = Box::pin(async move { second.store(true, Ordering::Relaxed) });
    let store = Meddled::store(Arc::clone(&books.world.store), [(Begin::Write(2), blocks), (Begin::Write(3), notes)]);
    let service = imports(store, 1 << 33, 1);
    for _ in 0..5 {
        let begun = service.undo(&books.world.admin, id, UndoPatience::Begun).await.unwrap();
        assert_eq!(begun.state, ImportState::Undoing);
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    assert!(!is_second.load(Ordering::Relaxed), "a second task writes");
    let_go.send(()).unwrap();
    while books.imports.find(&books.world.admin, id).await.unwrap().state != ImportState::Undone {
        tokio::task::yield_now().await;
    }
    assert_eq!(books.total().await.0, 0);
}

#[tokio::test]
async fn a_sync_id_that_was_given_away_refuses_the_undoing_until_it_is_back() {
    let books = books(1_000).await;
    let admin = &books.world.admin;
    books.import(vec![vec![row(2, "a", "1")]]).await;
    let grant = ports::permit(admin, ports::demand::ACTIVITY_READ).unwrap();
    let mut tx = books.world.store.read(&grant).await.unwrap();
    let found = tx.activities().with_sync_ids(&[SyncId::parse("a").unwrap()]).await.unwrap();
    drop(tx);
    let mut without = row(2, "a", "1");
    without.draft.sync_id = Field::Null;
    without.draft.read_back.id = Some(found[0].value.id);
    let id = books.import(vec![vec![without]]).await;
    assert_eq!(books.total().await.0, 1);
    let taken = books.activities.add(admin, row(2, "a", "7").draft).await.unwrap().activity;
    let (_, detail) = conflict(books.undo(id).await);
    assert!(detail.contains(&format!("the syncId a is that of activity {}", taken.value.id)), "{detail}");
    let freed = ActivityDraft { sync_id: Field::Null, ..ActivityDraft::default() };
    books.activities.update(admin, taken.value.id, None, freed).await.unwrap();
    assert_eq!(books.undo(id).await.unwrap().kept, 0);
}
