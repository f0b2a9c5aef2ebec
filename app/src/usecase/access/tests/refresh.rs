//! Refresh tokens: rotation, reuse, narrowing.

use std::sync::atomic::Ordering;

use ports::Permissions;
use ports::credential::Secret;
use ports::directory::Client;
use ports::inbound::{AccessError, Granted, TokenError};

use super::{DAY, Fixture};

fn is_reused(result: &Result<Granted, TokenError>) -> bool {
    matches!(result, Err(TokenError::Reused))
}

fn is_invalid_grant(result: &Result<Granted, TokenError>) -> bool {
    matches!(result, Err(TokenError::InvalidGrant))
}

#[tokio::test]
async fn a_refresh_token_gives_a_new_pair_and_leaves_the_access_token_alive() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    let second = fixture.refresh(&client, &first.refresh, None).await.unwrap();
    assert_ne!(first.access, second.access);
    assert_ne!(first.refresh, second.refresh);
    assert_eq!((first.scope, first.expires_in_s), (second.scope, second.expires_in_s));
    for token in [first.access, second.access] {
        assert!(fixture.authenticate(&token.0).await.is_ok());
    }
}

#[tokio::test]
async fn a_dead_refresh_token_revokes_its_family_and_every_access_token_of_it() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let other = fixture.token(&client, None).await.unwrap();
    let first = fixture.token(&client, None).await.unwrap();
    let second = fixture.refresh(&client, &first.refresh, None).await.unwrap();
    let third = fixture.refresh(&client, &second.refresh, None).await.unwrap();
    assert!(fixture.authenticate(&third.access.0).await.is_ok());

    assert!(is_reused(&fixture.refresh(&client, &first.refresh, None).await));
    for dead in [&first, &second, &third] {
        assert!(is_invalid_grant(&fixture.refresh(&client, &dead.refresh, None).await));
        assert!(matches!(fixture.authenticate(&dead.access.0).await, Err(AccessError::Invalid)), "at once");
    }
    assert!(fixture.authenticate(&other.access.0).await.is_ok(), "another family lives");
    assert!(fixture.refresh(&client, &other.refresh, None).await.is_ok());
}

#[tokio::test]
async fn a_family_revoked_elsewhere_is_dead_within_a_second() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    assert!(fixture.authenticate(&first.access.0).await.is_ok());
    let elsewhere = fixture.second_process();
    elsewhere.refresh(&client, &first.refresh, None).await.unwrap();
    elsewhere.refresh(&client, &first.refresh, None).await.unwrap_err();
    fixture.clock.advance(1_000);
    assert!(matches!(fixture.authenticate(&first.access.0).await, Err(AccessError::Invalid)));
}

#[tokio::test]
async fn an_exchange_that_comes_second_revokes_the_family() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    fixture.directory.loses_exchanges.store(true, Ordering::SeqCst);
    assert!(is_reused(&fixture.refresh(&client, &first.refresh, None).await));
    assert!(fixture.directory.refresh_tokens().await.iter().all(|refresh| refresh.revoked.is_some()));
}

#[tokio::test]
async fn another_clients_refresh_token_is_refused_and_not_harmed() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let (_, thief) = fixture.client("admin").await;
    let first = fixture.token(&client, None).await.unwrap();
    assert!(is_invalid_grant(&fixture.refresh(&thief, &first.refresh, None).await));
    assert!(fixture.refresh(&client, &first.refresh, None).await.is_ok());
}

#[tokio::test]
async fn what_is_no_refresh_token_is_refused() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    for token in [Secret(String::new()), Secret("nonsense".to_owned()), first.access, client.secret.clone()] {
        assert!(is_invalid_grant(&fixture.refresh(&client, &token, None).await));
    }
}

#[tokio::test]
async fn a_refresh_token_lives_thirty_days_from_its_own_making() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let first = fixture.token(&client, None).await.unwrap();
    fixture.clock.advance(30 * DAY - 1);
    let second = fixture.refresh(&client, &first.refresh, None).await.unwrap();
    fixture.clock.advance(30 * DAY);
    assert!(is_invalid_grant(&fixture.refresh(&client, &second.refresh, None).await));
}

#[tokio::test]
async fn a_narrower_scope_narrows_the_access_token_and_not_the_next_refresh() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:write switch:read").await;
    let first = fixture.token(&client, Some("activity:read switch:read")).await.unwrap();
    let narrow = fixture.refresh(&client, &first.refresh, Some("switch:read")).await.unwrap();
    assert_eq!(narrow.scope.to_string(), "switch:read");
    let wide = fixture.refresh(&client, &narrow.refresh, None).await.unwrap();
    assert_eq!(wide.scope.to_string(), "activity:report activity:read switch:read");
}

#[tokio::test]
async fn a_wider_scope_than_the_first_is_not_given() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:write switch:read").await;
    let first = fixture.token(&client, Some("activity:read")).await.unwrap();
    let result = fixture.refresh(&client, &first.refresh, Some("switch:read")).await;
    assert!(matches!(result, Err(TokenError::InvalidScope)));
    let second = fixture.refresh(&client, &first.refresh, Some("activity:write switch:read")).await.unwrap();
    assert_eq!(second.scope.to_string(), "activity:report activity:read", "the refused question did not use it up");
}

#[tokio::test]
async fn a_refresh_gives_what_the_client_still_holds() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("activity:read switch:read").await;
    let first = fixture.token(&credentials, None).await.unwrap();
    let lesser = Client { permissions: Permissions::parse("switch:read").unwrap(), ..client };
    fixture.directory.change_client(lesser).await;
    let second = fixture.refresh(&credentials, &first.refresh, None).await.unwrap();
    assert_eq!(second.scope.to_string(), "switch:read");
}

#[tokio::test]
async fn what_has_run_out_is_swept() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    fixture.token(&client, None).await.unwrap();
    fixture.clock.advance(20 * DAY);
    fixture.token(&client, None).await.unwrap();
    fixture.clock.advance(10 * DAY);
    // What ran out is kept for a day of sweeps.
    for _ in 0..24 {
        fixture.access.sweep().await.unwrap();
        fixture.clock.advance(DAY / 24);
    }
    assert_eq!(fixture.directory.refresh_tokens().await.len(), 2);
    fixture.access.sweep().await.unwrap();
    assert_eq!(fixture.directory.refresh_tokens().await.len(), 1);
}
