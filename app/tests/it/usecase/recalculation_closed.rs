//! A recalculation of many steps, midway through which a period is closed.

use std::sync::Arc;

use domain::Moment;
use ports::inbound::{
    Activities as _, ActivityDraft, Catalog as _, Error, Recalculated, Recalculation, RecalculationStep,
};
use ports::store::Store;
use tonne::usecase::period::GuardedStore;

use super::meddled::{Begin, Deed, Meddled};
use super::recalculation::{MANY, activities};
use super::undo_closed::close;
use super::{World, by_id, factor, given, name, quantity, unit, world};

/// A company with an activity in 2026 and many in 2025, 10 kg each, of a product whose factor came later.
async fn incomplete() -> Arc<World> {
    let world = Arc::new(world().await);
    let product = world.product("kg").await;
    let service = activities(Arc::clone(&world.store));
    for number in 0..=MANY {
        let start = if number == MANY { "2026-03-01" } else { "2025-03-01" };
        let draft = ActivityDraft {
            name: given(name("Boiler")),
            start: given(Moment::parse_start(start).unwrap()),
            product: given(by_id(product)),
            quantity: given(quantity("10")),
            unit: given(unit("kg")),
            ..ActivityDraft::default()
        };
        service.add(&world.admin, draft).await.unwrap();
    }
    world.catalog.add_factor(&world.admin, product, factor("2", "2024-01-01")).await.unwrap();
    world
}

/// Recalculates beside the guard of closed periods, while somebody closes 2025 before a transaction begins.
async fn recalculate(world: &Arc<World>, step: RecalculationStep, before: Begin) -> Result<Recalculated, Error> {
    let other = Arc::clone(world);
    let closes: Deed = Box::pin(async move { close(&other, None).await });
    let meddled = Meddled::store(Arc::clone(&world.store), [(before, closes)]);
    let store = Arc::new(GuardedStore::new(Arc::clone(&meddled) as Arc<dyn Store>));
    let asked = Recalculation { step, ..Recalculation::default() };
    let done = activities(store).recalculate(&world.admin, asked).await;
    assert!(meddled.is_done(), "nobody closed: {done:?}");
    done
}

#[tokio::test]
async fn what_a_closing_overtakes_is_left_out_and_the_rest_is_written() {
    // The first step is closed before it is written, and the second before it is looked up or written.
    for (before, changed) in [(Begin::Write(1), 1), (Begin::Read(3), 1_001), (Begin::Write(2), 1_001)] {
        let world = incomplete().await;
        let done = recalculate(&world, RecalculationStep::default(), before).await.unwrap();
        let left_out = MANY as u64 + 1 - changed;
        assert_eq!((done.changed, done.closed), (changed, left_out), "{before:?}");
        assert_eq!(done.after.to_string(), (changed * 20).to_string(), "{before:?}");
    }
}

#[tokio::test]
async fn a_confirmed_recalculation_that_a_closing_overtakes_ends_and_says_what_it_wrote() {
    let world = incomplete().await;
    let service = activities(Arc::clone(&world.store));
    let asked = Recalculation { step: RecalculationStep::Preview, ..Recalculation::default() };
    let preview = service.recalculate(&world.admin, asked.clone()).await.unwrap();
    assert_eq!((preview.changed, preview.closed), (MANY as u64 + 1, 0));
    let step = RecalculationStep::Write { confirm: preview.confirm };
    let (_, detail) = super::conflict(recalculate(&world, step, Begin::Write(2)).await);
    assert!(detail.contains("1000 records were written as it said"), "{detail}");
    let preview = service.recalculate(&world.admin, asked).await.unwrap();
    assert_eq!((preview.changed, preview.closed), (1, MANY as u64 - 1_000));
    let step = RecalculationStep::Write { confirm: preview.confirm };
    let asked = Recalculation { step, ..Recalculation::default() };
    let done = service.recalculate(&world.admin, asked).await.unwrap();
    assert_eq!((done.changed, done.closed), (1, MANY as u64 - 1_000), "as the preview says");
}
