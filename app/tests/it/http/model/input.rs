//! `/v1/model/:uuid/input`: the list of the interface, and writing it.

use crate::http::harness::{Client, Service, Value, json, to};
use crate::http::problem::{no_amounts, no_names, no_sync_ids, no_units, refuses, refuses_references, requires};

/// An empty model, by the address of its inputs.
fn inputs(client: &Client) -> String {
    format!("/v1/model/{}/input", client.post("/v1/model", &json!({ "name": "Bolt", "unit": "piece" })).uuid())
}

/// The body of an input with those members besides, or instead.
fn body(material: &str, members: Value) -> Value {
    let mut body = json!({ "name": "Steel", "material": to(material), "quantity": "1", "unit": "kg" });
    let Value::Object(members) = members else { panic!("no members: {members}") };
    body.as_object_mut().unwrap().extend(members);
    body
}

/// The names of the inputs as they are listed.
fn names(client: &Client, path: &str) -> Vec<String> {
    let page = client.get(path).ok();
    page["data"].as_array().unwrap().iter().map(|input| input["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_list_has_exactly_these_members() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let path = inputs(&admin);
    let members = json!({
        "syncId": "i", "quantity": "2.50", "order": 7, "block": { "name": "Body" }, "lifecycleStage": { "code": "A1" },
    });
    let made = admin.post(&path, &body(&material, members)).expect(201);
    assert_eq!((made.raw("quantity").as_str(), made.raw("CO2e").as_str()), ("2.5", r#""3.75""#));
    let input = made.json();
    let uuid = input["uuid"].as_str().unwrap();
    assert_eq!(made.header("location"), Some(format!("{}{path}/{uuid}", service.base()).as_str()));
    let expected = json!({
        "count": 1,
        "page": 1,
        "pageSize": 100,
        "data": [{
            "uuid": uuid,
            "name": "Steel",
            "syncId": "i",
            "quantity": input["quantity"],
            "unit": "kg",
            "order": 7,
            "material": { "uuid": material, "name": "Product" },
            "block": { "uuid": input["block"]["uuid"], "name": "Body" },
            "lifecycleStage": { "code": "A1", "name": "Raw material supply" },
            "created": input["created"],
            "updated": input["created"],
            "CO2e": "3.75",
        }],
    });
    assert_eq!(admin.get(&path).ok(), expected);
    assert_eq!(admin.get(&format!("{path}/{uuid}")).expect(200).text(), made.text());
}

#[test]
fn an_empty_model_has_an_empty_list_and_an_unknown_one_none() {
    let service = Service::start();
    let admin = service.admin();
    let empty = json!({ "count": 0, "page": 1, "pageSize": 100, "data": [] });
    assert_eq!(admin.get(&inputs(&admin)).ok(), empty);
    let nobody = "0198c0de-0000-7000-8000-000000000000";
    assert_eq!(admin.get(&format!("/v1/model/{nobody}/input")).problem(), "404 not-found");
    assert_eq!(admin.get("/v1/model/42/input").problem(), "400 malformed-request uuid");
    let product = admin.product("kg");
    assert_eq!(admin.get(&format!("/v1/model/{product}/input")).problem(), "404 not-found");
}

#[test]
fn inputs_come_by_order_then_uuid_and_new_ones_last() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let path = inputs(&admin);
    for (name, order) in
        [("c", json!(5)), ("b", json!(-5)), ("d", json!(5)), ("a", json!(-2_147_483_648)), ("e", json!(null))]
    {
        admin.post(&path, &body(&material, json!({ "name": name, "order": order }))).expect(201);
    }
    admin.post(&path, &body(&material, json!({ "name": "f" }))).expect(201);
    assert_eq!(names(&admin, &path), ["a", "b", "c", "d", "e", "f"]);
    assert_eq!(names(&admin, &format!("{path}?pageSize=4&page=2")), ["e", "f"]);
    let page = admin.get(&format!("{path}?pageSize=4&page=2")).ok();
    assert_eq!([&page["count"], &page["page"], &page["pageSize"]], [6, 2, 4]);
    assert_eq!(page["data"][1]["order"], 7);
    let first = format!("{path}/{}", admin.get(&path).ok()["data"][0]["uuid"].as_str().unwrap());
    admin.patch(&first, &json!({ "order": 2_147_483_647 })).expect(200);
    assert_eq!(names(&admin, &path), ["b", "c", "d", "e", "f", "a"]);
    for query in ["page=0", "pageSize=1001", "limit=2", "page=1&page=2", "syncId="] {
        assert_eq!(admin.get(&format!("{path}?{query}")).status, 400, "{query}");
    }
}

#[test]
fn each_member_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let path = inputs(&admin);
    let post = |body: &Value| admin.post(&path, body);
    let good = body(&material, json!({}));
    requires(post, &good, &["name", "material", "quantity", "unit"]);
    let cases = [
        ("/name", no_names()),
        ("/syncId", no_sync_ids()),
        ("/quantity", no_amounts()),
        ("/unit", no_units()),
        ("/unit", json!(["kWh", "L", "piece"])),
        ("/order", json!(["1", true, "", 2_147_483_648_i64, -2_147_483_649_i64, [1]])),
        ("/block", json!(["Body", 7, [], true])),
        ("/block/name", json!([{}, { "name": null }, { "name": "" }, { "name": 7 }, { "name": "x".repeat(256) }])),
        ("/block/nmae", json!([{ "name": "Body", "nmae": "Body" }])),
        ("/lifecycleStage", json!(["A1", 7, [], true])),
        ("/lifecycleStage/code", json!([{}, { "code": null }, { "code": "" }, { "code": "a1" }, { "code": "A9" }])),
        ("/lifecycleStage/kode", json!([{ "code": "A1", "kode": "A1" }])),
        ("/CO2e", json!(["1", null])),
        ("/uuid", json!([null])),
    ];
    refuses(post, &good, &cases);
    refuses_references(post, &good, "material");
    let one = format!("{path}/{}", post(&good).uuid());
    let patch = |body: &Value| admin.patch(&one, body);
    refuses(patch, &json!({}), &cases);
    refuses(patch, &json!({}), &[("/quantity", json!([null])), ("/unit", json!([null])), ("/material", json!([null]))]);
}

#[test]
fn a_block_is_made_once_a_model() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let (path, other) = (inputs(&admin), inputs(&admin));
    let block = |path: &str, block: Value| {
        admin.post(path, &body(&material, json!({ "block": block }))).created()["block"].clone()
    };
    let made = block(&path, json!({ "name": " Body " }));
    assert_eq!(made["name"], "Body");
    assert_eq!(block(&path, json!({ "name": "Body" })), made);
    assert_eq!(block(&path, made.clone()), made, "as it was read");
    for elsewhere in [block(&path, json!({ "name": "body" })), block(&other, json!({ "name": "Body" }))] {
        assert_ne!(elsewhere["uuid"], made["uuid"]);
    }
    assert_eq!(block(&path, Value::Null), Value::Null);
    let one = format!("{path}/{}", admin.get(&path).ok()["data"][0]["uuid"].as_str().unwrap());
    assert_eq!(admin.patch(&one, &json!({ "block": null })).ok()["block"], Value::Null);
    assert_eq!(admin.patch(&one, &json!({ "block": { "name": "Body" } })).ok()["block"], made);
}

#[test]
fn every_life_cycle_stage_has_its_code_and_name() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let path = inputs(&admin);
    let a = ["A0", "A1", "A2", "A3", "A1-A3", "A4", "A5"];
    let b = ["B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8"];
    for code in a.into_iter().chain(b).chain(["C1", "C2", "C3", "C4", "D"]) {
        let made = admin.post(&path, &body(&material, json!({ "lifecycleStage": { "code": code } }))).created();
        let stage = &made["lifecycleStage"];
        assert_eq!(stage["code"], code);
        assert!(stage["name"].as_str().is_some_and(|name| name.len() > 2), "{stage}");
        let again = admin.post(&path, &body(&material, json!({ "lifecycleStage": stage }))).created();
        assert_eq!(&again["lifecycleStage"], stage, "as it was read");
    }
    assert_eq!(
        admin.post(&path, &body(&material, json!({ "lifecycleStage": null }))).created()["lifecycleStage"],
        Value::Null
    );
}

#[test]
fn an_input_belongs_to_its_model_and_its_sync_id_to_the_tenant() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.product("kg");
    let (path, other) = (inputs(&admin), inputs(&admin));
    let uuid = admin.post(&path, &body(&material, json!({ "syncId": "i" }))).uuid();
    let lost = format!("{other}/{uuid}");
    for answer in [admin.get(&lost), admin.patch(&lost, &json!({ "name": "B" })), admin.delete(&lost)] {
        assert_eq!(answer.problem(), "404 not-found");
    }
    let second = admin.post(&other, &body(&material, json!({ "syncId": "i" })));
    assert_eq!(second.problem(), "409 conflict /syncId");
    assert!(second.text().contains(&uuid), "{}", second.text());
    assert_eq!(admin.get(&format!("{path}?syncId=i")).ok()["count"], 1);
    assert_eq!(admin.get(&format!("{other}?syncId=i")).ok()["count"], 0);
    let one = format!("{path}/{uuid}");
    let tag = admin.get(&one).etag();
    admin.patch(&one, &json!({ "name": "B" })).expect(200);
    let stale = admin.request("PATCH", &one).header("If-Match", &tag).json(&json!({ "name": "C" })).send();
    assert_eq!(stale.problem(), "412 stale");
    admin.delete(&one).expect(204);
    assert_eq!(admin.get(&path).ok()["count"], 0);
}
