//! When credentials were last used.

use std::sync::atomic::Ordering;

use ports::clock::Clock as _;

use super::{Fixture, MINUTE};

#[tokio::test]
async fn a_use_is_noted_once_a_minute() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("activity:read", None).await;
    let first = fixture.clock.now();
    for _ in 0..6 {
        fixture.authenticate(&secret).await.unwrap();
        fixture.access.flush().await;
        fixture.clock.advance(MINUTE / 6);
    }
    let second = fixture.clock.now();
    fixture.authenticate(&secret).await.unwrap();
    fixture.access.flush().await;
    assert_eq!(fixture.directory.touches(), [(key.id.uuid(), first), (key.id.uuid(), second)]);
}

#[tokio::test]
async fn a_use_is_written_behind_the_callers_back() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("activity:read", None).await;
    fixture.authenticate(&secret).await.unwrap();
    assert_eq!(fixture.directory.touches(), [], "nobody waits for it");
    tokio::task::yield_now().await;
    assert_eq!(fixture.directory.touches(), [(key.id.uuid(), fixture.clock.now())]);
}

#[tokio::test]
async fn a_client_is_used_by_asking_for_a_token_and_by_calling_with_one() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("activity:read").await;
    let token = fixture.token(&credentials, None).await.unwrap().access.0;
    fixture.access.flush().await;
    assert_eq!(fixture.directory.touches(), [(client.id.uuid(), fixture.clock.now())]);
    fixture.clock.advance(MINUTE);
    fixture.authenticate(&token).await.unwrap();
    fixture.access.flush().await;
    assert_eq!(fixture.directory.touches().len(), 2);
}

#[tokio::test]
async fn what_was_refused_was_not_used() {
    let fixture = Fixture::new();
    let (_, secret) = fixture.key("activity:read", Some(0)).await;
    let (_, mut credentials) = fixture.client("activity:read").await;
    credentials.secret.0.push('x');
    fixture.authenticate(&secret).await.unwrap_err();
    fixture.token(&credentials, None).await.unwrap_err();
    fixture.access.flush().await;
    assert_eq!(fixture.directory.touches(), []);
}

#[tokio::test]
async fn a_use_that_cannot_be_written_harms_nobody_and_the_next_is() {
    let fixture = Fixture::new();
    let (_, secret) = fixture.key("activity:read", None).await;
    fixture.authenticate(&secret).await.unwrap();
    fixture.directory.busy.store(true, Ordering::SeqCst);
    fixture.access.flush().await;
    fixture.directory.busy.store(false, Ordering::SeqCst);
    fixture.clock.advance(MINUTE);
    fixture.authenticate(&secret).await.unwrap();
    fixture.access.flush().await;
    assert_eq!(fixture.directory.touches().len(), 1);
}
