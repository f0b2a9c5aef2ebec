//! Switches and their footprints.

use std::sync::Arc;

use domain::{Faults, Issue, ModelId, SwitchId, Total};
use ports::inbound::{Catalog as _, Error, Field, InputDraft, Models as _, Reference, SwitchDraft, Switches as _};
use ports::repo::Page;
use ports::{Caller, Grant, TenantId};
use sqlite::{Options, SqliteStore};
use uuid::Uuid;

use super::{
    Counting, Noon, World, by_id, caller, conflict, factor, fault, given, input, model, name, pointers, quantity,
    sync_id, unit, world, world_of,
};

async fn switch(world: &World) -> SwitchId {
    let draft = SwitchDraft { name: given(name("Wall switch")), unit: given(unit("piece")), ..SwitchDraft::default() };
    world.switches.add(&world.admin, draft).await.unwrap().switch.value.id
}

/// A model of two pieces with 10 kg at A1 and 1 kg at D, at 2 kg CO2e per kg.
async fn housing(world: &World) -> ModelId {
    let steel = world.steel("2").await;
    let id = world.models.add(&world.admin, model("piece", "2")).await.unwrap().model.value.id;
    for (kilograms, stage) in [("10", "A1"), ("1", "D")] {
        world.models.add_input(&world.admin, id, input(steel, kilograms, stage)).await.unwrap();
    }
    id
}

fn total(text: &str) -> Total {
    Total::parse(text).unwrap()
}

#[tokio::test]
async fn a_footprint_is_computed_from_the_sources_when_it_is_read() {
    let world = world().await;
    let id = switch(&world).await;
    let before = world.switches.get(&world.admin, id).await.unwrap();
    assert_eq!(before.footprint.issues, [Issue::NoSource]);
    let housing = housing(&world).await;
    let sources = vec![Some(by_id(housing))];
    let view = world.switches.put_sources(&world.admin, id, None, sources, Faults::new()).await.unwrap();
    assert_eq!(view.sources[0].name, name("Housing"));
    assert_eq!((view.footprint.product_carbon_footprint, view.footprint.a1_a3), (Some(total("10")), Some(total("10"))));
    assert_eq!(view.footprint.d, Some(total("1")));
    let listed = world.switches.list(&world.admin, None, Page::FIRST).await.unwrap();
    assert_eq!(listed.data, [view]);
}

#[tokio::test]
async fn all_faults_of_sources_are_named_at_their_place() {
    let world = world().await;
    let (id, housing) = (switch(&world).await, housing(&world).await);
    let unknown = by_id(Uuid::from_u128(99));
    let nameless = Reference::SyncId(sync_id("nobody"));
    let sources = vec![Some(by_id(housing)), Some(unknown), None, Some(by_id(housing)), Some(nameless)];
    let answer = world.switches.put_sources(&world.admin, id, None, sources, fault("/2")).await;
    assert_eq!(pointers(answer), ["/2", "/1/uuid", "/3/uuid", "/4/syncId"]);
    let many = vec![Some(by_id(housing)); 101];
    assert_eq!(pointers(world.switches.put_sources(&world.admin, id, None, many, Faults::new()).await), [""]);
}

#[tokio::test]
async fn the_same_sources_again_write_nothing() {
    let world = world().await;
    let (id, housing) = (switch(&world).await, housing(&world).await);
    let put = || world.switches.put_sources(&world.admin, id, None, vec![Some(by_id(housing))], Faults::new());
    let first = put().await.unwrap();
    let changes = world.changes().await;
    assert_eq!(put().await.unwrap(), first);
    assert_eq!(world.changes().await, changes);
}

#[tokio::test]
async fn null_clears_what_may_be_missing_and_a_name_may_not() {
    let world = world().await;
    let id = switch(&world).await;
    let nameless = SwitchDraft { name: Field::Null, ..SwitchDraft::default() };
    assert_eq!(pointers(world.switches.update(&world.admin, id, None, nameless).await), ["/name"]);
    let unitless = SwitchDraft { unit: Field::Null, ..SwitchDraft::default() };
    let view = world.switches.update(&world.admin, id, None, unitless).await.unwrap();
    assert_eq!((view.switch.value.unit, view.switch.value.name), (None, name("Wall switch")));
}

#[tokio::test]
async fn a_model_that_a_switch_is_computed_from_stays() {
    let world = world().await;
    let (id, housing) = (switch(&world).await, housing(&world).await);
    world.switches.put_sources(&world.admin, id, None, vec![Some(by_id(housing))], Faults::new()).await.unwrap();
    let (_, detail) = conflict(world.models.remove(&world.admin, housing, None).await);
    assert!(detail.contains("1 switch"), "{detail}");
    world.switches.remove(&world.admin, id, None).await.unwrap();
    world.models.remove(&world.admin, housing, None).await.unwrap();
}

#[tokio::test]
async fn a_later_factor_leaves_a_footprint_as_it_was() {
    let world = world().await;
    let (id, housing) = (switch(&world).await, housing(&world).await);
    let sources = vec![Some(by_id(housing))];
    let before = world.switches.put_sources(&world.admin, id, None, sources, Faults::new()).await.unwrap();
    let steel = world.catalog.list_products(&world.admin, None, Page::FIRST).await.unwrap().data.remove(0);
    world.catalog.add_factor(&world.admin, steel.product.value.id, factor("9", "2025-01-01")).await.unwrap();
    assert_eq!(world.switches.get(&world.admin, id).await.unwrap(), before);
}

#[tokio::test]
async fn what_another_process_changes_is_seen_by_the_next_read() {
    let folder = tempfile::TempDir::new().unwrap();
    let open = || {
        let options = Options::new(Arc::new(Noon), Arc::new(Counting::default()));
        world_of(Arc::new(SqliteStore::open(folder.path(), options)))
    };
    let (here, there) = (open().await, open().await);
    let (id, housing) = (switch(&here).await, housing(&here).await);
    let read = async || here.switches.get(&here.admin, id).await.unwrap();
    assert_eq!(read().await.footprint.issues, [Issue::NoSource]);
    let sources = vec![Some(by_id(housing))];
    let put = there.switches.put_sources(&there.admin, id, None, sources, Faults::new()).await.unwrap();
    assert_eq!(read().await, put);
    let inputs = there.models.list_inputs(&there.admin, housing, None, Page::FIRST).await.unwrap().data;
    let twice = InputDraft { quantity: given(quantity("20")), ..InputDraft::default() };
    there.models.update_input(&there.admin, housing, inputs[0].input.value.id, None, twice).await.unwrap();
    assert_eq!(read().await.footprint.a1_a3, Some(total("20")));
    assert_eq!(read().await, there.switches.get(&there.admin, id).await.unwrap());
}

#[tokio::test]
async fn a_switch_that_was_read_is_shown_to_no_other_tenant_and_to_nobody_without_the_permission() {
    let world = world().await;
    let id = switch(&world).await;
    world.switches.get(&world.admin, id).await.unwrap();
    let other = Caller { tenant: TenantId::new(Uuid::from_u128(2)), ..world.admin.clone() };
    world.store.prepare(&Grant::for_maintenance(other.tenant, "test")).await.unwrap();
    assert!(matches!(world.switches.get(&other, id).await, Err(Error::NotFound)));
    assert!(matches!(world.switches.get(&caller("model:read"), id).await, Err(Error::Denied(_))));
}
