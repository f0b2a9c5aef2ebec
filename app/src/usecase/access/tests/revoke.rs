//! Revocation (RFC 7009).

use ports::credential::Secret;
use ports::inbound::{Access as _, AccessError, ClientCredentials, TokenError};

use super::{Fixture, HOUR, TENANT};

async fn revoke(fixture: &Fixture, client: &ClientCredentials, token: &Secret) -> Result<(), TokenError> {
    let client = fixture.access.client(TENANT, client).await?;
    fixture.access.revoke(&client, token).await
}

async fn is_dead(fixture: &Fixture, token: &Secret) -> bool {
    matches!(fixture.authenticate(&token.0).await, Err(AccessError::Invalid))
}

#[tokio::test]
async fn a_revoked_access_token_is_dead_at_once_and_alone() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    let second = fixture.refresh(&client, &first.refresh, None).await.unwrap();
    assert!(!is_dead(&fixture, &second.access).await);
    revoke(&fixture, &client, &second.access).await.unwrap();
    assert!(is_dead(&fixture, &second.access).await);
    assert!(!is_dead(&fixture, &first.access).await);
    assert!(fixture.refresh(&client, &second.refresh, None).await.is_ok());
}

#[tokio::test]
async fn a_token_revoked_elsewhere_is_dead_within_a_second() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    assert!(!is_dead(&fixture, &first.access).await);
    revoke(&fixture.second_process(), &client, &first.access).await.unwrap();
    fixture.clock.advance(1_000);
    assert!(is_dead(&fixture, &first.access).await);
}

#[tokio::test]
async fn a_revoked_refresh_token_takes_its_access_tokens_along() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    let second = fixture.refresh(&client, &first.refresh, None).await.unwrap();
    revoke(&fixture, &client, &second.refresh).await.unwrap();
    assert!(is_dead(&fixture, &first.access).await);
    assert!(is_dead(&fixture, &second.access).await);
    assert!(matches!(fixture.refresh(&client, &second.refresh, None).await, Err(TokenError::InvalidGrant)));
}

#[tokio::test]
async fn another_clients_tokens_are_not_revoked() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let (_, stranger) = fixture.client("admin").await;
    let first = fixture.token(&client, None).await.unwrap();
    revoke(&fixture, &stranger, &first.access).await.unwrap();
    revoke(&fixture, &stranger, &first.refresh).await.unwrap();
    assert!(!is_dead(&fixture, &first.access).await);
    assert!(fixture.refresh(&client, &first.refresh, None).await.is_ok());
}

#[tokio::test]
async fn what_is_unknown_or_has_run_out_is_revoked_already() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    fixture.clock.advance(2 * HOUR);
    for token in [Secret(String::new()), Secret("a.b.c".to_owned()), Secret("nonsense".to_owned()), first.access] {
        revoke(&fixture, &client, &token).await.unwrap();
    }
}

#[tokio::test]
async fn revoking_needs_the_clients_secret() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    let wrong = ClientCredentials { secret: Secret("wrong".to_owned()), ..client.clone() };
    for _ in 0..10 {
        assert!(matches!(revoke(&fixture, &wrong, &first.access).await, Err(TokenError::InvalidClient)));
    }
    assert!(matches!(revoke(&fixture, &wrong, &first.access).await, Err(TokenError::TooMany { .. })));
    assert!(!is_dead(&fixture, &first.access).await);
    revoke(&fixture, &client, &first.access).await.unwrap();
    assert!(is_dead(&fixture, &first.access).await);
}
