//! Keys, clients and signing keys.

use super::run::Place;

#[test]
fn a_key_is_shown_once_and_listed_without_its_secret() {
    let place = Place::new();
    let made = place.json(&["key", "create", "--name", "billing", "--permissions", "activity:read,switch:write"]);
    let key = made["key"].as_str().unwrap();
    assert!(key.starts_with("tonne_") && key.starts_with(made["prefix"].as_str().unwrap()));
    assert_eq!(made["permissions"], serde_json::json!(["activity:read", "switch:write"]));
    let listed = place.json(&["key", "list"]);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["uuid"], made["uuid"]);
    assert!(!listed.to_string().contains(key));
    assert!(!place.ok(&["key", "list"]).contains(key));
}

#[test]
fn a_key_runs_out_at_the_end_of_its_date() {
    let made =
        Place::new().json(&["key", "create", "--name", "a", "--permissions", "admin", "--expires", "2099-12-31"]);
    assert_eq!(made["expires"], "2099-12-31T23:59:59.000Z");
}

#[test]
fn a_date_that_has_passed_is_refused() {
    let ended =
        Place::new().run(&["key", "create", "--name", "a", "--permissions", "admin", "--expires", "2001-01-01"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("expires"), "{}", ended.stderr);
}

#[test]
fn a_key_is_revoked_once() {
    let place = Place::new();
    let made = place.json(&["key", "create", "--name", "a", "--permissions", "admin"]);
    let id = made["uuid"].as_str().unwrap();
    place.ok(&["key", "revoke", id]);
    assert_eq!(place.json(&["key", "list"]), serde_json::json!([]));
    let again = place.run(&["key", "revoke", id]);
    assert_eq!(again.status, 1);
    assert!(again.stderr.contains("`tonne key list`"), "{}", again.stderr);
}

#[test]
fn a_client_gets_another_secret_and_is_revoked() {
    let place = Place::new();
    let made = place.json(&["client", "create", "--name", "erp", "--permissions", "activity:write"]);
    let id = made["client_id"].as_str().unwrap();
    let rotated = place.json(&["client", "rotate", id]);
    assert_eq!(rotated["client_id"], made["client_id"]);
    assert_ne!(rotated["client_secret"], made["client_secret"]);
    let listed = place.json(&["client", "list"]);
    assert_eq!(listed[0]["client_id"], made["client_id"]);
    assert!(listed[0].get("client_secret").is_none());
    place.ok(&["client", "revoke", id]);
    assert_eq!(place.json(&["client", "list"]), serde_json::json!([]));
}

#[test]
fn the_signing_key_is_rotated() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    let (one, other) = (place.json(&["signing-key", "rotate"]), place.json(&["signing-key", "rotate"]));
    assert_ne!(one["kid"], other["kid"]);
}

#[cfg(unix)]
#[test]
fn data_folder_and_secret_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    let mode = |path: &str| place.path().join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("tonne-data"), mode("tonne-data/secret.key")), (0o700, 0o600));
}

#[test]
fn what_a_shell_takes_in_is_the_secret_alone() {
    let place = Place::new();
    let key = place.run(&["key", "create", "--name", "a", "--permissions", "admin"]);
    assert_eq!((key.status, key.stdout.lines().count()), (0, 1), "{}", key.stdout);
    assert!(key.stdout.starts_with("tonne_") && key.stderr.contains("shown this once"), "{}", key.stderr);
    let client = place.run(&["client", "create", "--name", "a", "--permissions", "admin"]);
    let words: Vec<_> = client.stdout.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(words, ["client_id", "client_secret"]);
    assert!(client.stderr.contains("shown this once"), "{}", client.stderr);
}
