//! Backups of a database: an export of each company, restored into a folder or an empty database.

use super::{Node, bare, bearer, soon};
use crate::command::backup::made_beside_writes;
use crate::command::run::Place;

/// The lines of a company's change chain in an export.
fn changes(export: &str) -> Vec<&str> {
    export.lines().filter(|line| line.contains(r#""kind":"change""#)).collect()
}

#[test]
fn backups_of_a_database_beside_a_node_that_writes_verify_and_are_a_prefix_of_the_ledger() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let served = node.serve();
    let key = bearer(&node.key("activity:write", &[]));
    soon("the key", || served.get("/v1/activity?page=1", &[&key]).0 == 200);
    let back_up = |file: &str| drop(node.ok(&["backup", "--to", file]));
    let made = made_beside_writes((&served.base, &key), (node.0.path(), 5), back_up);
    let all = node.ok(&["export", "--to", "-"]);
    for (file, before, after) in made {
        let place = Place::new();
        place.ok(&["restore", file.to_str().unwrap()]);
        assert!(place.ok(&["verify"]).starts_with("OK: "));
        let export = place.ok(&["export", "--to", "-"]);
        let kept = changes(&export);
        assert!((before..=after + 1).contains(&kept.len()), "{} changes of {before} to {after}", kept.len());
        assert!(changes(&all).starts_with(&kept), "the chain of {} changes is no prefix", kept.len());
    }
}

#[test]
fn a_database_is_restored_into_another_and_into_a_folder() {
    let (source, target) = (bare(), bare());
    let node = Node::new(&source.url());
    node.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let key = bearer(&node.key("catalog:read", &[]));
    let file = node.0.path().join("a.backup").display().to_string();
    node.ok(&["backup", "--to", &file]);
    let chain = node.ok(&["export", "--to", "-"]);

    let other = Node::new(&target.url());
    other.ok(&["restore", &file]);
    assert_eq!(other.ok(&["export", "--to", "-"]), chain);
    assert!(other.ok(&["verify"]).starts_with("OK: "));
    let served = other.serve();
    soon("the key", || served.get("/v1/scope", &[&key]).0 == 200);
    drop(served);
    let again = other.run(&["restore", &file]);
    assert!(again.status == 1 && again.stderr.contains("holds the company main already"), "{}", again.stderr);

    let folder = Place::new();
    folder.ok(&["restore", &file]);
    assert_eq!(folder.ok(&["export", "--to", "-"]), chain);
    assert!(folder.ok(&["verify"]).starts_with("OK: "));
    folder.ok(&["backup", "--to", "b.backup"]);
    let empty = bare();
    let third = Node::new(&empty.url());
    let refused = third.run(&["restore", &folder.path().join("b.backup").display().to_string()]);
    assert!(refused.status == 1 && refused.stderr.contains("restore it into a folder"), "{}", refused.stderr);
}

#[test]
fn what_a_restore_into_a_database_left_is_removed_as_it_says_and_the_secret_is_said_to_be_left() {
    let (source, target) = (bare(), bare());
    let node = Node::without_secret(&source.url(), "");
    node.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    node.ok(&["signing-key", "rotate"]);
    let file = node.0.path().join("a.backup").display().to_string();
    node.ok(&["backup", "--with-secrets", "--to", &file]);
    let other = Node::new(&target.url());
    let told = other.ok(&["restore", &file]);
    assert!(told.contains("secret.key of the backup was put nowhere") && told.contains("secrets.key_file"), "{told}");
    // As after one that was broken off when it had got to that company.
    let again = other.run(&["restore", &file]);
    assert!(again.stderr.contains("by `tonne tenant remove main --installation`"), "{}", again.stderr);
    let removed = other.run(&["tenant", "remove", "main", "--confirm", "main"]);
    assert!(removed.status == 2 && removed.stderr.contains("or add --installation"), "{}", removed.stderr);
    other.ok(&["tenant", "remove", "main", "--installation", "--confirm", "main"]);
    other.ok(&["restore", &file]);
    assert_eq!(other.ok(&["export", "--to", "-"]), node.ok(&["export", "--to", "-"]));
}

#[test]
fn users_are_restored_without_their_passwords_where_credentials_are_revoked() {
    let (source, target) = (bare(), bare());
    let node = Node::new(&source.url());
    node.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    node.key("catalog:read", &[]);
    node.ok(&["user", "add", "ana", "--role", "editor", "--issuer", "https://id.example", "--subject", "1"]);
    let file = node.0.path().join("a.backup").display().to_string();
    node.ok(&["backup", "--to", &file]);
    let other = Node::new(&target.url());
    let told = other.ok(&["restore", &file, "--revoke-credentials"]);
    assert!(told.contains("the passwords and provider sign-ins of one user were left out"), "{told}");
    assert_eq!(other.ok(&["key", "list", "--json"]).trim(), "[]");
    let users = other.ok(&["user", "list"]);
    assert!(users.contains("ana") && users.contains("editor") && users.contains("link alone"), "{users}");
    other.ok(&["user", "link", "ana"]);
}

#[test]
fn a_new_epoch_of_a_database_ends_tags_on_every_node() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let key = bearer(&node.key("admin", &[]));
    let served = node.serve();
    soon("the key", || served.get("/v1/scope", &[&key]).0 == 200);
    let body = r#"{"name":"Site"}"#;
    let made = served.ask("POST", "/v1/org", &[&key, "Content-Type: application/json"], body);
    let path = format!("/v1/org/{}", made.json()["uuid"].as_str().unwrap());
    node.ok(&["epoch", "renew"]);
    let stale = format!("If-None-Match: {}", made.etag());
    soon("the new epoch", || served.get(&path, &[&key, &stale]).0 == 200);
    assert!(node.ok(&["verify"]).starts_with("OK: "));
}
