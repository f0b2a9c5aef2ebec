//! The use cases on a store in memory, with a clock that stands still and identifiers that count.

mod catalog;
mod choice;
mod completeness;
mod footprint;
mod footprint_walk;
mod import;
mod import_nodes;
mod import_room;
mod meddled;
mod model;
mod once;
mod origin;
mod outbox;
mod overtaken;
mod pact_pull;
mod page;
mod recalculation;
mod recalculation_closed;
mod report;
mod same_file;
mod search;
mod staged;
mod switch;
mod transfer;
mod undo;
mod undo_closed;
mod undo_races;
mod unsaid;
mod watched;
mod without_co2e;
mod wrapped;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::{Co2e, Day, Faults, Intensity, Name, ProductId, Quantity, Source, Stage, SyncId, Timestamp, Unit};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Catalog, Error, FactorDraft, Field, InputDraft, ModelDraft, ProductDraft, Reference};
use ports::store::Store;
use ports::{Caller, Permissions, TenantId};
use tonne::usecase::catalog::CatalogService;
use tonne::usecase::footprint::FootprintService;
use tonne::usecase::model::ModelService;
use tonne::usecase::published::Chooser;
use tonne::usecase::switch::{SwitchService, SwitchViews};
use uuid::Uuid;

/// Noon of 1 June 2025, always.
struct Noon;

impl Clock for Noon {
    fn now(&self) -> Timestamp {
        Timestamp::parse("2025-06-01T12:00:00.000Z").unwrap()
    }
}

/// 1, 2, 3 and so on.
#[derive(Default)]
struct Counting(AtomicU64);

impl Ids for Counting {
    fn next(&self, _: Timestamp) -> Uuid {
        Uuid::from_u128(u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1)
    }

    fn random(&self) -> Uuid {
        let number = u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1;
        uuid::Builder::from_random_bytes(number.to_be_bytes()).into_uuid()
    }
}

/// An empty tenant, and somebody who may do everything in it.
struct World {
    admin: Caller,
    sets: Arc<memory::MemoryDirectory>,
    catalog: CatalogService,
    models: ModelService,
    switches: SwitchService,
    footprints: FootprintService,
    store: Arc<dyn Store>,
}

async fn world() -> World {
    world_of(Arc::new(memory::MemoryStore::new(Arc::new(Counting::default())))).await
}

/// The tenant in that store.
async fn world_of(store: Arc<dyn Store>) -> World {
    let admin = caller("admin");
    store.prepare(&ports::Grant::for_maintenance(admin.tenant, "test")).await.unwrap();
    let clock: Arc<dyn Clock> = Arc::new(Noon);
    let ids: Arc<dyn Ids> = Arc::new(Counting::default());
    macro_rules! service {
        ($name:ident $(, $more:ident: $value:expr)*) => {
            $name { store: Arc::clone(&store), clock: Arc::clone(&clock), ids: Arc::clone(&ids), $($more: $value,)* }
        };
    }
    let sets = Arc::new(memory::MemoryDirectory::new(Arc::clone(&clock)));
    World {
        sets: sets.clone(),
        admin,
        catalog: service!(CatalogService, sets: sets.clone()),
        models: service!(ModelService),
        switches: service!(SwitchService, views: SwitchViews::default()),
        footprints: service!(FootprintService, marks: Arc::new(auth::HmacTextSigner::new(&[7; 32]).unwrap()), wake: Arc::default()),
        store,
    }
}

/// What chooses among no sets at all.
fn chooser() -> Arc<Chooser> {
    Arc::new(Chooser::new(Arc::new(memory::MemoryDirectory::new(Arc::new(Noon)))))
}

impl World {
    /// How many changes were committed.
    async fn changes(&self) -> u64 {
        let grant = ports::permit(&self.admin, ports::demand::CATALOG_READ).unwrap();
        self.store.read(&grant).await.unwrap().head().await.unwrap().number
    }

    async fn product(&self, code: &str) -> ProductId {
        let draft = ProductDraft { name: given(name("Steel")), unit: given(unit(code)), ..ProductDraft::default() };
        self.catalog.add_product(&self.admin, draft).await.unwrap().product.value.id
    }

    /// A product in kg with `upstream` kg CO2e per kg from 2024 on.
    async fn steel(&self, upstream: &str) -> ProductId {
        let product = self.product("kg").await;
        self.catalog.add_factor(&self.admin, product, factor(upstream, "2024-01-01")).await.unwrap();
        product
    }
}

fn caller(permissions: &str) -> Caller {
    Caller {
        tenant: TenantId::new(Uuid::from_u128(1)),
        actor: "test".to_owned(),
        permissions: Permissions::parse(permissions).unwrap(),
        partner: None,
    }
}

fn given<T>(value: T) -> Field<T> {
    Field::Given(value)
}

fn by_id(id: impl Into<Uuid>) -> Reference {
    Reference::Id(id.into())
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn unit(code: &str) -> Unit {
    Unit::parse(code).unwrap()
}

fn day(text: &str) -> Day {
    Day::parse(text).unwrap()
}

fn co2e(text: &str) -> Co2e {
    Co2e::parse(text).unwrap()
}

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

fn sync_id(text: &str) -> SyncId {
    SyncId::parse(text).unwrap()
}

/// Per kg, from that day on.
fn factor(upstream: &str, from: &str) -> FactorDraft {
    FactorDraft {
        unit: given(unit("kg")),
        upstream: given(Intensity::parse(upstream).unwrap()),
        valid_from: given(day(from)),
        source: given(Source::parse("A published table").unwrap()),
        ..FactorDraft::default()
    }
}

fn model(code: &str, amount: &str) -> ModelDraft {
    ModelDraft {
        name: given(name("Housing")),
        unit: given(unit(code)),
        amount: given(quantity(amount)),
        ..ModelDraft::default()
    }
}

fn input(material: ProductId, kilograms: &str, stage: &str) -> InputDraft {
    InputDraft {
        name: given(name("Sheet")),
        material: given(by_id(material)),
        quantity: given(quantity(kilograms)),
        unit: given(unit("kg")),
        stage: given(Stage::parse(stage).unwrap()),
        ..InputDraft::default()
    }
}

/// The pointers of a refusal's faults.
fn pointers<T: std::fmt::Debug>(answer: Result<T, Error>) -> Vec<String> {
    let error = answer.unwrap_err();
    let Error::Invalid(faults) = error else { panic!("not refused for its faults: {error:?}") };
    faults.into_iter().map(|fault| fault.pointer).collect()
}

/// The pointer and the sentence of a conflict.
fn conflict<T: std::fmt::Debug>(answer: Result<T, Error>) -> (String, String) {
    let error = answer.unwrap_err();
    let Error::Conflict { pointer, detail } = error else { panic!("no conflict: {error:?}") };
    (pointer, detail)
}

fn fault(pointer: &str) -> Faults {
    Faults::one(pointer, "cannot be read")
}
