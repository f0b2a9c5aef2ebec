//! Which factor is chosen, and when: for an activity, a row of an import, another org.

use domain::{FactorRule, Incomplete, Intensity, PublishedUse, SyncId};
use ports::inbound::{
    Activities as _, ActivityDraft, Catalog as _, Error, FactorDraft, Field, ImportOptions, Imports as _, Outcome,
    ProductDraft, PublishedDraft, Recalculation, RecalculationOf, RecalculationStep, Reference, RowDraft,
};

use super::super::{day, factor, given, name, pointers, unit};
use super::{company, figure, rule, set_of};
use crate::published_sample::{edition, id};

#[tokio::test]
async fn the_rule_chooses_by_day_and_region_and_its_choice_becomes_the_products_factor_in_the_same_change() {
    let company = company().await;
    company.import_set(edition(2024, 1)).await;
    company.import_set(edition(2025, 2)).await;
    let before = company.world.changes().await;
    let written = company.add(company.below, "2025-03-01").await;
    assert_eq!((figure(&written).as_deref(), company.world.changes().await), (Some("22"), before + 1));
    let explained = company.explained(&written).await;
    assert_eq!(set_of(&explained), id(2025, 2));
    let cited = explained.explanation.factor.unwrap().factor;
    let told: Vec<String> = cited.data().choice.as_ref().unwrap().considered.iter().map(ToString::to_string).collect();
    let lost = "A ministry, 2024 v1, A2, GB: holds in other years";
    assert_eq!(told, ["A ministry, 2025 v2, A2, GB: chosen", lost]);
    // The same choice is the same factor, another year's is another.
    assert_eq!(company.add(company.below, "2025-12-31").await.activity.value.calculation.factor(), Some(cited.id()));
    assert_eq!(figure(&company.add(company.below, "2024-03-01").await).as_deref(), Some("21"));
    assert_eq!(company.factors().await, 2);
}

#[tokio::test]
async fn what_no_rule_matches_is_incomplete_with_what_was_looked_at_and_a_later_set_fills_it_in() {
    let company = company().await;
    company.import_set(edition(2024, 1)).await;
    let (nowhere, later) =
        (company.add(company.nowhere, "2024-03-01").await, company.add(company.below, "2025-03-01").await);
    for (view, why) in [(&nowhere, "holds in another region"), (&later, "holds in other years")] {
        assert_eq!(figure(view), None);
        assert_eq!(view.activity.value.calculation.reason(), Some(Incomplete::NoChoice));
        let told = company.explained(view).await.no_choice.unwrap().to_string();
        assert!(told.contains("A ministry, 2024 v1, A2, GB") && told.contains(why), "{told}");
    }
    company.import_set(edition(2025, 2)).await;
    let asked =
        Recalculation { of: RecalculationOf::Incomplete, step: RecalculationStep::Preview, ..Recalculation::default() };
    let preview = company.activities.recalculate(&company.world.admin, asked.clone()).await.unwrap();
    assert_eq!((preview.changed, company.factors().await), (1, 0));
    let confirmed = Recalculation { step: RecalculationStep::Write { confirm: preview.confirm }, ..asked };
    assert_eq!(company.activities.recalculate(&company.world.admin, confirmed).await.unwrap().changed, 1);
    let filled = company.activities.get(&company.world.admin, later.activity.value.id).await.unwrap();
    assert_eq!(figure(&filled).as_deref(), Some("22"));
}

#[tokio::test]
async fn a_later_edition_moves_nothing_that_is_computed() {
    let company = company().await;
    company.import_set(edition(2025, 1)).await;
    let first = company.add(company.below, "2025-03-01").await;
    company.import_set(edition(2025, 2)).await;
    let kept = company.activities.get(&company.world.admin, first.activity.value.id).await.unwrap();
    assert_eq!((figure(&kept).as_deref(), kept.outdated), (Some("21"), false));
    // A new one has the newer edition, and says that the other one was there.
    let second = company.add(company.below, "2025-03-01").await;
    assert_eq!(figure(&second).as_deref(), Some("22"));
    let renamed = ActivityDraft { name: given(name("Renamed")), ..ActivityDraft::default() };
    let id = first.activity.value.id;
    let renamed = company.activities.update(&company.world.admin, id, None, renamed).await.unwrap();
    assert_eq!(figure(&renamed).as_deref(), Some("21"));
}

#[tokio::test]
async fn another_org_is_another_choice_and_a_factor_of_its_own_comes_first() {
    let company = company().await;
    company.import_set(edition(2025, 1)).await;
    let view = company.add(company.below, "2025-03-01").await;
    let elsewhere = ActivityDraft { org: given(Reference::Id(company.nowhere.into())), ..ActivityDraft::default() };
    let id = view.activity.value.id;
    let moved = company.activities.update(&company.world.admin, id, None, elsewhere).await.unwrap();
    assert_eq!((figure(&moved), moved.activity.value.calculation.reason()), (None, Some(Incomplete::NoChoice)));
    let own = FactorDraft { unit: given(unit("kWh")), ..factor("0.5", "2025-01-01") };
    company.world.catalog.add_factor(&company.world.admin, company.grid, own).await.unwrap();
    assert_eq!(figure(&company.add(company.below, "2025-03-01").await).as_deref(), Some("50"));
}

#[tokio::test]
async fn a_factor_of_another_use_than_the_products_own_is_not_chosen_and_the_explanation_says_so() {
    let company = company().await;
    company.import_set(edition(2025, 1)).await;
    company.import_set(edition(2026, 2)).await;
    // Losses of the grid, which are of scope 3, category 3.
    let published = PublishedDraft { set: given(id(2025, 1).into()), cell: given(name("A4")) };
    let losses = FactorDraft { published: given(published), ..FactorDraft::default() };
    company.world.catalog.add_factor(&company.world.admin, company.grid, losses).await.unwrap();
    let view = company.add(company.below, "2026-03-01").await;
    assert_eq!((figure(&view), view.activity.value.calculation.reason()), (None, Some(Incomplete::NoChoice)));
    let told = company.explained(&view).await.no_choice.unwrap().to_string();
    assert!(told.contains("2026 v2, A2, GB: is of another use"), "{told}");
    assert_eq!(company.factors().await, 1);
}

#[tokio::test]
async fn imports_choose_once_for_all_rows_and_a_dry_run_writes_no_factor() {
    for outcome in [Outcome::Nothing, Outcome::KeepGood, Outcome::AllOrNothing] {
        let company = company().await;
        company.import_set(edition(2025, 1)).await;
        let options = ImportOptions { outcome, name: "meters.csv".to_owned(), ..ImportOptions::default() };
        let mut import = company.imports.begin(&company.world.admin, options).unwrap();
        for call in 0..3_u64 {
            let row = |line: u64| {
                let draft = ActivityDraft {
                    sync_id: given(SyncId::parse(&format!("m{line}")).unwrap()),
                    ..company.draft(company.below, "2025-03-01")
                };
                RowDraft { line, draft }
            };
            let outcome = import.rows((call * 50 + 2..call * 50 + 52).map(row).collect()).await.unwrap();
            assert_eq!((outcome.rejected, outcome.incomplete), (0, 0), "{outcome:?}");
        }
        import.finish().await.unwrap();
        assert_eq!(company.factors().await, u64::from(outcome != Outcome::Nothing), "{outcome:?}");
        let view = company.add(company.below, "2025-03-01").await;
        assert_eq!((figure(&view).as_deref(), company.factors().await), (Some("21"), 1));
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_rule_is_told_with_the_rest() {
    let company = company().await;
    let per_litre = FactorRule::new(rule("A").sets().to_vec(), name("Diesel"), unit("L")).unwrap();
    let draft = ProductDraft {
        unit: given(unit("kWh")),
        rule: given(per_litre.with_usage(Some(PublishedUse::Direct))),
        ..ProductDraft::default()
    };
    assert_eq!(
        pointers(company.world.catalog.add_product(&company.world.admin, draft).await),
        ["/name", "/factorRule/unit"]
    );
}

#[tokio::test]
async fn a_chosen_factor_is_not_corrected_but_its_rule_changed() {
    let company = company().await;
    company.import_set(edition(2025, 1)).await;
    let chosen = company.add(company.below, "2025-03-01").await.activity.value.calculation.factor().unwrap();
    let other = FactorDraft {
        unit: given(unit("kWh")),
        upstream: given(Intensity::parse("1").unwrap()),
        ..factor("1", "2025-01-01")
    };
    let refused = company.world.catalog.correct_factor(&company.world.admin, company.grid, chosen, other).await;
    let Err(Error::Invalid(faults)) = refused else { panic!("{refused:?}") };
    assert!(faults.to_string().contains("chosen by the product's rule"), "{faults}");
    let without = ProductDraft { rule: Field::Null, ..ProductDraft::default() };
    company.world.catalog.update_product(&company.world.admin, company.grid, None, without).await.unwrap();
    let none = company.add(company.below, "2025-03-01").await;
    assert_eq!(none.activity.value.calculation.reason(), Some(Incomplete::NoFactor));
    assert_eq!(day("2025-03-01"), none.activity.value.span.first());
}
