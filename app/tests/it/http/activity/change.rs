//! `PATCH /v1/activity/{uuid}`: a merge patch.

use crate::http::harness::{Client, Service, Value, activity, json, to};

/// An activity with every member, and its path.
fn full(admin: &Client) -> (String, Value) {
    let (product, scope) = (admin.priced("kWh", "0.1", "0.4"), admin.scope("scope2"));
    let (org, taxonomy) = (admin.org("Works", None), admin.taxonomy("Power", None));
    let made = admin.post(
        "/v1/activity",
        &activity(json!({
            "syncId": "a-1", "description": "Text", "quantity": 10, "unit": "kWh", "product": to(&product),
            "scope": to(&scope), "org": to(&org), "taxonomy": to(&taxonomy), "endDate": "2025-01-31",
        })),
    );
    let made = made.created();
    (format!("/v1/activity/{}", made["uuid"].as_str().unwrap()), made)
}

#[test]
fn members_that_are_left_out_stay() {
    let service = Service::start();
    let admin = service.admin();
    let (path, before) = full(&admin);
    let after = admin.patch(&path, &json!({ "name": "Other" })).ok();
    let mut expected = before.clone();
    expected["name"] = json!("Other");
    expected["updated"] = after["updated"].clone();
    assert_eq!(after, expected);
    assert!(after["updated"].as_str() >= before["updated"].as_str(), "{after}");
    assert_eq!(admin.get(&path).ok(), after);
}

#[test]
fn null_clears() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = full(&admin);
    let cleared = json!({
        "syncId": null, "description": null, "quantity": null, "unit": null, "product": null, "scope": null,
        "org": null, "taxonomy": null, "endDate": null,
    });
    let after = admin.patch(&path, &cleared).ok();
    for member in cleared.as_object().unwrap().keys() {
        assert!(after[member].is_null(), "{member}: {after}");
    }
    assert!(after["CO2e"].is_null());
    assert_eq!(after["startDate"], "2025-01-01T00:00:00Z");
}

#[test]
fn what_is_required_cannot_be_cleared() {
    let service = Service::start();
    let admin = service.admin();
    let (path, before) = full(&admin);
    let answer = admin.patch(&path, &json!({ "name": null, "startDate": null }));
    assert_eq!(answer.problem(), "422 invalid-input /name /startDate");
    assert_eq!(admin.get(&path).ok(), before);
}

#[test]
fn quantity_and_unit_still_go_together() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = full(&admin);
    assert_eq!(admin.patch(&path, &json!({ "unit": null })).problem(), "422 invalid-input /unit");
    assert_eq!(admin.patch(&path, &json!({ "quantity": null })).problem(), "422 invalid-input /quantity");
    assert_eq!(admin.patch(&path, &json!({ "quantity": 20 })).ok()["CO2e"], "10");
}

#[test]
fn an_end_that_the_new_start_overtakes_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = full(&admin);
    assert_eq!(admin.patch(&path, &json!({ "startDate": "2025-02-01" })).problem(), "422 invalid-input /endDate");
}

#[test]
fn a_change_moves_what_the_report_adds_up() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = full(&admin);
    let sum = |query: &str| admin.get(&format!("/v1/activity?{query}")).ok()["CO2e"].clone();
    assert_eq!([sum("date=2025"), sum("date=2026")], ["5", "0"]);
    admin.patch(&path, &json!({ "startDate": "2026-03-01", "endDate": null, "quantity": 4 })).ok();
    assert_eq!([sum("date=2025"), sum("date=2026")], ["0", "2"]);
    admin.patch(&path, &json!({ "scope": null })).ok();
    assert_eq!(sum("date=2026"), "0");
    assert_eq!(admin.get("/v1/activity").ok()["uncategorizedCO2e"], "2");
}

#[test]
fn a_patch_that_changes_nothing_leaves_the_version_alone() {
    let service = Service::start();
    let admin = service.admin();
    let (path, before) = full(&admin);
    let tag = admin.get(&path).etag();
    for body in [json!({}), json!({ "name": before["name"] }), json!({ "endDate": "2025-01-31T23:59:59Z" })] {
        let answer = admin.patch(&path, &body).expect(200);
        assert_eq!((answer.etag(), answer.json()), (tag.clone(), before.clone()), "{body}");
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once_and_nothing_is_changed() {
    let service = Service::start();
    let admin = service.admin();
    let (path, before) = full(&admin);
    let body =
        json!({ "name": "", "quantity": "x", "org": { "syncId": "none" }, "uuid": "1", "colour": 1, "unit": "kg" });
    assert_eq!(
        admin.patch(&path, &body).problem(),
        "422 invalid-input /colour /name /org/syncId /quantity /unit /uuid"
    );
    assert_eq!(admin.get(&path).ok(), before);
}

#[test]
fn a_sync_id_of_another_activity_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = full(&admin);
    let other = admin.activity(json!({ "syncId": "a-2" }));
    let answer = admin.patch(&path, &json!({ "syncId": "a-2" }));
    assert_eq!(answer.problem(), "409 conflict /syncId");
    assert!(answer.text().contains(&other), "{}", answer.text());
    admin.patch(&path, &json!({ "syncId": "a-1" })).ok();
}

#[test]
fn a_patch_is_json_or_a_merge_patch() {
    let service = Service::start();
    let admin = service.admin();
    let (path, _) = full(&admin);
    let send = |kind: &str| admin.request("PATCH", &path).header("Content-Type", kind).body(r#"{"name": "B"}"#).send();
    send("application/merge-patch+json").expect(200);
    send("application/json; charset=utf-8").expect(200);
    for kind in ["application/json-patch+json", "text/plain", "text/csv"] {
        assert_eq!(send(kind).problem(), "415 unsupported-media-type", "{kind}");
    }
}

#[test]
fn changing_needs_the_permission_to_write() {
    let service = Service::start();
    let (path, _) = full(&service.admin());
    let body = json!({ "name": "B" });
    assert_eq!(service.caller("activity:read").patch(&path, &body).problem(), "403 missing-permission");
    service.caller("activity:write").patch(&path, &body).ok();
}
