//! Two nodes on one database.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use postgres::testing::Fresh;

use super::{Node, OTHER_SECRET, bare, bearer, soon};
use crate::command::race::{self, Http};
use crate::command::run::{Reply, Served};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
const JSON: &str = "Content-Type: application/json";

/// Two nodes that are started at the same moment.
fn pair(fresh: &Fresh) -> [(Node, Served); 2] {
    let start = |node: Node| {
        let served = node.serve();
        (node, served)
    };
    std::thread::scope(|scope| {
        let nodes = [Node::new(&fresh.url()), Node::new(&fresh.url())];
        nodes.map(|node| scope.spawn(move || start(node))).map(|started| started.join().unwrap())
    })
}

/// A client, as the header by which it asks for tokens.
fn client(node: &Node) -> String {
    let made = node.json(&["client", "create", "--name", "erp", "--permissions", "activity:read"]);
    let (id, secret) = (made["client_id"].as_str().unwrap(), made["client_secret"].as_str().unwrap());
    format!("Authorization: Basic {}", STANDARD.encode(format!("{id}:{secret}")))
}

fn token(served: &Served, client: &str, form: &str) -> Reply {
    served.ask("POST", "/auth/token", &[client, FORM], form)
}

fn text(token: &Reply, member: &str) -> String {
    assert_eq!(token.status, 200, "{token:?}");
    token.json()[member].as_str().unwrap().to_owned()
}

#[test]
fn nodes_started_at_once_on_an_empty_database_serve_one_company() {
    let fresh = bare();
    let [(one, first), (other, second)] = pair(&fresh);
    let tenants = one.json(&["tenant", "list"]);
    assert_eq!(tenants.as_array().unwrap().len(), 1);
    assert_eq!(tenants[0]["slug"], "main");
    assert_eq!(other.json(&["tenant", "list"]), tenants);
    let key = bearer(&one.key("admin", &[]));
    for served in [&first, &second] {
        soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
    }
    assert!(other.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn what_one_node_writes_is_in_the_next_report_of_the_other_to_the_byte() {
    let fresh = bare();
    let [(node, first), (_, second)] = pair(&fresh);
    let key = bearer(&node.key("admin", &[]));
    let report = |served: &Served| served.ask("GET", "/v1/activity?date=2025", &[&key], "");
    soon("the new key", || report(&first).status == 200 && report(&second).status == 200);
    let mut known = report(&first).etag().to_owned();
    for number in 1..=12 {
        let writer = if number % 2 == 0 { &first } else { &second };
        let body =
            format!(r#"{{"name":"Gas","syncId":"{number}","startDate":"2025-03-01","UpstreamCO2e":"0.{number}"}}"#);
        let made = writer.ask("POST", "/v1/activity", &[&key, JSON], &body);
        assert_eq!(made.status, 201, "{made:?}");
        let (one, other) = (report(&first), report(&second));
        assert_eq!((one.status, one.json()["count"].as_u64()), (200, Some(number)), "{one:?}");
        assert_eq!((other.status, &other.body, other.etag()), (200, &one.body, one.etag()));
        assert_ne!(one.etag(), known, "another report has another tag");
        known = one.etag().to_owned();
        let unchanged = format!("If-None-Match: {known}");
        for served in [&first, &second] {
            assert_eq!(served.ask("GET", "/v1/activity?date=2025", &[&key, &unchanged], "").status, 304);
        }
    }
}

#[test]
fn a_key_revoked_at_one_node_is_refused_by_the_other_within_a_second() {
    let fresh = bare();
    let [(node, first), (_, second)] = pair(&fresh);
    let admin = bearer(&node.key("admin", &[]));
    soon("the new key", || first.get("/v1/key", &[&admin]).0 == 200);
    let made = node.json(&["key", "create", "--name", "b", "--permissions", "activity:read"]);
    let (uuid, key) = (made["uuid"].as_str().unwrap(), bearer(made["key"].as_str().unwrap()));
    let status = |served: &Served| served.get("/v1/activity", &[&key]).0;
    soon("the new key", || status(&first) == 200 && status(&second) == 200);
    assert_eq!(first.ask("DELETE", &format!("/v1/key/{uuid}"), &[&admin], "").status, 204);
    assert_eq!(status(&first), 401);
    soon("the revocation", || status(&second) == 401);
    assert_eq!(status(&second), 401);

    let made = node.json(&["key", "create", "--name", "c", "--permissions", "activity:read"]);
    let key = bearer(made["key"].as_str().unwrap());
    let status = |served: &Served| served.get("/v1/activity", &[&key]).0;
    soon("the new key", || status(&first) == 200 && status(&second) == 200);
    node.ok(&["key", "revoke", made["uuid"].as_str().unwrap()]);
    soon("the command's revocation", || status(&first) == 401 && status(&second) == 401);
}

#[test]
fn a_token_of_one_node_is_good_at_the_other_until_it_is_revoked_anywhere() {
    let fresh = bare();
    let [(node, first), (_, second)] = pair(&fresh);
    let client = client(&node);
    soon("the new client", || token(&first, &client, "grant_type=client_credentials").status == 200);
    let got = token(&first, &client, "grant_type=client_credentials");
    let access = text(&got, "access_token");
    let status = |served: &Served, token: &str| served.get("/v1/activity", &[&bearer(token)]).0;
    assert_eq!((status(&first, &access), status(&second, &access)), (200, 200));
    let renewed = format!("grant_type=refresh_token&refresh_token={}", text(&got, "refresh_token"));
    let renewed = token(&second, &client, &renewed);
    let other = text(&renewed, "access_token");
    assert_eq!((status(&first, &other), status(&second, &other)), (200, 200));
    let revoked = second.ask("POST", "/auth/revoke", &[&client, FORM], &format!("token={other}"));
    assert_eq!(revoked.status, 200, "{revoked:?}");
    assert_eq!(status(&second, &other), 401);
    soon("the revocation", || status(&first, &other) == 401);
}

#[test]
fn a_node_without_the_secret_of_the_others_is_refused() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    node.ok(&["migrate"]);
    node.ok(&["signing-key", "rotate"]);
    let without = Node::without_secret(&fresh.url(), "");
    let told = without.refusal();
    assert!(
        told.starts_with("error: the signing keys in the database are sealed with a secret that this node has not"),
        "{told}"
    );
    assert!(told.contains("set secrets.key_file to a copy of the one that the other nodes have"), "{told}");
    assert!(!without.0.path().join("tonne-data").exists(), "no secret was made up");
    let wrong = Node::new(&fresh.url());
    wrong.give(OTHER_SECRET);
    let ended = wrong.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("access tokens cannot be signed; put the secret back"), "{}", ended.stderr);
    assert!(!ended.stderr.contains(OTHER_SECRET), "{}", ended.stderr);
}

#[test]
fn of_a_thousand_rounds_of_two_nodes_nothing_revoked_lowered_or_rotated_comes_back() {
    let fresh = bare();
    let [(node, first), (_, second)] = pair(&fresh);
    let key = bearer(&node.key("admin", &[]));
    for served in [&first, &second] {
        soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
    }
    race::run(&Http { served: &first, admin: &key }, &Http { served: &second, admin: &key });
    assert!(node.ok(&["verify"]).starts_with("OK: "));
}
