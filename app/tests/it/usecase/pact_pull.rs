//! Suppliers' footprints become factors: from a scripted host, into a store in memory and into SQLite files.

mod factor;
mod list;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{Factor, PartnerId, Product};
use ports::inbound::{Pull, PullError, Pulled, SupplierFactors as _};
use ports::partner_host::{HostError, HostPage, NotTaken, PartnerAddress, PartnerHost};
use ports::repo::{Page, Query};
use serde_json::{Value, json};
use tempfile::TempDir;
use tonne::usecase::pact::pull::{MOST_BYTES, PullService};

use super::{Counting, Noon, World, sync_id, world, world_of};

const OLD: &str = "11111111-1111-4111-8111-111111111111";
const NEW: &str = "22222222-2222-4222-8222-222222222222";
const URN: &str = "urn:gtin:4712345060507";

/// A host with a list in parts.
#[derive(Default)]
struct Scripted {
    parts: Mutex<Vec<Vec<Value>>>,
    asked: Mutex<Vec<String>>,
}

impl Scripted {
    fn part(&self, at: usize) -> HostPage {
        let parts = self.parts.lock().unwrap();
        let body = json!({ "data": parts.get(at).cloned().unwrap_or_default() }).to_string();
        let next = (at + 1 < parts.len()).then(|| (at + 1).to_string());
        HostPage { body, next }
    }
}

#[async_trait]
impl PartnerHost for Scripted {
    async fn send(&self, _: &PartnerAddress, _: Edition, _: &str) -> Result<(), NotTaken> {
        unreachable!()
    }

    async fn list(&self, _: &PartnerAddress, _: Edition, query: &str) -> Result<HostPage, HostError> {
        self.asked.lock().unwrap().push(query.to_owned());
        Ok(self.part(0))
    }

    async fn next(&self, _: &PartnerAddress, link: &str) -> Result<HostPage, HostError> {
        Ok(self.part(link.parse().unwrap()))
    }

    async fn footprint(&self, _: &PartnerAddress, _: Edition, _: &str) -> Result<String, HostError> {
        unreachable!()
    }
}

struct Supplied {
    world: World,
    host: Arc<Scripted>,
    service: PullService,
    _folder: Option<TempDir>,
}

impl Supplied {
    fn of(world: World, folder: Option<TempDir>) -> Self {
        let host = Arc::new(Scripted::default());
        let service = PullService {
            store: Arc::clone(&world.store),
            clock: Arc::new(Noon),
            ids: Arc::new(Counting(AtomicU64::new(1_000))),
            host: host.clone(),
            most_bytes: MOST_BYTES,
        };
        Self { world, host, service, _folder: folder }
    }

    async fn memory() -> Self {
        Self::of(world().await, None)
    }

    /// One in memory and one on disk.
    async fn both() -> [Self; 2] {
        let folder = TempDir::new().unwrap();
        let options = sqlite::Options::new(Arc::new(Noon), Arc::new(Counting::default()));
        let world = world_of(Arc::new(sqlite::SqliteStore::open(folder.path(), options))).await;
        [Self::memory().await, Self::of(world, Some(folder))]
    }

    async fn pull(&self, parts: Vec<Vec<Value>>) -> Pulled {
        self.pull_of(Edition::V3, parts).await
    }

    async fn pull_of(&self, edition: Edition, parts: Vec<Vec<Value>>) -> Pulled {
        self.pull_some(Pull { edition, ..everything() }, parts).await
    }

    async fn pull_some(&self, wanted: Pull, parts: Vec<Vec<Value>>) -> Pulled {
        *self.host.parts.lock().unwrap() = parts;
        self.service.pull(&self.world.admin, None, &partner(), wanted).await.unwrap()
    }

    /// Pulls the list of a host at that address, of that partner where it is one's.
    async fn pull_from(
        &self,
        partner_id: Option<PartnerId>,
        base_url: &str,
        parts: Vec<Vec<Value>>,
    ) -> Result<Pulled, PullError> {
        *self.host.parts.lock().unwrap() = parts;
        let at = PartnerAddress { base_url: base_url.to_owned(), ..partner() };
        self.service.pull(&self.world.admin, partner_id, &at, everything()).await
    }

    /// How many products there are.
    async fn products(&self) -> u64 {
        let grant = ports::permit(&self.world.admin, ports::demand::CATALOG_READ).unwrap();
        let mut tx = self.world.store.read(&grant).await.unwrap();
        tx.products().list(&Query::all(Page::FIRST)).await.unwrap().count
    }

    /// The product of a product id, with its factors by their first day.
    async fn product(&self, urn: &str) -> (Product, Vec<Factor>) {
        let grant = ports::permit(&self.world.admin, ports::demand::CATALOG_READ).unwrap();
        let mut tx = self.world.store.read(&grant).await.unwrap();
        let id = sync_id(&format!("https://supplier.example/api {urn}"));
        let product = tx.products().find_by_sync_id(&id).await.unwrap().unwrap().value;
        let factors = tx.factors().of_products(&[product.id]).await.unwrap();
        let mut factors: Vec<_> = factors.into_iter().map(|stored| stored.value).collect();
        factors.sort_by_key(|factor| (factor.data().valid_from, factor.id()));
        (product, factors)
    }
}

const fn everything() -> Pull {
    Pull { edition: Edition::V3, product_ids: vec![], since: None }
}

fn partner() -> PartnerAddress {
    PartnerAddress {
        base_url: "https://supplier.example/api/".to_owned(),
        auth_url: None,
        client_id: "us".to_owned(),
        client_secret: "secret".to_owned(),
        private_addresses: false,
        plain_http: false,
    }
}

/// A footprint of 18 kg CO2e per 12 liter, valid in 2025 and 2026.
fn footprint(id: &str) -> Value {
    json!({
        "id": id,
        "specVersion": "3.0.0",
        "created": "2025-01-02T00:00:00Z",
        "status": "Active",
        "validityPeriodStart": "2025-01-01T00:00:00Z",
        "validityPeriodEnd": "2026-12-31T23:59:59Z",
        "companyName": "Bottlers",
        "companyIds": ["urn:pact:bottlers.example:company:1"],
        "productIds": [URN],
        "productNameCompany": "Water",
        "productDescription": "",
        "pcf": {
            "declaredUnitOfMeasurement": "liter",
            "declaredUnitAmount": "12",
            "pcfExcludingBiogenicUptake": "18",
            "referencePeriodStart": "2024-01-01T00:00:00Z",
            "referencePeriodEnd": "2025-01-01T00:00:00Z",
            "ipccCharacterizationFactors": ["AR6"],
            "primaryDataShare": "62.5"
        }
    })
}

/// The same under that id, of a product of its own.
pub(super) fn footprint_of(id: &str) -> Value {
    let mut own = footprint(id);
    own["productIds"] = json!([format!("urn:x:{id}")]);
    own
}

/// One that takes the place of the old one from July 2025 on.
fn newer() -> Value {
    let mut newer = footprint(NEW);
    newer["created"] = json!("2025-05-01T00:00:00Z");
    newer["precedingPfIds"] = json!([OLD]);
    newer["validityPeriodStart"] = json!("2025-07-01T00:00:00Z");
    newer["pcf"]["pcfExcludingBiogenicUptake"] = json!("15");
    newer
}
