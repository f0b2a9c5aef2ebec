//! Writing an activity back as it was read: what was computed stays so, and a change of it is not passed over.

use crate::http::harness::{Answer, Client, Service, Value, json, to};

const COMPUTED: &str =
    "/DownstreamCO2e: is 11, but is computed and comes to 10 here; leave it, or name it in supplied to replace it";

/// The faults of a refusal, each with its pointer in front.
fn faults(answer: &Answer) -> Vec<String> {
    let problem = answer.json();
    let errors = problem["errors"].as_array().unwrap().iter();
    errors.map(|e| format!("{}: {}", e["pointer"].as_str().unwrap(), e["detail"].as_str().unwrap())).collect()
}

/// An activity whose downstream part is computed, and where it is.
fn made(admin: &Client) -> (String, Value) {
    let product = admin.priced("kg", "1", "1");
    let made = admin.activity(json!({ "product": to(&product), "quantity": 10, "unit": "kg", "UpstreamCO2e": "3" }));
    let path = format!("/v1/activity/{made}");
    let read = admin.get(&path).ok();
    (path, read)
}

#[test]
fn nothing_changes_when_a_record_is_written_back_as_it_was_read() {
    let service = Service::start();
    let admin = service.admin();
    let (path, read) = made(&admin);
    let before = admin.get(&path);
    let after = admin.patch(&path, &read);
    assert_eq!(after.status, 200);
    assert_eq!(after.header("etag"), before.header("etag"));
}

#[test]
fn a_changed_computed_amount_is_refused_with_what_it_comes_to() {
    let service = Service::start();
    let admin = service.admin();
    let (path, read) = made(&admin);
    let change = |name: &str, value: &str| {
        let mut body = read.clone();
        body[name] = json!(value);
        faults(&admin.patch(&path, &body))
    };
    assert_eq!(change("DownstreamCO2e", "11"), [COMPUTED]);
    let sum = "/CO2e: is 14, but is computed and comes to 13 here; leave it, or change its parts";
    assert_eq!(change("CO2e", "14"), [sum]);
    assert_eq!(change("uuid", "01890000-0000-7000-8000-000000000000"), ["/uuid: is that of another activity"]);
}

#[test]
fn a_part_that_supplied_names_must_be_given_or_have_been_supplied() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = made(&admin);
    let answer = admin.patch(&path, &json!({ "supplied": ["UpstreamCO2e", "DownstreamCO2e"] }));
    assert_eq!(faults(&answer), ["/supplied: lists DownstreamCO2e, which is not given"]);
    assert_eq!(admin.patch(&path, &json!({ "supplied": ["UpstreamCO2e"] })).status, 200);
}

#[test]
fn a_new_record_may_not_say_what_its_product_does_not_come_to() {
    let service = Service::start();
    let admin = service.admin();
    let (_, mut read) = made(&admin);
    assert_eq!(admin.post("/v1/activity", &read).status, 201);
    read["DownstreamCO2e"] = json!("11");
    assert_eq!(faults(&admin.post("/v1/activity", &read)), [COMPUTED]);
}
