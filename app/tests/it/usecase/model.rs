//! Models and their inputs.

use domain::{Incomplete, Total};
use ports::inbound::{Catalog as _, Error, Field, InputDraft, ModelDraft, Models as _};
use ports::repo::Page;

use super::{by_id, co2e, day, factor, fault, given, input, model, name, pointers, quantity, unit, world};

#[tokio::test]
async fn a_model_counts_by_the_day_it_is_added_unless_another_is_given() {
    let world = world().await;
    let view = world.models.add(&world.admin, model("piece", "1")).await.unwrap();
    assert_eq!(view.model.value.reference_date, day("2025-06-01"));
    assert_eq!(view.co2e, None);
}

#[tokio::test]
async fn a_model_is_the_sum_of_its_inputs_over_its_amount() {
    let world = world().await;
    let steel = world.steel("2.5").await;
    let id = world.models.add(&world.admin, model("piece", "4")).await.unwrap().model.value.id;
    let first = world.models.add_input(&world.admin, id, input(steel, "10", "A1")).await.unwrap();
    assert_eq!(first.co2e, Some(co2e("25")));
    assert_eq!(first.material.name, name("Steel"));
    world.models.add_input(&world.admin, id, input(steel, "2", "C1")).await.unwrap();
    let view = world.models.get(&world.admin, id).await.unwrap();
    assert_eq!(view.co2e, Some(Total::parse("7.5").unwrap()));
}

#[tokio::test]
async fn another_reference_date_computes_the_inputs_anew_and_another_amount_does_not() {
    let world = world().await;
    let steel = world.steel("2").await;
    let id = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let added = world.models.add_input(&world.admin, id, input(steel, "10", "A1")).await.unwrap();
    world.catalog.add_factor(&world.admin, steel, factor("3", "2025-01-01")).await.unwrap();
    let amount = ModelDraft { amount: given(quantity("2")), ..ModelDraft::default() };
    world.models.update(&world.admin, id, None, amount).await.unwrap();
    let inputs = || async { world.models.list_inputs(&world.admin, id, None, Page::FIRST).await.unwrap().data };
    assert_eq!(inputs().await, std::slice::from_ref(&added));
    for (date, emitted, reason) in [
        ("2025-03-01", Some(co2e("30")), None),
        ("2023-03-01", None, Some(Incomplete::NoFactorOnDay)),
        ("2024-03-01", Some(co2e("20")), None),
    ] {
        let draft = ModelDraft { reference_date: given(day(date)), ..ModelDraft::default() };
        let before = world.changes().await;
        world.models.update(&world.admin, id, None, draft).await.unwrap();
        assert_eq!(world.changes().await, before + 1);
        let input = inputs().await.remove(0).input.value;
        assert_eq!((input.calculation.co2e(), input.calculation.reason()), (emitted, reason), "{date}");
    }
}

#[tokio::test]
async fn an_input_is_computed_anew_only_when_what_it_is_computed_from_changes() {
    let world = world().await;
    let steel = world.product("kg").await;
    let id = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let added = world.models.add_input(&world.admin, id, input(steel, "10", "A1")).await.unwrap().input.value;
    assert_eq!((added.calculation.co2e(), added.calculation.reason()), (None, Some(Incomplete::NoFactor)));
    world.catalog.add_factor(&world.admin, steel, factor("2", "2024-01-01")).await.unwrap();
    let renamed = InputDraft { name: given(name("Plate")), ..InputDraft::default() };
    let renamed = world.models.update_input(&world.admin, id, added.id, None, renamed).await.unwrap();
    assert_eq!(renamed.co2e, None);
    let less = InputDraft { quantity: given(quantity("9")), ..InputDraft::default() };
    let less = world.models.update_input(&world.admin, id, added.id, None, less).await.unwrap();
    assert_eq!(less.co2e, Some(co2e("18")));
}

#[tokio::test]
async fn a_block_is_made_once_per_model() {
    let world = world().await;
    let steel = world.steel("2").await;
    let id = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let framed = || InputDraft { block: given(name("Frame")), ..input(steel, "1", "A1") };
    let first = world.models.add_input(&world.admin, id, framed()).await.unwrap();
    let second = world.models.add_input(&world.admin, id, framed()).await.unwrap();
    assert_eq!(first.block, second.block);
    assert_eq!(first.block.unwrap().name, name("Frame"));
    assert_eq!(world.models.get(&world.admin, id).await.unwrap().model.value.blocks.len(), 1);
}

#[tokio::test]
async fn an_input_stands_behind_the_last_unless_its_order_is_given() {
    let world = world().await;
    let steel = world.steel("2").await;
    let id = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let mut orders = Vec::new();
    for order in [Field::Absent, given(7), Field::Absent, given(-1), Field::Null] {
        let draft = InputDraft { order, ..input(steel, "1", "A1") };
        orders.push(world.models.add_input(&world.admin, id, draft).await.unwrap().input.value.order);
    }
    assert_eq!(orders, [1, 7, 8, -1, 9]);
}

#[tokio::test]
async fn all_faults_of_an_input_are_named_at_once() {
    let world = world().await;
    let steel = world.steel("2").await;
    let id = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let mut draft = input(steel, "1", "A1");
    (draft.name, draft.unit) = (Field::Absent, given(unit("kWh")));
    (draft.quantity, draft.faults) = (Field::Faulty, fault("/quantity"));
    let answer = world.models.add_input(&world.admin, id, draft).await;
    assert_eq!(pointers(answer), ["/quantity", "/name", "/unit"]);
    let mut draft = input(steel, "1", "A1");
    draft.material = given(by_id(id));
    assert_eq!(pointers(world.models.add_input(&world.admin, id, draft).await), ["/material/uuid"]);
    let mut draft = input(steel, "99999999999999999999", "A1");
    draft.name = Field::Null;
    assert_eq!(pointers(world.models.add_input(&world.admin, id, draft).await), ["/name", "/quantity"]);
}

#[tokio::test]
async fn an_input_is_found_under_its_own_model_only() {
    let world = world().await;
    let steel = world.steel("2").await;
    let id = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let other = world.models.add(&world.admin, model("piece", "1")).await.unwrap().model.value.id;
    let input = world.models.add_input(&world.admin, id, input(steel, "1", "A1")).await.unwrap().input.value.id;
    assert!(world.models.get_input(&world.admin, id, input).await.is_ok());
    let elsewhere = world.models.get_input(&world.admin, other, input).await;
    assert!(matches!(elsewhere, Err(Error::NotFound)), "{elsewhere:?}");
}

#[tokio::test]
async fn an_amount_of_zero_is_refused() {
    let world = world().await;
    assert_eq!(pointers(world.models.add(&world.admin, model("piece", "0")).await), ["/amount"]);
}
