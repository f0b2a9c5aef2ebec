//! The demo's books: the same figures from every filling, pinned as text.

mod features;
pub(crate) mod filled;
mod printed;
pub(crate) mod running;
pub(crate) mod world;

use std::sync::Arc;

use domain::{Org, Scope, Taxonomy};
use ports::Permissions;
use ports::inbound::{
    Activities as _, ActivityDraft, Catalog as _, Error, Explanations as _, Field, Imports as _, Models as _, Nodes,
    Periods as _, ReopenDraft, ReportQuery, Switches as _, UndoPatience,
};
use tonne::demo::{Demo, DemoError};
use tonne::usecase::explanation::ExplanationService;

use world::{ALL, World, YEARS, filled};

const FIGURES: &str = r#"2023 6873 activities, 36 incomplete: 8985924.0181923 kg, uncategorized 1500.812796, biogenic 286018.72372, credits -173142.612, outside 1544.29
2024 6894 activities, 12 incomplete: 8827041.8868039 kg, uncategorized 1460.0607, biogenic 314597.246816, credits -169730.28, outside 1294.09
2025 6892 activities, 12 incomplete: 8512584.6967785 kg, uncategorized 1399.917792, biogenic 320685.72376, credits -180233.172, outside 1469.23
1 1435 activities, 0 incomplete: 2478569.0257724 kg, uncategorized 0, biogenic 0, credits 0, outside 0
2 888 activities, 0 incomplete: 2917778.910707 kg, uncategorized 0, biogenic 0, credits 0, outside 0
3 18213 activities, 60 incomplete: 20929202.6652953 kg, uncategorized 0, biogenic 0, credits 0, outside 0
biogenic 36 activities, 0 incomplete: 0 kg, uncategorized 0, biogenic 921301.694296, credits 0, outside 0
removals 12 activities, 0 incomplete: 0 kg, uncategorized 0, biogenic 0, credits -523106.064, outside 0
outside 3 activities, 0 incomplete: 0 kg, uncategorized 0, biogenic 0, credits 0, outside 4307.61
Heron city bicycle 75.305612222222222222
Swift e-bike 215.017090555555555556
Otter cargo bike 268.67171
Wren children's bicycle 34.88272
Commuter set: Swift e-bike with panniers 219.747792555555555556
Kingfisher tandem, still being designed -
Heron city bicycle, as sold in 2023, PACT 2.3.0 []
Heron city bicycle, as sold in 2024, PACT 2.3.0 []
Wren children's bicycle, as sold in 2024, PACT 2.3.0 []
Otter cargo bike, as sold in 2024, PACT 2.3.0 []
Pair of panniers, as sold in 2024, PACT 2.3.0 []
Heron frame, painted, as sold in 2024, PACT 2.3.0 []
Swift e-bike, as sold in 2024, PACT 3.0.0 []
Otter cargo bike, as sold in 2025, PACT 3.0.0 []
Heron city bicycle, as sold in 2025, PACT 3.0.0 []
Cargo box of larch, as sold in 2025, PACT 3.0.0 []
Kingfisher tandem, as sold in 2024, PACT 2.3.0 ["reference-period-order"]
Swift e-bike, low step, as sold in 2025, PACT 3.0.0 ["packaging-excluded"]
Swift e-bike, computed from its model, PACT 3.0.0 []
"#;

#[tokio::test]
async fn the_figures_are_known() {
    assert_eq!(filled().await.figures().await, FIGURES);
}

#[tokio::test]
async fn every_figure_is_what_its_explanation_comes_to() {
    let world = filled().await;
    let explanations = ExplanationService { store: Arc::clone(&world.store), chooser: world.chooser() };
    let mut wrong = Vec::new();
    let checked = explanations.check(&world.admin, &mut |figure| wrong.push(figure)).await.unwrap();
    assert_eq!(wrong, []);
    assert_eq!(checked.wrong, 0);
    assert_eq!((checked.activities, checked.incomplete), (20_599, 60));
    assert!(checked.inputs > 50, "{checked:?}");
    for switch in world.switches.list(&world.admin, None, ALL).await.unwrap().data {
        let view = explanations.switch(&world.admin, switch.switch.value.id).await.unwrap();
        assert!(view.composition.holds(), "{:?}", view.composition);
        assert_eq!(view.composition.figures[0].1, switch.footprint.product_carbon_footprint);
    }
}

#[tokio::test]
async fn two_fillings_of_two_stores_give_the_same_figures() {
    let other = World::empty(1_000_000).await;
    other.fill().await.unwrap();
    assert_eq!(other.figures().await, filled().await.figures().await);
}

#[tokio::test]
async fn a_second_filling_of_a_store_changes_nothing() {
    let world = World::empty(1).await;
    let first = world.fill().await.unwrap();
    let changes = world.changes().await;
    assert_eq!(world.fill().await.unwrap(), first);
    assert_eq!(world.changes().await, changes);
}

#[tokio::test]
async fn a_filling_after_all_imports_were_undone_leaves_them_so() {
    let world = World::empty(1).await;
    let first = world.fill().await.unwrap();
    assert!(first.activity.is_some());
    let imports = world.imports.list(&world.admin, ALL).await.unwrap().data;
    assert_eq!(imports.len(), 4);
    let books = imports.iter().find(|batch| batch.name == "Books of 2024").unwrap().id;
    let refused = world.imports.undo(&world.admin, books, UndoPatience::Whole).await;
    assert!(matches!(refused, Err(Error::PeriodClosed(_))), "the base year is closed: {refused:?}");
    for view in world.periods.list(&world.admin, ALL).await.unwrap().data {
        if view.period.value.is_closed() {
            let reason = Field::Given(domain::Reason::parse("To take all back.").unwrap());
            let draft = ReopenDraft { reason, ..ReopenDraft::default() };
            world.periods.reopen(&world.admin, view.period.value.id, draft).await.unwrap();
        }
    }
    for batch in imports {
        world.imports.undo(&world.admin, batch.id, UndoPatience::Whole).await.unwrap();
    }
    let changes = world.changes().await;
    assert_eq!(world.fill().await.unwrap(), Demo { activities: 0, activity: None, ..first });
    assert_eq!(world.changes().await, changes);
}

#[tokio::test]
async fn there_is_enough_of_everything() {
    let world = filled().await;
    let orgs = Nodes::<Org>::list_nodes(&world.catalog, &world.admin, None, ALL).await.unwrap();
    let parent = |id| orgs.data.iter().find(|org| org.node.value.id == id).and_then(|org| org.node.value.parent);
    let third_level = orgs.data.iter().filter(|org| org.node.value.parent.and_then(parent).is_some());
    assert_eq!((orgs.count, third_level.count()), (22, 17));
    assert_eq!(Nodes::<Scope>::list_nodes(&world.catalog, &world.admin, None, ALL).await.unwrap().count, 21);
    assert_eq!(Nodes::<Taxonomy>::list_nodes(&world.catalog, &world.admin, None, ALL).await.unwrap().count, 34);
    assert_eq!(world.catalog.list_products(&world.admin, None, ALL).await.unwrap().count, 56);
    assert_eq!(world.models.list(&world.admin, None, ALL).await.unwrap().count, 5);
    let all = world.activities.report(&world.admin, ReportQuery::default()).await.unwrap();
    assert!((19_000..=22_000).contains(&all.count), "{}", all.count);
}

#[tokio::test]
async fn every_category_of_scope_3_is_used_every_year() {
    for year in YEARS {
        let report = filled().await.report(year).await;
        for category in 1..=15 {
            let prefix = format!("3.{category} ");
            assert!(report.scopes.iter().any(|scope| scope.name.as_str().starts_with(&prefix)), "{prefix}in {year}");
        }
    }
}

#[tokio::test]
async fn the_months_add_up_to_the_years() {
    for year in YEARS {
        let whole = filled().await.report(year).await;
        let (mut count, mut co2e) = (0, domain::Total::default());
        for month in 1..=12 {
            let part = filled().await.report(&format!("{year}-{month:02}")).await;
            count += part.count;
            co2e = [co2e, part.co2e].into_iter().sum();
        }
        assert_eq!((count, co2e), (whole.count, whole.co2e));
    }
}

#[tokio::test]
async fn removals_are_negative_and_apart_from_the_scopes() {
    let report = filled().await.scope("removals").await;
    assert!(report.credits.to_string().starts_with('-'), "{}", report.credits);
    assert_eq!(report.co2e.to_string(), "0");
}

#[tokio::test]
async fn the_books_of_somebody_else_are_left_alone() {
    let world = World::empty(1).await;
    let draft = ActivityDraft {
        name: Field::Given(domain::Name::parse("Milk").unwrap()),
        start: Field::Given(domain::Moment::parse_start("2025-01-01").unwrap()),
        ..ActivityDraft::default()
    };
    world.activities.add(&world.admin, draft).await.unwrap();
    let changes = world.changes().await;
    assert!(matches!(world.fill().await, Err(DemoError::Occupied)));
    assert_eq!(world.changes().await, changes);
}

#[tokio::test]
async fn filling_needs_the_permission() {
    let mut world = World::empty(1).await;
    world.admin.permissions = Permissions::parse("catalog:write").unwrap();
    assert!(matches!(world.fill().await, Err(DemoError::Refused(Error::Denied(_)))));
}
