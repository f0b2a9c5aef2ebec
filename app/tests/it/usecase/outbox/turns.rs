//! Whose events are sent when.

use std::time::Duration;

use ports::inbound::DeliveryState;

use super::{Company, Does};

#[tokio::test]
async fn a_partner_whose_host_hangs_keeps_no_other_one_waiting_however_many_events_it_has() {
    for company in [Company::memory().await, Company::sqlite().await] {
        let hung = company.partner(1, Does::Hang).await;
        company.ask(hung, 300).await;
        let other = company.partner(2, Does::Take).await;
        company.ask(other, 1).await;
        let outbox = company.start();
        company.until(&[&outbox], other, "not sent", |all| all[0].state == DeliveryState::Sent).await;
        assert_eq!(company.host.came(hung).len(), 1, "one event at a time");
    }
}

#[tokio::test]
async fn a_place_is_given_back_after_each_event() {
    let mut company = Company::memory().await;
    company.attempt = Duration::from_millis(100);
    // More than are sent to at once, each with more to send than its turn.
    for number in 1..=40 {
        let hung = company.partner(number, Does::Hang).await;
        company.ask(hung, 20).await;
    }
    let other = company.partner(99, Does::Take).await;
    company.ask(other, 3).await;
    let outbox = company.start();
    company.until(&[&outbox], other, "not sent", |all| all.iter().all(|one| one.state == DeliveryState::Sent)).await;
    let hung = (1..=40).map(|number| domain::PartnerId::new(uuid::Uuid::from_u128(number)));
    let most = hung.map(|partner| company.host.came(partner).len()).max().unwrap();
    assert!(most <= 8, "the others had {most} turns");
}
