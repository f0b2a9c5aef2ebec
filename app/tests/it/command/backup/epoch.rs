//! What ends with an epoch, by a restore or a command: tags, marks, tokens and links.

use std::fs;
use std::time::{Duration, Instant};

use super::super::run::{Place, Served};
use super::{activity, key, restored};
use crate::http::footprint::examples;

const JSON: &str = "Content-Type: application/json";

#[test]
fn no_tag_of_before_a_restore_matches_what_is_written_after_it() {
    let source = Place::new();
    let (key, served) = (key(&source, "admin"), source.serve());
    let made = served.ask("POST", "/v1/activity", &[&key, JSON], &activity(1)).json();
    let path = format!("/v1/activity/{}", made["uuid"].as_str().unwrap());
    source.ok(&["backup", "--to", "a.backup"]);
    let patched = |served: &Served, name: &str| {
        let patched = served.ask("PATCH", &path, &[&key, JSON], &format!(r#"{{"name":"{name}"}}"#));
        assert_eq!(patched.status, 200, "{patched:?}");
    };
    patched(&served, "lost");
    let of = |served: &Served| {
        let report = served.ask("GET", "/v1/activity?date=2025", &[&key], "").etag().to_owned();
        (served.ask("GET", &path, &[&key], "").etag().to_owned(), report)
    };
    let (record, report) = of(&served);
    drop(served);

    let (place, _) = restored(&source.path().join("a.backup"), &[]);
    let served = place.serve();
    // The same number of changes, with other content.
    patched(&served, "kept");
    let stale = format!("If-Match: {record}");
    let answer = served.ask("PATCH", &path, &[&key, JSON, &stale], r#"{"name":"over it"}"#);
    assert_eq!(answer.status, 412, "{answer:?}");
    let known = |path: &str, tag: &str| served.ask("GET", path, &[&key, &format!("If-None-Match: {tag}")], "").status;
    assert_eq!((known(&path, &record), known("/v1/activity?date=2025", &report)), (200, 200));
    let (record, report) = of(&served);
    assert_eq!((known(&path, &record), known("/v1/activity?date=2025", &report)), (304, 304));
    let fresh = format!("If-Match: {record}");
    assert_eq!(served.ask("PATCH", &path, &[&key, JSON, &fresh], r#"{"name":"after it"}"#).status, 200);
}

#[test]
fn a_mark_of_before_a_restore_is_gone_after_it() {
    let source = Place::new();
    let (key, served) = (key(&source, "activity:write"), source.serve());
    let add = |served: &Served, number| {
        assert_eq!(served.ask("POST", "/v1/activity", &[&key, JSON], &activity(number)).status, 201);
    };
    let newest = |served: &Served| {
        let page = served.ask("GET", "/v1/change", &[&key], "").json();
        page["newest"].as_str().unwrap().to_owned()
    };
    add(&served, 1);
    source.ok(&["backup", "--to", "a.backup"]);
    add(&served, 2);
    let mark = newest(&served);
    drop(served);

    let (place, _) = restored(&source.path().join("a.backup"), &[]);
    let served = place.serve();
    // As many changes as there were, the last of them another one.
    add(&served, 3);
    let after = |mark: &str| served.ask("GET", &format!("/v1/change?after={mark}"), &[&key], "");
    let gone = after(&mark);
    assert_eq!(gone.status, 410, "{gone:?}");
    let newest = newest(&served);
    assert!(gone.body.contains("/problems/history-replaced") && gone.body.contains(&newest), "{gone:?}");
    assert_eq!(after(&newest).json()["data"], serde_json::json!([]));
}

/// A token of a new client.
fn token(place: &Place, served: &Served) -> String {
    let client = place.json(&["client", "create", "--name", "c", "--permissions", "catalog:read"]);
    let (id, secret) = (client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let basic = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("{id}:{secret}"));
    let headers =
        [format!("Authorization: Basic {basic}"), "Content-Type: application/x-www-form-urlencoded".to_owned()];
    let headers = [headers[0].as_str(), headers[1].as_str()];
    let patience = Instant::now();
    loop {
        let answer = served.ask("POST", "/auth/token", &headers, "grant_type=client_credentials");
        if answer.status == 200 {
            return format!("Authorization: Bearer {}", answer.json()["access_token"].as_str().unwrap());
        }
        assert!(patience.elapsed() < Duration::from_mins(1), "{answer:?}");
    }
}

#[test]
fn tokens_end_with_a_restore_and_credentials_are_listed_or_removed() {
    let source = Place::new();
    let (key, served) = (key(&source, "catalog:read"), source.serve());
    let token = token(&source, &served);
    assert_eq!(served.get("/v1/unit", &[&token]).0, 200);
    source.ok(&["user", "add", "ana", "--role", "viewer"]);
    let made = source.json(&["backup", "--to", "a.backup", "--with-secrets"]);
    let (made, backup) = (made["created"].as_str().unwrap(), source.path().join("a.backup"));

    let (place, told) = restored(&backup, &[]);
    assert_eq!((told["keys"].as_array().unwrap().len(), told["clients"].as_array().unwrap().len()), (1, 1));
    assert_eq!(told["keys"][0]["name"], "ERP import");
    assert_eq!((&told["revoked"], &told["backedUp"]), (&false.into(), &made.into()));
    let served = place.serve();
    assert_eq!(served.get("/v1/unit", &[&token]).0, 401, "its signing key went");
    assert_eq!(served.get("/v1/unit", &[&key]).0, 200);

    let (place, told) = restored(&backup, &["--revoke-credentials"]);
    assert_eq!(told["revoked"], true);
    let served = place.serve();
    assert_eq!(served.get("/v1/unit", &[&key]).0, 401);
    assert_eq!(place.ok(&["key", "list"]).matches("ERP import").count(), 0);
    assert!(place.ok(&["user", "list"]).contains("ana"));
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    let words = Place::new().ok(&["restore", backup.to_str().unwrap()]);
    assert!(
        words.contains("4 keys, clients and users are good as they were then") && words.contains("ERP import"),
        "{words}"
    );
    assert!(words.contains(&format!("as of {made}; what was written later is gone")), "{words}");
}

#[test]
fn a_new_epoch_needs_no_secret() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["signing-key", "rotate"]);
    fs::remove_file(source.path().join("tonne-data/secret.key")).unwrap();
    source.ok(&["epoch", "renew"]);
    assert!(!source.path().join("tonne-data/secret.key").exists());
    drop(source.serve());
}

#[test]
fn a_link_of_a_list_of_footprints_ends_with_its_epoch() {
    let source = Place::new();
    let (key, served) = (key(&source, "admin"), source.serve());
    for _ in 0..3 {
        let made = served.ask("POST", "/v1/footprint", &[&key, JSON], &examples::v2().to_string());
        assert_eq!(made.status, 201, "{}", made.body);
    }
    let link = |path: &str| {
        let part = served.ask("GET", path, &[&key], "");
        let link = part.header("link").unwrap().split(['<', '>']).nth(1).unwrap();
        let link = link.strip_prefix(&served.base).unwrap().to_owned();
        assert_eq!(served.ask("GET", &link, &[&key], "").status, 200, "{link}");
        link
    };
    let (own, partners) = (link("/pact/2/footprints?limit=1"), link("/2/footprints?limit=1"));
    source.ok(&["epoch", "renew"]);
    let begun = Instant::now();
    while served.ask("GET", &own, &[&key], "").status == 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the link is good still");
    }
    // Numbers may be given again in the new epoch: the rest of the old list could leave some out.
    let refused = served.ask("GET", &own, &[&key], "");
    assert!(refused.status == 410 && refused.body.contains("ask from the beginning"), "{}", refused.body);
    let refused = served.ask("GET", &partners, &[&key], "");
    assert!(refused.status == 400 && refused.body.contains("ask from the beginning"), "{}", refused.body);
    assert_eq!(served.ask("GET", "/pact/2/footprints?limit=1", &[&key], "").status, 200);
}

#[test]
fn a_new_epoch_ends_tokens_and_tags_beside_a_running_service() {
    let source = Place::new();
    let (key, served) = (key(&source, "admin"), source.serve());
    let made = served.ask("POST", "/v1/activity", &[&key, JSON], &activity(1));
    let path = format!("/v1/activity/{}", made.json()["uuid"].as_str().unwrap());
    let (tag, token) = (made.etag().to_owned(), token(&source, &served));
    assert!(source.ok(&["epoch", "renew"]).starts_with("the company main: a new epoch has begun"));
    let begun = Instant::now();
    while served.get("/v1/unit", &[&token]).0 == 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the token is good still");
    }
    let stale = format!("If-Match: {tag}");
    assert_eq!(served.ask("PATCH", &path, &[&key, JSON, &stale], r#"{"name":"b"}"#).status, 412);
    assert!(source.ok(&["verify"]).starts_with("OK: "));
    let absent = Place::new();
    assert_eq!(absent.run(&["epoch", "renew"]).status, 1);
}
