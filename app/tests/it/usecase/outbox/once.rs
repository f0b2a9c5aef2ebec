//! That each event takes effect once, however often it is sent and whoever sends it.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{HostAddress, Name, Partner, PartnerId};
use ports::contract::sample;
use ports::inbound::DeliveryState;
use ports::store::Store;
use ports::{Caller, Grant};
use postgres::testing::Fresh;
use tempfile::TempDir;
use uuid::Uuid;

use super::super::{Counting, Noon};
use super::{Company, Does, HOUR_MS, caller};

#[tokio::test]
async fn an_event_that_a_host_commits_before_the_connection_breaks_takes_effect_once() {
    for company in [Company::memory().await, Company::sqlite().await] {
        let to = company.partner(1, Does::TakeAndBreak).await;
        // The one that is asked, which is a company of its own.
        let asked = Company::memory().await;
        let grant = Grant::for_maintenance(asked.admin.tenant, "test").to_write();
        let mut tx = asked.store.write(&grant, sample::intent()).await.unwrap();
        let (id, client) = (PartnerId::new(Uuid::from_u128(77)), Uuid::from_u128(78));
        let base = HostAddress::parse("https://acme.example").unwrap();
        let partner = Partner::new(id, Name::parse("Acme").unwrap(), base).with_clients(vec![client]);
        tx.partners_mut().add(partner).await.unwrap();
        tx.commit().await.unwrap();
        let client = Caller { actor: format!("client:{client}"), partner: Some(id), ..caller("footprint:read") };
        let effects = async || asked.deliveries(id).await.len();
        company.host.commits(asked.service_of(), client);

        company.ask(to, 1).await;
        let outbox = company.start();
        company.until(&[&outbox], to, "not noted", |all| all[0].answer.is_some()).await;
        assert_eq!(effects().await, 1);
        company.host.now(to, Does::Take);
        company.time.advance(HOUR_MS);
        company.until(&[&outbox], to, "not sent", |all| all[0].state == DeliveryState::Sent).await;
        let ids: Vec<_> = company.host.came(to).iter().map(|event| event["id"].clone()).collect();
        assert!(ids.len() == 2 && ids[0] == ids[1], "{ids:?}");
        assert_eq!(effects().await, 1, "one answer to one request");
    }
}

/// Has two nodes send the same events, and compares what came.
async fn race(company: Company, other: Arc<dyn Store>) {
    const PARTNERS: u64 = 8;
    const EVENTS: usize = 12;
    let mut partners = Vec::new();
    for number in 1..=PARTNERS {
        let partner = company.partner(number, Does::Take).await;
        company.ask(partner, EVENTS).await;
        partners.push(partner);
    }
    let nodes = [company.start(), company.start_on(other)];
    for partner in &partners {
        let is_sent = |all: &[ports::inbound::DeliveryView]| all.iter().all(|one| one.state == DeliveryState::Sent);
        let all = company.until(&[&nodes[0], &nodes[1]], *partner, "not sent", is_sent).await;
        assert!(all.iter().all(|one| one.attempts == 1));
    }
    let mut came: HashMap<String, u32> = HashMap::new();
    for event in partners.iter().flat_map(|partner| company.host.came(*partner)) {
        *came.entry(event["id"].to_string()).or_default() += 1;
    }
    assert_eq!(came.len(), partners.len() * EVENTS);
    assert!(came.values().all(|times| *times == 1), "each is sent by one node: {came:?}");
}

#[tokio::test]
async fn of_two_nodes_on_one_store_in_memory_one_sends_an_event() {
    let company = Company::memory().await;
    let store = Arc::clone(&company.store);
    race(company, store).await;
}

#[tokio::test]
async fn of_two_nodes_on_one_file_one_sends_an_event() {
    let folder = TempDir::new().unwrap();
    let open = || {
        let options = sqlite::Options::new(Arc::new(Noon), Arc::new(Counting::default()));
        Arc::new(sqlite::SqliteStore::open(folder.path(), options)) as Arc<dyn Store>
    };
    let company = Company::of(open(), None).await;
    race(company, open()).await;
}

#[tokio::test]
async fn of_two_nodes_on_postgresql_one_sends_an_event() {
    let fresh = Fresh::migrated().await;
    let [one, other] = [Arc::new(fresh.store().await), Arc::new(fresh.store().await)];
    race(Company::of(one, None).await, other).await;
}
