//! Checking the keys and access tokens of requests.

use std::sync::atomic::Ordering;

use ports::directory::{Client, Directory as _};
use ports::inbound::{Access as _, AccessError};
use ports::{Permission, Permissions};

use super::{DAY, Fixture, HOUR, OTHER, TENANT, grant, lifetimes};

fn is_invalid<T>(result: &Result<T, AccessError>) -> bool {
    matches!(result, Err(AccessError::Invalid))
}

fn is_expired<T>(result: &Result<T, AccessError>) -> bool {
    matches!(result, Err(AccessError::Expired))
}

#[tokio::test]
async fn a_key_speaks_for_its_tenant_and_permissions() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("activity:read", None).await;
    let caller = fixture.authenticate(&secret).await.unwrap();
    assert_eq!((caller.tenant, caller.actor), (TENANT, format!("key:{}", key.id)));
    assert_eq!(caller.permissions, key.permissions);
}

#[tokio::test]
async fn a_token_speaks_for_its_client() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("activity:write").await;
    let token = fixture.token(&credentials, None).await.unwrap().access.0;
    let caller = fixture.authenticate(&token).await.unwrap();
    assert_eq!((caller.tenant, caller.actor), (TENANT, format!("client:{}", client.id)));
    assert!(caller.permissions.allows(Permission::ActivityWrite));
    assert!(!caller.permissions.allows(Permission::SwitchRead));
}

#[tokio::test]
async fn keys_and_tokens_are_worth_nothing_at_another_tenants_address() {
    let fixture = Fixture::new();
    let (_, key) = fixture.key("admin", None).await;
    let (_, credentials) = fixture.client("admin").await;
    let token = fixture.token(&credentials, None).await.unwrap().access.0;
    for bearer in [key, token] {
        assert!(fixture.authenticate(&bearer).await.is_ok());
        assert!(is_invalid(&fixture.access.authenticate(OTHER, &bearer).await));
        assert!(fixture.authenticate(&bearer).await.is_ok(), "the two addresses are remembered apart");
    }
}

#[tokio::test]
async fn what_is_no_key_and_no_token_is_refused_without_a_look_up() {
    let fixture = Fixture::new();
    let (_, key) = fixture.key("admin", None).await;
    let long = "a".repeat(9_000);
    for bearer in [
        "",
        "tonne_",
        "tonne_short",
        &key[..key.len() - 1],
        &format!("{key}a"),
        &format!("tonne_{}", "é".repeat(22)),
        "abc",
        "a.b",
        "a.b.c.d",
        "a b.c.d",
        &format!("{long}.b.c"),
    ] {
        assert!(is_invalid(&fixture.authenticate(bearer).await), "{bearer}");
    }
    assert_eq!(fixture.directory.looked_up.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn well_formed_strangers_are_refused() {
    let fixture = Fixture::new();
    let strange = format!("tonne_{}", "A".repeat(43));
    assert!(is_invalid(&fixture.authenticate(&strange).await));
    assert!(is_invalid(&fixture.authenticate("eyJhbGciOiJub25lIn0.e30.").await));
    assert!(is_invalid(&fixture.authenticate(&strange.to_uppercase()).await));
}

#[tokio::test]
async fn answers_good_and_bad_are_remembered() {
    let fixture = Fixture::new();
    let (_, key) = fixture.key("admin", None).await;
    let strange = format!("tonne_{}", "A".repeat(43));
    for _ in 0..50 {
        assert!(fixture.authenticate(&key).await.is_ok());
        assert!(is_invalid(&fixture.authenticate(&strange).await));
    }
    assert_eq!(fixture.directory.looked_up.load(Ordering::SeqCst), 2);
    assert_eq!(fixture.directory.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn answers_outlive_the_reading_of_a_version_that_did_not_change() {
    let fixture = Fixture::new();
    let (_, key) = fixture.key("admin", None).await;
    for _ in 0..5 {
        fixture.authenticate(&key).await.unwrap();
        fixture.clock.advance(1_000);
    }
    assert_eq!(fixture.directory.looked_up.load(Ordering::SeqCst), 1);
    assert_eq!(fixture.directory.asked.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn a_key_removed_elsewhere_is_dead_within_a_second() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("admin", None).await;
    fixture.authenticate(&secret).await.unwrap();
    fixture.directory.remove_key(&grant(), key.id, None).await.unwrap();
    fixture.clock.advance(1_000);
    assert!(is_invalid(&fixture.authenticate(&secret).await));
}

#[tokio::test]
async fn a_key_added_elsewhere_lives_within_a_second_though_it_was_refused() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("admin", None).await;
    fixture.directory.remove_key(&grant(), key.id, None).await.unwrap();
    assert!(is_invalid(&fixture.authenticate(&secret).await));
    fixture.directory.add_key(&grant(), key).await.unwrap();
    fixture.clock.advance(1_000);
    assert!(fixture.authenticate(&secret).await.is_ok());
}

#[tokio::test]
async fn what_changes_in_this_process_counts_at_once() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("admin", None).await;
    fixture.authenticate(&secret).await.unwrap();
    fixture.directory.remove_key(&grant(), key.id, None).await.unwrap();
    fixture.cache.expire();
    assert!(is_invalid(&fixture.authenticate(&secret).await));
}

#[tokio::test]
async fn a_change_while_the_version_is_read_counts_at_once_too() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("admin", None).await;
    fixture.authenticate(&secret).await.unwrap();
    fixture.clock.advance(1_000);
    let removal = async {
        fixture.directory.remove_key(&grant(), key.id, None).await.unwrap();
        fixture.cache.expire();
    };
    let (_, ()) = tokio::join!(fixture.authenticate(&secret), removal);
    assert!(is_invalid(&fixture.authenticate(&secret).await));
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_no_dead_key_alive() {
    let fixture = Fixture::new();
    let (key, secret) = fixture.key("admin", None).await;
    fixture.authenticate(&secret).await.unwrap();
    fixture.directory.remove_key(&grant(), key.id, None).await.unwrap();
    fixture.clock.advance(-HOUR);
    assert!(is_invalid(&fixture.authenticate(&secret).await));
}

#[tokio::test]
async fn a_key_runs_out_at_its_moment_though_it_is_remembered() {
    let fixture = Fixture::new();
    let (_, secret) = fixture.key("admin", Some(100)).await;
    fixture.clock.advance(99);
    assert!(fixture.authenticate(&secret).await.is_ok());
    fixture.clock.advance(1);
    assert!(is_expired(&fixture.authenticate(&secret).await));
}

#[tokio::test]
async fn a_token_runs_out_after_its_lifetime() {
    let fixture = Fixture::with(lifetimes(60, 3_600));
    let (_, credentials) = fixture.client("admin").await;
    let token = fixture.token(&credentials, None).await.unwrap().access.0;
    fixture.clock.advance(59_999);
    assert!(fixture.authenticate(&token).await.is_ok());
    fixture.clock.advance(1);
    assert!(is_expired(&fixture.authenticate(&token).await));
    assert!(is_expired(&fixture.second_process().authenticate(&token).await));
}

#[tokio::test]
async fn a_token_runs_out_with_its_client() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("admin").await;
    let token = fixture.token(&credentials, None).await.unwrap().access.0;
    let ends = Client { expires: Some(fixture.after(1_000)), ..client };
    fixture.directory.change_client(ends).await;
    fixture.clock.advance(999);
    assert!(fixture.authenticate(&token).await.is_ok());
    fixture.clock.advance(1);
    assert!(is_expired(&fixture.authenticate(&token).await));
}

#[tokio::test]
async fn a_removed_clients_token_is_dead_within_a_second() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("admin").await;
    let token = fixture.token(&credentials, None).await.unwrap().access.0;
    assert!(fixture.authenticate(&token).await.is_ok());
    fixture.directory.remove_client(&grant(), client.id, None).await.unwrap();
    fixture.clock.advance(1_000);
    assert!(is_invalid(&fixture.authenticate(&token).await));
}

#[tokio::test]
async fn a_token_permits_what_its_client_still_holds_and_never_more_than_its_scope() {
    let fixture = Fixture::new();
    let (client, credentials) = fixture.client("activity:write switch:read").await;
    let token = fixture.token(&credentials, Some("activity:write")).await.unwrap().access.0;
    let lesser = Client { permissions: Permissions::parse("activity:read").unwrap(), ..client.clone() };
    fixture.directory.change_client(lesser).await;
    fixture.clock.advance(1_000);
    let permissions = fixture.authenticate(&token).await.unwrap().permissions;
    assert_eq!(permissions.to_string(), "activity:report activity:read");

    let greater = Client { permissions: Permissions::parse("admin").unwrap(), ..client };
    fixture.directory.change_client(greater).await;
    fixture.clock.advance(1_000);
    let permissions = fixture.authenticate(&token).await.unwrap().permissions;
    assert_eq!(permissions.to_string(), "activity:report activity:read activity:write");
}

#[tokio::test]
async fn while_the_directory_is_away_nobody_is_let_in_on_old_news() {
    let fixture = Fixture::new();
    let (_, secret) = fixture.key("admin", None).await;
    fixture.authenticate(&secret).await.unwrap();
    fixture.directory.busy.store(true, Ordering::SeqCst);
    fixture.clock.advance(DAY);
    assert!(matches!(fixture.authenticate(&secret).await, Err(AccessError::Busy(_))));
    fixture.directory.busy.store(false, Ordering::SeqCst);
    assert!(fixture.authenticate(&secret).await.is_ok());
}
