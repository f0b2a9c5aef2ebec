//! What of a record may change, and when it may be removed.

use super::examples::{v2, with};
use super::{broken, listed};
use crate::http::harness::{Client, Service, Value, json};
use crate::http::problem::refuses;

/// Adds a record, and gives its address.
fn add(client: &Client, record: &Value) -> String {
    format!("/v1/footprint/{}", client.post("/v1/footprint", record).uuid())
}

#[test]
fn an_active_record_is_deprecated_and_stays_in_the_list() {
    let service = Service::start();
    let admin = service.admin();
    let one = add(&admin, &v2());
    let before = admin.get(&one).ok();
    let amended = admin.patch(&one, &json!({ "status": "Deprecated", "statusComment": "See 2" })).ok();
    assert_eq!([&amended["status"], &amended["statusComment"]], ["Deprecated", "See 2"]);
    assert!(amended["updated"].as_str() > before["updated"].as_str());
    assert_eq!((&amended["version"], broken(&amended)), (&json!(4), vec![]));
    for member in ["uuid", "id", "created", "pcf", "companyName"] {
        assert_eq!(amended[member], before[member], "{member}");
    }
    assert_eq!(admin.get(&one).ok(), amended);
    assert_eq!(listed(&admin), [1]);
    assert_eq!(admin.get("/pact/2/footprints").ok()["data"][0]["status"], "Deprecated");
}

#[test]
fn a_comment_changes_alone_and_null_clears_it() {
    let service = Service::start();
    let admin = service.admin();
    let one = add(&admin, &v2());
    for (patch, comment) in [
        (json!({}), Some(json!("Audited"))),
        (json!({ "statusComment": "Under review" }), Some(json!("Under review"))),
        (json!({ "status": "Active" }), Some(json!("Under review"))),
        (json!({ "statusComment": null }), None),
    ] {
        let amended = admin.patch(&one, &patch).ok();
        assert_eq!((&amended["status"], amended.get("statusComment")), (&json!("Active"), comment.as_ref()), "{patch}");
    }
    let tag = admin.get(&one).etag();
    assert_eq!(admin.patch(&one, &json!({ "status": "Active" })).expect(200).etag(), tag, "nothing changed");
}

#[test]
fn a_status_goes_from_active_to_deprecated_and_nowhere_else() {
    let service = Service::start();
    let admin = service.admin();
    let refused = json!({ "status": "Active" });
    let one = add(&admin, &v2());
    refuses(|body| admin.patch(&one, body), &json!({}), &[("/status", json!(["Draft", "deprecated", "", null, 7]))]);
    admin.patch(&one, &json!({ "status": "Deprecated" })).expect(200);
    assert_eq!(admin.patch(&one, &refused).problem(), "422 invalid-input /status");
    let odd = add(&admin, &with(v2(), "/status", Some(json!("Draft"))));
    for status in ["Active", "Deprecated"] {
        assert_eq!(admin.patch(&odd, &json!({ "status": status })).problem(), "422 invalid-input /status");
    }
}

#[test]
fn every_other_member_is_refused_with_the_way_to_mend_it() {
    let service = Service::start();
    let admin = service.admin();
    let one = add(&admin, &v2());
    for member in ["pcf", "companyName", "version", "specVersion", "validityPeriodEnd", "precedingPfIds", "comment"] {
        for value in [v2()[member].clone(), Value::Null] {
            let answer = admin.patch(&one, &json!({ member: value }));
            assert_eq!(answer.problem(), format!("422 invalid-input /{member}"));
            assert!(answer.text().contains("precedingPfIds"), "{}", answer.text());
        }
    }
    let body = json!({ "uuid": "x", "id": 1, "valid": true, "brokenRules": [], "x": 1, "statusComment": 7 });
    let places = "/brokenRules /id /statusComment /uuid /valid /x";
    assert_eq!(admin.patch(&one, &body).problem(), format!("422 invalid-input {places}"));
}

#[test]
fn a_record_that_was_amended_meanwhile_is_412_and_one_that_never_was_404() {
    let service = Service::start();
    let admin = service.admin();
    let one = add(&admin, &v2());
    let tag = admin.get(&one).etag();
    let deprecate = |path: &str, tag: &str| {
        admin.request("PATCH", path).header("If-Match", tag).json(&json!({ "status": "Deprecated" })).send()
    };
    deprecate(&one, &tag).expect(200);
    assert_eq!(deprecate(&one, &tag).problem(), "412 stale");
    let nobody = "/v1/footprint/0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10";
    for answer in [deprecate(nobody, &tag), deprecate(nobody, "*"), admin.get(nobody), admin.delete(nobody)] {
        assert_eq!(answer.problem(), "404 not-found");
    }
    assert_eq!(admin.get("/v1/footprint/1").problem(), "400 malformed-request uuid");
}

#[test]
fn only_a_record_that_was_never_listed_is_removed() {
    let service = Service::start();
    let admin = service.admin();
    let (valid, invalid) = (add(&admin, &v2()), add(&admin, &with(v2(), "/companyName", None)));
    let answer = admin.delete(&valid);
    assert_eq!(answer.problem(), "409 conflict");
    assert!(answer.text().contains("Deprecated"), "{}", answer.text());
    admin.patch(&valid, &json!({ "status": "Deprecated" })).expect(200);
    assert_eq!(admin.delete(&valid).problem(), "409 conflict");
    admin.delete(&invalid).expect(204);
    assert_eq!(admin.get(&invalid).problem(), "404 not-found");
    assert_eq!(admin.get("/v1/footprint").ok()["count"], 1);
}

#[test]
fn a_record_that_partners_were_shown_is_kept_though_its_own_version_finds_fault_with_it() {
    let service = Service::start();
    let admin = service.admin();
    // Version 2 asks for this from 2025 on; its lists of PACT show a record without it, with the advice.
    let changes = [
        ("/pcf/dqi", None),
        ("/pcf/referencePeriodStart", Some(json!("2025-01-01T00:00:00Z"))),
        ("/pcf/referencePeriodEnd", Some(json!("2026-01-01T00:00:00Z"))),
        ("/validityPeriodStart", None),
        ("/validityPeriodEnd", None),
    ];
    let record = add(&admin, &changes.into_iter().fold(v2(), |body, (place, value)| with(body, place, value)));
    let found = broken(&admin.get(&record).ok());
    assert!(!found.is_empty() && found.iter().all(|rule| rule.starts_with("required-from-2025 ")), "{found:?}");
    let uuid = record.rsplit('/').next().unwrap();
    admin.get(&format!("/2/footprints/{uuid}")).expect(200);
    assert_eq!(admin.delete(&record).problem(), "409 conflict");
    admin.get(&format!("/2/footprints/{uuid}")).expect(200);
}

#[test]
fn a_record_that_another_names_as_preceding_is_kept_and_says_by_what() {
    let service = Service::start();
    let admin = service.admin();
    let (first, own) = (add(&admin, &json!({})), add(&admin, &json!({ "precedingPfIds": [2] })));
    let next = add(&admin, &json!({ "precedingPfIds": [1, "2"] }));
    let answer = admin.delete(&first);
    assert_eq!(answer.problem(), "409 conflict");
    assert!(answer.text().contains("1 footprint"), "{}", answer.text());
    for unnamed in [own, next, first] {
        admin.delete(&unnamed).expect(204);
    }
}
