//! A product's rule chooses a published factor for an activity, by its day and its org's region.

mod chosen;
mod counted;
mod recalculated;

use std::sync::Arc;

use domain::{Digest, FactorRule, OrgId, ProductId, PublisherSets, SetPreference};
use ports::factor_sets::{FactorSets as _, NewFactorSet};
use ports::inbound::{
    Activities as _, ActivityDraft, ActivityView, Catalog as _, ExplanationView, Explanations as _, Field, NodeDraft,
    Nodes, ProductDraft, Reference, RegionDraft,
};
use ports::repo::Page;
use ports::{Grant, Installation};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::explanation::ExplanationService;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::published::Chooser;
use tonne::usecase::read_model::ReadModels;

use super::{Counting, Noon, World, given, name, quantity, unit, world};

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
