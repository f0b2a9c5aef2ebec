//! `POST /v1/activity`.

use tonne::config::PublicOrigin;

use crate::http::harness::{Service, activity, json, redacted, to};

#[test]
fn every_field_is_there_and_unknown_ones_are_null() {
    let service = Service::start();
    let made = service.admin().post("/v1/activity", &activity(json!({}))).created();
    insta::assert_snapshot!(redacted(&made), @r#"
    {
      "CO2e": null,
      "DownstreamCO2e": null,
      "UpstreamCO2e": null,
      "biogenicCO2": null,
      "created": "[time]",
      "description": null,
      "endDate": null,
      "evidence": [],
      "incomplete": "No CO2e was supplied, and there is no product to compute it from.",
      "marketCO2e": null,
      "marketFactor": null,
      "marketInstrument": null,
      "marketReference": null,
      "name": "Activity",
      "org": null,
      "outdated": false,
      "product": null,
      "quality": null,
      "quantity": null,
      "scope": null,
      "startDate": "2025-01-01T00:00:00Z",
      "supplied": [],
      "syncId": null,
      "taxonomy": null,
      "unit": null,
      "updated": "[time]",
      "uuid": "[uuid 1]"
    }
    "#);
}

#[test]
fn what_was_given_comes_back() {
    let service = Service::start();
    let admin = service.admin();
    let (product, scope) = (admin.priced("kWh", "0.1", "0.4"), admin.scope("scope2"));
    let (org, taxonomy) = (admin.org("Works", None), admin.taxonomy("Power", None));
    let body = json!({
        "name": "Power, hall 3",
        "syncId": "m-3-2025-01",
        "description": "Read by hand",
        "quality": null,
        "quantity": 1500.5,
        "unit": "kWh",
        "product": to(&product),
        "scope": to(&scope),
        "org": to(&org),
        "taxonomy": to(&taxonomy),
        "startDate": "2025-01-01",
        "endDate": "2025-01-31",
    });
    let made = admin.post("/v1/activity", &body).created();
    insta::assert_snapshot!(redacted(&made), @r#"
    {
      "CO2e": "750.25",
      "DownstreamCO2e": "600.2",
      "UpstreamCO2e": "150.05",
      "biogenicCO2": null,
      "created": "[time]",
      "description": "Read by hand",
      "endDate": "2025-01-31T23:59:59Z",
      "evidence": [],
      "incomplete": null,
      "marketCO2e": null,
      "marketFactor": null,
      "marketInstrument": null,
      "marketReference": null,
      "name": "Power, hall 3",
      "org": {
        "name": "Works",
        "uuid": "[uuid 1]"
      },
      "outdated": false,
      "product": {
        "name": "Product",
        "uuid": "[uuid 2]"
      },
      "quality": null,
      "quantity": 1500.5,
      "scope": {
        "name": "scope2",
        "uuid": "[uuid 3]"
      },
      "startDate": "2025-01-01T00:00:00Z",
      "supplied": [],
      "syncId": "m-3-2025-01",
      "taxonomy": {
        "name": "Power",
        "uuid": "[uuid 4]"
      },
      "unit": "kWh",
      "updated": "[time]",
      "uuid": "[uuid 5]"
    }
    "#);
}

#[test]
fn the_answer_names_the_address_and_the_tag_of_the_record() {
    let service = Service::start();
    let admin = service.admin();
    let answer = admin.post("/v1/activity", &activity(json!({}))).expect(201);
    let made = answer.json();
    let location = answer.header("location").unwrap();
    assert_eq!(location, format!("{}/v1/activity/{}", service.base(), made["uuid"].as_str().unwrap()));
    let read = admin.get(location).expect(200);
    assert_eq!(read.json(), made);
    assert_eq!(read.etag(), answer.etag());
    assert_eq!(made["created"], made["updated"]);
    let created = made["created"].as_str().unwrap();
    assert_eq!((created.len(), &created[19..20], &created[23..]), (24, ".", "Z"), "{created}");
}

#[test]
fn the_address_begins_with_the_public_origin_where_there_is_one() {
    let service = Service::with(|config| {
        config.server.public_url = Some(PublicOrigin::parse("https://carbon.example.com").unwrap());
    });
    let forged = [("X-Forwarded-Host", "evil.example"), ("Forwarded", "host=evil.example")];
    let request = service.admin().request("POST", "/v1/activity").json(&activity(json!({})));
    let answer = forged.iter().fold(request, |request, (name, value)| request.header(name, value)).send();
    let location = answer.header("location").unwrap();
    let base = service.base_at("https://carbon.example.com");
    assert!(location.starts_with(&format!("{base}/v1/activity/")), "{location}");
}

#[test]
fn a_reference_is_a_uuid_or_a_sync_id() {
    let service = Service::start();
    let admin = service.admin();
    for tree in ["org", "taxonomy", "scope", "product"] {
        let body = json!({ "name": "Node", "syncId": "n-1" });
        let mut body = body.as_object().unwrap().clone();
        match tree {
            "scope" => drop(body.insert("kind".into(), "scope1".into())),
            "product" => drop(body.insert("unit".into(), "kg".into())),
            _ => {}
        }
        let uuid = admin.post(&format!("/v1/{tree}"), &body.into()).uuid();
        for reference in [json!({ "uuid": uuid }), json!({ "syncId": "n-1" }), json!({ "uuid": uuid, "name": "Any" })] {
            let made = admin.post("/v1/activity", &activity(json!({ tree: reference }))).created();
            assert_eq!(made[tree], json!({ "uuid": uuid, "name": "Node" }), "{reference}");
        }
    }
}

#[test]
fn a_reference_that_leads_nowhere_is_named_by_its_pointer() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    let nowhere = "00000000-0000-4000-8000-000000000000";
    for member in ["org", "taxonomy", "scope", "product"] {
        let answer = |reference| admin.post("/v1/activity", &activity(json!({ member: reference }))).problem();
        assert_eq!(answer(to(nowhere)), format!("422 invalid-input /{member}/uuid"));
        assert_eq!(answer(json!({ "syncId": "none" })), format!("422 invalid-input /{member}/syncId"));
        assert_eq!(answer(json!({})), format!("422 invalid-input /{member}"));
        assert_eq!(answer(json!({ "uuid": nowhere, "syncId": "none" })), format!("422 invalid-input /{member}"));
        assert_eq!(answer(json!({ "name": "Works" })), format!("422 invalid-input /{member}"));
        assert_eq!(answer(json!({ "uid": nowhere })), format!("422 invalid-input /{member}/uid"));
        assert_eq!(answer(json!(nowhere)), format!("422 invalid-input /{member}"));
        if member != "org" {
            assert_eq!(answer(to(&org)), format!("422 invalid-input /{member}/uuid"), "of another kind");
        }
    }
}

#[test]
fn name_and_start_date_are_required() {
    let service = Service::start();
    let admin = service.admin();
    assert_eq!(admin.post("/v1/activity", &json!({})).problem(), "422 invalid-input /name /startDate");
    let nulls = json!({ "name": null, "startDate": null });
    assert_eq!(admin.post("/v1/activity", &nulls).problem(), "422 invalid-input /name /startDate");
}

#[test]
fn every_other_member_may_be_missing_or_null() {
    let service = Service::start();
    let admin = service.admin();
    let nulls = json!({
        "syncId": null, "description": null, "quantity": null, "unit": null, "UpstreamCO2e": null,
        "DownstreamCO2e": null, "product": null, "scope": null, "taxonomy": null, "org": null, "endDate": null,
        "supplied": null,
    });
    admin.post("/v1/activity", &activity(nulls)).created();
}

#[test]
fn a_member_of_the_wrong_type_is_named() {
    let service = Service::start();
    let admin = service.admin();
    for (member, wrong) in [
        ("name", json!(1)),
        ("syncId", json!(1)),
        ("description", json!([])),
        ("quantity", json!(true)),
        ("unit", json!(1)),
        ("UpstreamCO2e", json!({})),
        ("DownstreamCO2e", json!(false)),
        ("product", json!("x")),
        ("scope", json!([])),
        ("taxonomy", json!(1)),
        ("org", json!(true)),
        ("startDate", json!(2025)),
        ("endDate", json!({})),
        ("supplied", json!("UpstreamCO2e")),
    ] {
        let mut body = json!({ "quantity": 1, "unit": "kg" });
        body[member] = wrong;
        assert_eq!(admin.post("/v1/activity", &activity(body)).problem(), format!("422 invalid-input /{member}"));
    }
}

#[test]
fn a_body_that_is_no_object_is_refused() {
    let service = Service::start();
    for body in ["[]", "null", "1", r#""x""#, "true"] {
        let answer = service.admin().request("POST", "/v1/activity").json_text(body).send();
        assert_eq!(answer.problem(), "422 invalid-input (all)", "{body}");
    }
}

#[test]
fn members_that_are_computed_or_unknown_are_refused() {
    let service = Service::start();
    let admin = service.admin();
    let body = activity(json!({
        "uuid": "00000000-0000-4000-8000-000000000000", "created": null, "updated": null, "CO2e": "1", "incomplete": null,
        "nmae": "x",
    }));
    let answer = admin.post("/v1/activity", &body);
    assert_eq!(answer.problem(), "422 invalid-input /CO2e /created /incomplete /nmae /updated /uuid");
    assert!(answer.text().contains("did you mean name?"), "{}", answer.text());
}

#[test]
fn quantity_and_unit_go_together() {
    let service = Service::start();
    let admin = service.admin();
    assert_eq!(admin.post("/v1/activity", &activity(json!({ "quantity": 1 }))).problem(), "422 invalid-input /unit");
    assert_eq!(admin.post("/v1/activity", &activity(json!({ "unit": "kg" }))).problem(), "422 invalid-input /quantity");
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let service = Service::start();
    let body = json!({
        "name": "",
        "syncId": 7,
        "quality": null,
        "quantity": "many",
        "unit": "bananas",
        "UpstreamCO2e": "1e99",
        "product": { "syncId": "none" },
        "scope": { "uuid": "x" },
        "org": 1,
        "startDate": "yesterday",
        "endDate": "2025-02-30",
        "color": "red",
        "CO2e": "5",
    });
    assert_eq!(
        service.admin().post("/v1/activity", &body).problem(),
        "422 invalid-input /CO2e /UpstreamCO2e /color /endDate /name /org /product/syncId /quantity /scope/uuid \
         /startDate /syncId /unit"
    );
    assert_eq!(service.admin().get("/v1/activity").ok()["count"], 0);
}

#[test]
fn a_problem_is_told_in_the_words_of_rfc_9457() {
    let service = Service::start();
    let answer = service.admin().post("/v1/activity", &json!({ "startDate": "2025-01-01" }));
    insta::assert_snapshot!(redacted(&answer.json()), @r#"
    {
      "detail": "Mend what errors names.",
      "errors": [
        {
          "code": "required",
          "detail": "is required",
          "pointer": "/name"
        }
      ],
      "instance": "[request]",
      "status": 422,
      "title": "The input is wrong",
      "type": "/problems/invalid-input"
    }
    "#);
}

#[test]
fn recording_needs_the_permission_to_write() {
    let service = Service::start();
    for permissions in ["activity:read", "activity:report", "catalog:write", "switch:write"] {
        let answer = service.caller(permissions).post("/v1/activity", &activity(json!({})));
        assert_eq!(answer.problem(), "403 missing-permission", "{permissions}");
        assert!(answer.text().contains("activity:write"), "{}", answer.text());
    }
    service.caller("activity:write").post("/v1/activity", &activity(json!({}))).created();
}
