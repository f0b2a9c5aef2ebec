//! When credentials were last used.

use std::sync::atomic::Ordering;

use ports::world::Clock as _;

use super::{MINUTE, World};

#[tokio::test]
async fn a_use_is_noted_once_a_minute() {
    let world = World::new();
    let (key, secret) = world.key("activity:read", None).await;
    let first = world.clock.now();
    for _ in 0..6 {
        world.authenticate(&secret).await.unwrap();
        world.access.flush().await;
        world.clock.advance(MINUTE / 6);
    }
    let second = world.clock.now();
    world.authenticate(&secret).await.unwrap();
    world.access.flush().await;
    assert_eq!(world.directory.touches(), [(key.id.uuid(), first), (key.id.uuid(), second)]);
}

#[tokio::test]
async fn a_use_is_written_behind_the_callers_back() {
    let world = World::new();
    let (key, secret) = world.key("activity:read", None).await;
    world.authenticate(&secret).await.unwrap();
    assert_eq!(world.directory.touches(), [], "nobody waits for it");
    tokio::task::yield_now().await;
    assert_eq!(world.directory.touches(), [(key.id.uuid(), world.clock.now())]);
}

#[tokio::test]
async fn a_client_is_used_by_asking_for_a_token_and_by_calling_with_one() {
    let world = World::new();
    let (client, credentials) = world.client("activity:read").await;
    let token = world.token(&credentials, None).await.unwrap().access.0;
    world.access.flush().await;
    assert_eq!(world.directory.touches(), [(client.id.uuid(), world.clock.now())]);
    world.clock.advance(MINUTE);
    world.authenticate(&token).await.unwrap();
    world.access.flush().await;
    assert_eq!(world.directory.touches().len(), 2);
}

#[tokio::test]
async fn what_was_refused_was_not_used() {
    let world = World::new();
    let (_, secret) = world.key("activity:read", Some(0)).await;
    let (_, mut credentials) = world.client("activity:read").await;
    credentials.secret.0.push('x');
    world.authenticate(&secret).await.unwrap_err();
    world.token(&credentials, None).await.unwrap_err();
    world.access.flush().await;
    assert_eq!(world.directory.touches(), []);
}

#[tokio::test]
async fn a_use_that_cannot_be_written_harms_nobody_and_the_next_is() {
    let world = World::new();
    let (_, secret) = world.key("activity:read", None).await;
    world.authenticate(&secret).await.unwrap();
    world.directory.busy.store(true, Ordering::SeqCst);
    world.access.flush().await;
    world.directory.busy.store(false, Ordering::SeqCst);
    world.clock.advance(MINUTE);
    world.authenticate(&secret).await.unwrap();
    world.access.flush().await;
    assert_eq!(world.directory.touches().len(), 1);
}
