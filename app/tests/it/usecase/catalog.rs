//! Nodes, products and factors.

use domain::{Org, Scope, ScopeKind, Slug, Taxonomy};
use ports::Version;
use ports::inbound::{Catalog as _, ClassDraft, Error, Field, NodeDraft, NodeView, Nodes, ProductDraft, SlugDraft};
use ports::repo::Page;
use tonne::usecase::resolve::Referred;
use tonne::usecase::tree::IdOf;
use uuid::Uuid;

use super::{World, by_id, caller, conflict, day, factor, fault, given, name, pointers, sync_id, unit, world};

fn called<D: Default>(text: &str) -> NodeDraft<D> {
    NodeDraft { name: given(name(text)), ..NodeDraft::default() }
}

fn below<D: Default>(text: &str, parent: impl Into<Uuid>) -> NodeDraft<D> {
    NodeDraft { parent: given(by_id(parent)), ..called(text) }
}

async fn add<T: Referred>(world: &World, draft: NodeDraft<T::Detail>) -> Result<NodeView<T>, Error> {
    Nodes::<T>::add_node(&world.catalog, &world.admin, draft).await
}

async fn taxonomy(world: &World, draft: NodeDraft<SlugDraft>) -> NodeView<Taxonomy> {
    add(world, draft).await.unwrap()
}

async fn change<T: Referred>(world: &World, id: IdOf<T>, draft: NodeDraft<T::Detail>) -> Result<NodeView<T>, Error> {
    Nodes::<T>::update_node(&world.catalog, &world.admin, id, None, draft).await
}

fn of_kind(kind: ScopeKind) -> ClassDraft {
    ClassDraft { kind: given(kind), ..ClassDraft::default() }
}

#[tokio::test]
async fn a_slug_is_made_from_the_name_with_a_number_where_a_sibling_has_it() {
    let world = world().await;
    let energy = taxonomy(&world, called("Energy")).await.node.value.id;
    let mut paths = Vec::new();
    for _ in 0..3 {
        paths.push(taxonomy(&world, below("Heat & Steam", energy)).await.path.unwrap());
    }
    assert_eq!(paths, ["energy/heat-steam", "energy/heat-steam-2", "energy/heat-steam-3"]);
    assert_eq!(taxonomy(&world, called("Heat & Steam")).await.path.unwrap(), "heat-steam");
}

#[tokio::test]
async fn renaming_and_moving_keep_the_slug() {
    let world = world().await;
    let energy = taxonomy(&world, called("Energy")).await.node.value.id;
    let heat = taxonomy(&world, called("Heat")).await.node.value.id;
    let moved = change::<Taxonomy>(&world, heat, below("Warmth", energy)).await.unwrap();
    assert_eq!(moved.path.unwrap(), "energy/heat");
    assert_eq!(moved.parent.unwrap().name, name("Energy"));
    let anew =
        change::<Taxonomy>(&world, heat, NodeDraft { detail: SlugDraft { slug: Field::Null }, ..NodeDraft::default() })
            .await;
    assert_eq!(anew.unwrap().path.unwrap(), "energy/warmth");
}

#[tokio::test]
async fn a_slug_that_a_sibling_has_is_a_conflict_whether_given_or_kept() {
    let world = world().await;
    let energy = taxonomy(&world, called("Energy")).await.node.value.id;
    taxonomy(&world, below("Heat", energy)).await;
    let other = taxonomy(&world, called("Heat")).await.node.value.id;
    let same = NodeDraft { detail: SlugDraft { slug: given(Slug::parse("heat").unwrap()) }, ..below("Warmth", energy) };
    let added = add::<Taxonomy>(&world, same).await;
    assert_eq!(conflict(added).0, "/slug");
    assert_eq!(conflict(change::<Taxonomy>(&world, other, below("Heat", energy)).await).0, "/slug");
}

#[tokio::test]
async fn a_node_stands_neither_below_itself_nor_below_its_own_children() {
    let world = world().await;
    let group = add::<Org>(&world, called("Group")).await.unwrap().node.value.id;
    let plant = add::<Org>(&world, below("Plant", group)).await.unwrap().node.value.id;
    for parent in [group, plant] {
        let draft = NodeDraft { parent: given(by_id(parent)), ..NodeDraft::default() };
        assert_eq!(pointers(change::<Org>(&world, group, draft).await), ["/parent/uuid"]);
    }
}

/// Nodes below each other, from the root down.
async fn chain<T: Referred>(world: &World, levels: usize, detail: &T::Detail) -> Vec<IdOf<T>> {
    let mut ids: Vec<IdOf<T>> = Vec::new();
    for _ in 0..levels {
        let parent = ids.last().map_or(Field::Absent, |above| given(by_id(*above)));
        let draft = NodeDraft { parent, detail: detail.clone(), ..called("Level") };
        ids.push(domain::TreeNode::id(&add::<T>(world, draft).await.unwrap().node.value));
    }
    ids
}

async fn has_at_most_32_levels<T: Referred>(world: &World, detail: T::Detail) {
    let ids = chain::<T>(world, 32, &detail).await;
    let deeper = NodeDraft { detail, ..below("Deeper", ids[31]) };
    assert_eq!(pointers(add::<T>(world, deeper).await), ["/parent/uuid"]);
    change::<T>(world, ids[31], called("Renamed")).await.unwrap();
}

#[tokio::test]
async fn a_tree_has_at_most_32_levels() {
    let world = world().await;
    has_at_most_32_levels::<Org>(&world, ports::inbound::RegionDraft::default()).await;
    has_at_most_32_levels::<Scope>(&world, of_kind(ScopeKind::Scope1)).await;
    has_at_most_32_levels::<Taxonomy>(&world, SlugDraft::default()).await;
}

#[tokio::test]
async fn what_moves_along_with_a_node_counts_in_the_levels() {
    let world = world().await;
    let slug = SlugDraft::default();
    let (deep, branch) = (chain::<Taxonomy>(&world, 30, &slug).await, chain::<Taxonomy>(&world, 3, &slug).await);
    let to = |parent| NodeDraft { parent: given(by_id(parent)), ..NodeDraft::default() };
    assert_eq!(pointers(change::<Taxonomy>(&world, branch[0], to(deep[29])).await), ["/parent/uuid"]);
    change::<Taxonomy>(&world, branch[1], to(deep[29])).await.unwrap();
    change::<Taxonomy>(&world, branch[1], to(branch[0])).await.unwrap();
    let moved = change::<Taxonomy>(&world, branch[0], to(deep[28])).await.unwrap();
    assert_eq!(moved.path.unwrap(), format!("{}/level-2", vec!["level"; 29].join("/")));
}

#[tokio::test]
async fn a_parent_of_another_tree_is_unknown_and_every_fault_is_named() {
    let world = world().await;
    let heat = taxonomy(&world, called("Heat")).await.node.value.id;
    let draft = NodeDraft {
        parent: given(by_id(heat)),
        detail: ClassDraft { category: given(3), ..ClassDraft::default() },
        sync_id: Field::Faulty,
        faults: fault("/syncId"),
        ..NodeDraft::default()
    };
    let answer = add::<Scope>(&world, draft).await;
    assert_eq!(pointers(answer), ["/syncId", "/name", "/parent/uuid", "/kind"]);
}

#[tokio::test]
async fn only_scope_3_has_categories() {
    let world = world().await;
    let kind = |kind, category| {
        let detail = ClassDraft { kind: given(kind), category: given(category) };
        NodeDraft { detail, ..called("Goods") }
    };
    let wrong = add::<Scope>(&world, kind(ScopeKind::Scope1, 1)).await;
    assert_eq!(pointers(wrong), ["/category"]);
    let right = add::<Scope>(&world, kind(ScopeKind::Scope3, 1)).await.unwrap();
    assert_eq!(right.node.value.class.category(), Some(1));
}

#[tokio::test]
async fn a_change_that_changes_nothing_writes_nothing() {
    let world = world().await;
    let draft = NodeDraft { sync_id: given(sync_id("e")), ..called("Energy") };
    let before = taxonomy(&world, draft.clone()).await;
    let after = change::<Taxonomy>(&world, before.node.value.id, draft).await.unwrap();
    assert_eq!(after, before);
    assert_eq!(world.changes().await, 1);
}

#[tokio::test]
async fn a_version_that_is_not_the_present_one_is_stale() {
    let world = world().await;
    let id = taxonomy(&world, called("Energy")).await.node.value.id;
    let stale = Nodes::<Taxonomy>::remove_node(&world.catalog, &world.admin, id, Some(Version(0))).await;
    assert!(matches!(stale, Err(Error::Stale)), "{stale:?}");
    Nodes::<Taxonomy>::remove_node(&world.catalog, &world.admin, id, Some(Version(1))).await.unwrap();
}

#[tokio::test]
async fn reading_does_not_permit_writing() {
    let world = world().await;
    let reader = caller("catalog:read");
    let denied = Nodes::<Org>::add_node(&world.catalog, &reader, called("Group")).await;
    assert!(matches!(denied, Err(Error::Denied(_))), "{denied:?}");
    assert_eq!(Nodes::<Org>::list_nodes(&world.catalog, &reader, None, Page::FIRST).await.unwrap().count, 0);
}

#[tokio::test]
async fn the_dimension_of_a_product_with_factors_stays() {
    let world = world().await;
    let product = world.steel("2").await;
    let to = |code| ProductDraft { unit: given(unit(code)), ..ProductDraft::default() };
    assert_eq!(pointers(world.catalog.update_product(&world.admin, product, None, to("kWh")).await), ["/unit"]);
    let tonnes = world.catalog.update_product(&world.admin, product, None, to("t")).await.unwrap();
    assert_eq!(tonnes.product.value.unit, unit("t"));
    let unused = world.product("kg").await;
    world.catalog.update_product(&world.admin, unused, None, to("kWh")).await.unwrap();
}

#[tokio::test]
async fn a_successor_closes_an_open_predecessor_in_the_same_change() {
    let world = world().await;
    let product = world.steel("2").await;
    let before = world.changes().await;
    world.catalog.add_factor(&world.admin, product, factor("3", "2025-01-01")).await.unwrap();
    assert_eq!(world.changes().await, before + 1);
    let factors = world.catalog.list_factors(&world.admin, product, Page::FIRST).await.unwrap().data;
    let ends: Vec<_> = factors.iter().map(|factor| factor.value.data().valid_to).collect();
    assert_eq!(ends, [Some(day("2025-01-01")), None]);
}

#[tokio::test]
async fn a_factor_before_an_open_one_is_a_conflict_that_names_it() {
    let world = world().await;
    let product = world.steel("2").await;
    let (pointer, detail) = conflict(world.catalog.add_factor(&world.admin, product, factor("3", "2023-01-01")).await);
    assert_eq!(pointer, "/validFrom");
    let known = world.catalog.list_factors(&world.admin, product, Page::FIRST).await.unwrap().data;
    assert!(detail.contains(&known[0].value.id().to_string()) && detail.contains("2024-01-01"), "{detail}");
}

#[tokio::test]
async fn all_faults_of_a_factor_are_named_at_once() {
    let world = world().await;
    let product = world.product("kg").await;
    let mut draft = factor("3", "2023-01-01");
    (draft.unit, draft.source, draft.upstream) = (given(unit("kWh")), Field::Absent, Field::Absent);
    draft.valid_to = given(day("2022-01-01"));
    let answer = world.catalog.add_factor(&world.admin, product, draft).await;
    assert_eq!(pointers(answer), ["/source", "/upstream", "/validTo", "/unit"]);
}

#[tokio::test]
async fn an_unreadable_part_of_a_factor_is_not_missing() {
    let world = world().await;
    let product = world.product("kg").await;
    let mut draft = factor("3", "2023-01-01");
    (draft.upstream, draft.faults) = (Field::Faulty, fault("/upstream"));
    assert_eq!(pointers(world.catalog.add_factor(&world.admin, product, draft).await), ["/upstream"]);
}

#[tokio::test]
async fn a_factor_is_found_under_its_own_product_only() {
    let world = world().await;
    let (product, other) = (world.steel("2").await, world.product("kg").await);
    let id = world.catalog.list_factors(&world.admin, product, Page::FIRST).await.unwrap().data[0].value.id();
    assert!(world.catalog.get_factor(&world.admin, product, id).await.is_ok());
    let elsewhere = world.catalog.remove_factor(&world.admin, other, id, None).await;
    assert!(matches!(elsewhere, Err(Error::NotFound)), "{elsewhere:?}");
}

#[tokio::test]
async fn an_unknown_node_is_not_found_even_when_the_draft_is_faulty() {
    let world = world().await;
    let draft = NodeDraft { name: Field::Faulty, faults: fault("/name"), ..NodeDraft::default() };
    let answer = change::<Org>(&world, Uuid::from_u128(9).into(), draft).await;
    assert!(matches!(answer, Err(Error::NotFound)), "{answer:?}");
}
