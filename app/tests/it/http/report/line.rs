//! `GET /v1/report/explanation`: the activities of a line add up to the line, digit for digit.

use crate::http::harness::{Client, Service, Value, json, to};

/// Activities in two scopes, three orgs of two levels and three months, one of them without CO2e.
fn recorded() -> (Service, [String; 2]) {
    let service = Service::start();
    let admin = service.admin();
    let (direct, bought) = (admin.scope("scope1"), admin.scope("scope2"));
    let group = admin.org("Group", None);
    let plant = admin.org("Plant", Some(&group));
    for (n, (scope, org)) in
        [(&direct, &group), (&direct, &plant), (&bought, &plant)].into_iter().cycle().take(24).enumerate()
    {
        let amount = (n != 7).then(|| format!("{n}.000000000000000{:03}", n * 37 % 1_000));
        admin.post(
            "/v1/activity",
            &json!({
                "name": format!("A {n}"), "startDate": format!("2025-{:02}-{:02}", n % 3 + 1, n + 1), "scope": to(scope),
                "endDate": format!("2025-{:02}-{:02}", n % 3 + 3, n + 1), "org": if n % 5 == 0 { Value::Null } else { to(org) },
                "UpstreamCO2e": amount,
            }),
        );
    }
    (service, [group, plant])
}

/// The word that asks for the row.
fn key(row: &Value, by: &str) -> String {
    let word = |one: &str| {
        let label = &row[one];
        let word = label.as_str().or_else(|| label["uuid"].as_str());
        word.unwrap_or("none").to_owned()
    };
    by.split(',').map(word).collect::<Vec<_>>().join(",")
}

fn explained(client: &Client, query: &str, line: &str) -> Value {
    client.get(&format!("/v1/report/explanation?{query}&line={line}")).ok()
}

#[test]
fn every_line_of_every_table_is_what_its_activities_add_up_to() {
    let (service, _) = recorded();
    let admin = service.admin();
    for by in ["scope", "org", "month", "scope,month", "org,quarter", "day"] {
        for more in ["", "&depth=2", "&attribution=daily", "&co2eUnit=t", "&incomplete=true"] {
            let query = format!("date=2025&by={by}{more}");
            let report = admin.get(&format!("/v1/report?{query}")).ok();
            for row in report["rows"].as_array().unwrap() {
                let line = explained(&admin, &query, &key(row, by));
                assert_eq!(line["agrees"], true, "{query}: {line}");
                for figure in ["count", "incompleteCount", "CO2e"] {
                    assert_eq!(line["recomputed"][figure], row[figure], "{query}: {row}");
                }
                assert_eq!(line["count"], row["count"], "{query}: {row}");
            }
            let whole = admin.get(&format!("/v1/report/explanation?{query}")).ok();
            assert_eq!((&whole["line"], &whole["agrees"]), (&Value::Null, &true.into()));
            assert_eq!(whole["recomputed"]["CO2e"], report["CO2e"], "{query}");
        }
    }
}

#[test]
fn a_page_of_the_activities_is_shown_with_the_addresses_of_their_explanations() {
    let (service, [group, _]) = recorded();
    let admin = service.admin();
    let line = admin.get(&format!("/v1/report/explanation?by=org&line={group}&pageSize=3&page=2")).ok();
    assert_eq!(line["line"]["org"]["name"], "Group");
    let data = line["data"].as_array().unwrap();
    assert_eq!((data.len(), &line["page"]), (3, &2.into()));
    assert_eq!(line["count"], line["shown"]["count"]);
    let days: Vec<&str> = data.iter().map(|one| one["day"].as_str().unwrap()).collect();
    assert!(days.is_sorted(), "{days:?}");
    let address = data[0]["explanation"].as_str().unwrap();
    let (_, path) = address.split_once("/api").unwrap();
    assert_eq!(admin.get(path).ok()["CO2e"], data[0]["CO2e"]);
    let text =
        admin.request("GET", &format!("/v1/report/explanation?by=org&line={group}")).header("Accept", "text/plain");
    let text = text.send();
    assert!(text.text().starts_with(&format!("Line: org \"Group\" ({group})\n")), "{}", text.text());
    assert!(text.text().contains("as in the report\n") && !text.text().contains("NOT"), "{}", text.text());
}

#[test]
fn a_line_that_is_not_there_is_refused_with_those_that_are() {
    let (service, [group, plant]) = recorded();
    let admin = service.admin();
    let wrong = admin.get(&format!("/v1/report/explanation?by=org&line={plant}"));
    assert_eq!(wrong.problem(), "400 invalid-parameters line");
    assert!(wrong.text().contains(&group) && wrong.text().contains("none"), "{}", wrong.text());
    assert_eq!(admin.get("/v1/report/explanation?by=org&lime=x").problem(), "400 invalid-parameters lime");
    for (query, name) in
        [("compare=2024", "compare"), ("shares=1", "shares"), ("cells=text", "cells"), ("bom=true", "bom")]
    {
        let refused = admin.get(&format!("/v1/report/explanation?by=org&{query}"));
        assert_eq!(refused.problem(), format!("400 invalid-parameters {name}"), "{query}");
    }
    assert_eq!(service.caller("activity:report").get("/v1/report/explanation").status, 403);
}

#[test]
fn a_line_is_asked_for_by_the_name_or_the_path_that_the_report_shows() {
    let (service, [group, plant]) = recorded();
    let admin = service.admin();
    for (asked, uuid) in [("Plant", &plant), ("group%20/%20plant", &plant), ("Group", &group)] {
        let line = explained(&admin, "date=2025&by=org&depth=2", asked);
        assert_eq!(line["line"]["org"]["uuid"].as_str(), Some(uuid.as_str()), "{asked}: {line}");
    }
    let other = admin.org("Plant", None);
    let scope = admin.scope("scope3");
    admin.activity(json!({ "startDate": "2025-02-01", "org": to(&other), "scope": to(&scope), "UpstreamCO2e": "1" }));
    let unclear = admin.get("/v1/report/explanation?date=2025&by=org&depth=2&line=Plant").expect(400);
    assert!(unclear.text().contains(&format!("{plant} (Plant)")), "two are called so: {}", unclear.text());
}
