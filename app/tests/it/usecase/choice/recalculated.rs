//! What is outdated by another rule or region, and chosen anew by a recalculation.

use domain::{FactorRule, PublisherSets, SetPreference};
use ports::inbound::{
    Activities as _, Catalog as _, Cause, NodeDraft, Nodes, ProductDraft, Recalculated, Recalculation, RecalculationOf,
    RecalculationStep, RegionDraft,
};

use super::super::{given, name, unit};
use super::{Company, company, figure};
use crate::published_sample::edition;

/// The outdated activities as a preview has them, and what confirming it wrote.
async fn recalculated(company: &Company) -> (Recalculated, Recalculated) {
    let asked =
        Recalculation { of: RecalculationOf::Outdated, step: RecalculationStep::Preview, ..Recalculation::default() };
    let preview = company.activities.recalculate(&company.world.admin, asked.clone()).await.unwrap();
    let confirm = preview.confirm.clone();
    let confirmed = Recalculation { step: RecalculationStep::Write { confirm }, ..asked };
    (preview, company.activities.recalculate(&company.world.admin, confirmed).await.unwrap())
}

#[tokio::test]
async fn another_rule_and_another_region_make_outdated_and_a_recalculation_is_previewed_by_these_causes() {
    let company = company().await;
    let admin = &company.world.admin;
    company.import_set(edition(2025, 1)).await;
    company.import_set(edition(2025, 2)).await;
    let of_edition = |called: &str| {
        let sets = PublisherSets::new(name("A ministry")).with_edition(Some(name(called)));
        FactorRule::new(vec![SetPreference::Publisher(sets)], name("grid electricity"), unit("kWh")).unwrap()
    };
    let by = async |rule: FactorRule| {
        let draft = ProductDraft { rule: given(rule), ..ProductDraft::default() };
        company.world.catalog.update_product(admin, company.grid, None, draft).await.unwrap();
    };
    let in_region = async |region: &str| {
        let draft = NodeDraft { detail: RegionDraft { region: given(name(region)) }, ..NodeDraft::default() };
        Nodes::<domain::Org>::update_node(&company.world.catalog, admin, company.below, None, draft).await.unwrap();
    };
    by(of_edition("2025 v1")).await;
    let id = company.add(company.below, "2025-03-01").await.activity.value.id;
    let seen = async || {
        let view = company.activities.get(admin, id).await.unwrap();
        (figure(&view).unwrap(), view.outdated)
    };
    assert_eq!(seen().await, ("21".to_owned(), false));

    by(of_edition("2025 v2")).await;
    assert_eq!(seen().await, ("21".to_owned(), true), "nothing moves by itself");
    let (preview, written) = recalculated(&company).await;
    assert_eq!((preview.activities, preview.changed, preview.groups[0].cause), (1, 1, Cause::Rule));
    assert_eq!((written.changed, seen().await), (1, ("22".to_owned(), false)));

    in_region("UK").await;
    assert_eq!(seen().await, ("22".to_owned(), true));
    let (preview, written) = recalculated(&company).await;
    assert_eq!((preview.changed, preview.groups[0].cause), (1, Cause::Structure));
    assert_eq!((written.changed, seen().await), (1, ("22".to_owned(), false)));

    in_region("US").await;
    let (preview, written) = recalculated(&company).await;
    assert_eq!((preview.activities, preview.changed, preview.failures), (1, 0, 1));
    assert!(preview.failed[0].1.starts_with("its CO2e is outdated and stays as it is"), "{:?}", preview.failed);
    assert_eq!((written.changed, seen().await), (0, ("22".to_owned(), true)));
    in_region("UK").await;
    assert_eq!(recalculated(&company).await.0.activities, 0);
}
