//! Undoing large imports beside closed periods: one that has begun comes to its end, and none begins that cannot.

use std::sync::Arc;

use domain::{ClosedPeriod, ClosedPeriodId, Frozen, FrozenReport, Moment, Name, Org, OrgId, PeriodSignature};
use ports::ImportId;
use ports::clock::Clock as _;
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::{Error, Imports as _, NodeDraft, Nodes, PeriodDraft, Periods as _, RowDraft, UndoPatience};
use ports::store::{Intent, Store, WriteTx};
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::import::ImportService;
use tonne::usecase::period::{GuardedStore, PeriodService};
use tonne::usecase::read_model::ReadModels;
use uuid::Uuid;

use super::meddled::{Begin, Deed, Meddled};
use super::undo::{Books, books, imports, row};
use super::wrapped::Wrapped;
use super::{Noon, World, by_id, day, given, name};

/// Closes 2025 for the org, or for the whole company.
pub(super) async fn close(world: &World, org: Option<OrgId>) {
    let by = Name::parse("client:auditor").unwrap();
    let frozen = Frozen::new(&FrozenReport::default(), Uuid::nil(), 0);
    let id = ClosedPeriodId::new(Uuid::from_u128(77));
    let signature = PeriodSignature::new(Noon.now(), by, None);
    let period = ClosedPeriod::new(id, day("2025-01-01"), day("2025-12-31"), signature, frozen).unwrap();
    let mut tx = open(world).await;
    tx.closed_periods_mut().add(period.with_org(org)).await.unwrap();
    tx.commit().await.unwrap();
}

/// Marks an import as being undone, as a large one is while nobody goes on with it.
async fn mark_undoing(books: &Books, id: ImportId) {
    let mut tx = open(&books.world).await;
    let batch = tx.imports().find(id).await.unwrap().unwrap();
    tx.imports_mut().put(ImportBatch { state: ImportState::Undoing, ..batch }).await.unwrap();
    tx.commit().await.unwrap();
}

async fn open(world: &World) -> Box<dyn WriteTx> {
    let grant = ports::permit(&world.admin, ports::demand::ACTIVITY_WRITE).unwrap();
    world.store.write(&grant, Intent { at: Noon.now(), cause: "test".to_owned() }).await.unwrap()
}

/// Undoes large imports while somebody does that before a transaction begins, beside the guard of closed periods.
fn meddled(books: &Books, deeds: impl IntoIterator<Item = (Begin, Deed)>) -> (Arc<Wrapped<Meddled>>, ImportService) {
    let meddled = Meddled::store(Arc::clone(&books.world.store), deeds);
    let store = Arc::new(GuardedStore::new(Arc::clone(&meddled) as Arc<dyn Store>));
    (meddled, imports(store, 1 << 33, 1))
}

async fn two_activities() -> (Arc<Books>, ImportId) {
    let books = Arc::new(books(1).await);
    let id = books.import(vec![vec![row(2, "a", "1"), row(3, "b", "1")]]).await;
    (books, id)
}

#[tokio::test]
async fn a_period_that_is_closed_right_before_a_large_undoing_begins_refuses_it_whole() {
    let (books, id) = two_activities().await;
    let other = Arc::clone(&books);
    let closes: Deed = Box::pin(async move { close(&other.world, None).await });
    let (store, service) = meddled(&books, [(Begin::Write(1), closes)]);
    let refused = service.undo(&books.world.admin, id, UndoPatience::Whole).await;
    assert!(store.is_done() && matches!(&refused, Err(Error::PeriodClosed(_))), "{refused:?}");
    assert_eq!(books.imports.find(&books.world.admin, id).await.unwrap().state, ImportState::Done);
    assert_eq!(books.total().await.0, 2);
    let mut later = row(2, "c", "1");
    later.draft.start = given(Moment::parse_start("2026-03-01").unwrap());
    books.import(vec![vec![later]]).await;
    assert_eq!(books.total().await.0, 3, "imports go on");
}

#[tokio::test]
async fn an_edit_right_before_a_large_undoing_begins_stands_in_its_way() {
    let (books, id) = two_activities().await;
    let other = Arc::clone(&books);
    let edits: Deed = Box::pin(async move { other.rename("a", "Another").await });
    let (store, service) = meddled(&books, [(Begin::Write(1), edits)]);
    let refused = service.undo(&books.world.admin, id, UndoPatience::Whole).await;
    let (_, detail) = super::conflict(refused);
    assert!(store.is_done() && detail.contains("1 of its activities was edited since"), "{detail}");
    assert_eq!(books.imports.find(&books.world.admin, id).await.unwrap().state, ImportState::Done);
}

#[tokio::test]
async fn a_large_undoing_begins_however_often_others_write_before_it() {
    let (books, id) = two_activities().await;
    let deeds = (1..=4_u8).map(|nth| {
        let other = Arc::clone(&books);
        let adds: Deed = Box::pin(async move {
            let mut tx = open(&other.world).await;
            let org = Org::new(OrgId::new(Uuid::from_u128(900 + u128::from(nth))), name("Plant"));
            tx.orgs_mut().add(org).await.unwrap();
            tx.commit().await.unwrap();
        });
        (Begin::Write(nth.into()), adds)
    });
    let (store, service) = meddled(&books, deeds);
    let undone = service.undo(&books.world.admin, id, UndoPatience::Whole).await.unwrap();
    assert!(store.is_done());
    assert_eq!((undone.state, undone.kept), (ImportState::Undone, 0));
    assert_eq!(books.total().await.0, 0);
}

#[tokio::test]
async fn no_period_is_closed_while_an_import_is_being_undone() {
    let (books, id) = two_activities().await;
    mark_undoing(&books, id).await;
    let periods = PeriodService {
        store: Arc::clone(&books.world.store),
        read_models: Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&books.world.store))))),
        chooser: super::chooser(),
        clock: Arc::new(Noon),
        ids: Arc::new(super::Counting::default()),
    };
    let draft =
        || PeriodDraft { first: given(day("2025-01-01")), last: given(day("2025-12-31")), ..PeriodDraft::default() };
    let (_, detail) = super::conflict(periods.close_once(&books.world.admin, draft(), None).await.map(drop));
    assert!(detail.contains(&id.to_string()) && detail.contains("is being undone"), "{detail}");
    books.undo(id).await.unwrap();
    periods.close_once(&books.world.admin, draft(), None).await.map(drop).unwrap();
}

#[tokio::test]
async fn an_undoing_that_has_begun_ends_though_an_org_came_below_one_that_is_closed() {
    let books = Arc::new(books(1).await);
    let add = async |called: &str| {
        let draft = NodeDraft { name: given(name(called)), ..NodeDraft::default() };
        Nodes::<Org>::add_node(&books.world.catalog, &books.world.admin, draft).await.unwrap().node.value.id
    };
    let (site, plant) = (add("Site").await, add("Plant").await);
    let of_plant = |line, sync_id: &str, start: &str| {
        let mut row: RowDraft = row(line, sync_id, "1");
        row.draft.org = given(by_id(plant));
        row.draft.start = given(Moment::parse_start(start).unwrap());
        row
    };
    books.import(vec![vec![of_plant(2, "a", "2025-03-01")]]).await;
    let id = books.import(vec![vec![of_plant(2, "a", "2026-03-01"), of_plant(3, "b", "2026-03-01")]]).await;
    close(&books.world, Some(site)).await;
    mark_undoing(&books, id).await;
    let draft = NodeDraft { parent: given(by_id(site)), ..NodeDraft::default() };
    Nodes::<Org>::update_node(&books.world.catalog, &books.world.admin, plant, None, draft).await.unwrap();
    let (_, service) = meddled(&books, []);
    let undone = service.undo(&books.world.admin, id, UndoPatience::Whole).await.unwrap();
    assert_eq!((undone.state, undone.kept), (ImportState::Undone, 1));
    assert_eq!(books.total().await.0, 1, "what was in the closed period stays where it is");
}
