//! Companies that come and go beside two nodes.

use std::fs;

use super::{Node, bare, bearer, soon};

const PATHS: &str = "tenancy.mode = \"path\"";

#[test]
fn a_company_comes_and_goes_on_every_node_within_a_second() {
    let fresh = bare();
    let nodes = [Node::with(&fresh.url(), PATHS), Node::with(&fresh.url(), PATHS)];
    let [one, other] = &nodes;
    let served = [one.serve(), other.serve()];
    let create = ["tenant", "create", "--name", "A company"];
    for slug in ["kept", "acme"] {
        one.ok(&[&create[..], &[slug]].concat());
    }
    let key = bearer(&other.key("admin", &["--tenant", "acme"]));
    let kept = bearer(&one.key("admin", &["--tenant", "kept"]));
    let each = |slug: &str, key: &str, path: &str, status: u16| {
        served.iter().all(|served| served.of(slug).get(path, &[key]).0 == status)
    };
    soon("the new company", || each("acme", &key, "/v1/scope", 200) && each("kept", &kept, "/v1/scope", 200));
    assert!(each("kept", &key, "/v1/scope", 401), "a key of another company");
    other.ok(&["import", "catalog", "--standard", "ghg-protocol", "--tenant", "acme"]);
    for served in &served {
        assert!(served.of("acme").get("/v1/scope", &[&key]).1.contains("\"count\":21"));
        assert!(served.of("kept").get("/v1/scope", &[&kept]).1.contains("\"count\":0"));
    }

    let removed = one.json(&["tenant", "remove", "acme", "--confirm", "acme"]);
    soon("the removal", || each("acme", &key, "/v1/scope", 404));
    assert!(each("kept", &kept, "/v1/scope", 200));
    let export = one.0.path().join(removed["export"].as_str().unwrap());
    assert!(fs::read_to_string(&export).unwrap().starts_with("{\"form\":1,\"kind\":\"export\","));
    assert_eq!(other.run(&["report", "--tenant", "acme"]).status, 1);
    assert_eq!(left(&fresh.url(), removed["uuid"].as_str().unwrap()), ["0"], "rows of the removed company");

    // The export makes it anew, with its identity but without its keys.
    let again = other.json(&["import", "tenant", export.to_str().unwrap()]);
    assert_eq!((&again["tenant"], &again["uuid"]), (&"acme".into(), &removed["uuid"]));
    soon("the company again", || each("acme", &key, "/v1/scope", 401));
    let key = bearer(&one.key("admin", &["--tenant", "acme"]));
    soon("its new key", || each("acme", &key, "/v1/scope", 200));
    assert!(served[1].of("acme").get("/v1/scope", &[&key]).1.contains("\"count\":21"));
    assert!(one.ok(&["verify"]).starts_with("OK: "));
}

/// How many rows all tables hold of a tenant.
fn left(url: &str, tenant: &str) -> Vec<String> {
    let tables = super::sql(url, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'tonne'");
    assert!(tables.len() > 10, "{tables:?}");
    let counts =
        tables.iter().map(|table| format!("(SELECT count(*) FROM tonne.{table} WHERE tenant_id = '{tenant}')"));
    super::sql(url, &format!("SELECT ({})::text", counts.collect::<Vec<_>>().join(" + ")))
}

#[test]
fn an_export_goes_where_the_command_is_told() {
    let fresh = bare();
    let node = Node::with(&fresh.url(), PATHS);
    node.ok(&["tenant", "create", "acme", "--name", "A company"]);
    node.0.file("there.tonne", "mine");
    let remove = ["tenant", "remove", "acme", "--confirm", "acme", "--export-to"];
    let ended = node.run(&[&remove[..], &["there.tonne"]].concat());
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("there.tonne was not written; nothing was removed"), "{}", ended.stderr);
    assert!(node.ok(&["tenant", "list"]).contains("acme"));
    node.ok(&[&remove[..], &["elsewhere/gone.tonne"]].concat());
    assert!(node.0.path().join("elsewhere/gone.tonne").metadata().unwrap().len() > 0);
    assert!(!node.ok(&["tenant", "list"]).contains("acme"));
}
