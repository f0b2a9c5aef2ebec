//! Traps that hosts fall into: what one change to an answer would break.

use super::{Host, Value, data, json, v2, v3, with};

#[test]
fn nothing_is_null_and_nothing_is_empty() {
    fn check(value: &Value, at: &str) {
        match value {
            Value::Null => panic!("{at} is null"),
            Value::Array(items) => {
                assert!(!items.is_empty(), "{at} is empty");
                items.iter().enumerate().for_each(|(index, item)| check(item, &format!("{at}/{index}")));
            }
            Value::Object(members) => {
                members.iter().filter(|(name, _)| *name != "data").for_each(|(name, member)| {
                    check(member, &format!("{at}/{name}"));
                });
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let host = Host::start();
    for version in [2, 3] {
        for footprint in host.list(&format!("/{version}/footprints")) {
            check(&footprint, "");
        }
    }
}

#[test]
fn ids_are_texts_and_amounts_are_texts_but_for_percentages_and_ratings_of_version_2() {
    let host = Host::start();
    let (two, three) = (host.first(2), host.first(3));
    assert_eq!(two["id"], three["id"]);
    assert_eq!(two["id"].as_str().map(str::len), Some(36));
    assert_eq!(two["pcf"]["fossilGhgEmissions"], "18");
    assert_eq!(three["pcf"]["fossilGhgEmissions"], "45");
    assert_eq!(
        [&two["pcf"]["exemptedEmissionsPercent"], &three["pcf"]["exemptedEmissionsPercent"]],
        [&json!(1.5), &json!("1.5")]
    );
    assert_eq!(two["pcf"]["dqi"]["temporalDQR"], json!(2));
    assert_eq!([&two["specVersion"], &three["specVersion"]], ["2.3.0", "3.0.0"]);
}

#[test]
fn an_empty_list_is_an_empty_array() {
    let service = crate::http::harness::Service::start();
    for path in ["/2/footprints", "/3/footprints?limit=1"] {
        let answer = service.caller("footprint:read").get(path);
        assert_eq!(answer.text(), r#"{"data":[]}"#);
    }
}

#[test]
fn times_end_in_z_whatever_offset_they_came_with() {
    let host = Host::start();
    let record = with(v3(), "/created", Some(json!("2019-01-01T01:00:00+01:00")));
    let record = with(record, "/pcf/referencePeriodStart", Some(json!("2025-01-01T01:00:00+01:00")));
    host.service.admin().post("/v1/footprint", &record).expect(201);
    let first = host.first(3);
    assert_eq!(first["created"], "2019-01-01T00:00:00.000Z");
    assert_eq!(first["pcf"]["referencePeriodStart"], "2025-01-01T00:00:00Z");
}

#[test]
fn lists_show_deprecated_records_and_those_out_of_their_validity() {
    let host = Host::start();
    let mut old = with(v3(), "/pcf/referencePeriodStart", Some(json!("2010-01-01T00:00:00Z")));
    old = with(old, "/pcf/referencePeriodEnd", Some(json!("2011-01-01T00:00:00Z")));
    host.service.admin().post("/v1/footprint", &with(old, "/status", Some(json!("Deprecated")))).expect(201);
    assert_eq!(host.list("/3/footprints").len(), 5);
    assert_eq!(host.list("/2/footprints").len(), 5);
}

#[test]
fn a_replaced_record_is_named_by_its_uuid() {
    let host = Host::start();
    let admin = host.service.admin();
    let record = with(v3(), "/precedingPfIds", Some(json!([2, "0B1F8A2C-7C53-4F0E-9A53-2F4DCB7A9F10", 99])));
    let uuid = admin.post("/v1/footprint", &record).uuid();
    let second = admin.get("/v1/footprint").ok()["data"][1]["uuid"].clone();
    let expected = json!([second, "0b1f8a2c-7c53-4f0e-9a53-2f4dcb7a9f10"]);
    for version in [2, 3] {
        let got = host.client.get(&format!("/{version}/footprints/{uuid}")).ok();
        assert_eq!(got["data"]["precedingPfIds"], expected, "a number of no record is left out");
    }
}

#[test]
fn a_deprecated_record_says_so_at_once_and_keeps_its_place() {
    let host = Host::start();
    let before = host.list("/3/footprints");
    let id = before[0]["id"].as_str().unwrap();
    host.service.admin().patch(&format!("/v1/footprint/{id}"), &json!({ "status": "Deprecated" })).expect(200);
    let after = host.list("/3/footprints");
    assert_eq!([&after[0]["id"], &after[0]["status"]], [&before[0]["id"], &json!("Deprecated")]);
    assert_eq!(host.first(2)["version"], 4, "the next of what version 2 counts");
}

#[test]
fn what_only_its_own_version_finds_wrong_does_not_hide_it_in_the_other() {
    let host = Host::start();
    let admin = host.service.admin();
    let mut record = with(v3(), "/pcf/exemptedEmissionsPercent", Some(json!("80")));
    record["companyName"] = json!("Exempted");
    admin.post("/v1/footprint", &record).expect(201);
    let named = |version: u8| {
        let all = host.list(&format!("/{version}/footprints"));
        all.iter().filter(|one| one["companyName"] == "Exempted").count()
    };
    assert_eq!([named(2), named(3)], [0, 1]);
}

#[test]
fn the_interfaces_own_list_stays_as_it_is() {
    let host = Host::start();
    let own = host.client.get("/pact/2/footprints");
    let list = data(&own);
    assert_eq!(list.iter().map(|one| one["id"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(own.header("link").is_none());
    let second = &list[1];
    let members = v2();
    for (name, value) in members.as_object().unwrap().iter().filter(|(name, _)| *name != "pcf") {
        assert_eq!(&second[name], value, "{name}");
    }
}

#[test]
fn head_answers_as_get_without_a_body() {
    let host = Host::start();
    let answer = host.client.request("HEAD", "/3/footprints?limit=1").send();
    assert_eq!((answer.status, answer.text()), (200, ""));
    assert!(answer.header("link").is_some_and(|link| link.ends_with("rel=\"next\"")), "{answer:?}");
}
