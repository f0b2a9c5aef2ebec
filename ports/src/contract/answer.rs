//! First answers to requests that may be sent again: stored with what they answer.

use domain::Timestamp;

use super::sample;
use super::tenant::Tenant;
use crate::repeat::{FirstAnswer, KeyedRequest, RequestKey, StoredAnswer};
use crate::store::{Conflict, Intent, Store, StoreError, WriteTx};

const HOUR: i64 = 60 * 60;

/// The request under that key, which asks for that.
pub(super) fn request(key: &str, asks: &str) -> KeyedRequest {
    KeyedRequest::new(RequestKey::new("key:1", "POST /v1/switch", key), "", asks.as_bytes())
}

pub(super) fn answer(text: &str) -> FirstAnswer {
    FirstAnswer {
        status: 201,
        location: Some(format!("https://example.com/api/v1/switch/{text}")),
        etag: Some("\"1-ab\"".to_owned()),
        body: format!("{{\"name\":\"{text} é\"}}").into_bytes(),
    }
}

/// A transaction of that time.
async fn write_at(store: &dyn Store, tenant: &Tenant<'_>, at: Timestamp) -> Box<dyn WriteTx> {
    let intent = Intent { at, ..sample::intent() };
    store.write(tenant.writing(), intent).await.expect("opens a write transaction")
}

/// Stores an answer in a transaction of its own.
pub(super) async fn keep(
    store: &dyn Store,
    tenant: &Tenant<'_>,
    at: Timestamp,
    request: KeyedRequest,
    answer: FirstAnswer,
) -> Result<(), StoreError> {
    let mut tx = write_at(store, tenant, at).await;
    tx.answers_mut().add(request, answer).await?;
    tx.commit().await.map(drop)
}

pub(super) async fn find(tenant: &Tenant<'_>, request: KeyedRequest, now: Timestamp) -> Option<StoredAnswer> {
    tenant.read().await.answers().find(request.key, now).await.expect("finds an answer")
}

pub async fn an_answer_is_stored_with_what_it_answers_or_not_at_all(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let asked = request("a", "one");
    let mut tx = write_at(store, &tenant, sample::at(0)).await;
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    tx.answers_mut().add(asked, answer("one")).await.expect("stores");
    let seen = tx.answers().find(asked.key, sample::at(0)).await.expect("finds");
    assert!(seen.is_some(), "the transaction reads what it wrote");
    drop(tx);
    assert_eq!(find(&tenant, asked, sample::at(0)).await, None);
    let mut tx = write_at(store, &tenant, sample::at(0)).await;
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    tx.answers_mut().add(asked, answer("one")).await.expect("stores");
    assert_eq!(find(&tenant, asked, sample::at(0)).await, None, "nothing is seen before the commit");
    tx.commit().await.expect("commits");
    let stored = StoredAnswer { content: asked.content, answer: answer("one") };
    assert_eq!(find(&tenant, asked, sample::at(1)).await, Some(stored));
    assert_eq!(find(&tenant, request("b", "one"), sample::at(1)).await, None);
}

pub async fn an_answer_without_location_and_tag_comes_back_so(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let bare = FirstAnswer { status: 200, location: None, etag: None, body: vec![0, 255, 10] };
    keep(store, &tenant, sample::at(0), request("a", ""), bare.clone()).await.expect("stores");
    assert_eq!(find(&tenant, request("a", ""), sample::at(0)).await.expect("is there").answer, bare);
}

pub async fn a_second_answer_under_a_key_is_refused_and_leaves_the_first(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    keep(store, &tenant, sample::at(0), request("a", "one"), answer("one")).await.expect("stores");
    let mut tx = write_at(store, &tenant, sample::at(HOUR)).await;
    tx.products_mut().add(sample::product(1)).await.expect("adds");
    let refused = tx.answers_mut().add(request("a", "two"), answer("two")).await;
    assert!(matches!(refused, Err(StoreError::Conflict(Conflict::Repeated))), "{refused:?}");
    tx.answers_mut().add(request("b", "two"), answer("two")).await.expect("the transaction goes on");
    tx.commit().await.expect("commits");
    let first = find(&tenant, request("a", ""), sample::at(HOUR)).await.expect("is there");
    assert_eq!((first.content, first.answer), (request("a", "one").content, answer("one")));
}

pub async fn an_answer_makes_no_change_of_its_own(store: &dyn Store) {
    let tenant = Tenant::prepare(store).await;
    let head = tenant.head().await;
    let mut tx = write_at(store, &tenant, sample::at(0)).await;
    tx.answers_mut().add(request("a", ""), answer("a")).await.expect("stores");
    assert_eq!(tx.commit().await.expect("commits"), head);
    assert_eq!(tenant.head().await, head);
    assert!(find(&tenant, request("a", ""), sample::at(0)).await.is_some());
    let verified = store.verify(tenant.grant()).await.expect("verifies");
    assert_eq!((verified.records, verified.changes, verified.findings), (0, 0, Vec::new()));
}

pub async fn answers_are_their_own_tenants_and_go_with_it(store: &dyn Store) {
    let (one, other) = (Tenant::prepare(store).await, Tenant::prepare_nth(store, 2).await);
    let asked = request("a", "");
    keep(store, &one, sample::at(0), asked, answer("a")).await.expect("stores");
    assert_eq!(find(&other, asked, sample::at(0)).await, None);
    keep(store, &other, sample::at(0), asked, answer("b")).await.expect("stores");
    store.remove(one.grant(), 0).await.expect("removes");
    let again = Tenant::prepare(store).await;
    assert_eq!(find(&again, asked, sample::at(0)).await, None);
    assert_eq!(find(&other, asked, sample::at(0)).await.expect("is there").answer, answer("b"));
}
