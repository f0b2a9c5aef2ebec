//! Tokens for client credentials.

use ports::Permissions;
use ports::credential::Secret;
use ports::inbound::{ClientCredentials, TokenError};

use super::{DAY, Fixture, HOUR, MINUTE, OTHER, lifetimes};

fn wrong(credentials: &ClientCredentials) -> ClientCredentials {
    ClientCredentials { secret: Secret("wrong".to_owned()), ..credentials.clone() }
}

#[tokio::test]
async fn client_credentials_give_a_pair_for_an_hour_and_for_thirty_days() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("activity:read").await;
    let granted = fixture.token(&credentials, None).await.unwrap();
    assert_eq!(granted.expires_in_s, 3_600);
    assert!(granted.refresh.0.starts_with("tonnerefresh_"));
    let kept = fixture.directory.refresh_tokens().await.remove(0);
    assert_eq!((kept.client, kept.tenant), (client.id, client.tenant));
    assert_eq!(kept.expires, fixture.after(30 * DAY));
}

#[tokio::test]
async fn lifetimes_are_configured() {
    let fixture = Fixture::with(lifetimes(90, 7_200));
    let (_, credentials) = fixture.client("activity:read").await;
    assert_eq!(fixture.token(&credentials, None).await.unwrap().expires_in_s, 90);
    assert_eq!(fixture.directory.refresh_tokens().await[0].expires, fixture.after(2 * HOUR));
}

#[tokio::test]
async fn no_token_outlives_its_client() {
    let fixture = Fixture::new();
    let (_, credentials) = fixture.client_of(super::TENANT, "activity:read", Some(10 * MINUTE)).await;
    assert_eq!(fixture.token(&credentials, None).await.unwrap().expires_in_s, 600);
    assert_eq!(fixture.directory.refresh_tokens().await[0].expires, fixture.after(10 * MINUTE));
}

#[tokio::test]
async fn the_granted_scope_is_what_is_asked_and_held() {
    let fixture = Fixture::new();
    let (_, credentials) = fixture.client("activity:write switch:read").await;
    for (asked, granted) in [
        (None, "activity:report activity:read activity:write switch:read"),
        (Some(""), "activity:report activity:read activity:write switch:read"),
        (Some("  "), "activity:report activity:read activity:write switch:read"),
        (Some("activity:report"), "activity:report"),
        (Some("activity:read"), "activity:report activity:read"),
        (Some("switch:read nonsense openid"), "switch:read"),
        (Some("switch:write"), "switch:read"),
        (Some("switch:read model:read"), "switch:read"),
    ] {
        let scope = fixture.token(&credentials, asked).await.unwrap().scope;
        assert_eq!(scope.to_string(), granted, "{asked:?}");
    }
}

#[tokio::test]
async fn a_token_carries_the_scope_it_was_granted() {
    let fixture = Fixture::new();
    let (_, credentials) = fixture.client("activity:write switch:read").await;
    let granted = fixture.token(&credentials, Some("switch:read")).await.unwrap();
    let caller = fixture.authenticate(&granted.access.0).await.unwrap();
    assert_eq!(caller.permissions, Permissions::parse("switch:read").unwrap());
}

#[tokio::test]
async fn when_nothing_of_the_scope_is_held_there_is_no_token() {
    let fixture = Fixture::new();
    let (_, credentials) = fixture.client("activity:read").await;
    for asked in ["switch:read", "nonsense", "ACTIVITY:READ", "activity:read,switch:read"] {
        assert!(matches!(fixture.token(&credentials, Some(asked)).await, Err(TokenError::InvalidScope)), "{asked}");
    }
    assert_eq!(fixture.directory.refresh_tokens().await.len(), 0);
}

#[tokio::test]
async fn unknown_foreign_expired_and_malformed_clients_get_the_answer_of_a_wrong_secret() {
    let fixture = Fixture::new();
    let (_, right) = fixture.client("activity:read").await;
    let (_, foreign) = fixture.client_of(OTHER, "activity:read", None).await;
    let (_, expired) = fixture.client_of(super::TENANT, "activity:read", Some(0)).await;
    let named = |id: &str| ClientCredentials { id: id.to_owned(), ..right.clone() };
    for credentials in [
        wrong(&right),
        ClientCredentials { secret: Secret(String::new()), ..right.clone() },
        foreign,
        expired,
        named("00000000-0000-4000-8000-000000000000"),
        named(""),
        named("not a uuid"),
        named(&right.id.replace('-', "")),
    ] {
        let error = fixture.token(&credentials, None).await.unwrap_err();
        assert!(matches!(error, TokenError::InvalidClient), "{}: {error:?}", credentials.id);
    }
}

#[tokio::test]
async fn after_ten_failures_in_a_minute_further_ones_are_told_to_wait_and_the_right_secret_is_heard() {
    let fixture = Fixture::new();
    let (_, right) = fixture.client("activity:read").await;
    for _ in 0..10 {
        assert!(matches!(fixture.token(&wrong(&right), None).await, Err(TokenError::InvalidClient)));
        fixture.clock.advance(1_000);
    }
    let error = fixture.token(&wrong(&right), None).await.unwrap_err();
    assert!(matches!(error, TokenError::TooMany { retry_after_s: 50 }), "{error:?}");
    assert!(fixture.token(&right, None).await.is_ok(), "wrong secrets lock nobody out");
    let elsewhere = ClientCredentials { from: "192.0.2.2".to_owned(), ..wrong(&right) };
    assert!(matches!(fixture.token(&elsewhere, None).await, Err(TokenError::InvalidClient)), "counted by address");
    fixture.clock.advance(50_000);
    assert!(matches!(fixture.token(&wrong(&right), None).await, Err(TokenError::InvalidClient)));
}

#[tokio::test]
async fn a_success_takes_no_failure_back() {
    let fixture = Fixture::new();
    let (_, right) = fixture.client("activity:read").await;
    for _ in 0..9 {
        fixture.token(&wrong(&right), None).await.unwrap_err();
    }
    assert!(fixture.token(&right, None).await.is_ok());
    assert!(matches!(fixture.token(&wrong(&right), None).await, Err(TokenError::InvalidClient)));
    assert!(matches!(fixture.token(&wrong(&right), None).await, Err(TokenError::TooMany { .. })));
}

#[tokio::test]
async fn successes_are_not_bounded() {
    let fixture = Fixture::new();
    let (_, right) = fixture.client("activity:read").await;
    for _ in 0..30 {
        assert!(fixture.token(&right, None).await.is_ok());
    }
}

#[tokio::test]
async fn a_rotated_secret_is_dead_at_once() {
    let fixture = Fixture::new();
    let (mut client, old) = fixture.client("activity:read").await;
    fixture.token(&old, None).await.unwrap();
    client.secret_hash = domain::Digest::of(b"new");
    fixture.directory.change_client(client).await;
    assert!(matches!(fixture.token(&old, None).await, Err(TokenError::InvalidClient)));
    let new = ClientCredentials { secret: Secret("new".to_owned()), ..old };
    assert!(fixture.token(&new, None).await.is_ok());
}

#[tokio::test]
async fn a_token_whose_keeping_is_not_known_is_given_when_it_is_asked_for_again() {
    let fixture = Fixture::new();
    let (_, right) = fixture.client("activity:read").await;
    let pair = fixture.token(&right, None).await.unwrap();
    let lost = |is| fixture.directory.loses_answers.store(is, std::sync::atomic::Ordering::SeqCst);
    lost(true);
    assert!(matches!(fixture.token(&right, None).await, Err(TokenError::Unknown(_))));
    assert!(matches!(fixture.refresh(&right, &pair.refresh, None).await, Err(TokenError::Unknown(_))));
    lost(false);
    // The refresh token was used up by then.
    assert!(matches!(fixture.refresh(&right, &pair.refresh, None).await, Err(TokenError::Reused)));
    assert!(fixture.token(&right, None).await.is_ok());
}

#[tokio::test]
async fn a_busy_directory_is_no_wrong_secret() {
    let fixture = Fixture::new();
    let (_, right) = fixture.client("activity:read").await;
    fixture.directory.busy.store(true, std::sync::atomic::Ordering::SeqCst);
    for _ in 0..20 {
        assert!(matches!(fixture.token(&right, None).await, Err(TokenError::Busy(_))));
    }
    fixture.directory.busy.store(false, std::sync::atomic::Ordering::SeqCst);
    assert!(fixture.token(&right, None).await.is_ok());
}
