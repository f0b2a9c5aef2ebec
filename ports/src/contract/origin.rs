//! A factor that is a copy of a published one stands alone: the set, the gases and the rows are in its record.

use domain::{
    Canonical as _, Digest, Factor, FactorData, FactorOrigin, FactorSet, Gas, GasAmount, GasSplit, GwpSet, Name,
    Product, PublishedFactor, PublishedUse, Source, SourceRow,
};

use super::sample;
use super::tenant::Tenant;
use crate::store::Store;

/// A set whose names say what a store must not read into them.
fn set() -> FactorSet {
    let [file, publisher, title] = ["factors '24.xlsx", "Department; \"DROP\" \\ TABLE", "Ü 東京"].map(sample::name);
    let licence = Source::parse("Open Government Licence v3.0").expect("a licence");
    FactorSet::new(
        Digest::of(b"a file"),
        file,
        publisher,
        title,
        sample::name("2025"),
        licence,
        sample::day("2025-01-01"),
    )
    .with_valid_to(Some(sample::day("2026-01-01")))
    .with_gwp(Some(GwpSet::Ar5))
}

/// A factor with each kind of gas amount and rows of all sorts of cells, some of them long.
fn published() -> PublishedFactor {
    let name = |text: &str| Name::parse(text).expect("a name");
    let mass = |digits: &str| GasAmount::Mass(sample::quantity(digits).decimal());
    let amounts = [
        (Gas::CO2, mass("2.5")),
        (Gas::CH4_FOSSIL, mass("0.000000000000000001")),
        (Gas::N2O, GasAmount::Co2e(sample::quantity("0.00265").decimal())),
        (Gas::CO2_BIOGENIC, mass("0.1")),
    ];
    let cells =
        [("A", "it's \"so\" \\ %s $1"), ("\n", "\t\r\n\u{1f}"), ("", "\u{10ffff}é"), ("long", &"x".repeat(20_000))];
    let row =
        |row: u32| SourceRow { row, cells: cells.map(|(header, cell)| (header.to_owned(), cell.to_owned())).to_vec() };
    PublishedFactor::new(name("Sheet 'A'!B7"), name("Diesel"), sample::unit("kg"), PublishedUse::Direct)
        .with_path(vec![name("Fuels"), name("Liquid; fuels")])
        .with_gases(Some(GasSplit::new(GwpSet::Ar5, amounts).expect("gases")))
        .with_region(Some(name("GB")))
        .with_rows(vec![row(1), row(u32::MAX), SourceRow { row: 2, cells: Vec::new() }])
}

fn copy(number: u64, of: &Product) -> Factor {
    let data = FactorData::copied(FactorOrigin::new(set(), published()), Some(GwpSet::Ar6)).expect("a copy");
    Factor::new(sample::id(number), of, data).expect("a factor")
}

pub async fn a_copy_of_a_published_factor_comes_back_with_all_it_was_read_from(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await.value;
    let added = tenant.add(copy(1, &product)).await;
    let found = tenant.find::<Factor>(sample::id(1)).await.expect("is there");
    assert_eq!(found, added);
    assert_eq!(found.value.data().origin.as_deref(), Some(&FactorOrigin::new(set(), published())));
    assert_eq!(found.value.canonical(), copy(1, &product).canonical());

    let mut tx = tenant.read().await;
    let of_product = tx.factors().of_products(&[product.id]).await.expect("reads");
    assert_eq!(of_product, [found]);
}

pub async fn a_copy_keeps_its_origin_when_its_successor_closes_it(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await.value;
    let open = copy(1, &product).data().clone().with_valid_to(None);
    let open = Factor::new(sample::id(1), &product, open).expect("a factor");
    let added = tenant.add(open.clone()).await;
    let closed = open.data().clone().with_valid_to(Some(sample::day("2025-07-01")));
    let closed = Factor::new(sample::id(1), &product, closed).expect("a factor");
    tenant.update(closed.clone(), added.version).await;
    let correction = tenant.add(sample::correction(2, &product, &closed)).await.value;
    assert_eq!(tenant.find::<Factor>(sample::id(1)).await.map(|stored| stored.value), Some(closed));
    assert_eq!(correction.data().origin, open.data().origin);
    let without = correction.data().clone().with_origin(None);
    let without = Factor::new(sample::id(3), &product, without).expect("a factor");
    tenant.add(without.clone()).await;
    assert_eq!(tenant.find::<Factor>(sample::id(3)).await.map(|stored| stored.value), Some(without));
}
