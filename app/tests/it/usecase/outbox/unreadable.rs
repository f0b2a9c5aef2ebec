//! Rows that cannot be read, as after a downgrade or by damage.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use auth::HmacTextSigner;
use domain::{Faults, PartnerId, SharedWith, Sharing};
use ports::Grant;
use ports::clock::Clock as _;
use ports::contract::sample;
use ports::exchange::ExchangeKind;
use ports::inbound::{DeliveryState, DeliveryWhat, Exchange as _, Field, Footprints as _, RequestState};
use ports::repo::Page;
use tonne::usecase::footprint::FootprintService;

use super::super::Counting;
use super::{Company, Does, HOUR_MS};

/// Damages the row of that kind which is due first, or is its request.
async fn damage(company: &Company, partner: PartnerId, kind: ExchangeKind) -> String {
    let grant = Grant::for_maintenance(company.admin.tenant, "test").to_write();
    let mut tx = company.store.write(&grant, sample::intent()).await.unwrap();
    let first = tx.exchange().due(partner, domain::Timestamp::MAX, 1).await.unwrap().remove(0);
    let mut row = tx.exchange().find(kind, first.id).await.unwrap().unwrap();
    row.content = "{\"damaged\":true}".to_owned();
    tx.exchange_mut().put(row.clone()).await.unwrap();
    tx.commit().await.unwrap();
    row.id
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_put_off_and_those_behind_it_are_sent() {
    for kind in [ExchangeKind::Delivery, ExchangeKind::Request] {
        for company in [Company::memory().await, Company::sqlite().await] {
            let partner = company.partner(1, Does::Take).await;
            company.ask(partner, 1).await;
            let bad = damage(&company, partner, kind).await;
            company.time.advance(1);
            company.ask(partner, 2).await;
            let outbox = company.start();
            let is_sent = |state: DeliveryState| state == DeliveryState::Sent;
            let all = company
                .until(&[&outbox], partner, "not sent", |all| all.iter().filter(|one| is_sent(one.state)).count() == 2)
                .await;
            let bad = all.iter().find(|one| one.id == bad).unwrap();
            assert_eq!(bad.state, DeliveryState::Waiting);
            assert!(bad.next.unwrap() > company.time.now());
            assert!(bad.answer.as_ref().unwrap().contains("cannot be read"), "{bad:?}");
            assert_eq!(company.host.came(partner).len(), 2);
        }
    }
}

#[tokio::test]
async fn a_row_that_cannot_be_read_hinders_neither_lists_nor_what_is_published() {
    for company in [Company::memory().await, Company::sqlite().await] {
        let partner = company.partner(1, Does::Take).await;
        company.ask(partner, 2).await;
        let bad = damage(&company, partner, ExchangeKind::Request).await;
        damage(&company, partner, ExchangeKind::Delivery).await;
        let page = Page { number: 1, size: 10 };
        let all = company.service.requests(&company.admin, partner, page).await.unwrap().data;
        assert_eq!(all.len(), 2);
        let one = company.service.get_request(&company.admin, partner, &bad).await.unwrap();
        assert!(matches!(&one.state, RequestState::GivenUp(why) if why.contains("cannot be read")), "{one:?}");
        let grant = Grant::for_maintenance(company.admin.tenant, "test").to_write();
        let mut tx = company.store.write(&grant, sample::intent()).await.unwrap();
        let found = tx.partners().find(partner).await.unwrap().unwrap();
        let client_id = domain::HostClientId::parse("us").unwrap();
        tx.partners_mut().update(found.value.with_client_id(Some(client_id)), found.version).await.unwrap();
        let footprint = sample::shown_footprint(1, "2025-01-01T00:00:00Z", "kilogram");
        let id = tx.footprints_mut().add(footprint).await.unwrap().value.id;
        tx.sharings_mut().add(Sharing::new(id, SharedWith::All)).await.unwrap();
        tx.commit().await.unwrap();
        let footprints = FootprintService {
            store: Arc::clone(&company.store),
            clock: company.time.clone(),
            ids: Arc::new(Counting(AtomicU64::new(5_000))),
            marks: Arc::new(HmacTextSigner::new(b"0123456789abcdef0123456789abcdef").unwrap()),
            wake: Arc::default(),
        };
        let deprecated = Field::Given("Deprecated".to_owned());
        footprints.amend(&company.admin, id, None, deprecated, Field::Absent, Faults::new()).await.unwrap();
        let told = company.deliveries(partner).await;
        assert_eq!(told.iter().filter(|one| one.what == DeliveryWhat::Published).count(), 1, "{told:#?}");
    }
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_given_up_after_three_days_and_is_due_again_by_a_retry() {
    let company = Company::memory().await;
    let partner = company.partner(1, Does::Take).await;
    company.ask(partner, 1).await;
    damage(&company, partner, ExchangeKind::Delivery).await;
    let outbox = company.start();
    company.until(&[&outbox], partner, "not put off", |all| all[0].next > Some(all[0].created)).await;
    company.time.advance(73 * HOUR_MS);
    company.until(&[&outbox], partner, "not given up", |all| all[0].state == DeliveryState::GivenUp).await;
    drop(outbox);
    assert_eq!(company.service.retry(&company.admin, partner).await.unwrap(), 1);
    assert_eq!(company.deliveries(partner).await[0].state, DeliveryState::Waiting);
}
