//! How much is kept of what partners send.

use domain::PartnerId;
use ports::Grant;
use ports::clock::Clock as _;
use ports::contract::sample;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::Error;
use ports::partner_event::EventData;
use ports::repo::Page;

use super::{Company, Does};

/// The most answers that wait for a partner.
const MOST: usize = 100_000;

async fn count(company: &Company, partner: PartnerId, kind: ExchangeKind) -> u64 {
    let grant = Grant::for_maintenance(company.admin.tenant, "test").to_read();
    company.store.read(&grant).await.unwrap().exchange().list(kind, partner, Page::FIRST).await.unwrap().count
}

#[tokio::test]
async fn nothing_is_kept_of_answers_to_requests_that_nobody_made() {
    for company in [Company::memory().await, Company::sqlite().await] {
        let partner = company.partner(1, Does::Take).await;
        for number in 0..50 {
            let request = format!("unknown/{number}");
            let (code, message) = ("NotFound".to_owned(), "no".to_owned());
            let rejected = EventData::Rejected { request: request.clone(), code, message };
            company.take(partner, &format!("rejected/{number}"), rejected).await.unwrap();
            let fulfilled = EventData::Fulfilled { request, footprints: vec![(sample::id(1), "{}".to_owned())] };
            company.take(partner, &format!("fulfilled/{number}"), fulfilled).await.unwrap();
        }
        assert_eq!(count(&company, partner, ExchangeKind::Taken).await, 0);
        assert_eq!(count(&company, partner, ExchangeKind::Footprint).await, 0);
        for _ in 0..2 {
            let published = EventData::Published { footprints: vec![sample::id(1)] };
            company.take(partner, "published", published).await.unwrap();
            let requested = EventData::Requested { asked: "{}".to_owned() };
            company.take(partner, "requested", requested).await.unwrap();
        }
        assert_eq!(count(&company, partner, ExchangeKind::Taken).await, 2);
        assert_eq!(count(&company, partner, ExchangeKind::Delivery).await, 1);
    }
}

#[tokio::test]
async fn a_partner_has_room_for_requests_until_so_many_answers_wait() {
    let company = Company::memory().await;
    let partner = company.partner(1, Does::Take).await;
    let fill = async |due: bool| {
        let grant = Grant::for_maintenance(company.admin.tenant, "test").to_write();
        let mut tx = company.store.write(&grant, sample::intent()).await.unwrap();
        let at = company.time.now();
        for number in 0..MOST {
            let (kind, id, due) = (ExchangeKind::Delivery, format!("{due}/{number}"), due.then_some(at));
            tx.exchange_mut().put(ExchangeRow { kind, id, partner, at, due, content: String::new() }).await.unwrap();
        }
        tx.commit().await.unwrap();
    };
    fill(false).await;
    let asked = |id| company.take(partner, id, EventData::Requested { asked: "{}".to_owned() });
    asked("one").await.unwrap();
    fill(true).await;
    let refused = asked("two").await.unwrap_err();
    assert!(matches!(refused, Error::Busy(_)), "{refused:?}");
    asked("one").await.unwrap();
}
