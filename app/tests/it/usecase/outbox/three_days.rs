//! How long an event is sent again and again.

use ports::clock::Clock as _;
use ports::inbound::{DeliveryState, Exchange as _, RequestState};

use super::{Company, Does, HOUR_MS, PATIENCE};

#[tokio::test]
async fn an_event_is_given_up_after_three_days_and_a_retry_gives_it_three_more() {
    for company in [Company::memory().await, Company::sqlite().await] {
        let partner = company.partner(1, Does::Fail).await;
        company.ask(partner, 1).await;
        let outbox = company.start();
        let began = company.time.now().millis();
        let mut tried = 0;
        // Hour by hour, as the clock says.
        for hour in 0..72 {
            let all = company
                .until(&[&outbox], partner, "neither tried nor put off", |all| {
                    all[0].next.is_some_and(|next| next > company.time.now()) && all[0].tried.is_some()
                })
                .await;
            assert_eq!(all[0].state, DeliveryState::Waiting, "after {hour} hours");
            assert!(all[0].attempts >= tried);
            tried = all[0].attempts;
            company.time.advance(HOUR_MS);
        }
        assert!((15..=40).contains(&tried), "{tried} attempts, which wait up to 6 hours");
        assert_eq!(company.time.now().millis() - began, 72 * HOUR_MS);
        let given_up = |all: &[ports::inbound::DeliveryView]| all[0].state == DeliveryState::GivenUp;
        let all = company.until(&[&outbox], partner, "not given up", given_up).await;
        assert_eq!((all[0].next, all[0].answer.as_deref()), (None, Some("the host answered 503: busy")));
        let asked = company.service.requests(&company.admin, partner, ports::repo::Page::FIRST).await.unwrap().data;
        assert!(matches!(&asked[0].state, RequestState::GivenUp(why) if why.contains("503")), "{asked:?}");
        let attempts = all[0].attempts;

        assert_eq!(company.service.retry(&company.admin, partner).await.unwrap(), 1);
        let tried = |all: &[ports::inbound::DeliveryView]| all[0].attempts > attempts && all[0].answer.is_some();
        let all = company.until(&[&outbox], partner, "not tried again", tried).await;
        assert_eq!(all[0].state, DeliveryState::Waiting, "three more days");
        assert!(all[0].next.unwrap() > company.time.now());
        company.host.now(partner, Does::Take);
        company.time.advance(6 * HOUR_MS);
        let all = company.until(&[&outbox], partner, "not sent", |all| all[0].state == DeliveryState::Sent).await;
        let ids: Vec<_> = company.host.came(partner).iter().map(|event| event["id"].clone()).collect();
        assert_eq!(ids, vec![all[0].id.clone(); all[0].attempts as usize], "always the same event");
    }
}

#[tokio::test]
async fn the_first_partner_of_a_company_does_not_wait_long_for_its_first_event() {
    let company = Company::memory().await;
    let outbox = company.start();
    // The company has no partner when it is looked at first; nobody tells the outbox of what another process stores.
    company.until_looked(&outbox).await;
    let partner = company.partner(1, Does::Take).await;
    company.ask(partner, 1).await;
    let end = std::time::Instant::now() + PATIENCE;
    let mut often = tokio::time::interval(std::time::Duration::from_millis(50));
    while company.host.came(partner).is_empty() {
        assert!(std::time::Instant::now() < end, "not sent");
        often.tick().await;
    }
}
