//! Searches by words look at a bounded number of records, and go on from where they ended.

use domain::{FactorId, ProductId};
use ports::inbound::{Catalog as _, FactorPlace, FactorSearch, Field, ProductDraft, ProductSearch, SearchWords};

use super::{World, day, factor, given, name, unit, world};

impl World {
    async fn called(&self, text: &str) -> ProductId {
        let draft = ProductDraft { name: given(name(text)), unit: given(unit("kg")), ..ProductDraft::default() };
        self.catalog.add_product(&self.admin, draft).await.unwrap().product.value.id
    }

    async fn factor_from(&self, product: ProductId, day: &str, source: &str) -> FactorId {
        let source = Field::Given(domain::Source::parse(source).unwrap());
        let draft = ports::inbound::FactorDraft { source, ..factor("2", day) };
        self.catalog.add_factor(&self.admin, product, draft).await.unwrap().factor.value.id()
    }

    /// All that is found, and how many were looked at in each part.
    async fn factors(&self, words: &str, limit: u32, look_at: u32) -> (Vec<FactorId>, Vec<u64>) {
        let (mut found, mut looked_at, mut after) = (Vec::new(), Vec::new(), None::<FactorPlace>);
        loop {
            let search = FactorSearch { words: SearchWords::of(words), after, limit, look_at };
            let part = self.catalog.search_factors(&self.admin, &search).await.unwrap();
            found.extend(part.data.iter().map(|one| one.factor.value.id()));
            looked_at.push(part.looked_at);
            match part.end {
                Some(end) => after = Some(end),
                None => return (found, looked_at),
            }
        }
    }
}

#[tokio::test]
async fn products_are_looked_at_so_many_at_once_whether_they_have_the_words_or_not() {
    let world = world().await;
    for number in 0..7 {
        world.called(&format!("Part {number}")).await;
    }
    let last = world.called("Whole").await;
    let (mut after, mut parts) = (None, Vec::new());
    loop {
        let search = ProductSearch { words: SearchWords::of("whole"), after, limit: 100, look_at: 3 };
        let found = world.catalog.search_products(&world.admin, &search).await.unwrap();
        parts.push((found.data.iter().map(|view| view.product.value.id).collect::<Vec<_>>(), found.looked_at));
        match found.end {
            Some(end) => after = Some(end),
            None => break,
        }
    }
    assert_eq!(parts, [(vec![], 3), (vec![], 3), (vec![last], 2)]);
}

#[tokio::test]
async fn a_factor_is_found_by_words_of_its_product_its_source_and_its_days_or_by_its_id() {
    let world = world().await;
    let (diesel, petrol) = (world.called("Diesel").await, world.called("Petrol").await);
    let old = world.factor_from(diesel, "2019-01-01", "Ministry table").await;
    let new = world.factor_from(diesel, "2020-01-01", "Supplier").await;
    let other = world.factor_from(petrol, "2019-01-01", "Ministry table").await;
    for (words, found) in [
        ("diesel", vec![new, old]),
        ("DIESEL ministry", vec![old]),
        ("diesel 2020-01", vec![new, old]),
        ("diesel supplier 2020-01", vec![new]),
        ("el ministry", vec![old]),
        ("ministry", vec![]),
        ("diesel petrol", vec![]),
        ("", vec![new, old, other]),
    ] {
        assert_eq!(world.factors(words, 100, 20_000).await.0, found, "{words}");
    }
    let (found, looked_at) = world.factors(&other.to_string(), 100, 20_000).await;
    assert_eq!((found, looked_at), (vec![other], vec![1]), "by one look-up");
}

#[tokio::test]
async fn many_factors_of_one_product_are_found_part_by_part_each_once() {
    let world = world().await;
    world.called("Diesel").await;
    let power = world.called("Power").await;
    let mut all = Vec::new();
    let mut first = day("2024-01-01");
    for _ in 0..130 {
        all.push(world.factor_from(power, &first.to_string(), "Exchange").await);
        first = first.next();
    }
    world.called("Power to heat").await;
    all.reverse();
    let (found, looked_at) = world.factors("power", 40, 20_000).await;
    assert_eq!(found, all);
    assert!(looked_at.len() >= 3, "{looked_at:?}");
    let (found, looked_at) = world.factors("power", 1_000, 60).await;
    assert_eq!(found, all);
    assert!(looked_at.len() >= 3 && looked_at.iter().all(|count| *count <= 130), "{looked_at:?}");
}
