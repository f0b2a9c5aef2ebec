//! What a request is answered with, where the first attempt may have arrived.

use domain::{FootprintId, PartnerId, SharedWith, Sharing};
use ports::Grant;
use ports::clock::Clock as _;
use ports::contract::sample;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::{DeliveryState, Exchange as _};
use serde_json::{Value, json};

use super::{Company, Does, HOUR_MS};

/// A company that was asked for two products, whose footprints are numbered 1 and 2.
struct Asked {
    company: Company,
    partner: PartnerId,
}

impl Asked {
    /// Those footprints are shared, and the partner's host does so at first.
    async fn start(shared: &[u64], does: Does) -> Self {
        let company = Company::memory().await;
        let partner = company.partner(1, does).await;
        let asked = Self { company, partner };
        let grant = Grant::for_maintenance(asked.company.admin.tenant, "test").to_write();
        let mut tx = asked.company.store.write(&grant, sample::intent()).await.unwrap();
        for number in [1, 2] {
            let footprint = sample::shown_footprint(number, "2025-01-01T00:00:00Z", "kilogram");
            tx.footprints_mut().add(footprint).await.unwrap();
        }
        let products = json!({ "productId": ["urn:gtin:1", "urn:gtin:2"] }).to_string();
        let what = json!({ "answer": { "request": "run/12", "asked": products } });
        let content = json!({ "edition": 3, "what": what, "state": "waiting", "attempts": 0 }).to_string();
        let (kind, id, at) = (ExchangeKind::Delivery, "answer".to_owned(), asked.company.time.now());
        tx.exchange_mut().put(ExchangeRow { kind, id, partner, at, due: Some(at), content }).await.unwrap();
        tx.commit().await.unwrap();
        for number in shared {
            asked.share(*number).await;
        }
        asked
    }

    async fn share(&self, number: u64) {
        let with = SharedWith::Partners([self.partner].into());
        let grant = Grant::for_maintenance(self.company.admin.tenant, "test").to_write();
        let mut tx = self.company.store.write(&grant, sample::intent()).await.unwrap();
        tx.sharings_mut().add(Sharing::new(sample::id(number), with)).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn close(&self, number: u64) {
        let id: FootprintId = sample::id(number);
        let grant = Grant::for_maintenance(self.company.admin.tenant, "test").to_write();
        let mut tx = self.company.store.write(&grant, sample::intent()).await.unwrap();
        let found = tx.sharings().find(id).await.unwrap().unwrap();
        tx.sharings_mut().remove(id, found.version).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Makes one attempt, and another one when what was shared has changed: the kind of each event that came, and its footprints.
    async fn twice(&self, between: impl AsyncFn(&Self), ends: DeliveryState) -> Vec<(String, Vec<String>)> {
        let (company, partner) = (&self.company, self.partner);
        let outbox = company.start();
        company.until(&[&outbox], partner, "not tried", |all| all[0].answer.is_some()).await;
        between(self).await;
        company.host.now(partner, Does::Take);
        company.time.advance(HOUR_MS);
        company.service.retry(&company.admin, partner).await.unwrap();
        company.until(&[&outbox], partner, "not ended", |all| all[0].state == ends).await;
        let came = company.host.came(partner);
        assert!(came.iter().all(|event| event["id"] == "answer" && event["data"]["requestEventId"] == "run/12"));
        came.iter().map(said).collect()
    }
}

fn said(event: &Value) -> (String, Vec<String>) {
    let kind = event["type"].as_str().unwrap().rsplit('.').nth(1).unwrap().to_owned();
    let footprints = event["data"]["pfs"].as_array().cloned().unwrap_or_default();
    (kind, footprints.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect())
}

fn fulfilled(numbers: &[u64]) -> (String, Vec<String>) {
    let ids = numbers.iter().map(|number| sample::id::<FootprintId>(*number).to_string()).collect();
    ("RequestFulfilledEvent".to_owned(), ids)
}

#[tokio::test]
async fn a_rejection_stays_one_whatever_is_shared_meanwhile() {
    let asked = Asked::start(&[], Does::TakeAndBreak).await;
    let came = asked.twice(async |asked| asked.share(1).await, DeliveryState::Sent).await;
    assert_eq!(came, [("RequestRejectedEvent".to_owned(), vec![]), ("RequestRejectedEvent".to_owned(), vec![])]);
}

#[tokio::test]
async fn a_request_is_fulfilled_with_the_same_footprints_whatever_is_shared_meanwhile() {
    let asked = Asked::start(&[1], Does::TakeAndBreak).await;
    let came = asked.twice(async |asked| asked.share(2).await, DeliveryState::Sent).await;
    assert_eq!(came, [fulfilled(&[1]), fulfilled(&[1])]);
}

#[tokio::test]
async fn an_answer_with_a_footprint_that_is_shared_no_longer_is_dropped() {
    let asked = Asked::start(&[1, 2], Does::TakeAndBreak).await;
    let came = asked.twice(async |asked| asked.close(1).await, DeliveryState::Dropped).await;
    assert_eq!(came.len(), 1);
    let all = asked.company.deliveries(asked.partner).await;
    assert!(all[0].answer.as_ref().unwrap().contains("not shared any more"), "{all:?}");
}

#[tokio::test]
async fn an_answer_that_did_not_leave_us_settles_nothing() {
    let asked = Asked::start(&[], Does::NoToken).await;
    let came = asked.twice(async |asked| asked.share(1).await, DeliveryState::Sent).await;
    assert_eq!(came, [fulfilled(&[1])]);
    let asked = Asked::start(&[1], Does::NoToken).await;
    let came = asked.twice(async |asked| asked.close(1).await, DeliveryState::Sent).await;
    assert_eq!(came, [("RequestRejectedEvent".to_owned(), vec![])]);
}
