//! A product's rule chooses a published factor for an activity, by its day and its org's region.

use std::sync::Arc;

use domain::{
    Digest, FactorRule, Incomplete, Intensity, OrgId, ProductId, PublishedUse, PublisherSets, ScopeKind, SetPreference,
    SyncId,
};
use ports::factor_sets::{FactorSets as _, NewFactorSet};
use ports::inbound::{
    Activities as _, ActivityDraft, ActivityView, Catalog as _, Cause, ClassDraft, Error, ExplanationView,
    Explanations as _, FactorDraft, Field, ImportOptions, Imports as _, NodeDraft, Nodes, Outcome, ProductDraft,
    PublishedDraft, Recalculated, Recalculation, RecalculationOf, RecalculationStep, Reference, RegionDraft, RowDraft,
};
use ports::repo::Page;
use ports::{Grant, Installation};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::explanation::ExplanationService;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::published::Chooser;
use tonne::usecase::read_model::ReadModels;

use super::{Counting, Noon, World, day, factor, given, name, pointers, quantity, unit, world};
use crate::published_sample::{edition, id};

/// A company with an org in GB, one below it, and one without a region; a product whose rule is the ministry's electricity.
struct Company {
    world: World,
    activities: ActivityService,
    imports: ImportService,
    explanations: ExplanationService,
    below: OrgId,
    nowhere: OrgId,
    grid: ProductId,
}

fn rule(publisher: &str) -> FactorRule {
    let sets = vec![SetPreference::Publisher(PublisherSets::new(name(publisher)))];
    FactorRule::new(sets, name("grid electricity"), unit("kWh")).unwrap()
}

async fn org(world: &World, called: &str, region: &str, parent: Option<OrgId>) -> OrgId {
    let region = if region.is_empty() { Field::Absent } else { given(name(region)) };
    let draft = NodeDraft {
        name: given(name(called)),
        parent: parent.map_or(Field::Absent, |parent| given(Reference::Id(parent.into()))),
        detail: RegionDraft { region },
        ..NodeDraft::default()
    };
    Nodes::<domain::Org>::add_node(&world.catalog, &world.admin, draft).await.unwrap().node.value.id
}

async fn company() -> Company {
    let world = world().await;
    let group = org(&world, "Group", "GB", None).await;
    let (below, nowhere) = (org(&world, "Mill", "", Some(group)).await, org(&world, "Depot", "", None).await);
    let draft = ProductDraft {
        name: given(name("Power")),
        unit: given(unit("kWh")),
        rule: given(rule("A ministry")),
        ..ProductDraft::default()
    };
    let grid = world.catalog.add_product(&world.admin, draft).await.unwrap().product.value.id;
    let chooser = Arc::new(Chooser::new(world.sets.clone()));
    let store = || Arc::clone(&world.store);
    let ids = |from: u64| Arc::new(Counting(std::sync::atomic::AtomicU64::new(from)));
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(store()))));
    let activities = ActivityService {
        store: store(),
        read_models,
        clock: Arc::new(Noon),
        ids: ids(1 << 32),
        lookups: Arc::default(),
        chooser: Arc::clone(&chooser),
    };
    let imports = ImportService {
        store: store(),
        clock: Arc::new(Noon),
        ids: ids(1 << 33),
        atomic_rows: 1_000,
        read_models: None,
        undo_tasks: UndoTasks::default(),
        chooser: Arc::clone(&chooser),
    };
    let explanations = ExplanationService { store: store(), chooser };
    Company { world, activities, imports, explanations, below, nowhere, grid }
}

impl Company {
    async fn import_set(&self, set: NewFactorSet) {
        self.world.sets.add_set(&Grant::for_maintenance(Installation, "test"), set).await.unwrap();
    }

    fn draft(&self, org: OrgId, on: &str) -> ActivityDraft {
        ActivityDraft {
            name: given(name("Meter")),
            start: given(domain::Moment::parse_start(on).unwrap()),
            product: given(Reference::Id(self.grid.into())),
            org: given(Reference::Id(org.into())),
            quantity: given(quantity("100")),
            unit: given(unit("kWh")),
            ..ActivityDraft::default()
        }
    }

    async fn add(&self, org: OrgId, on: &str) -> ActivityView {
        self.activities.add(&self.world.admin, self.draft(org, on)).await.unwrap()
    }

    async fn explained(&self, activity: &ActivityView) -> ExplanationView {
        self.explanations.activity(&self.world.admin, activity.activity.value.id).await.unwrap()
    }

    /// How many factors the product has.
    async fn factors(&self) -> u64 {
        self.world.catalog.list_factors(&self.world.admin, self.grid, Page::FIRST).await.unwrap().count
    }
}

fn figure(view: &ActivityView) -> Option<String> {
    view.activity.value.co2e().map(|co2e| co2e.to_string())
}

/// The set of the factor that the figure was computed with.
fn set_of(view: &ExplanationView) -> Digest {
    view.explanation.factor.as_ref().unwrap().factor.data().origin.as_ref().unwrap().set.id
}

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

/// A product with the published factor of that cell of 2025, and an activity of it in a node of that kind (empty: none).
async fn counted(company: &Company, cell: &str, code: &str, kind: Option<ScopeKind>) -> Result<ActivityView, Error> {
    let Company { world, activities, .. } = company;
    let draft = ProductDraft { name: given(name(cell)), unit: given(unit(code)), ..ProductDraft::default() };
    let product = world.catalog.add_product(&world.admin, draft).await.unwrap().product.value.id;
    let published = PublishedDraft { set: given(id(2025, 1).into()), cell: given(name(cell)) };
    let factor = FactorDraft { published: given(published), ..FactorDraft::default() };
    world.catalog.add_factor(&world.admin, product, factor).await.unwrap();
    let scope = match kind {
        Some(kind) => {
            let detail = ClassDraft { kind: given(kind), category: Field::Absent };
            let draft = NodeDraft { name: given(name(kind.as_str())), detail, ..NodeDraft::default() };
            let node = Nodes::<domain::Scope>::add_node(&world.catalog, &world.admin, draft).await.unwrap();
            given(Reference::Id(node.node.value.id.into()))
        }
        None => Field::Absent,
    };
    let draft = ActivityDraft {
        product: given(Reference::Id(product.into())),
        unit: given(unit(code)),
        scope,
        ..company.draft(company.below, "2025-03-01")
    };
    activities.add(&world.admin, draft).await
}

#[tokio::test]
async fn emissions_before_the_use_are_told_of_in_scopes_1_and_2_and_those_of_no_scope_are_refused_in_any() {
    let company = company().await;
    company.import_set(edition(2025, 1)).await;
    for (cell, code, kind, is_told) in [
        ("A3", "L", Some(ScopeKind::Scope1), true),
        ("A4", "kWh", Some(ScopeKind::Scope2), true),
        ("A3", "L", Some(ScopeKind::Scope3), false),
        ("A1", "L", Some(ScopeKind::Scope1), false),
        ("A3", "L", None, false),
    ] {
        let view = counted(&company, cell, code, kind).await.unwrap();
        assert_eq!(view.warnings.len(), usize::from(is_told), "{cell} {kind:?}: {:?}", view.warnings);
        assert!(view.warnings.iter().all(|told| told.contains("scope 3, category 3")));
    }
    for kind in [Some(ScopeKind::Scope1), Some(ScopeKind::Scope3), Some(ScopeKind::Credit), None] {
        assert_eq!(pointers(counted(&company, "A5", "kg", kind).await), ["/scope"], "{kind:?}");
    }
    for kind in [ScopeKind::Biogenic, ScopeKind::Outside] {
        assert_eq!(figure(&counted(&company, "A5", "kg", Some(kind)).await.unwrap()).as_deref(), Some("160"));
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
