//! `/v1/switch`: switches as the interface shows them.

mod footprint;
mod image;
mod source;

use super::harness::{Client, Service, Value, json};
use super::problem::{no_units, refuses, requires};

/// A model of that amount of a unit.
fn model(client: &Client, amount: &str, unit: &str) -> String {
    client.post("/v1/model", &json!({ "name": "Model", "amount": amount, "unit": unit })).uuid()
}

/// Adds an input of some kg of a material to a model, in a stage or in none.
fn input(client: &Client, model: &str, material: &str, quantity: &str, stage: Option<&str>) -> String {
    let stage = stage.map(|code| json!({ "code": code }));
    let material = json!({ "uuid": material });
    let body = json!({
        "name": "Input", "material": material, "quantity": quantity, "unit": "kg", "lifecycleStage": stage,
    });
    client.post(&format!("/v1/model/{model}/input"), &body).uuid()
}

/// A switch of a unit that is computed from those models.
fn switch(client: &Client, unit: Option<&str>, models: &[&str]) -> String {
    let switch = client.post("/v1/switch", &json!({ "name": "Switch", "unit": unit })).uuid();
    let sources: Vec<_> = models.iter().map(|model| json!({ "uuid": model })).collect();
    client.put(&format!("/v1/switch/{switch}/sources"), &json!(sources)).expect(200);
    switch
}

#[test]
fn a_new_switch_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.post("/v1/switch", &json!({ "name": "Bolt", "unit": "kg", "syncId": "b" })).created();
    let expected = json!({
        "uuid": made["uuid"],
        "syncId": "b",
        "name": "Bolt",
        "unit": "kg",
        "image": null,
        "sources": [],
        "footprint": {
            "CO2e": { "productCarbonFootprint": null, "A1_A3": null, "D": null },
            "issues": [{ "code": "no_source", "detail": made["footprint"]["issues"][0]["detail"] }],
        },
        "created": made["created"],
        "updated": made["created"],
    });
    assert_eq!(made, expected);
}

#[test]
fn the_footprint_and_its_co2e_are_objects_in_every_answer() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.post("/v1/switch", &json!({ "name": "Bolt" })).created();
    let one = format!("/v1/switch/{}", made["uuid"].as_str().unwrap());
    let answers = [
        made,
        admin.get(&one).ok(),
        admin.get("/v1/switch").ok()["data"][0].clone(),
        admin.patch(&one, &json!({ "unit": "kg" })).ok(),
        admin.put(&format!("{one}/sources"), &json!([])).ok(),
        admin.put(&format!("{one}/image"), &json!({ "image": null })).ok(),
    ];
    for answer in answers {
        assert!(answer["footprint"].is_object() && answer["footprint"]["CO2e"].is_object(), "{answer}");
        for member in ["productCarbonFootprint", "A1_A3", "D"] {
            assert_eq!(answer["footprint"]["CO2e"].get(member), Some(&Value::Null), "{answer}");
        }
    }
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let post = |body: &Value| admin.post("/v1/switch", body);
    let good = json!({ "name": "A" });
    requires(post, &good, &["name"]);
    let read_only = [
        ("/image", json!(["https://example.com/a.png", null])),
        ("/sources", json!([[], null])),
        ("/footprint", json!([{}, null])),
        ("/created", json!(["2025-01-01T00:00:00Z"])),
        ("/CO2e", json!(["1"])),
        ("/Name", json!(["A"])),
        ("/syncid", json!(["A"])),
    ];
    for cases in [[("/unit", no_units())].as_slice(), &read_only] {
        refuses(post, &good, cases);
        let one = format!("/v1/switch/{}", post(&good).uuid());
        refuses(|body| admin.patch(&one, body), &json!({}), cases);
    }
}

#[test]
fn a_merge_patch_keeps_what_it_leaves_out_and_clears_what_is_null() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.post("/v1/switch", &json!({ "name": "A", "unit": "kg", "syncId": "a" })).created();
    let one = format!("/v1/switch/{}", made["uuid"].as_str().unwrap());
    for (patch, name, sync_id, unit) in [
        (json!({}), "A", json!("a"), json!("kg")),
        (json!({ "name": "B" }), "B", json!("a"), json!("kg")),
        (json!({ "unit": "lb" }), "B", json!("a"), json!("lbs")),
        (json!({ "syncId": null }), "B", Value::Null, json!("lbs")),
        (json!({ "unit": null, "syncId": "b" }), "B", json!("b"), Value::Null),
    ] {
        let changed = admin.patch(&one, &patch).ok();
        let expected = [&json!(name), &sync_id, &unit];
        assert_eq!([&changed["name"], &changed["syncId"], &changed["unit"]], expected, "{patch}");
        assert_eq!(admin.get(&one).ok(), changed);
    }
    assert_eq!(admin.patch(&one, &json!({ "name": null })).problem(), "422 invalid-input /name");
    assert_eq!(
        admin.patch(&one, &json!({ "name": null, "unit": 7, "x": 1 })).problem(),
        "422 invalid-input /name /unit /x"
    );
    assert_eq!(admin.get(&one).ok()["name"], "B");
}

#[test]
fn a_change_is_taken_as_merge_patch_or_json_and_in_no_other_type() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/switch/{}", admin.post("/v1/switch", &json!({ "name": "A" })).uuid());
    let send = |kind: &str| {
        let request = admin.request("PATCH", &one).header("Content-Type", kind);
        request.body(r#"{"name": "B"}"#).send()
    };
    for kind in ["application/merge-patch+json", "application/json", "Application/JSON; charset=UTF-8"] {
        assert_eq!(send(kind).ok()["name"], "B", "{kind}");
    }
    for kind in ["application/json-patch+json", "text/plain", "text/json", "application/json; charset=latin1", ""] {
        assert_eq!(send(kind).problem(), "415 unsupported-media-type", "{kind}");
    }
    let merge = admin.request("POST", "/v1/switch").header("Content-Type", "application/merge-patch+json");
    assert_eq!(merge.body(r#"{"name": "B"}"#).send().problem(), "415 unsupported-media-type");
}
