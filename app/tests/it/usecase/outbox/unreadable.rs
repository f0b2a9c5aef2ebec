//! Rows that cannot be read, as after a downgrade or by damage.

use domain::PartnerId;
use ports::Grant;
use ports::clock::Clock as _;
use ports::contract::sample;
use ports::exchange::ExchangeKind;
use ports::inbound::{DeliveryState, Exchange as _};

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
