//! Signing keys: made on demand, rotated, retired.

use std::error::Error as _;

use ports::inbound::{Access as _, AccessError, TokenError};
use ports::{Grant, Installation, Maintenance};

use super::{Fixture, HOUR, Lifetimes, MINUTE};

fn operator() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, "cli:me")
}

#[tokio::test]
async fn the_first_key_is_made_on_demand_and_signs() {
    let fixture = Fixture::new();
    let keys = fixture.access.public_keys().await.unwrap();
    assert_eq!((keys.len(), keys[0].bytes.len()), (1, 32));
    let (_, client) = fixture.client("activity:read").await;
    let token = fixture.token(&client, None).await.unwrap().access.0;
    assert!(fixture.authenticate(&token).await.is_ok());
    assert_eq!(fixture.access.public_keys().await.unwrap(), keys, "one key is enough");
}

#[tokio::test]
async fn many_at_once_make_one_key() {
    let fixture = Fixture::new();
    let (one, two, three) =
        tokio::join!(fixture.access.public_keys(), fixture.access.public_keys(), fixture.access.public_keys());
    let one = one.unwrap();
    assert_eq!(one.len(), 1);
    assert_eq!((&one, &one), (&two.unwrap(), &three.unwrap()));
}

#[tokio::test]
async fn another_process_reads_the_tokens_of_this_one() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let token = fixture.token(&client, None).await.unwrap().access.0;
    assert!(fixture.second_process().authenticate(&token).await.is_ok());
}

#[tokio::test]
async fn a_rotated_key_signs_no_more_and_verifies_until_its_tokens_have_run_out() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let old = fixture.access.public_keys().await.unwrap().remove(0);
    let token = fixture.token(&client, None).await.unwrap().access.0;

    let new = fixture.access.rotate_signing_key(&operator()).await.unwrap();
    assert_eq!(fixture.directory.actors().last().unwrap(), "cli:me");
    assert_eq!(fixture.access.public_keys().await.unwrap(), [new.clone(), old]);
    assert!(fixture.authenticate(&token).await.is_ok());
    assert!(fixture.second_process().authenticate(&token).await.is_ok());

    fixture.clock.advance(HOUR + MINUTE);
    assert_eq!(fixture.access.public_keys().await.unwrap(), std::slice::from_ref(&new));
    assert!(matches!(fixture.authenticate(&token).await, Err(AccessError::Expired | AccessError::Invalid)));
    let fresh = fixture.token(&client, None).await.unwrap().access.0;
    assert!(fixture.authenticate(&fresh).await.is_ok());
}

#[tokio::test]
async fn a_key_rotated_elsewhere_is_used_within_a_second() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    fixture.token(&client, None).await.unwrap();
    let elsewhere = fixture.second_process();
    elsewhere.access.rotate_signing_key(&operator()).await.unwrap();
    let token = elsewhere.token(&client, None).await.unwrap().access.0;
    fixture.clock.advance(1_000);
    assert!(fixture.authenticate(&token).await.is_ok());
}

#[tokio::test]
async fn keys_sealed_with_another_secret_are_named_until_they_are_rotated() {
    let fixture = Fixture::new();
    let (_, client) = fixture.client("activity:read").await;
    let kid = fixture.access.public_keys().await.unwrap().remove(0).kid;
    let stranger = Fixture::beside(&fixture.directory, &fixture.clock, Lifetimes::default(), [8; 32]);
    let error = stranger.token(&client, None).await.unwrap_err();
    assert!(matches!(error, TokenError::Failed(_)));
    assert!(error.source().unwrap().to_string().contains(&kid));
    stranger.access.rotate_signing_key(&operator()).await.unwrap();
    assert!(stranger.token(&client, None).await.is_ok());
}
