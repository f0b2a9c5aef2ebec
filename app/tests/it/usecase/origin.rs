//! Published factors become a company's by being copied.

use domain::{Digest, Factor, Product, ProductId};
use ports::factor_sets::FactorSets as _;
use ports::inbound::{
    Catalog as _, CatalogBundle, CatalogImports as _, CatalogOptions, Error, FactorDraft, FactorUse, FactorUses as _,
    Field, Placed, ProductDraft, ProductFactorDraft, PublishedDraft, Reference, SetPrefix, UsedFactor, UsedFor,
    Written,
};
use ports::{Grant, Installation, Permissions, Stored};

use super::{World, day, given, name, pointers, unit, world};
use crate::published_sample::{edition, id};

/// The only thing that is wrong.
fn only_fault(error: Error) -> (String, String) {
    let Error::Invalid(faults) = error else { panic!("{error:?}") };
    let [fault] = faults.as_slice() else { panic!("{faults}") };
    (fault.pointer.clone(), fault.detail.clone())
}

/// A company of an installation with the editions of 2024 and 2025.
async fn with_sets() -> World {
    let world = world().await;
    for (year, digit) in [(2024, 1), (2025, 1), (2025, 2)] {
        world.sets.add_set(&Grant::for_maintenance(Installation, "test"), edition(year, digit)).await.unwrap();
    }
    world
}

fn published(set: Digest, cell: &str) -> FactorDraft {
    let published = PublishedDraft { set: given(set.into()), cell: given(name(cell)) };
    FactorDraft { published: given(published), ..FactorDraft::default() }
}

async fn product(world: &World, code: &str) -> ProductId {
    let draft =
        ProductDraft { name: given(name(&format!("Per {code}"))), unit: given(unit(code)), ..ProductDraft::default() };
    world.catalog.add_product(&world.admin, draft).await.unwrap().product.value.id
}

async fn add(world: &World, product: ProductId, draft: FactorDraft) -> Result<Stored<Factor>, Error> {
    world.catalog.add_factor(&world.admin, product, draft).await.map(|new| new.factor)
}

fn figures(factor: &Factor) -> (Option<String>, Option<String>) {
    let text = |part: Option<domain::Intensity>| part.map(|part| part.to_string());
    (text(factor.data().upstream), text(factor.data().downstream))
}

#[tokio::test]
async fn a_copy_holds_on_the_days_of_its_set_and_keeps_what_it_was_copied_from() {
    let world = with_sets().await;
    let diesel = product(&world, "L").await;
    let copy = add(&world, diesel, published(id(2025, 1), "A1")).await.unwrap().value;
    // 2.1 kg CO2, a gram of fossil CH4 at 30.
    assert_eq!(figures(&copy), (None, Some("2.13".to_owned())));
    assert_eq!((copy.data().valid_from, copy.data().valid_to), (day("2025-01-01"), Some(day("2026-01-01"))));
    assert_eq!(copy.data().source.as_str(), "A ministry, Conversion factors, 2025 v1, A1");
    // The installation may give its set up; the company's record stands alone.
    world.sets.remove_set(&Grant::for_maintenance(Installation, "test"), id(2025, 1)).await.unwrap();
    let kept = world.catalog.get_factor(&world.admin, diesel, copy.id()).await.unwrap().value;
    let origin = kept.data().origin.clone().unwrap();
    assert_eq!((origin.set.id, origin.factor.name.as_str(), origin.factor.rows[0].row), (id(2025, 1), "Diesel", 7));
}

#[tokio::test]
async fn gases_are_read_under_another_set_and_a_lone_figure_is_refused_with_the_reason() {
    let world = with_sets().await;
    let (diesel, grid) = (product(&world, "L").await, product(&world, "kWh").await);
    let under_ar6 = |cell| FactorDraft { gwp: given(domain::GwpSet::Ar6), ..published(id(2025, 1), cell) };
    let copy = add(&world, diesel, under_ar6("A1")).await.unwrap().value;
    assert_eq!(figures(&copy), (None, Some("2.1298".to_owned())));
    let refused = add(&world, grid, under_ar6("A2")).await.unwrap_err();
    let told = "the published factor cannot be used: published as CO2e alone, under AR5: it cannot be read under AR6";
    assert_eq!(only_fault(refused), ("/gwp".to_owned(), told.to_owned()));
}

#[tokio::test]
async fn other_days_may_be_given_and_must_be_where_the_sets_own_have_passed() {
    let world = with_sets().await;
    let grid = product(&world, "kWh").await;
    let from = |text| FactorDraft { valid_from: given(day(text)), ..published(id(2024, 1), "A2") };
    assert_eq!(pointers(add(&world, grid, from("2025-01-01")).await), ["/validTo"]);
    let fiscal = FactorDraft { valid_to: given(day("2025-04-01")), ..from("2024-04-01") };
    let early = FactorDraft { valid_from: given(day("2023-12-31")), ..fiscal.clone() };
    assert_eq!(pointers(add(&world, grid, fiscal.clone()).await), ["/validTo"]);
    assert_eq!(pointers(add(&world, grid, early).await), ["/validFrom", "/validTo"]);
    let fiscal = FactorDraft { other_days: given(true), ..fiscal };
    let copy = add(&world, grid, fiscal).await.unwrap().value;
    assert_eq!((copy.data().valid_from, copy.data().valid_to), (day("2024-04-01"), Some(day("2025-04-01"))));
}

#[tokio::test]
async fn a_set_is_named_by_the_beginning_of_its_id_where_that_is_one_sets_alone() {
    let world = with_sets().await;
    let grid = product(&world, "kWh").await;
    let begins = SetPrefix::parse(&id(2025, 1).to_string()[..8]).unwrap();
    let draft = |set: SetPrefix| FactorDraft {
        published: given(PublishedDraft { set: given(set), cell: given(name("A2")) }),
        ..FactorDraft::default()
    };
    let copy = add(&world, grid, draft(begins)).await.unwrap().value;
    assert_eq!(copy.data().origin.as_ref().unwrap().set.id, id(2025, 1));
    let nobody = SetPrefix::parse("00000000").unwrap();
    assert_eq!(pointers(add(&world, grid, draft(nobody)).await), ["/published/set"]);
}

#[tokio::test]
async fn all_that_is_wrong_with_a_copy_is_told_at_once() {
    let world = with_sets().await;
    let grid = product(&world, "kWh").await;
    let refused = |draft| add(&world, grid, draft);
    let both = FactorDraft { unit: given(unit("kWh")), ..published(Digest::of(b"no file"), "A2") };
    assert_eq!(pointers(refused(both).await), ["/unit", "/published/set"]);
    assert_eq!(pointers(refused(published(id(2025, 1), "Z9")).await), ["/published/cell"]);
    let nothing = FactorDraft { published: given(PublishedDraft::default()), ..FactorDraft::default() };
    assert_eq!(pointers(refused(nothing).await), ["/published/set", "/published/cell"]);
    assert_eq!(pointers(refused(published(id(2025, 1), "A1")).await), ["/published"]);
    assert_eq!(world.catalog.list_factors(&world.admin, grid, ports::repo::Page::FIRST).await.unwrap().count, 0);
}

#[tokio::test]
async fn what_is_emitted_before_the_use_is_of_a_product_of_its_own() {
    let world = with_sets().await;
    let diesel = product(&world, "L").await;
    add(&world, diesel, published(id(2025, 1), "A1")).await.unwrap();
    let mixed = add(&world, diesel, published(id(2024, 1), "A3")).await.unwrap_err();
    let (pointer, told) = only_fault(mixed);
    assert!(pointer == "/published" && told.contains("scope 3, category 3"), "{told}");
    let well_to_tank = add(&world, product(&world, "mL").await, published(id(2024, 1), "A3")).await.unwrap().value;
    assert_eq!(figures(&well_to_tank), (Some("0.61".to_owned()), None));
}

#[tokio::test]
async fn what_no_scope_counts_is_of_a_product_of_its_own_too() {
    let world = with_sets().await;
    let wood = product(&world, "kg").await;
    add(&world, wood, published(id(2025, 1), "A5")).await.unwrap();
    let beside = FactorDraft { valid_from: given(day("2030-01-01")), ..super::factor("1", "2030-01-01") };
    add(&world, wood, beside).await.unwrap();
    let mixed = add(&world, wood, published(id(2024, 1), "A5")).await.unwrap_err();
    let (pointer, told) = only_fault(mixed);
    assert!(pointer == "/published" && told.contains("of no scope"), "{told}");
}

#[tokio::test]
async fn a_corrected_edition_takes_the_place_of_the_one_before_it() {
    let world = with_sets().await;
    let grid = product(&world, "kWh").await;
    let wrong = add(&world, grid, published(id(2025, 1), "A2")).await.unwrap().value;
    let overlap = add(&world, grid, published(id(2025, 2), "A2")).await.unwrap_err();
    assert!(matches!(overlap, Error::Conflict { .. }), "{overlap:?}");
    let correct = |draft| world.catalog.correct_factor(&world.admin, grid, wrong.id(), draft);
    let right = correct(published(id(2025, 2), "A2")).await.unwrap().value;
    assert_eq!((figures(&right).1.as_deref(), right.corrects()), (Some("0.22"), Some(wrong.id())));
    assert_eq!(right.data().origin.as_ref().unwrap().set.id, id(2025, 2));
    assert_eq!((right.data().valid_from, right.data().valid_to), (wrong.data().valid_from, wrong.data().valid_to));
}

#[tokio::test]
async fn a_correction_holds_on_the_days_of_the_wrong_one_also_where_its_set_is_of_others() {
    let world = with_sets().await;
    let grid = product(&world, "kWh").await;
    let days = FactorDraft {
        valid_from: given(day("2025-01-01")),
        valid_to: given(day("2027-01-01")),
        other_days: given(true),
        ..published(id(2024, 1), "A2")
    };
    let wrong = add(&world, grid, days).await.unwrap().value;
    let draft = published(id(2025, 1), "A2");
    let right = world.catalog.correct_factor(&world.admin, grid, wrong.id(), draft).await.unwrap().value;
    assert_eq!((right.data().valid_from, right.data().valid_to), (day("2025-01-01"), Some(day("2027-01-01"))));
}

async fn use_it(world: &World, product: UsedFor, cell: &str) -> Result<UsedFactor, Error> {
    world.catalog.use_factor(&world.admin, FactorUse { product, factor: published(id(2025, 1), cell) }).await
}

fn in_new(text: Option<&str>) -> UsedFor {
    UsedFor::New { name: text.map(name), sync_id: None }
}

fn in_product(word: &str) -> UsedFor {
    UsedFor::Existing(Reference::Word(word.to_owned()))
}

#[tokio::test]
async fn a_product_is_made_for_a_published_factor_in_one_change() {
    let world = with_sets().await;
    let before = world.changes().await;
    let used = use_it(&world, in_new(None), "A4").await.unwrap();
    let Product { name: called, unit: counted, .. } = used.product.clone();
    assert_eq!((called.as_str(), counted, used.written), ("Losses of the grid", unit("kWh"), Written::Product));
    assert_eq!(world.changes().await, before + 1);
    assert_eq!(pointers(use_it(&world, in_new(None), "A4").await), ["/product"]);
    let same = use_it(&world, in_product("Losses of the grid"), "A4").await.unwrap();
    assert_eq!((same.factor, same.written), (used.factor, Written::Nothing));
    assert_eq!(use_it(&world, in_new(Some("Own losses")), "A4").await.unwrap().written, Written::Product);
    assert_eq!(world.changes().await, before + 2);
    assert_eq!(pointers(use_it(&world, in_product("Losses"), "A4").await), ["/product"]);
}

#[tokio::test]
async fn a_refused_factor_leaves_no_product_behind() {
    let world = with_sets().await;
    let before = world.changes().await;
    assert_eq!(pointers(use_it(&world, in_new(None), "Z9").await), ["/published/cell"]);
    let mut reader = world.admin.clone();
    reader.permissions = Permissions::parse("catalog:read").unwrap();
    let wanted = FactorUse { product: in_new(None), factor: published(id(2025, 1), "A1") };
    let refused = world.catalog.use_factor(&reader, wanted).await.unwrap_err();
    assert!(matches!(refused, Error::Denied(_)), "{refused:?}");
    assert_eq!(world.changes().await, before);
}

#[tokio::test]
async fn rows_of_a_catalog_may_name_a_set_and_a_cell() {
    let world = with_sets().await;
    product(&world, "kWh").await;
    let bundle = |rows: &[(Digest, &str)]| {
        let factor = |(number, (set, cell)): (usize, &(Digest, &str))| Placed {
            known_as: ports::inbound::KnownAs::default(),
            place: format!("line {number}"),
            draft: ProductFactorDraft {
                product: Field::Given(Reference::Word("Per kWh".to_owned())),
                factor: published(*set, cell),
            },
        };
        vec![CatalogBundle { factors: rows.iter().enumerate().map(factor).collect(), ..CatalogBundle::default() }]
    };
    let import = |rows| world.catalog.import_catalog(&world.admin, bundle(rows), CatalogOptions::default());
    let both = [(id(2024, 1), "A2"), (id(2025, 1), "A2")];
    let faulty = [(id(2024, 1), "A9"), (Digest::of(b"no file"), "A2"), (id(2024, 1), "A4")];
    let outcome = import(&both).await.unwrap();
    assert_eq!((outcome.faults.len(), outcome.all().created), (0, 2));
    let again = import(&both).await.unwrap();
    assert_eq!((again.all().created, again.all().unchanged), (0, 2));
    let wrong = import(&faulty).await.unwrap();
    let pointer = |(place, faults): &(String, domain::Faults)| (place.clone(), faults.as_slice()[0].pointer.clone());
    let mut pointers: Vec<_> = wrong.faults.iter().map(pointer).collect();
    pointers.sort();
    let expected = [("line 0", "/cell"), ("line 1", "/set"), ("line 2", "/validFrom")];
    assert_eq!(pointers, expected.map(|(place, pointer)| (place.to_owned(), pointer.to_owned())), "{:?}", wrong.faults);
}
