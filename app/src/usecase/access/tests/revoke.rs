//! Revocation (RFC 7009).

use ports::credential::Secret;
use ports::inbound::{Access as _, AccessError, ClientCredentials, Revoke, TokenError};

use super::{HOUR, TENANT, World};

async fn revoke(world: &World, client: &ClientCredentials, token: &Secret) -> Result<(), TokenError> {
    world.access.revoke(TENANT, Revoke { client: client.clone(), token: token.clone() }).await
}

async fn is_dead(world: &World, token: &Secret) -> bool {
    matches!(world.authenticate(&token.0).await, Err(AccessError::Invalid))
}

#[tokio::test]
async fn a_revoked_access_token_is_dead_at_once_and_alone() {
    let world = World::new();
    let (_, client) = world.client("activity:read").await;
    let first = world.token(&client, None).await.unwrap();
    let second = world.refresh(&client, &first.refresh, None).await.unwrap();
    assert!(!is_dead(&world, &second.access).await);
    revoke(&world, &client, &second.access).await.unwrap();
    assert!(is_dead(&world, &second.access).await);
    assert!(!is_dead(&world, &first.access).await);
    assert!(world.refresh(&client, &second.refresh, None).await.is_ok());
}

#[tokio::test]
async fn a_token_revoked_elsewhere_is_dead_within_a_second() {
    let world = World::new();
    let (_, client) = world.client("activity:read").await;
    let first = world.token(&client, None).await.unwrap();
    assert!(!is_dead(&world, &first.access).await);
    revoke(&world.second_process(), &client, &first.access).await.unwrap();
    world.clock.advance(1_000);
    assert!(is_dead(&world, &first.access).await);
}

#[tokio::test]
async fn a_revoked_refresh_token_takes_its_access_tokens_along() {
    let world = World::new();
    let (_, client) = world.client("activity:read").await;
    let first = world.token(&client, None).await.unwrap();
    let second = world.refresh(&client, &first.refresh, None).await.unwrap();
    revoke(&world, &client, &second.refresh).await.unwrap();
    assert!(is_dead(&world, &first.access).await);
    assert!(is_dead(&world, &second.access).await);
    assert!(matches!(world.refresh(&client, &second.refresh, None).await, Err(TokenError::InvalidGrant)));
}

#[tokio::test]
async fn another_clients_tokens_are_not_revoked() {
    let world = World::new();
    let (_, client) = world.client("activity:read").await;
    let (_, stranger) = world.client("admin").await;
    let first = world.token(&client, None).await.unwrap();
    revoke(&world, &stranger, &first.access).await.unwrap();
    revoke(&world, &stranger, &first.refresh).await.unwrap();
    assert!(!is_dead(&world, &first.access).await);
    assert!(world.refresh(&client, &first.refresh, None).await.is_ok());
}

#[tokio::test]
async fn what_is_unknown_or_has_run_out_is_revoked_already() {
    let world = World::new();
    let (_, client) = world.client("activity:read").await;
    let first = world.token(&client, None).await.unwrap();
    world.clock.advance(2 * HOUR);
    for token in [Secret(String::new()), Secret("a.b.c".to_owned()), Secret("nonsense".to_owned()), first.access] {
        revoke(&world, &client, &token).await.unwrap();
    }
}

#[tokio::test]
async fn revoking_needs_the_clients_secret() {
    let world = World::new();
    let (_, client) = world.client("activity:read").await;
    let first = world.token(&client, None).await.unwrap();
    let wrong = ClientCredentials { secret: Secret("wrong".to_owned()), ..client.clone() };
    for _ in 0..10 {
        assert!(matches!(revoke(&world, &wrong, &first.access).await, Err(TokenError::InvalidClient)));
    }
    assert!(matches!(revoke(&world, &client, &first.access).await, Err(TokenError::TooMany { .. })));
    assert!(!is_dead(&world, &first.access).await);
}
