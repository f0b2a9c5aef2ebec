//! The demo's books: the same figures from every filling, pinned as text.

pub(crate) mod filled;
mod printed;
pub(crate) mod running;

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::{Org, Scope, SyncId, Taxonomy, Timestamp};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{
    Activities as _, ActivityDraft, Catalog as _, Error, Explanations as _, Field, Footprints as _, Imports as _,
    Models as _, Nodes, ReportQuery, ReportView, Switches as _, UndoPatience,
};
use ports::repo::Page;
use ports::store::Store;
use ports::{Caller, Permissions, TenantId};
use tokio::sync::OnceCell;
use tonne::demo::{Demo, DemoError, UseCases, fill};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::catalog::CatalogService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::explanation::ExplanationService;
use tonne::usecase::footprint::FootprintService;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::model::ModelService;
use tonne::usecase::published::Chooser;
use tonne::usecase::read_model::ReadModels;
use tonne::usecase::switch::{SwitchService, SwitchViews};
use uuid::Uuid;

const ALL: Page = Page { number: 1, size: 1_000 };

const YEARS: [&str; 3] = ["2023", "2024", "2025"];

const FIGURES: &str = r#"2023 6857 activities, 36 incomplete: 8978940.9777473 kg, uncategorized 1500.812796, biogenic 286018.72372, credits -173142.612, outside 0
2024 6881 activities, 12 incomplete: 8824450.7699389 kg, uncategorized 1460.0607, biogenic 314597.246816, credits -169730.28, outside 0
2025 6857 activities, 12 incomplete: 8508657.7914064 kg, uncategorized 1399.917792, biogenic 320685.72376, credits -180233.172, outside 0
1 1400 activities, 0 incomplete: 2473249.2400943 kg, uncategorized 0, biogenic 0, credits 0, outside 0
2 864 activities, 0 incomplete: 2913623.524397 kg, uncategorized 0, biogenic 0, credits 0, outside 0
3 18211 activities, 60 incomplete: 20925176.7746013 kg, uncategorized 0, biogenic 0, credits 0, outside 0
biogenic 36 activities, 0 incomplete: 0 kg, uncategorized 0, biogenic 921301.694296, credits 0, outside 0
removals 12 activities, 0 incomplete: 0 kg, uncategorized 0, biogenic 0, credits -523106.064, outside 0
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
"#;

/// Noon of 1 June 2026, always.
struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp::parse("2026-06-01T12:00:00.000Z").unwrap()
    }
}

/// Counts up from a number of its own.
struct Counting(AtomicU64);

impl Ids for Counting {
    fn next(&self, _: Timestamp) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed)))
    }

    fn random(&self) -> Uuid {
        let number = u128::from(self.0.fetch_add(1, Ordering::Relaxed));
        uuid::Builder::from_random_bytes(number.to_be_bytes()).into_uuid()
    }
}

/// A tenant on a store in memory.
struct World {
    admin: Caller,
    store: Arc<dyn Store>,
    catalog: CatalogService,
    activities: ActivityService,
    imports: ImportService,
    models: ModelService,
    switches: SwitchService,
    footprints: FootprintService,
}

/// What chooses among no sets at all.
fn chooser() -> Arc<Chooser> {
    Arc::new(Chooser::new(Arc::new(memory::MemoryDirectory::new(Arc::new(Noon)))))
}

impl World {
    /// An empty one, its identifiers counted from `first`.
    async fn empty(first: u64) -> Self {
        let ids: Arc<dyn Ids> = Arc::new(Counting(AtomicU64::new(first)));
        let store: Arc<dyn Store> = Arc::new(memory::MemoryStore::new(Arc::clone(&ids)));
        let clock: Arc<dyn Clock> = Arc::new(Noon);
        let tenant = TenantId::new(Uuid::from_u128(1));
        store.prepare(&ports::Grant::for_maintenance(tenant, "test")).await.unwrap();
        macro_rules! service {
            ($name:ident $(, $more:ident: $value:expr)*) => {
                $name {
                    store: Arc::clone(&store),
                    clock: Arc::clone(&clock),
                    ids: Arc::clone(&ids),
                    $($more: $value,)*
                }
            };
        }
        Self {
            admin: Caller {
                tenant,
                actor: "test".to_owned(),
                permissions: Permissions::parse("admin").unwrap(),
                partner: None,
            },
            catalog: service!(CatalogService, sets: Arc::new(memory::MemoryDirectory::new(Arc::new(Noon)))),
            activities: service!(ActivityService, read_models: Arc::new(ReadModels::new(64 << 20, Arc::new(Checkpoints::new(Arc::clone(&store))))), lookups: Arc::default(), chooser: chooser()),
            imports: service!(ImportService, atomic_rows: 1_000, read_models: None, undo_tasks: UndoTasks::default(), chooser: chooser()),
            models: service!(ModelService),
            switches: service!(SwitchService, views: SwitchViews::default()),
            footprints: service!(FootprintService, marks: Arc::new(auth::HmacTextSigner::new(&[7; 32]).unwrap()), wake: Arc::default()),
            store,
        }
    }

    async fn fill(&self) -> Result<Demo, DemoError> {
        let use_cases = UseCases {
            catalog: &self.catalog,
            activities: &self.activities,
            imports: &self.imports,
            models: &self.models,
            switches: &self.switches,
            footprints: &self.footprints,
        };
        fill(use_cases, &self.admin).await
    }

    /// How many changes were committed.
    async fn changes(&self) -> u64 {
        let grant = ports::permit(&self.admin, ports::demand::CATALOG_READ).unwrap();
        self.store.read(&grant).await.unwrap().head().await.unwrap().number
    }

    async fn report(&self, date: &str) -> ReportView {
        let period = domain::Period::parse(date).unwrap();
        self.activities.report(&self.admin, ReportQuery { period, ..ReportQuery::default() }).await.unwrap()
    }

    /// The report of a node of the scope tree and those below it, over all years.
    async fn scope(&self, code: &str) -> ReportView {
        let sync_id = SyncId::parse(&format!("demo-scope-{code}")).unwrap();
        let nodes = Nodes::<Scope>::list_nodes(&self.catalog, &self.admin, Some(sync_id), ALL).await.unwrap();
        let scope = Some(nodes.data[0].node.value.id.uuid());
        self.activities.report(&self.admin, ReportQuery { scope, ..ReportQuery::default() }).await.unwrap()
    }

    /// The figures of each year and scope, and the verdict on each footprint.
    async fn figures(&self) -> String {
        let mut text = String::new();
        for year in YEARS {
            writeln!(text, "{year} {}", line(&self.report(year).await)).unwrap();
        }
        for code in ["1", "2", "3", "biogenic", "removals"] {
            writeln!(text, "{code} {}", line(&self.scope(code).await)).unwrap();
        }
        for view in self.switches.list(&self.admin, None, ALL).await.unwrap().data {
            let footprint = view.footprint.product_carbon_footprint;
            let footprint = footprint.map_or_else(|| "-".to_owned(), |total| total.to_string());
            writeln!(text, "{} {footprint}", view.switch.value.name).unwrap();
        }
        for view in self.footprints.list(&self.admin, ALL).await.unwrap().data {
            let fields = &view.footprint.value.fields;
            let broken: Vec<_> = view.violations.iter().map(|broken| broken.rule.name()).collect();
            let (name, version) = (fields.text("productDescription"), fields.text("specVersion"));
            writeln!(text, "{}, PACT {} {broken:?}", name.unwrap(), version.unwrap()).unwrap();
        }
        text
    }
}

fn line(report: &ReportView) -> String {
    format!(
        "{} activities, {} incomplete: {} kg, uncategorized {}, biogenic {}, credits {}, outside {}",
        report.count,
        report.incomplete,
        report.co2e,
        report.uncategorized,
        report.biogenic,
        report.credits,
        report.outside
    )
}

/// A filled world that nobody changes.
async fn filled() -> &'static World {
    static FILLED: OnceCell<World> = OnceCell::const_new();
    FILLED
        .get_or_init(|| async {
            let world = World::empty(1).await;
            world.fill().await.unwrap();
            world
        })
        .await
}

#[tokio::test]
async fn the_figures_are_known() {
    assert_eq!(filled().await.figures().await, FIGURES);
}

#[tokio::test]
async fn every_figure_is_what_its_explanation_comes_to() {
    let world = filled().await;
    let explanations = ExplanationService { store: Arc::clone(&world.store), chooser: chooser() };
    let mut wrong = Vec::new();
    let checked = explanations.check(&world.admin, &mut |figure| wrong.push(figure)).await.unwrap();
    assert_eq!(wrong, []);
    assert_eq!(checked.wrong, 0);
    assert_eq!((checked.activities, checked.incomplete), (20_535, 60));
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
    assert_eq!(imports.len(), 3);
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
    assert_eq!(Nodes::<Scope>::list_nodes(&world.catalog, &world.admin, None, ALL).await.unwrap().count, 20);
    assert_eq!(Nodes::<Taxonomy>::list_nodes(&world.catalog, &world.admin, None, ALL).await.unwrap().count, 34);
    assert_eq!(world.catalog.list_products(&world.admin, None, ALL).await.unwrap().count, 54);
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
