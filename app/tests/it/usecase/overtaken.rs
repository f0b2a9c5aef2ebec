//! Single activities: built in a snapshot, and built again when somebody else was first.

use std::sync::Arc;

use domain::{ActivityId, Moment, ProductId};
use ports::inbound::{Activities as _, ActivityDraft, Catalog as _, Error, Reference};
use ports::store::Store;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::read_model::ReadModels;

use super::meddled::{Begin, Deed, Meddled};
use super::{Counting, Noon, World, factor, given, name, quantity, unit, world};

fn activities(store: Arc<dyn Store>) -> ActivityService {
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&store)))));
    // Other identifiers than those of the world.
    let ids = Arc::new(Counting(std::sync::atomic::AtomicU64::new(1 << 32)));
    ActivityService {
        store,
        read_models,
        clock: Arc::new(Noon),
        ids,
        lookups: Arc::default(),
        chooser: super::chooser(),
    }
}

fn draft(product: ProductId) -> ActivityDraft {
    ActivityDraft {
        name: given(name("Boiler")),
        start: given(Moment::parse_start("2025-03-01").unwrap()),
        product: given(Reference::Id(product.into())),
        quantity: given(quantity("10")),
        unit: given(unit("kg")),
        ..ActivityDraft::default()
    }
}

fn named(text: &str) -> ActivityDraft {
    ActivityDraft { name: given(name(text)), ..ActivityDraft::default() }
}

fn adds_product(world: &Arc<World>) -> Deed {
    let world = Arc::clone(world);
    Box::pin(async move {
        world.product("kg").await;
    })
}

#[tokio::test]
async fn an_activity_is_computed_by_a_factor_that_somebody_adds_before_it_is_written() {
    let world = Arc::new(world().await);
    let product = world.product("kg").await;
    let other = Arc::clone(&world);
    let adds: Deed = Box::pin(async move {
        other.catalog.add_factor(&other.admin, product, factor("2", "2024-01-01")).await.unwrap();
    });
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(1), adds)]);
    let service = activities(Arc::clone(&store) as Arc<dyn Store>);
    let added = service.add(&world.admin, draft(product)).await.unwrap();
    assert!(store.is_done());
    assert_eq!(added.activity.value.co2e().unwrap().to_string(), "20");
    assert_eq!(service.get(&world.admin, added.activity.value.id).await.unwrap(), added);
}

#[tokio::test]
async fn an_activity_that_is_overtaken_again_and_again_is_written_all_the_same() {
    let world = Arc::new(world().await);
    let product = world.steel("2").await;
    let store = Meddled::store(Arc::clone(&world.store), (1..=5).map(|at| (Begin::Write(at), adds_product(&world))));
    let service = activities(Arc::clone(&store) as Arc<dyn Store>);
    let added = service.add(&world.admin, draft(product)).await.unwrap();
    assert!(store.is_done());
    assert_eq!(service.get(&world.admin, added.activity.value.id).await.unwrap(), added);
    assert_eq!(world.changes().await, added.activity.version.0);
}

#[tokio::test]
async fn a_change_lands_behind_somebody_elses_unless_it_names_the_version_it_saw() {
    let world = Arc::new(world().await);
    let product = world.steel("2").await;
    let plain = activities(Arc::clone(&world.store));
    let first = plain.add(&world.admin, draft(product)).await.unwrap().activity;
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(1), measures(&world, first.value.id, "1"))]);
    let changed = activities(store).update(&world.admin, first.value.id, None, named("Kiln")).await.unwrap().activity;
    assert_eq!((&changed.value.name, changed.value.measured.unwrap().quantity), (&name("Kiln"), quantity("1")));
    let store = Meddled::store(Arc::clone(&world.store), [(Begin::Write(1), measures(&world, first.value.id, "2"))]);
    let seen = Some(changed.version);
    let outcome = activities(store).update(&world.admin, first.value.id, seen, named("Oven")).await;
    assert!(matches!(outcome, Err(Error::Stale)), "{outcome:?}");
    assert_eq!(plain.get(&world.admin, first.value.id).await.unwrap().activity.value.name, name("Kiln"));
}

/// Somebody gives the activity another quantity.
fn measures(world: &Arc<World>, id: ActivityId, kilograms: &'static str) -> Deed {
    let world = Arc::clone(world);
    Box::pin(async move {
        let draft = ActivityDraft { quantity: given(quantity(kilograms)), ..ActivityDraft::default() };
        activities(Arc::clone(&world.store)).update(&world.admin, id, None, draft).await.unwrap();
    })
}
