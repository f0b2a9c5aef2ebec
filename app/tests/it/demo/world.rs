//! A tenant on a store in memory, for the demo to fill.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::{Scope, SyncId, Timestamp};
use memory::{MemoryDirectory, MemoryStore};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Activities as _, Footprints as _, Nodes, ReportQuery, ReportView, Switches as _};
use ports::repo::Page;
use ports::store::Store;
use ports::{Caller, Grant, Installation, Permissions, TenantId};
use tokio::sync::OnceCell;
use tonne::demo::{Demo, DemoError, UseCases, add_factors, fill};
use tonne::usecase::access::CredentialCache;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::catalog::CatalogService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::exclusion::ExclusionService;
use tonne::usecase::footprint::FootprintService;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::model::ModelService;
use tonne::usecase::partner::PartnerService;
use tonne::usecase::period::{GuardedStore, PeriodService};
use tonne::usecase::published::{Chooser, PublishedFactorService};
use tonne::usecase::read_model::ReadModels;
use tonne::usecase::switch::{SwitchService, SwitchViews};
use uuid::Uuid;

pub(super) const ALL: Page = Page { number: 1, size: 1_000 };

pub(super) const YEARS: [&str; 3] = ["2023", "2024", "2025"];

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

pub(crate) struct World {
    pub(super) admin: Caller,
    pub(super) store: Arc<dyn Store>,
    pub(super) catalog: CatalogService,
    pub(super) activities: ActivityService,
    pub(super) imports: ImportService,
    pub(super) models: ModelService,
    pub(super) switches: SwitchService,
    pub(super) footprints: FootprintService,
    pub(super) periods: PeriodService,
    pub(super) exclusions: ExclusionService,
    pub(super) partners: PartnerService,
    published: PublishedFactorService,
}

impl World {
    /// An empty one, its identifiers counted from `first`.
    pub(super) async fn empty(first: u64) -> Self {
        let ids: Arc<dyn Ids> = Arc::new(Counting(AtomicU64::new(first)));
        let store = Arc::new(MemoryStore::new(Arc::clone(&ids)));
        let tenant = TenantId::new(Uuid::from_u128(1));
        store.prepare(&Grant::for_maintenance(tenant, "test")).await.unwrap();
        let admin = Caller {
            tenant,
            actor: "test".to_owned(),
            permissions: Permissions::parse("admin").unwrap(),
            partner: None,
        };
        Self::on(store, admin, &ids)
    }

    /// That tenant of a store, as it is.
    pub(crate) fn on(store: Arc<dyn Store>, admin: Caller, ids: &Arc<dyn Ids>) -> Self {
        let store: Arc<dyn Store> = Arc::new(GuardedStore::new(store));
        let clock: Arc<dyn Clock> = Arc::new(Noon);
        let directory = Arc::new(MemoryDirectory::new(Arc::new(Noon)));
        let published = PublishedFactorService::new(directory.clone(), Arc::clone(&clock));
        let checkpoints = Arc::new(Checkpoints::new(Arc::clone(&store)));
        let read_models = Arc::new(ReadModels::new(64 << 20, checkpoints));
        let chooser = || Arc::new(published.chooser());
        macro_rules! service {
            ($name:ident $(, $more:ident: $value:expr)*) => {
                $name {
                    store: Arc::clone(&store),
                    clock: Arc::clone(&clock),
                    ids: Arc::clone(ids),
                    $($more: $value,)*
                }
            };
        }
        Self {
            admin,
            catalog: service!(CatalogService, sets: directory.clone()),
            activities: service!(ActivityService, read_models: Arc::clone(&read_models), lookups: Arc::default(), chooser: chooser()),
            imports: service!(ImportService, atomic_rows: 1_000, read_models: None, undo_tasks: UndoTasks::default(), chooser: chooser()),
            models: service!(ModelService),
            switches: service!(SwitchService, views: SwitchViews::default()),
            footprints: service!(FootprintService, marks: Arc::new(auth::HmacTextSigner::new(&[7; 32]).unwrap()), wake: Arc::default()),
            periods: service!(PeriodService, read_models: Arc::clone(&read_models), chooser: chooser()),
            exclusions: service!(ExclusionService),
            partners: service!(
                PartnerService,
                directory: directory.clone(),
                secrets: Arc::new(auth::RandomSecrets),
                sealer: Arc::new(auth::PartnerSecretSealer::new(&[7; 32]).unwrap()),
                cache: Arc::new(CredentialCache::new(Arc::default())),
                wake: Arc::default(),
                private_addresses: false
            ),
            store,
            published,
        }
    }

    pub(super) fn chooser(&self) -> Arc<Chooser> {
        Arc::new(self.published.chooser())
    }

    pub(crate) async fn fill(&self) -> Result<Demo, DemoError> {
        add_factors(&self.published, &Grant::for_maintenance(Installation, "test")).await.unwrap();
        let use_cases = UseCases {
            catalog: &self.catalog,
            activities: &self.activities,
            imports: &self.imports,
            models: &self.models,
            switches: &self.switches,
            footprints: &self.footprints,
            periods: &self.periods,
            exclusions: &self.exclusions,
            partners: &self.partners,
        };
        fill(use_cases, &self.admin).await
    }

    /// How many changes were committed.
    pub(super) async fn changes(&self) -> u64 {
        let grant = ports::permit(&self.admin, ports::demand::CATALOG_READ).unwrap();
        self.store.read(&grant).await.unwrap().head().await.unwrap().number
    }

    pub(super) async fn report(&self, date: &str) -> ReportView {
        let period = domain::Period::parse(date).unwrap();
        self.activities.report(&self.admin, ReportQuery { period, ..ReportQuery::default() }).await.unwrap()
    }

    /// The report of a node of the scope tree and those below it, over all years.
    pub(super) async fn scope(&self, code: &str) -> ReportView {
        let sync_id = SyncId::parse(&format!("demo-scope-{code}")).unwrap();
        let nodes = Nodes::<Scope>::list_nodes(&self.catalog, &self.admin, Some(sync_id), ALL).await.unwrap();
        let scope = Some(nodes.data[0].node.value.id.uuid());
        self.activities.report(&self.admin, ReportQuery { scope, ..ReportQuery::default() }).await.unwrap()
    }

    /// The figures of each year and scope, and the verdict on each footprint.
    pub(super) async fn figures(&self) -> String {
        let mut text = String::new();
        for year in YEARS {
            writeln!(text, "{year} {}", line(&self.report(year).await)).unwrap();
        }
        for code in ["1", "2", "3", "biogenic", "removals", "outside"] {
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
pub(super) async fn filled() -> &'static World {
    static FILLED: OnceCell<World> = OnceCell::const_new();
    FILLED
        .get_or_init(|| async {
            let world = World::empty(1).await;
            world.fill().await.unwrap();
            world
        })
        .await
}
