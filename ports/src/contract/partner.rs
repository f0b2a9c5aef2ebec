//! Partners, sharings, and what is kept of the exchange beside them.

use std::slice;

use domain::footprint::Edition;
use domain::{Footprint, FootprintId, Partner, PartnerId, SharedWith, Sharing, Timestamp};

use super::sample;
use super::tenant::Tenant;
use crate::exchange::{ExchangeKind, ExchangeRow};
use crate::repo::{Page, Query, Shown};
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

pub async fn a_partner_is_found_by_each_client_that_it_names_now(store: &dyn Store) {
    let (tenant, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    let found = async |client: u64| {
        let mut tx = tenant.read().await;
        let found = tx.partners().of_client(sample::uuid(client)).await.expect("finds");
        found.map(|stored| stored.value.id)
    };
    // It names the clients 1 and 2, and one of them twice.
    let twice = [1, 2, 2].map(sample::uuid).to_vec();
    let first = tenant.add(sample::partner(1).with_clients(twice)).await;
    let second = tenant.add(sample::partner(5)).await;
    for (client, partner) in [(1, Some(1)), (2, Some(1)), (5, Some(5)), (6, Some(5)), (7, None)] {
        assert_eq!(found(client).await, partner.map(sample::id), "client {client}");
    }
    assert_eq!(other.read().await.partners().of_client(sample::uuid(1)).await.expect("finds"), None);
    let changed = tenant.update(first.value.with_clients(vec![sample::uuid(2), sample::uuid(7)]), first.version).await;
    for (client, partner) in [(1, None), (2, Some(1)), (7, Some(1)), (5, Some(5))] {
        assert_eq!(found(client).await, partner.map(sample::id), "client {client} after the change");
    }
    let mut tx = tenant.write().await;
    tx.partners_mut().remove(changed.value.id, changed.version).await.expect("removes");
    assert_eq!(tx.partners().of_client(sample::uuid(2)).await.expect("finds"), None);
    drop(tx);
    assert_eq!(found(2).await, Some(sample::id(1)), "a dropped transaction leaves nothing");
    tenant.remove(&changed).await;
    tenant.remove(&second).await;
    for client in [2, 5, 6, 7] {
        assert_eq!(found(client).await, None);
    }
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn sharings_are_found_by_the_partners_that_they_name(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let found = async |partner: u64, limit: u32| {
        let mut tx = tenant.read().await;
        let found = tx.sharings().naming(sample::id(partner), limit).await.expect("finds");
        let mut ids: Vec<FootprintId> = found.iter().map(|stored| stored.value.id).collect();
        ids.sort_unstable();
        ids
    };
    // The first footprint is there, the others are not.
    tenant.add(sample::shown_footprint(1, "2025-01-01T00:00:00Z", "kilogram")).await;
    let first = tenant.add(sample::sharing(1)).await;
    let second = tenant.add(Sharing::new(sample::id(2), SharedWith::Partners([sample::id(2)].into()))).await;
    tenant.add(Sharing::new(sample::id(3), SharedWith::All)).await;
    assert_eq!(found(1, 9).await, [sample::id(1)]);
    assert_eq!(found(2, 9).await, [sample::id(1), sample::id(2)]);
    assert_eq!(found(2, 1).await.len(), 1);
    assert_eq!(found(3, 9).await, []);
    tenant.update(Sharing::new(sample::id(1), SharedWith::All), first.version).await;
    tenant.remove(&second).await;
    assert_eq!(found(2, 9).await, []);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn a_partners_list_has_what_is_shared_with_it_or_with_all_in_the_order_of_lists(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let shared_with = |partners: &[u64]| match partners {
        [] => SharedWith::All,
        some => SharedWith::Partners(some.iter().map(|partner| sample::id(*partner)).collect()),
    };
    let day = |day: u32| format!("2025-01-{day:02}T00:00:00Z");
    // The number of a footprint is that of its id, the order of lists by creation is 6, 5, 4, 3, 2, 1.
    for number in 1..=6_u32 {
        let unit = if number == 3 { "piece" } else { "kilogram" };
        tenant.add(sample::shown_footprint(number.into(), &day(20 - number), unit)).await;
    }
    tenant.add(sample::footprint(7)).await;
    for (id, partners) in [(1, &[1][..]), (2, &[]), (3, &[1, 2]), (5, &[2]), (6, &[1]), (7, &[1])] {
        tenant.add(Sharing::new(sample::id(id), shared_with(partners))).await;
    }
    let whole = Shown { edition: Edition::V3, after: None, until: u64::MAX, products: None, partner: None, limit: 9 };
    let of = |partner: u64| Shown { partner: Some(sample::id(partner)), ..whole.clone() };
    for limit in [1, 2, 9] {
        let parts = |asked: Shown| listed(&tenant, Shown { limit, ..asked });
        assert_eq!(parts(of(1)).await, [6, 3, 2, 1], "{limit}");
        assert_eq!(parts(of(2)).await, [5, 3, 2], "{limit}");
        assert_eq!(parts(of(3)).await, [2], "{limit}");
        assert_eq!(parts(Shown { edition: Edition::V2, ..of(1) }).await, [6, 2, 1], "{limit}");
        assert_eq!(parts(Shown { until: 3, ..of(1) }).await, [3, 2, 1], "{limit}");
        let products = Some(["urn:gtin:3", "urn:gtin:4", "urn:gtin:2"].map(str::to_owned).to_vec());
        assert_eq!(parts(Shown { products: products.clone(), ..of(1) }).await, [3, 2], "{limit}");
        assert_eq!(parts(Shown { products, ..of(3) }).await, [2], "{limit}");
    }
    // What is shared otherwise, moved or removed is found so.
    let sharing = tenant.find::<Sharing>(sample::id(6)).await.expect("is there");
    tenant.update(Sharing::new(sample::id(6), shared_with(&[3])), sharing.version).await;
    let moved = tenant.find::<Footprint>(sample::id(1)).await.expect("is there");
    let earlier = sample::shown_footprint(1, &day(1), "kilogram").with_number(1);
    tenant.update(earlier, moved.version).await;
    let sharing = tenant.find::<Sharing>(sample::id(3)).await.expect("is there");
    tenant.remove(&sharing).await;
    assert_eq!(listed(&tenant, of(1)).await, [1, 2]);
    assert_eq!(listed(&tenant, of(2)).await, [5, 2]);
    assert_eq!(listed(&tenant, of(3)).await, [6, 2]);
    let gone = tenant.find::<Footprint>(sample::id(5)).await.expect("is there");
    tenant.remove(&gone).await;
    assert_eq!(listed(&tenant, of(2)).await, [2]);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

/// The numbers of a whole list, read in parts.
async fn listed(tenant: &Tenant<'_>, mut asked: Shown) -> Vec<u64> {
    let mut tx = tenant.read().await;
    let mut numbers = Vec::new();
    loop {
        let batch = tx.footprints().shown(asked.clone()).await.expect("reads");
        assert!(batch.records.len() <= asked.limit as usize);
        numbers.extend(batch.records.iter().map(|stored| stored.value.number));
        asked.after = batch.end;
        if asked.after.is_none() {
            return numbers;
        }
    }
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
    let (first, second) = (sample::id::<PartnerId>(1), sample::id::<PartnerId>(2));
    assert_eq!(tx.exchange().due(first, moment(3), 9).await.expect("finds"), []);
    assert_eq!(tx.exchange().due(first, moment(4), 9).await.expect("finds"), slice::from_ref(&two));
    assert_eq!(tx.exchange().due(first, moment(9), 9).await.expect("finds"), [two.clone(), one.clone()]);
    assert_eq!(tx.exchange().due(first, moment(9), 1).await.expect("finds"), [two]);
    assert_eq!(tx.exchange().due(second, moment(9), 9).await.expect("finds"), slice::from_ref(&three));
    for (partner, waiting) in [(1, 2), (2, 1), (3, 0)] {
        assert_eq!(tx.exchange().waiting(sample::id(partner)).await.expect("counts"), waiting, "{partner}");
    }
    drop(tx);
    assert_eq!(other.read().await.exchange().due(first, moment(9), 9).await.expect("finds"), []);
    let mut tx = tenant.write().await;
    tx.exchange_mut().remove_partner(sample::id(1)).await.expect("removes");
    tx.commit().await.expect("commits");
    let mut tx = tenant.read().await;
    assert_eq!(tx.exchange().due(first, moment(9), 9).await.expect("finds"), []);
    assert_eq!(tx.exchange().due(second, moment(9), 9).await.expect("finds"), [three]);
    drop(tx);
    assert_eq!(store.verify(tenant.grant()).await.expect("verifies").findings, []);
}

pub async fn partners_with_rows_due_are_found_once_each_however_many_they_have(store: &dyn Store) {
    let (tenant, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    let mut rows: Vec<_> = (10..60).map(|number| row(number, 3, 0, Some(2))).collect();
    rows.extend([row(1, 1, 0, Some(9)), row(2, 1, 0, Some(4)), row(3, 2, 0, Some(4)), row(4, 4, 0, None)]);
    put(&tenant, &rows.iter().collect::<Vec<_>>()).await;
    let first = |partner: u64, due: i64| (sample::id::<PartnerId>(partner), moment(due));
    let mut tx = tenant.read().await;
    assert_eq!(tx.exchange().due_partners(moment(1), 9).await.expect("finds"), []);
    assert_eq!(tx.exchange().due_partners(moment(3), 9).await.expect("finds"), [first(3, 2)]);
    let all = [first(3, 2), first(1, 4), first(2, 4)];
    assert_eq!(tx.exchange().due_partners(moment(4), 9).await.expect("finds"), all);
    assert_eq!(tx.exchange().due_partners(Timestamp::MAX, 2).await.expect("finds"), all[..2]);
    drop(tx);
    assert_eq!(other.read().await.exchange().due_partners(moment(9), 9).await.expect("finds"), []);
}

pub async fn rows_of_the_exchange_are_removed_by_name_and_by_age_unless_they_are_due(store: &dyn Store) {
    let (tenant, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    let rows = [row(1, 1, 0, None), row(2, 1, 1, None), row(3, 2, 2, None), row(4, 1, 0, Some(9)), row(5, 1, 5, None)];
    put(&tenant, &rows.iter().collect::<Vec<_>>()).await;
    put(&other, &[&rows[0]]).await;
    let [one, two, three, four, five] = rows;
    let mut tx = tenant.write().await;
    let exchange = tx.exchange_mut();
    assert_eq!(exchange.remove_before(ExchangeKind::Taken, moment(9), 9).await.expect("removes"), 0);
    assert_eq!(exchange.remove_before(one.kind, moment(5), 2).await.expect("removes"), 2);
    assert_eq!(exchange.remove_before(one.kind, moment(5), 2).await.expect("removes"), 1);
    assert_eq!(exchange.remove_before(one.kind, moment(5), 2).await.expect("removes"), 0);
    tx.commit().await.expect("commits");
    let mut found = Vec::new();
    for row in [&one, &two, &three, &four, &five] {
        found.extend(tenant.read().await.exchange().find(row.kind, row.id.clone()).await.expect("finds"));
    }
    assert_eq!(found, [four.clone(), five]);
    assert!(other.read().await.exchange().find(one.kind, one.id).await.expect("finds").is_some());
    let mut tx = tenant.write().await;
    for _ in 0..2 {
        tx.exchange_mut().remove(four.kind, four.id.clone()).await.expect("removes");
    }
    tx.commit().await.expect("commits");
    assert_eq!(tenant.read().await.exchange().due(sample::id(1), moment(9), 9).await.expect("finds"), []);
}
