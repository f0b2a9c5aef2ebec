//! Administering clients and keys.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use auth::RandomSecrets;
use domain::{Faults, Name, Timestamp};
use ports::clock::Clock as _;
use ports::inbound::{AccessError, ClientCredentials, CredentialDraft, Credentials as _, Error, Field, TokenError};
use ports::repo::Page;
use ports::{Caller, Permission, Permissions, Version};
use uuid::Uuid;

use super::CredentialService;
use crate::id_source::SystemIds;
use crate::usecase::access::tests::{Fixture, OTHER, TENANT};

fn service(fixture: &Fixture) -> CredentialService {
    CredentialService::new(
        fixture.directory.clone(),
        Arc::new(RandomSecrets),
        fixture.clock.clone(),
        Arc::new(SystemIds::new()),
        fixture.cache.clone(),
    )
}

fn caller(permissions: &str) -> Caller {
    Caller {
        tenant: TENANT,
        actor: "key:test".to_owned(),
        permissions: Permissions::parse(permissions).unwrap(),
        partner: None,
    }
}

fn stranger() -> Caller {
    Caller { tenant: OTHER, ..caller("admin") }
}

fn draft(name: &str, permissions: &str) -> CredentialDraft {
    CredentialDraft {
        name: Field::Given(Name::parse(name).unwrap()),
        permissions: Field::Given(Permissions::parse(permissions).unwrap()),
        ..CredentialDraft::default()
    }
}

fn pointers(error: &Error) -> Vec<&str> {
    let Error::Invalid(faults) = error else { panic!("{error:?}") };
    faults.as_slice().iter().map(|fault| fault.pointer.as_str()).collect()
}

#[tokio::test]
async fn a_new_key_works_at_once_and_is_shown_by_its_first_characters() {
    let fixture = Fixture::new();
    let new = service(&fixture).add_key(&caller("admin"), draft("CI", "activity:read")).await.unwrap();
    assert!(new.secret.0.starts_with("tonne_"));
    assert_eq!(new.view.key.prefix, new.secret.0[..12]);
    let authenticated = fixture.authenticate(&new.secret.0).await.unwrap();
    assert_eq!(authenticated.actor, format!("key:{}", new.view.key.id));
    assert_eq!(fixture.directory.actors(), ["key:test"]);
}

#[tokio::test]
async fn a_key_is_dead_at_once_when_it_is_removed() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let new = service.add_key(&admin, draft("CI", "activity:read")).await.unwrap();
    fixture.authenticate(&new.secret.0).await.unwrap();
    service.remove_key(&admin, new.view.key.id, None).await.unwrap();
    assert!(matches!(fixture.authenticate(&new.secret.0).await, Err(AccessError::Invalid)));
    assert!(matches!(service.get_key(&admin, new.view.key.id).await, Err(Error::NotFound)));
    assert!(matches!(service.remove_key(&admin, new.view.key.id, None).await, Err(Error::NotFound)));
}

#[tokio::test]
async fn a_keys_new_permissions_count_at_once() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let new = service.add_key(&admin, draft("CI", "activity:write")).await.unwrap();
    fixture.authenticate(&new.secret.0).await.unwrap();
    let lesser = CredentialDraft {
        permissions: Field::Given(Permissions::parse("switch:read").unwrap()),
        ..CredentialDraft::default()
    };
    service.update_key(&admin, new.view.key.id, None, lesser).await.unwrap();
    let authenticated = fixture.authenticate(&new.secret.0).await.unwrap();
    assert!(!authenticated.permissions.allows(Permission::ActivityReport));
}

#[tokio::test]
async fn a_clients_new_permissions_count_at_once_for_the_tokens_it_has() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let new = service.add_client(&admin, draft("ERP", "activity:write")).await.unwrap();
    let id = new.view.client.id;
    let with = ClientCredentials { id: id.to_string(), secret: new.secret, from: "192.0.2.1".to_owned() };
    let token = fixture.token(&with, None).await.unwrap().access.0;
    assert!(fixture.authenticate(&token).await.unwrap().permissions.allows(Permission::ActivityWrite));
    service.update_client(&admin, id, None, draft("ERP", "activity:read")).await.unwrap();
    let permissions = fixture.authenticate(&token).await.unwrap().permissions;
    assert!(permissions.allows(Permission::ActivityRead) && !permissions.allows(Permission::ActivityWrite));
}

#[tokio::test]
async fn a_client_gets_tokens_until_its_secret_is_rotated_or_it_is_removed() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let new = service.add_client(&admin, draft("ERP", "activity:read")).await.unwrap();
    let id = new.view.client.id;
    let with = |secret| ClientCredentials { id: id.to_string(), secret, from: "192.0.2.1".to_owned() };
    let token = fixture.token(&with(new.secret.clone()), None).await.unwrap();

    let rotated = service.rotate_client(&admin, id, None).await.unwrap();
    assert_ne!(rotated.secret, new.secret);
    assert!(rotated.view.version > new.view.version);
    assert!(matches!(fixture.token(&with(new.secret), None).await, Err(TokenError::InvalidClient)));
    assert!(fixture.token(&with(rotated.secret.clone()), None).await.is_ok());
    assert!(fixture.authenticate(&token.access.0).await.is_ok(), "tokens given before live on");

    service.remove_client(&admin, id, None).await.unwrap();
    assert!(matches!(fixture.token(&with(rotated.secret), None).await, Err(TokenError::InvalidClient)));
    assert!(matches!(fixture.authenticate(&token.access.0).await, Err(AccessError::Invalid)), "at once");
}

#[tokio::test]
async fn a_client_runs_out_at_its_moment() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let expires = Timestamp::from_millis(fixture.clock.now().millis() + 1_000).unwrap();
    let draft = CredentialDraft { expires: Field::Given(expires), ..draft("ERP", "activity:read") };
    let new = service(&fixture).add_client(&admin, draft).await.unwrap();
    assert_eq!(new.view.client.expires, Some(expires));
    let with =
        ClientCredentials { id: new.view.client.id.to_string(), secret: new.secret, from: "192.0.2.1".to_owned() };
    assert!(fixture.token(&with, None).await.is_ok());
    fixture.clock.advance(1_000);
    assert!(matches!(fixture.token(&with, None).await, Err(TokenError::InvalidClient)));
}

#[tokio::test]
async fn all_of_it_needs_admin() {
    let fixture = Fixture::new();
    let service = service(&fixture);
    let admin = caller("admin");
    let client = service.add_client(&admin, draft("ERP", "activity:read")).await.unwrap().view.client.id;
    let key = service.add_key(&admin, draft("CI", "activity:read")).await.unwrap().view.key.id;
    let lesser = caller("activity:write switch:write model:write footprint:write catalog:write");
    let empty = CredentialDraft::default;
    for denied in [
        service.list_clients(&lesser, Page::FIRST).await.err(),
        service.get_client(&lesser, client).await.err(),
        service.add_client(&lesser, empty()).await.err(),
        service.update_client(&lesser, client, None, empty()).await.err(),
        service.rotate_client(&lesser, client, None).await.err(),
        service.remove_client(&lesser, client, None).await.err(),
        service.list_keys(&lesser, Page::FIRST).await.err(),
        service.get_key(&lesser, key).await.err(),
        service.add_key(&lesser, empty()).await.err(),
        service.update_key(&lesser, key, None, empty()).await.err(),
        service.remove_key(&lesser, key, None).await.err(),
    ] {
        assert!(matches!(denied, Some(Error::Denied(denied)) if denied.0 == Permission::Admin));
    }
}

#[tokio::test]
async fn another_tenants_credentials_do_not_exist() {
    let fixture = Fixture::new();
    let (service, admin, stranger) = (service(&fixture), caller("admin"), stranger());
    let client = service.add_client(&admin, draft("ERP", "activity:read")).await.unwrap().view.client.id;
    let key = service.add_key(&admin, draft("CI", "activity:read")).await.unwrap().view.key.id;
    for error in [
        service.get_client(&stranger, client).await.err(),
        service.update_client(&stranger, client, None, draft("Mine", "admin")).await.err(),
        service.rotate_client(&stranger, client, None).await.err(),
        service.remove_client(&stranger, client, None).await.err(),
        service.get_key(&stranger, key).await.err(),
        service.update_key(&stranger, key, None, draft("Mine", "admin")).await.err(),
        service.remove_key(&stranger, key, None).await.err(),
    ] {
        assert!(matches!(error, Some(Error::NotFound)));
    }
    assert_eq!(service.list_clients(&stranger, Page::FIRST).await.unwrap().count, 0);
    assert_eq!(service.list_keys(&stranger, Page::FIRST).await.unwrap().count, 0);
    assert_eq!(service.list_clients(&admin, Page::FIRST).await.unwrap().count, 1);
    assert_eq!(service.list_keys(&admin, Page::FIRST).await.unwrap().data[0].key.id, key);
}

#[tokio::test]
async fn every_fault_of_a_draft_is_named_at_once() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let error = service.add_key(&admin, CredentialDraft::default()).await.unwrap_err();
    assert_eq!(pointers(&error), ["/name", "/permissions"]);

    let draft = CredentialDraft {
        name: Field::Faulty,
        permissions: Field::Given(Permissions::NONE),
        expires: Field::Given(fixture.clock.now()),
        faults: Faults::one("/name", "must not be empty"),
    };
    let error = service.add_client(&admin, draft.clone()).await.unwrap_err();
    assert_eq!(pointers(&error), ["/name", "/permissions", "/expires"]);

    let new = service.add_key(&admin, self::draft("CI", "activity:read")).await.unwrap().view;
    let error = service.update_key(&admin, new.key.id, None, draft).await.unwrap_err();
    assert_eq!(pointers(&error), ["/name", "/permissions", "/expires"]);
    let cleared = CredentialDraft { name: Field::Null, permissions: Field::Null, ..CredentialDraft::default() };
    let error = service.update_key(&admin, new.key.id, None, cleared).await.unwrap_err();
    assert_eq!(pointers(&error), ["/name", "/permissions"]);
    assert_eq!(service.get_key(&admin, new.key.id).await.unwrap(), new, "nothing was changed");
}

#[tokio::test]
async fn a_change_leaves_what_it_does_not_name_and_null_clears() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let expires = Timestamp::from_millis(fixture.clock.now().millis() + 1_000).unwrap();
    let full = CredentialDraft { expires: Field::Given(expires), ..draft("ERP", "activity:read") };
    let before = service.add_client(&admin, full).await.unwrap().view;

    let name = CredentialDraft { name: Field::Given(Name::parse("SAP").unwrap()), ..CredentialDraft::default() };
    let named = service.update_client(&admin, before.client.id, None, name).await.unwrap();
    assert_eq!(named.client.name.as_str(), "SAP");
    assert_eq!((named.client.permissions, named.client.expires), (before.client.permissions, Some(expires)));
    assert_eq!(named.client.secret_hash, before.client.secret_hash);

    let clear = CredentialDraft { expires: Field::Null, ..CredentialDraft::default() };
    let cleared = service.update_client(&admin, before.client.id, None, clear).await.unwrap();
    assert_eq!((cleared.client.expires, cleared.client.name), (None, named.client.name));
}

#[tokio::test]
async fn versions_grow_with_every_change_within_a_millisecond_and_against_the_clock() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let first = service.add_key(&admin, draft("A", "activity:read")).await.unwrap().view;
    let id = first.key.id;
    let second = service.update_key(&admin, id, Some(first.version), draft("B", "activity:read")).await.unwrap();
    fixture.clock.advance(-5_000);
    let third = service.update_key(&admin, id, Some(second.version), draft("C", "activity:read")).await.unwrap();
    assert!(first.version < second.version && second.version < third.version);
    let same = service.update_key(&admin, id, Some(third.version), draft("C", "activity:read")).await.unwrap();
    assert_eq!(same, third, "nothing changed");
}

#[tokio::test]
async fn what_was_changed_since_it_was_read_is_not_changed_or_removed() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let key = service.add_key(&admin, draft("A", "activity:read")).await.unwrap().view;
    let client = service.add_client(&admin, draft("A", "activity:read")).await.unwrap().view;
    let old = Some(Version(key.version.0 - 1));
    let old_client = Some(Version(client.version.0 - 1));
    for error in [
        service.update_key(&admin, key.key.id, old, draft("B", "admin")).await.err(),
        service.remove_key(&admin, key.key.id, old).await.err(),
        service.update_client(&admin, client.client.id, old_client, draft("B", "admin")).await.err(),
        service.rotate_client(&admin, client.client.id, old_client).await.err(),
        service.remove_client(&admin, client.client.id, old_client).await.err(),
    ] {
        assert!(matches!(error, Some(Error::Stale)));
    }
    assert_eq!(service.get_key(&admin, key.key.id).await.unwrap(), key);
    service.remove_key(&admin, key.key.id, Some(key.version)).await.unwrap();
    service.remove_client(&admin, client.client.id, Some(client.version)).await.unwrap();
}

#[tokio::test]
async fn an_unknown_record_is_not_found() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let error = service(&fixture).get_client(&admin, Uuid::from_u128(9).into()).await.unwrap_err();
    assert!(matches!(error, Error::NotFound));
}

#[tokio::test]
async fn a_busy_directory_says_so() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    fixture.directory.busy.store(true, std::sync::atomic::Ordering::SeqCst);
    let error = service(&fixture).add_key(&admin, draft("A", "activity:read")).await.unwrap_err();
    assert!(matches!(error, Error::Busy(_)));
}

#[tokio::test]
async fn a_rotation_beside_other_changes_keeps_both() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let (here, elsewhere) = (service(&fixture), service(&fixture));
    let id = here.add_client(&admin, draft("ERP", "activity:read")).await.unwrap().view.client.id;
    for round in 0..10 {
        let renamed = CredentialDraft {
            name: Field::Given(Name::parse(&format!("Renamed {round}")).unwrap()),
            ..CredentialDraft::default()
        };
        let (rotated, updated) =
            tokio::join!(here.rotate_client(&admin, id, None), elsewhere.update_client(&admin, id, None, renamed));
        let (rotated, updated) = (rotated.unwrap(), updated.unwrap());
        let found = here.get_client(&admin, id).await.unwrap();
        assert_eq!(found.client.secret_hash, rotated.view.client.secret_hash);
        assert_eq!(found.client.name, updated.client.name);
        assert_eq!(found.version, rotated.view.version.max(updated.version));
    }
}

#[tokio::test]
async fn a_key_removed_while_it_is_changed_is_gone() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let (here, elsewhere) = (service(&fixture), service(&fixture));
    for round in 0..10 {
        let new = here.add_key(&admin, draft("CI", "activity:read")).await.unwrap();
        let id = new.view.key.id;
        let change = here.update_key(&admin, id, None, draft(&format!("CI {round}"), "admin"));
        let (changed, removed) = tokio::join!(change, elsewhere.remove_key(&admin, id, None));
        removed.unwrap();
        assert!(matches!(changed, Ok(_) | Err(Error::NotFound)));
        assert!(matches!(fixture.authenticate(&new.secret.0).await, Err(AccessError::Invalid)));
        assert!(matches!(here.get_key(&admin, id).await, Err(Error::NotFound)));
    }
}

#[tokio::test]
async fn what_others_change_all_the_time_is_busy() {
    let (fixture, admin) = (Fixture::new(), caller("admin"));
    let service = service(&fixture);
    let new = service.add_client(&admin, draft("ERP", "activity:read")).await.unwrap().view;
    let mut change = pin!(service.rotate_client(&admin, new.client.id, None));
    for _ in 0..1_000 {
        if let Poll::Ready(ended) = change.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            assert!(matches!(ended, Err(Error::Busy(_))));
            return;
        }
        // Each time the rotation waits, another change comes before it.
        fixture.directory.change_client(new.client.clone()).await;
    }
    panic!("the rotation never ended");
}
