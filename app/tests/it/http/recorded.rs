//! Recorded answers of the interface's own operations, byte for byte: whoever changes one of them sees it here. What differs
//! from run to run is distinguished by number only.

use std::fmt::Write as _;

use super::footprint::examples::{v2, v3, with};
use super::harness::{Answer, Service, Value, json, to};
use super::token;

/// Status, kind and body of the answer, its bytes as they are but for uuids, times of the clock, addresses and secrets.
fn recorded(service: &Service, answer: &Answer) -> String {
    let head = format!("{} {}", answer.status, answer.header("content-type").unwrap());
    let link = answer.header("link").map(|link| format!("\nLink: {link}")).unwrap_or_default();
    let text = format!("{head}{link}\n{}", answer.text()).replace(&service.base(), "[base]");
    let (mut out, mut seen, mut rest) = (String::new(), Vec::new(), text.as_str());
    while !rest.is_empty() {
        let member = ["created", "updated", "access_token", "refresh_token"]
            .into_iter()
            .find_map(|name| Some((name, rest.strip_prefix(&format!("\"{name}\":\""))?)));
        if let Some((name, value)) = member.filter(|(_, value)| !value.starts_with("2025-03-")) {
            let _ = write!(out, "\"{name}\":\"[{name}]");
            rest = &value[value.find('"').unwrap()..];
        } else if let Some(mark) = rest.strip_prefix("next=") {
            out.push_str("next=[mark]");
            rest = &mark[mark.find(['>', '&']).unwrap()..];
        } else if let Some(uuid) = rest.get(..36).filter(|text| domain::parse_uuid(text).is_ok()) {
            let known = seen.iter().position(|one| *one == uuid).unwrap_or_else(|| {
                seen.push(uuid);
                seen.len() - 1
            });
            let _ = write!(out, "[uuid {}]", known + 1);
            rest = &rest[36..];
        } else {
            let next = rest.chars().next().unwrap();
            out.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    out
}

#[test]
fn the_list_of_footprints() {
    let service = Service::start();
    let admin = service.admin();
    let bare = with(with(v2(), "/extensions", None), "/pcf/geographyCountry", None);
    let created = json!("2025-03-05T08:00:00.000Z");
    for record in [v2(), bare, with(v3(), "/created", Some(created))] {
        admin.post("/v1/footprint", &record).expect(201);
    }
    let client = service.caller("footprint:read");
    insta::assert_snapshot!("footprints", recorded(&service, &client.get("/pact/2/footprints").expect(200)));
    let part = client.get("/pact/2/footprints?limit=1").expect(200);
    insta::assert_snapshot!(
        "footprints_part",
        recorded(&service, &part).lines().take(2).collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn a_token() {
    let service = Service::start();
    let permissions = ["activity:read", "switch:write"];
    let client = service.admin().post("/v1/client", &json!({ "name": "ERP", "permissions": permissions })).created();
    let authorization = token::basic(client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let answer = token::ask(&service, &authorization, "grant_type=client_credentials").expect(200);
    insta::assert_snapshot!("token", recorded(&service, &answer));
}

#[test]
fn activities() {
    let service = Service::start();
    let admin = service.admin();
    let product = admin.priced("kg", "1.5", "0.25");
    let (scope, org, taxonomy) = (admin.scope("scope1"), admin.org("Works", None), admin.taxonomy("Energy", None));
    let whole = admin.activity(json!({
        "name": "Gas \"north\" ü", "syncId": "erp-1", "description": "Boiler", "quantity": "12.50", "unit": "kg",
        "product": to(&product), "scope": to(&scope), "org": to(&org), "taxonomy": to(&taxonomy),
        "startDate": "2025-01-01T00:00:00+01:00", "endDate": "2025-01-31T23:59:59+01:00",
    }));
    admin.activity(json!({ "name": "Bare", "startDate": "2025-02-01" }));
    let report = admin.get("/v1/activity?date=2025&list=Scope&list=Org&list=Taxonomies").expect(200);
    insta::assert_snapshot!("activity_report", recorded(&service, &report));
    let high_level = service.caller("activity:report").get("/v1/activity?sd=2025-01-01&ed=2025-01-31").expect(200);
    insta::assert_snapshot!("activity_report_high_level", recorded(&service, &high_level));
    let one = admin.get(&format!("/v1/activity/{whole}")).expect(200);
    insta::assert_snapshot!("activity", recorded(&service, &one));
}

#[test]
fn switches() {
    let service = Service::start();
    let admin = service.admin();
    let made = admin.post("/v1/switch", &json!({ "name": "S", "syncId": "s-1", "unit": "kg" })).expect(201);
    insta::assert_snapshot!("switch_made", recorded(&service, &made));
    let path = format!("/v1/switch/{}", made.json()["uuid"].as_str().unwrap());
    insta::assert_snapshot!(
        "switch_changed",
        recorded(&service, &admin.patch(&path, &json!({ "unit": null })).expect(200))
    );
    insta::assert_snapshot!("switch", recorded(&service, &admin.get(&path).expect(200)));
}

#[test]
fn inputs_of_a_model() {
    let service = Service::start();
    let admin = service.admin();
    let material = admin.priced("kg", "1", "0.5");
    let model = admin.post("/v1/model", &json!({ "name": "Bolt", "unit": "piece" })).uuid();
    let path = format!("/v1/model/{model}/input");
    let input = |members: Value| {
        let mut body = json!({ "name": "Steel", "material": to(&material), "quantity": "2.50", "unit": "kg" });
        body.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        admin.post(&path, &body).expect(201);
    };
    input(json!({ "syncId": "i", "order": 7, "block": { "name": "Body" }, "lifecycleStage": { "code": "A1" } }));
    input(json!({ "name": "Oil", "order": 8 }));
    insta::assert_snapshot!("inputs", recorded(&service, &admin.get(&path).expect(200)));
}
