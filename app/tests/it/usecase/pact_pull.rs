//! Suppliers' footprints become factors: from a scripted host, into a store in memory and into SQLite files.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use domain::footprint::Edition;
use domain::{Decimal, Factor, Moment, PartnerId, Product, corrected_by};
use ports::inbound::{Error, Pull, PullError, Pulled, SupplierFactors as _};
use ports::partner_host::{HostError, HostPage, NotTaken, PartnerAddress, PartnerHost};
use ports::repo::{Page, Query};
use serde_json::{Value, json};
use tempfile::TempDir;
use tonne::usecase::pact::pull::{MOST_BYTES, PullService};

use super::{Counting, Noon, World, caller, sync_id, world, world_of};

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

fn days(factor: &Factor) -> (String, String) {
    (factor.data().valid_from.to_string(), factor.data().valid_to.unwrap().to_string())
}

#[tokio::test]
async fn a_footprint_becomes_a_factor_of_a_product_and_says_where_it_is_from() {
    for supplied in Supplied::both().await {
        let pulled = supplied.pull(vec![vec![footprint(OLD)]]).await;
        assert_eq!(pulled, Pulled { came: 1, added: 1, ..Pulled::default() });
        let (product, factors) = supplied.product(URN).await;
        assert_eq!((product.name.as_str(), product.unit.code()), ("Water", "L"));
        let [factor] = factors.as_slice() else { panic!("{factors:?}") };
        let data = factor.data();
        assert_eq!(
            (data.unit.code(), data.upstream.unwrap().to_string().as_str(), data.downstream),
            ("L", "1.5", None)
        );
        assert_eq!(days(factor), ("2025-01-01".to_owned(), "2027-01-01".to_owned()));
        assert_eq!(data.source.as_str(), format!("Bottlers, footprint {OLD} at https://supplier.example/api"));
        assert_eq!(data.gwp.unwrap().to_string(), "AR6");
        let supplier = data.supplier.as_deref().unwrap();
        assert_eq!((supplier.company.as_str(), supplier.footprint.to_string().as_str()), ("Bottlers", OLD));
        assert_eq!(supplier.primary_data_share(), Some(Decimal::parse("62.5").unwrap()));
    }
}

#[tokio::test]
async fn pulled_again_nothing_changes() {
    for supplied in Supplied::both().await {
        let list = vec![vec![footprint(OLD)], vec![newer()]];
        let first = supplied.pull(list.clone()).await;
        assert_eq!((first.came, first.added, first.closed), (2, 2, 1), "{first:?}");
        let changes = supplied.world.changes().await;
        let again = supplied.pull(list).await;
        assert_eq!(again, Pulled { came: 2, unchanged: 2, ..Pulled::default() });
        assert_eq!(supplied.world.changes().await, changes, "no empty change");
    }
}

#[tokio::test]
async fn a_newer_footprint_ends_the_factor_of_the_one_it_takes_the_place_of() {
    for supplied in Supplied::both().await {
        supplied.pull(vec![vec![footprint(OLD)]]).await;
        let pulled = supplied.pull(vec![vec![newer(), footprint(OLD)]]).await;
        assert_eq!(pulled, Pulled { came: 2, added: 1, unchanged: 1, closed: 1, ..Pulled::default() });
        let (_, factors) = supplied.product(URN).await;
        let days: Vec<_> = factors.iter().map(days).collect();
        let expected = [("2025-01-01", "2025-07-01"), ("2025-07-01", "2027-01-01")];
        assert_eq!(days, expected.map(|(from, to)| (from.to_owned(), to.to_owned())));
    }
}

#[tokio::test]
async fn a_newer_footprint_of_the_same_days_corrects_the_older_one() {
    for supplied in Supplied::both().await {
        supplied.pull(vec![vec![footprint(OLD)]]).await;
        let mut same_days = newer();
        same_days["validityPeriodStart"] = json!("2025-01-01T00:00:00Z");
        let list = vec![vec![footprint(OLD), same_days]];
        let pulled = supplied.pull(list.clone()).await;
        assert_eq!(pulled, Pulled { came: 2, unchanged: 1, corrected: 1, ..Pulled::default() });
        let (_, factors) = supplied.product(URN).await;
        let corrected = factors.iter().find(|factor| corrected_by(&factors, factor.id()).is_some()).unwrap();
        assert_eq!(corrected.data().supplier.as_ref().unwrap().footprint.to_string(), OLD);
        assert_eq!(supplied.pull(list).await, Pulled { came: 2, unchanged: 2, ..Pulled::default() });
    }
}

#[tokio::test]
async fn a_deprecated_footprint_ends_its_factor_today_and_becomes_none() {
    for supplied in Supplied::both().await {
        supplied.pull(vec![vec![footprint(OLD)]]).await;
        let mut old = footprint(OLD);
        old["status"] = json!("Deprecated");
        let mut other = footprint(NEW);
        other["status"] = json!("Deprecated");
        let list = vec![vec![old, other]];
        let pulled = supplied.pull(list.clone()).await;
        assert_eq!(pulled, Pulled { came: 2, ended: 1, deprecated: 1, ..Pulled::default() });
        let (_, factors) = supplied.product(URN).await;
        assert_eq!(days(&factors[0]), ("2025-01-01".to_owned(), "2025-06-01".to_owned()), "today is 1 June 2025");
        assert_eq!(supplied.pull(list).await, Pulled { came: 2, unchanged: 1, deprecated: 1, ..Pulled::default() });
    }
}

#[tokio::test]
async fn a_deprecated_footprint_that_held_on_no_day_yet_leaves_no_factor() {
    let supplied = Supplied::memory().await;
    supplied.pull(vec![vec![newer()]]).await;
    let mut gone = newer();
    gone["status"] = json!("Deprecated");
    assert_eq!(supplied.pull(vec![vec![gone]]).await, Pulled { came: 1, ended: 1, ..Pulled::default() });
    assert_eq!(supplied.product(URN).await.1, []);
}

#[tokio::test]
async fn what_cannot_become_a_factor_is_listed_with_the_reason_and_the_others_are_kept() {
    let broken = |pointer: &str, value: Value| {
        let mut one = footprint(&format!("33333333-3333-4333-8333-{:012}", pointer.len()));
        *one.pointer_mut(pointer).unwrap() = value;
        one["productIds"] = json!([format!("urn:x:{}", pointer.len())]);
        one
    };
    let cases = [
        (broken("/pcf/declaredUnitOfMeasurement", json!("megabit second")), "declared unit \"megabit second\""),
        (broken("/pcf/declaredUnitAmount", json!("0")), "not above zero"),
        (broken("/pcf/pcfExcludingBiogenicUptake", Value::Null), "no pcfExcludingBiogenicUptake"),
        (broken("/validityPeriodEnd", json!("2024-01-01T00:00:00Z")), "valid on no day"),
        (broken("/pcf/primaryDataShare", json!("101")), "between 0 and 100"),
        (broken("/productNameCompany", json!("a\nb")), "productNameCompany cannot be kept"),
        (json!({ "id": "x" }), "cannot be read"),
    ];
    for (bad, reason) in cases {
        let supplied = Supplied::memory().await;
        let pulled = supplied.pull(vec![vec![bad, footprint(OLD)]]).await;
        assert_eq!((pulled.came, pulled.added, pulled.refused.len()), (2, 1, 1), "{pulled:?}");
        assert!(pulled.refused[0].reason.contains(reason), "{reason}: {pulled:?}");
    }
}

#[tokio::test]
async fn another_footprint_of_the_same_days_is_refused_and_a_unit_of_another_dimension() {
    let supplied = Supplied::memory().await;
    let mut mass = footprint("44444444-4444-4444-8444-444444444444");
    mass["pcf"]["declaredUnitOfMeasurement"] = json!("kilogram");
    mass["validityPeriodStart"] = json!("2027-01-01T00:00:00Z");
    mass["validityPeriodEnd"] = json!("2027-12-31T00:00:00Z");
    let pulled = supplied.pull(vec![vec![footprint(OLD), footprint(NEW), mass]]).await;
    assert_eq!((pulled.added, pulled.refused.len()), (1, 2), "{pulled:?}");
    assert!(pulled.refused[0].reason.contains("overlap"), "{pulled:?}");
    assert_eq!(supplied.product(URN).await.1.len(), 1);
}

#[tokio::test]
async fn a_third_is_rounded_once_and_counted() {
    let supplied = Supplied::memory().await;
    let mut third = footprint(OLD);
    third["pcf"]["declaredUnitAmount"] = json!("7");
    let pulled = supplied.pull(vec![vec![third]]).await;
    assert_eq!((pulled.added, pulled.rounded), (1, 1));
    let (_, factors) = supplied.product(URN).await;
    assert_eq!(factors[0].data().upstream.unwrap().to_string(), "2.571428571428571429");
}

#[tokio::test]
async fn version_2_is_per_one_declared_unit_and_valid_for_three_years() {
    let supplied = Supplied::memory().await;
    let mut record = footprint(OLD);
    record["specVersion"] = json!("2.3.0");
    record.as_object_mut().unwrap().remove("validityPeriodStart");
    record.as_object_mut().unwrap().remove("validityPeriodEnd");
    record["pcf"] = json!({
        "declaredUnit": "kilowatt hour",
        "unitaryProductAmount": "3",
        "pCfExcludingBiogenic": "0.207074",
        "referencePeriodStart": "2024-01-01T00:00:00Z",
        "referencePeriodEnd": "2025-01-01T00:00:00Z",
        "ipccCharacterizationFactorsSources": ["AR5", "AR6"],
        "primaryDataShare": 40
    });
    let pulled = supplied.pull_of(Edition::V2, vec![vec![record]]).await;
    assert_eq!(pulled, Pulled { came: 1, added: 1, ..Pulled::default() });
    let (product, factors) = supplied.product(URN).await;
    let data = factors[0].data();
    assert_eq!((product.unit.code(), data.upstream.unwrap().to_string().as_str()), ("kWh", "0.207074"));
    assert_eq!(days(&factors[0]), ("2025-01-01".to_owned(), "2028-01-01".to_owned()));
    assert_eq!(data.gwp, None, "two sets are no set");
}

#[tokio::test]
async fn only_what_is_asked_for_is_taken_whatever_the_host_sends() {
    let supplied = Supplied::memory().await;
    let mut other = footprint("55555555-5555-4555-8555-555555555555");
    other["productIds"] = json!(["urn:gtin:1"]);
    let wanted = Pull {
        edition: Edition::V3,
        product_ids: vec![URN.to_uppercase()],
        since: Some(Moment::parse("2025-05-01T00:00:00Z").unwrap()),
    };
    let pulled = supplied.pull_some(wanted, vec![vec![footprint(OLD), newer(), other]]).await;
    assert_eq!(pulled, Pulled { came: 3, left_out: 2, added: 1, ..Pulled::default() });
    assert_eq!(*supplied.host.asked.lock().unwrap(), ["limit=100&productId=URN%3AGTIN%3A4712345060507"]);
}

#[tokio::test]
async fn a_partner_that_moves_to_another_address_keeps_its_products_and_factors() {
    let id = Some(PartnerId::new(uuid::Uuid::from_u128(7)));
    for supplied in Supplied::both().await {
        // Before it was registered its host was known by its address.
        let list = vec![vec![footprint(OLD)]];
        let first = supplied.pull_from(None, "https://supplier.example/api", list.clone()).await.unwrap();
        let mut other = footprint("55555555-5555-4555-8555-555555555555");
        other["productIds"] = json!(["urn:gtin:1"]);
        let list = vec![vec![footprint(OLD), other]];
        let registered = supplied.pull_from(id, "https://supplier.example/api", list.clone()).await.unwrap();
        let moved = supplied.pull_from(id, "https://pcf.supplier.example", list.clone()).await.unwrap();
        assert_eq!(first, Pulled { came: 1, added: 1, ..Pulled::default() });
        assert_eq!(registered, Pulled { came: 2, added: 1, unchanged: 1, ..Pulled::default() });
        // The one that is known by the old address alone is not found at the new one.
        assert_eq!(moved, Pulled { came: 2, added: 1, unchanged: 1, ..Pulled::default() });
        let changes = supplied.world.changes().await;
        let again = supplied.pull_from(id, "https://pcf.supplier.example/", list).await.unwrap();
        assert_eq!(again, Pulled { came: 2, unchanged: 2, ..Pulled::default() });
        assert_eq!(supplied.world.changes().await, changes);
        assert_eq!(supplied.products().await, 3);
    }
}

#[tokio::test]
async fn two_partners_that_call_products_the_same_have_products_of_their_own() {
    let supplied = Supplied::memory().await;
    let list = vec![vec![footprint(OLD)]];
    for id in [7, 8] {
        let id = PartnerId::new(uuid::Uuid::from_u128(id));
        supplied.pull_from(Some(id), &format!("https://{id}.example"), list.clone()).await.unwrap();
    }
    assert_eq!(supplied.products().await, 2);
}

#[tokio::test]
async fn a_list_of_which_too_much_would_be_kept_is_refused_before_anything_is_written() {
    let supplied = Supplied::memory().await;
    let small = PullService { most_bytes: 20_000, ..supplied.service };
    let part =
        |from: u32| (from..from + 4).map(|n| footprint_of(&format!("33333333-3333-4333-8333-{n:012}"))).collect();
    *supplied.host.parts.lock().unwrap() = (0..9).map(|number| part(number * 4)).collect();
    let before = supplied.world.changes().await;
    let refused = small.pull(&supplied.world.admin, None, &partner(), everything()).await;
    let Err(PullError::Host(HostError::Answer(why))) = refused else { panic!("{refused:?}") };
    assert!(why.contains("ask for less"), "{why}");
    assert_eq!(supplied.world.changes().await, before);
    // What cannot be read is kept as a refusal, and counts.
    *supplied.host.parts.lock().unwrap() = (0..9).map(|_| vec![json!({}); 4]).collect();
    small.pull(&supplied.world.admin, None, &partner(), everything()).await.unwrap_err();
    *supplied.host.parts.lock().unwrap() = vec![part(0), part(4)];
    let pulled = small.pull(&supplied.world.admin, None, &partner(), everything()).await.unwrap();
    assert_eq!(pulled.added, 8);
}

#[tokio::test]
async fn pulling_needs_the_permission_to_write_the_catalog() {
    let supplied = Supplied::memory().await;
    let wanted = everything();
    let refused = supplied.service.pull(&caller("catalog:read"), None, &partner(), wanted).await;
    assert!(matches!(refused, Err(PullError::Kept(Error::Denied(_)))), "{refused:?}");
    assert_eq!(*supplied.host.asked.lock().unwrap(), [] as [&str; 0], "nothing is asked");
}
