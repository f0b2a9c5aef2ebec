//! `/v1/taxonomy`: taxonomies with their slugs and paths.

use super::harness::{Client, Service, Value, json, to};
use super::problem::{refuses, refuses_references, requires};

/// The path of a node.
fn path(client: &Client, node: &str) -> String {
    client.get(&format!("/v1/taxonomy/{node}")).ok()["path"].as_str().unwrap().to_owned()
}

#[test]
fn a_taxonomy_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let energy = admin.taxonomy("Energy", None);
    let body = json!({ "name": "Heat", "slug": "warmth", "parent": to(&energy), "syncId": "h" });
    let made = admin.post("/v1/taxonomy", &body).created();
    let expected = json!({
        "uuid": made["uuid"],
        "syncId": "h",
        "name": "Heat",
        "slug": "warmth",
        "path": "energy/warmth",
        "parent": { "uuid": energy, "name": "Energy" },
        "created": made["created"],
        "updated": made["created"],
    });
    assert_eq!(made, expected);
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/taxonomy", body);
    let good = json!({ "name": "A" });
    requires(post, &good, &["name"]);
    let slugs = json!([7, {}, "", "A", "a b", "-a", "a-", "a--b", "ä", "a/b", "a_b", "a".repeat(256)]);
    refuses(post, &good, &[("/slug", slugs.clone()), ("/path", json!(["a"])), ("/kind", json!(["scope1"]))]);
    refuses_references(post, &good, "parent");
    let one = format!("/v1/taxonomy/{}", post(&good).uuid());
    refuses(|body| admin.patch(&one, body), &json!({}), &[("/slug", slugs), ("/path", json!(["a", null]))]);
}

#[test]
fn a_slug_is_made_from_the_name_with_a_number_where_a_sibling_has_it() {
    let service = Service::start();
    let admin = service.admin();
    let energy = admin.taxonomy("Energy & Heat!", None);
    for expected in ["steam", "steam-2", "steam-3"] {
        let steam = admin.taxonomy("Steam", Some(&energy));
        assert_eq!(path(&admin, &steam), format!("energy-heat/{expected}"));
    }
    assert_eq!(path(&admin, &admin.taxonomy("Steam", None)), "steam");
    assert_eq!(path(&admin, &admin.taxonomy("Öl & Gas", None)), "ol-gas");
    assert_eq!(path(&admin, &admin.taxonomy("蒸気", None)), "node");
}

#[test]
fn a_33rd_level_is_refused_at_the_parent() {
    let service = Service::start();
    let admin = service.admin();
    let mut last = admin.taxonomy("Level", None);
    for _ in 1..32 {
        last = admin.taxonomy("Level", Some(&last));
    }
    assert_eq!(path(&admin, &last), ["level"; 32].join("/"));
    admin.patch(&format!("/v1/taxonomy/{last}"), &json!({ "syncId": "deep" })).expect(200);
    let heat = admin.taxonomy("Heat", None);
    for (parent, pointer) in [(to(&last), "/parent/uuid"), (json!({ "syncId": "deep" }), "/parent/syncId")] {
        let answer = admin.post("/v1/taxonomy", &json!({ "name": "Deeper", "parent": parent }));
        assert_eq!(answer.problem(), format!("422 invalid-input {pointer}"));
        assert!(answer.text().contains("at most 32"), "{}", answer.text());
        let answer = admin.patch(&format!("/v1/taxonomy/{heat}"), &json!({ "parent": parent }));
        assert_eq!(answer.problem(), format!("422 invalid-input {pointer}"));
    }
}

#[test]
fn a_slug_twice_among_siblings_is_409_however_it_comes_about() {
    let service = Service::start();
    let admin = service.admin();
    let energy = admin.taxonomy("Energy", None);
    admin.taxonomy("Steam", Some(&energy));
    let heat = admin.taxonomy("Heat", Some(&energy));
    let elsewhere = admin.taxonomy("Steam", None);
    let given = json!({ "name": "B", "slug": "steam", "parent": to(&energy) });
    let answers = [
        admin.post("/v1/taxonomy", &given),
        admin.patch(&format!("/v1/taxonomy/{heat}"), &json!({ "slug": "steam" })),
        admin.patch(&format!("/v1/taxonomy/{elsewhere}"), &json!({ "parent": to(&energy) })),
        admin.post("/v1/taxonomy", &json!({ "name": "B", "slug": "energy" })),
    ];
    for answer in answers {
        assert_eq!(answer.problem(), "409 conflict /slug");
    }
    assert_eq!(path(&admin, &elsewhere), "steam");
    let moved = json!({ "parent": to(&energy), "slug": null, "name": "Steam" });
    assert_eq!(admin.patch(&format!("/v1/taxonomy/{elsewhere}"), &moved).ok()["path"], "energy/steam-2");
}

#[test]
fn a_path_follows_every_change_above_it() {
    let service = Service::start();
    let admin = service.admin();
    let energy = admin.taxonomy("Energy", None);
    let heat = admin.taxonomy("Heat", Some(&energy));
    let steam = admin.taxonomy("Steam", Some(&heat));
    let change = |node: &str, body: Value| admin.patch(&format!("/v1/taxonomy/{node}"), &body).ok();
    change(&energy, json!({ "name": "Power" }));
    assert_eq!(path(&admin, &steam), "energy/heat/steam", "a new name keeps the slug");
    change(&energy, json!({ "slug": "power" }));
    assert_eq!(path(&admin, &steam), "power/heat/steam");
    change(&heat, json!({ "parent": null }));
    assert_eq!(path(&admin, &steam), "heat/steam");
    change(&energy, json!({ "slug": null }));
    assert_eq!(path(&admin, &energy), "power", "null makes it anew from the name");
    let listed = admin.get("/v1/taxonomy").ok();
    let paths: Vec<_> = listed["data"].as_array().unwrap().iter().map(|node| node["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["power", "heat", "heat/steam"]);
}

#[test]
fn a_taxonomy_in_use_is_kept_and_says_by_what() {
    let service = Service::start();
    let admin = service.admin();
    let energy = admin.taxonomy("Energy", None);
    let heat = admin.taxonomy("Heat", Some(&energy));
    admin.taxonomy("Power", Some(&energy));
    admin.activity(json!({ "taxonomy": to(&heat) }));
    for (node, by) in [(&energy, "2 taxonomies"), (&heat, "1 activity")] {
        let answer = admin.delete(&format!("/v1/taxonomy/{node}"));
        assert_eq!(answer.problem(), "409 conflict");
        assert!(answer.text().contains(by), "{}", answer.text());
    }
}
