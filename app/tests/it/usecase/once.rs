//! Acts that are done once: for a day, and whoever comes in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use domain::Timestamp;
use ports::clock::Clock;
use ports::inbound::{Catalog as _, Done, Error, Once, ProductDraft, ProductView};
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use tonne::usecase::catalog::CatalogService;

use super::meddled::{Begin, Deed, Meddled};
use super::{Counting, World, given, name, sync_id, unit, world, world_of};

/// A clock that a test sets.
#[derive(Default)]
struct Settable(AtomicI64);

impl Clock for Settable {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_750_000_000_000 + self.0.load(Ordering::SeqCst)).unwrap()
    }
}

const HOUR_MS: i64 = 60 * 60 * 1_000;

/// A request under that key whose answer is the name of what it makes.
fn once(key: &str, asks: &str) -> Once<ProductView> {
    let request = KeyedRequest::new(RequestKey::new("key:1", "POST /v1/product", key), "", asks.as_bytes());
    Once::new(request, |view: &ProductView| {
        let body = format!("{} {}", view.product.value.id, view.product.version).into_bytes();
        Ok(FirstAnswer { status: 201, location: None, etag: None, body })
    })
}

fn steel() -> ProductDraft {
    ProductDraft { name: given(name("Steel")), unit: given(unit("kg")), ..ProductDraft::default() }
}

/// What the answer to it was before; nothing where it was done now.
async fn before(world: &World, catalog: &CatalogService, key: &str, asks: &str) -> Result<Option<String>, Error> {
    match catalog.add_product_once(&world.admin, steel(), Some(once(key, asks))).await? {
        Done::New(_) => Ok(None),
        Done::Before(answer) => Ok(Some(String::from_utf8(answer.body).unwrap())),
    }
}

#[tokio::test]
async fn an_act_is_done_once_a_day() {
    let world = world().await;
    let clock = Arc::new(Settable::default());
    let catalog = CatalogService {
        store: Arc::clone(&world.store),
        clock: clock.clone(),
        ids: Arc::new(Counting::default()),
        sets: world.sets.clone(),
    };
    assert_eq!(before(&world, &catalog, "a", "x").await.unwrap(), None);
    clock.0.store(24 * HOUR_MS - 1, Ordering::SeqCst);
    let first = before(&world, &catalog, "a", "x").await.unwrap().unwrap();
    assert!(first.ends_with(" 1"), "{first}");
    assert!(matches!(before(&world, &catalog, "a", "y").await, Err(Error::KeyReused)));
    assert_eq!(world.changes().await, 1);
    clock.0.store(24 * HOUR_MS, Ordering::SeqCst);
    assert_eq!(before(&world, &catalog, "a", "y").await.unwrap(), None, "the key is free again");
    assert_eq!(world.changes().await, 2);
}

#[tokio::test]
async fn who_is_overtaken_by_the_same_request_is_answered_as_that_was() {
    let same = world().await;
    let store = Arc::clone(&same.store);
    let other = world_of(Arc::clone(&store)).await;
    let deed: Deed = Box::pin(async move {
        assert_eq!(before(&other, &other.catalog, "a", "x").await.unwrap(), None);
    });
    let meddled = Meddled::store(store, [(Begin::Write(1), deed)]);
    let world = world_of(meddled.clone()).await;
    // Each world counts from 1, and no two records may have one identifier.
    let _ = world.catalog.ids.next(Settable::default().now());
    assert!(before(&world, &world.catalog, "a", "x").await.unwrap().unwrap().ends_with(" 1"));
    assert!(meddled.is_done());
    assert_eq!(world.changes().await, 1);
}

#[tokio::test]
async fn what_another_made_stays_a_conflict() {
    let world = world().await;
    let taken = || ProductDraft { sync_id: given(sync_id("steel")), ..steel() };
    world.catalog.add_product(&world.admin, taken()).await.unwrap();
    let answer = world.catalog.add_product_once(&world.admin, taken(), Some(once("a", "x"))).await;
    assert!(matches!(answer, Err(Error::Conflict { .. })), "{answer:?}");
    assert_eq!(world.changes().await, 1);
}
