//! Partners, sharings, and what is kept of the exchange beside them.

use domain::{Partner, PartnerId, SharedWith, Sharing, Timestamp};

use super::sample;
use super::tenant::Tenant;
use crate::exchange::{ExchangeKind, ExchangeRow};
use crate::repo::{Page, Query};
use crate::store::Store;

/// The row of that number about the partner, written and due so many seconds after the start.
fn row(number: u64, partner: u64, at: i64, due: Option<i64>) -> ExchangeRow {
    let content = format!("{{\"text\":\"it's {number} \\\"é\\\" $1 %s\"}}");
    let (kind, id, partner) = (ExchangeKind::Delivery, format!("row/{number} é"), sample::id::<PartnerId>(partner));
    ExchangeRow { kind, id, partner, at: moment(at), due: due.map(moment), content }
}

fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_700_000_000_000 + seconds * 1_000).expect("a moment")
}

async fn put(tenant: &Tenant<'_>, rows: &[&ExchangeRow]) {
    let mut tx = tenant.write().await;
    for row in rows {
        tx.exchange_mut().put((*row).clone()).await.expect("stores a row");
    }
    tx.commit().await.expect("commits");
}

pub async fn a_partner_and_a_sharing_come_back_as_they_were_written(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let partner = tenant.add(sample::partner(1)).await;
    let sharing = tenant.add(sample::sharing(1)).await;
    assert_eq!(tenant.find::<Partner>(sample::id(1)).await, Some(partner.clone()));
    assert_eq!(tenant.find::<Sharing>(sample::id(1)).await, Some(sharing.clone()));
    let listed = tenant.read().await.partners().list(&Query::all(Page::FIRST)).await.expect("lists");
    assert_eq!((listed.count, listed.data), (1, vec![partner.clone()]));
    let bare = Partner::new(partner.value.id, partner.value.name.clone(), partner.value.base_url.clone());
    let changed = tenant.update(bare.clone(), partner.version).await;
    tenant.try_update(bare, partner.version).await.expect_err("is stale");
    let opened = tenant.update(Sharing::new(sample::id(1), SharedWith::All), sharing.version).await;
    assert_eq!(tenant.find::<Sharing>(sample::id(1)).await, Some(opened.clone()));
    tenant.remove(&changed).await;
    tenant.remove(&opened).await;
    assert_eq!(tenant.find::<Partner>(sample::id(1)).await, None);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn a_row_of_the_exchange_is_stored_with_what_it_is_about_or_not_at_all(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let one = row(1, 1, 0, Some(5));
    let mut tx = tenant.write().await;
    tx.partners_mut().add(sample::partner(1)).await.expect("adds");
    tx.exchange_mut().put(one.clone()).await.expect("stores");
    assert_eq!(tx.exchange().find(one.kind, one.id.clone()).await.expect("finds"), Some(one.clone()));
    drop(tx);
    assert_eq!(tenant.read().await.exchange().find(one.kind, one.id.clone()).await.expect("finds"), None);
    let head = tenant.head().await;
    put(&tenant, &[&one]).await;
    let done = ExchangeRow { due: None, content: "{}".to_owned(), ..one.clone() };
    put(&tenant, &[&done]).await;
    assert_eq!(tenant.read().await.exchange().find(one.kind, one.id.clone()).await.expect("finds"), Some(done));
    assert_eq!(tenant.head().await, head);
    for kind in ExchangeKind::ALL.into_iter().filter(|kind| *kind != one.kind) {
        assert_eq!(tenant.read().await.exchange().find(kind, one.id.clone()).await.expect("finds"), None);
    }
}

pub async fn rows_of_the_exchange_are_found_by_partner_and_when_they_are_due(store: &dyn Store) {
    let (tenant, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    let rows = [row(1, 1, 0, Some(9)), row(2, 1, 3, Some(4)), row(3, 2, 1, Some(4)), row(4, 1, 3, None)];
    put(&tenant, &rows.iter().collect::<Vec<_>>()).await;
    let [one, two, three, four] = rows;
    let mut tx = tenant.read().await;
    let page = Page { number: 1, size: 2 };
    let listed = tx.exchange().list(one.kind, sample::id(1), page).await.expect("lists");
    assert_eq!((listed.count, listed.data), (3, vec![four, two.clone()]));
    assert_eq!(tx.exchange().due(moment(3), 9).await.expect("finds"), []);
    assert_eq!(tx.exchange().due(moment(4), 9).await.expect("finds"), [two.clone(), three.clone()]);
    assert_eq!(tx.exchange().due(moment(9), 2).await.expect("finds"), [two, three.clone()]);
    drop(tx);
    assert_eq!(other.read().await.exchange().due(moment(9), 9).await.expect("finds"), []);
    let mut tx = tenant.write().await;
    tx.exchange_mut().remove_partner(sample::id(1)).await.expect("removes");
    tx.commit().await.expect("commits");
    assert_eq!(tenant.read().await.exchange().due(moment(9), 9).await.expect("finds"), [three]);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}
