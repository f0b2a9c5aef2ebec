//! Rules, regions and choices come back as they were written.

use domain::{
    Choice, Digest, Factor, FactorOrigin, FactorRule, GwpSet, Org, Product, PublishedUse, PublisherSets, SetPreference,
    YearRule,
};

use super::sample;
use super::tenant::Tenant;
use crate::store::Store;

/// A rule with everything a rule can have.
fn rule() -> FactorRule {
    let sets = PublisherSets::new(sample::name("Department; \"DROP\" \\ TABLE"))
        .with_title(Some(sample::name("Ü 東京")))
        .with_edition(Some(sample::name("2025 v1.1")))
        .with_year(Some(2025));
    let sets = vec![SetPreference::Set(Digest::of(b"a file")), SetPreference::Publisher(sets)];
    FactorRule::new(sets, sample::name("Diesel's \"best\""), sample::unit("L"))
        .expect("a rule")
        .with_path(vec![sample::name("Fuels"), sample::name("Liquid; fuels")])
        .with_usage(Some(PublishedUse::Direct))
        .with_region(Some(sample::name("US-RFCW")))
        .with_years(YearRule::NewestBefore)
        .with_gwp(Some(GwpSet::Ar6))
}

pub async fn rules_of_products_and_regions_of_orgs_come_back_and_are_cleared(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let ruled = sample::product(1).with_rule(Some(rule()));
    let added = tenant.add(ruled.clone()).await;
    assert_eq!(tenant.find::<Product>(ruled.id).await.map(|stored| stored.value), Some(ruled.clone()));
    tenant.update(ruled.clone().with_rule(None), added.version).await;
    assert_eq!(tenant.find::<Product>(ruled.id).await.and_then(|stored| stored.value.rule), None);
    let org = sample::org(1).with_region(Some(sample::name("GB")));
    let added = tenant.add(org.clone()).await;
    assert_eq!(tenant.find::<Org>(org.id).await.map(|stored| stored.value), Some(org.clone()));
    tenant.update(org.clone().with_region(None), added.version).await;
    assert_eq!(tenant.find::<Org>(org.id).await.and_then(|stored| stored.value.region), None);
}

pub async fn chosen_factors_stand_beside_each_other_with_the_reason(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let product = tenant.add(sample::product(1)).await.value;
    let published = sample::published_factor(1);
    let set = sample::factor_set(1);
    let sets = vec![SetPreference::Set(set.id)];
    let rule = FactorRule::new(sets, published.name.clone(), published.unit).expect("a rule");
    let product = Product::new(product.id, product.name, published.unit).with_rule(Some(rule.clone()));
    let choose = |region: &str| {
        let origin = FactorOrigin::new(set.clone(), published.clone());
        let data = rule.choose(&[origin], Some(&sample::name(region)), sample::day("2025-06-01")).expect("a choice");
        Factor::chosen(&product, data).expect("a factor")
    };
    // The same days, for orgs of two regions.
    for factor in [choose("GB"), choose("FR")] {
        tenant.add(factor.clone()).await;
        let found = tenant.find::<Factor>(factor.id()).await.expect("is there").value;
        assert_eq!(found, factor);
        let choice: &Choice = found.data().choice.as_deref().expect("a choice");
        assert_eq!(choice.considered.len(), 1);
    }
    // One that nothing uses may go, and is chosen again as the same.
    let stored = tenant.find::<Factor>(choose("FR").id()).await.expect("is there");
    tenant.remove(&stored).await;
    tenant.add(choose("FR")).await;
    assert!(tenant.find::<Factor>(choose("FR").id()).await.is_some());
}
