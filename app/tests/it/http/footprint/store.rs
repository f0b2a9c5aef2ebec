//! What can be stored, and how a record is stored.

use super::examples::{v2, v3, with};
use super::{broken, listed};
use crate::http::harness::{Service, Value, json};
use crate::http::problem::{no_amounts, refuses};

#[test]
fn a_new_record_is_answered_as_it_was_written_with_what_the_service_gives() {
    let service = Service::start();
    let admin = service.admin();
    for (number, record) in [(1, v2()), (2, v3())] {
        let made = admin.post("/v1/footprint", &record).expect(201);
        let shown = made.json();
        let uuid = shown["uuid"].as_str().unwrap();
        assert_eq!(&uuid[14..15], "4");
        assert_eq!(made.header("location"), Some(format!("{}/v1/footprint/{uuid}", service.base()).as_str()));
        assert_eq!((&shown["id"], &shown["valid"], &shown["brokenRules"]), (&json!(number), &json!(true), &json!([])));
        for (name, value) in record.as_object().unwrap() {
            if name != "pcf" {
                assert_eq!(&shown[name], value, "{name}");
            }
        }
        let names = |pcf: &Value| pcf.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&shown["pcf"]), names(&record["pcf"]));
        let read = admin.get(made.header("location").unwrap()).expect(200);
        assert_eq!((read.text(), read.etag()), (made.text(), made.etag()));
    }
    let page = admin.get("/v1/footprint?pageSize=1&page=2").ok();
    assert_eq!([&page["count"], &page["page"], &page["pageSize"], &page["data"][0]["id"]], [2, 2, 1, 2]);
}

#[test]
fn numbers_count_from_1_and_none_comes_twice() {
    let service = Service::start();
    let admin = service.admin();
    let mut last = String::new();
    for number in 1..=3 {
        let made = admin.post("/v1/footprint", &json!({})).created();
        assert_eq!(made["id"], number);
        made["uuid"].as_str().unwrap().clone_into(&mut last);
    }
    admin.delete(&format!("/v1/footprint/{last}")).expect(204);
    assert_eq!(admin.post("/v1/footprint", &json!({})).created()["id"], 4);
}

#[test]
fn null_and_empty_arrays_are_the_same_as_nothing() {
    let service = Service::start();
    let admin = service.admin();
    for (place, empty) in [
        ("/companyName", json!(null)),
        ("/companyIds", json!([])),
        ("/companyIds", json!(null)),
        ("/extensions", json!([])),
        ("/precedingPfIds", json!([])),
        ("/validityPeriodStart", json!(null)),
        ("/status", json!(null)),
        ("/pcf", json!(null)),
        ("/pcf/dqi", json!(null)),
        ("/pcf/dqi/temporalDQR", json!(null)),
        ("/pcf/productOrSectorSpecificRules", json!([])),
        ("/pcf/secondaryEmissionFactorSources", json!(null)),
        ("/pcf/packagingGhgEmissions", json!(null)),
        ("/pcf/ipccCharacterizationFactorsSources", json!([])),
    ] {
        let [absent, given] = [None, Some(empty.clone())].map(|value| {
            let mut made = admin.post("/v1/footprint", &with(v2(), place, value)).created();
            made["uuid"] = Value::Null;
            made["id"] = Value::Null;
            made
        });
        assert_eq!(absent, given, "{place}: {empty}");
    }
}

#[test]
fn only_what_cannot_be_stored_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let times = json!([7, {}, "", "today", "2025-01-01", "2025-02-30T00:00:00Z", "2025-01-01T00:00:60Z"]);
    refuses(
        |body| admin.post("/v1/footprint", body),
        &v2(),
        &[
            ("/specVersion", json!([2, {}, ["2.3.0"]])),
            ("/companyName", json!([7, true, {}])),
            ("/companyIds", json!(["urn:x:y", {}, 7])),
            ("/companyIds/0", json!([[7], [null], [{}]])),
            ("/version", json!(["1", true, {}, 1.5])),
            ("/created", times.clone()),
            ("/validityPeriodEnd", times),
            ("/precedingPfIds", json!([7, "x", {}])),
            ("/precedingPfIds/0", json!([[{}], [true], [1.5], [null], [["x"]]])),
            ("/pcf", json!([7, "x", []])),
            ("/extensions", json!([{}, "x"])),
            ("/extensions/0", json!([["x"], [null]])),
            ("/extensions/0/dataSchema", json!([[{ "dataSchema": 7 }]])),
            ("/extensions/0/url", json!([[{ "url": "x" }]])),
            ("/nmae", json!([7, null])),
            ("/id", json!([7, null])),
            ("/uuid", json!(["x"])),
            ("/valid", json!([true])),
            ("/brokenRules", json!([[]])),
        ],
    );
    for wrong in no_amounts().as_array().unwrap() {
        let answer = admin.post("/v1/footprint", &with(v2(), "/pcf/fossilGhgEmissions", Some(wrong.clone())));
        assert_eq!(answer.problem(), "422 invalid-input /pcf/fossilGhgEmissions", "{wrong}");
    }
    for (place, wrong) in [
        ("/pcf/packagingEmissionsIncluded", json!("true")),
        ("/pcf/dqi", json!(1)),
        ("/pcf/dqi/temporalDQR", json!(true)),
        ("/pcf/dqi/x", json!(1)),
        ("/pcf/x", json!(1)),
        ("/pcf/productOrSectorSpecificRules/0/ruleNames", json!("Rolling")),
        ("/pcf/secondaryEmissionFactorSources/0/url", json!("x")),
    ] {
        let answer = admin.post("/v1/footprint", &with(v2(), place, Some(wrong)));
        assert_eq!(answer.problem(), format!("422 invalid-input {place}"));
    }
    let record = with(with(v2(), "/x", Some(json!(1))), "/pcf/y", Some(json!(1)));
    let answer = admin.post("/v1/footprint", &with(record, "/created", Some(json!("never"))));
    assert_eq!(answer.problem(), "422 invalid-input /created /pcf/y /x");
    assert_eq!(admin.get("/v1/footprint").ok()["count"], 0);
}

#[test]
fn the_character_zero_is_refused_wherever_a_text_can_stand() {
    let service = Service::start();
    let admin = service.admin();
    let extension =
        |data: Value| json!([{ "specVersion": "2.0.0", "dataSchema": "https://a.example/schema", "data": data }]);
    for (place, member, value) in [
        ("/companyName", "/companyName", json!("a\0b")),
        ("/companyIds/0", "/companyIds", json!(["urn:x:\0"])),
        ("/precedingPfIds/0", "/precedingPfIds", json!(["\0"])),
        ("/pcf/declaredUnit", "/pcf/declaredUnit", json!("\0")),
        ("/extensions/0/data", "/extensions", extension(json!({ "a": ["b", { "c": "\0" }] }))),
        ("/extensions/0/data", "/extensions", extension(json!({ "a\0": 1 }))),
    ] {
        let answer = admin.post("/v1/footprint", &with(v2(), member, Some(value)));
        assert_eq!(answer.problem(), format!("422 invalid-input {place}"));
        assert!(answer.text().contains("must not contain the character U+0000"), "{}", answer.text());
    }
    let one = format!("/v1/footprint/{}", admin.post("/v1/footprint", &v2()).uuid());
    assert_eq!(admin.patch(&one, &json!({ "statusComment": "\0" })).problem(), "422 invalid-input /statusComment");
}

#[test]
fn what_is_wrong_but_can_be_stored_is_kept_as_it_is() {
    let service = Service::start();
    let admin = service.admin();
    let record = json!({
        "specVersion": "9", "status": "Draft", "companyName": "", "companyIds": ["works"], "version": -7,
        "pcf": { "declaredUnit": "box", "fossilGhgEmissions": -5, "dqi": {} },
        "extensions": [{ "data": [1, "ü", null] }],
    });
    let made = admin.post("/v1/footprint", &record).created();
    for member in ["specVersion", "status", "companyName", "companyIds", "version", "pcf", "extensions"] {
        assert_eq!(made[member], record[member], "{member}");
    }
    assert_eq!(broken(&made), ["spec-version-form /specVersion"]);
    assert_eq!(listed(&admin), [0; 0]);
}

#[test]
fn preceding_records_are_named_by_our_numbers_or_others_uuids() {
    let service = Service::start();
    let admin = service.admin();
    admin.post("/v1/footprint", &v2()).expect(201);
    let preceding = json!([1, "0B1F8A2C-7C53-4F0E-9A53-2F4DCB7A9F10"]);
    let made = admin.post("/v1/footprint", &with(v2(), "/precedingPfIds", Some(preceding.clone()))).created();
    assert_eq!((&made["precedingPfIds"], &made["valid"]), (&preceding, &json!(true)));
    assert_eq!(admin.get("/pact/2/footprints").ok()["data"][1]["precedingPfIds"], preceding);
    assert_eq!(listed(&admin), [1, 2]);
    for (unknown, rules) in [
        (json!([9]), vec![]),
        (json!([1, 9, "0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f11"]), vec![]),
        (json!([0]), vec!["preceding-id-form /precedingPfIds/0"]),
        (
            json!([1, -1, "the old one"]),
            vec!["preceding-id-form /precedingPfIds/1", "preceding-id-form /precedingPfIds/2"],
        ),
        (json!([1, 2, 1]), vec!["items-distinct /precedingPfIds/2"]),
    ] {
        let made = admin.post("/v1/footprint", &with(v2(), "/precedingPfIds", Some(unknown.clone()))).created();
        assert_eq!(
            (&made["precedingPfIds"], broken(&made)),
            (&unknown, rules.into_iter().map(str::to_owned).collect())
        );
    }
    let own = with(v2(), "/precedingPfIds", Some(json!([8])));
    assert_eq!(broken(&admin.post("/v1/footprint", &own).created()), ["preceding-id-own /precedingPfIds/0"]);
}

#[test]
fn the_data_of_an_extension_is_kept_to_the_digit() {
    let service = Service::start();
    let admin = service.admin();
    let data = r#"{"a":1.10,"b":12345678901234567890.5,"c":1E-400,"d":["ü\n",null,{"z":1,"a":2}]}"#;
    let text = v2().to_string().replace(r#"{"shipmentId":"S1","weight":10}"#, data);
    assert!(text.contains(data), "{text}");
    let made = admin.request("POST", "/v1/footprint").json_text(&text).send().expect(201);
    for shown in [made.text(), admin.get("/pact/2/footprints").expect(200).text()] {
        assert!(shown.contains(data), "{shown}");
    }
}
