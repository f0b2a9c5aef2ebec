//! `/v1/switch/:uuid/sources`: the models that a switch is computed from.

use super::{model, switch};
use crate::http::harness::{Service, Value, json, to};

const NOBODY: &str = "0198c0de-0000-7000-8000-000000000000";

#[test]
fn sources_replace_each_other_and_keep_their_order() {
    let service = Service::start();
    let admin = service.admin();
    let steel = admin.post("/v1/model", &json!({ "name": "Steel", "unit": "kg", "syncId": "s" })).uuid();
    let paint = admin.post("/v1/model", &json!({ "name": "Paint", "unit": "kg" })).uuid();
    let one = format!("/v1/switch/{}", switch(&admin, Some("kg"), &[]));
    let path = format!("{one}/sources");
    let (s, p) = (json!({ "uuid": steel, "name": "Steel" }), json!({ "uuid": paint, "name": "Paint" }));
    for (sources, read) in [
        (json!([to(&steel), to(&paint)]), json!([s, p])),
        (json!([to(&paint), { "syncId": "s" }]), json!([p, s])),
        (json!([{ "uuid": paint.to_uppercase(), "name": "whatever it is called" }]), json!([p])),
        (json!([]), json!([])),
        (json!([s]), json!([s])),
    ] {
        assert_eq!(admin.put(&path, &sources).ok()["sources"], read);
        assert_eq!(admin.get(&one).ok()["sources"], read);
    }
    assert_eq!(admin.patch(&one, &json!({ "name": "B" })).ok()["sources"], json!([s]));
}

#[test]
fn every_reference_that_is_wrong_is_named() {
    let service = Service::start();
    let admin = service.admin();
    let known = admin.post("/v1/model", &json!({ "name": "Steel", "unit": "kg", "syncId": "s" })).uuid();
    let product = admin.product("kg");
    let one = format!("/v1/switch/{}", switch(&admin, Some("kg"), &[&known]));
    let put = |sources: &Value| admin.put(&format!("{one}/sources"), sources).problem();
    let many: Vec<_> = (0..101).map(|_| to(&known)).collect();
    for (sources, places) in [
        (json!({}), "(all)"),
        (json!(null), "(all)"),
        (json!("s"), "(all)"),
        (json!(many), "(all)"),
        (json!([known]), "/0"),
        (json!([null]), "/0"),
        (json!([{}]), "/0"),
        (json!([{ "name": "Steel" }]), "/0"),
        (json!([{ "uuid": known, "syncId": "s" }]), "/0"),
        (json!([to(NOBODY)]), "/0/uuid"),
        (json!([to(&product)]), "/0/uuid"),
        (json!([to("x")]), "/0/uuid"),
        (json!([{ "syncId": "t" }]), "/0/syncId"),
        (json!([{ "syncId": 7 }]), "/0/syncId"),
        (json!([{ "uuid": known, "id": 1 }]), "/0/id"),
        (json!([to(&known), to(&known)]), "/1/uuid"),
        (json!([to(&known), { "syncId": "s" }]), "/1/syncId"),
        (json!([to(NOBODY), to(&known), { "syncId": "t" }, to(&known)]), "/0/uuid /2/syncId /3/uuid"),
        (json!([to("x"), to(&known), to(NOBODY), { "syncId": "t" }, 7]), "/0/uuid /2/uuid /3/syncId /4"),
    ] {
        assert_eq!(put(&sources), format!("422 invalid-input {places}"), "{sources}");
    }
    assert_eq!(admin.get(&one).ok()["sources"], json!([{ "uuid": known, "name": "Steel" }]), "nothing changed");
}

#[test]
fn a_hundred_sources_are_taken() {
    let service = Service::start();
    let admin = service.admin();
    let models: Vec<_> = (0..100).map(|_| model(&admin, "1", "kg")).collect();
    let models: Vec<&str> = models.iter().map(String::as_str).collect();
    let switch = switch(&admin, Some("kg"), &models);
    assert_eq!(admin.get(&format!("/v1/switch/{switch}")).ok()["sources"].as_array().unwrap().len(), 100);
}

#[test]
fn sources_of_a_switch_that_was_changed_meanwhile_are_412_and_of_none_404() {
    let service = Service::start();
    let admin = service.admin();
    let one = format!("/v1/switch/{}", switch(&admin, Some("kg"), &[]));
    let tag = admin.get(&one).etag();
    admin.patch(&one, &json!({ "name": "B" })).expect(200);
    let put =
        |tag: &str| admin.request("PUT", &format!("{one}/sources")).header("If-Match", tag).json(&json!([])).send();
    let stale = put(&tag);
    assert_eq!((stale.problem().as_str(), stale.etag()), ("412 stale", admin.get(&one).etag()));
    put(&admin.get(&one).etag()).expect(200);
    assert_eq!(admin.put(&format!("/v1/switch/{NOBODY}/sources"), &json!([])).problem(), "404 not-found");
}

#[test]
fn a_model_is_kept_while_switches_are_computed_from_it() {
    let service = Service::start();
    let admin = service.admin();
    let model = model(&admin, "1", "kg");
    let switches = [switch(&admin, Some("kg"), &[&model]), switch(&admin, None, &[&model])];
    for (switch, by) in switches.iter().zip(["2 switches", "1 switch"]) {
        let answer = admin.delete(&format!("/v1/model/{model}"));
        assert_eq!(answer.problem(), "409 conflict");
        assert!(answer.text().contains(&format!("used by {by};")), "{}", answer.text());
        admin.delete(&format!("/v1/switch/{switch}")).expect(204);
    }
    admin.delete(&format!("/v1/model/{model}")).expect(204);
}
