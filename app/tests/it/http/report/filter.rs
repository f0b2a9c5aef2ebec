//! The filters `org`, `scope` and `taxonomy`: the node and everything below it.

use super::report;
use crate::http::harness::{Client, Service, Value, json, to};

/// An activity of that many kg on a node of each kind.
fn emit(admin: &Client, kilograms: u32, nodes: [(&str, &str); 3]) {
    let mut body = json!({ "DownstreamCO2e": kilograms });
    for (tree, uuid) in nodes {
        body[tree] = to(uuid);
    }
    admin.activity(body);
}

/// CO2e under each query, in kg.
fn sums(admin: &Client, queries: &[String]) -> Vec<Value> {
    queries.iter().map(|query| report(admin, query)["CO2e"].clone()).collect()
}

#[test]
fn a_filter_includes_everything_below_the_node() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let works = admin.org("Works", Some(&group));
    let hall = admin.org("Hall", Some(&works));
    let other = admin.org("Other", Some(&group));
    let scope1 = admin.scope("scope1");
    let scope3 = admin.scope("scope3");
    let category = admin.category(&scope3, 1);
    let energy = admin.taxonomy("Energy", None);
    let gas = admin.taxonomy("Gas", Some(&energy));
    emit(&admin, 1, [("org", &group), ("scope", &scope1), ("taxonomy", &energy)]);
    emit(&admin, 2, [("org", &works), ("scope", &scope3), ("taxonomy", &gas)]);
    emit(&admin, 4, [("org", &hall), ("scope", &category), ("taxonomy", &gas)]);
    emit(&admin, 8, [("org", &other), ("scope", &category), ("taxonomy", &energy)]);
    let org = |uuid: &String| format!("org={uuid}");
    assert_eq!(sums(&admin, &[&group, &works, &hall, &other].map(org)), ["15", "6", "4", "8"]);
    let scope = |uuid: &String| format!("scope={uuid}");
    assert_eq!(sums(&admin, &[&scope1, &scope3, &category].map(scope)), ["1", "14", "12"]);
    let taxonomy = |uuid: &String| format!("taxonomy={uuid}");
    assert_eq!(sums(&admin, &[&energy, &gas].map(taxonomy)), ["15", "6"]);
    let all = [
        format!("org={works}&scope={scope3}&taxonomy={gas}"),
        format!("org={works}&scope={scope1}"),
        format!("org={works}&scope={category}&date=2025-01-01"),
        format!("org={works}&scope={category}&date=2025-01-02"),
    ];
    assert_eq!(sums(&admin, &all), ["6", "0", "4", "0"]);
}

#[test]
fn a_filter_leaves_out_what_carries_no_node() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    admin.activity(json!({ "DownstreamCO2e": "5" }));
    let filtered = report(&admin, &format!("org={org}"));
    assert_eq!([&filtered["count"], &filtered["uncategorizedCO2e"]], [&json!(0), &json!("0")]);
}

#[test]
fn a_node_that_moves_takes_its_activities_along() {
    let service = Service::start();
    let admin = service.admin();
    let (east, west) = (admin.org("East", None), admin.org("West", None));
    let hall = admin.org("Hall", Some(&east));
    let scope = admin.scope("scope1");
    admin.activity(json!({ "DownstreamCO2e": "5", "org": to(&hall), "scope": to(&scope) }));
    let of = |org: &str| report(&admin, &format!("org={org}"))["CO2e"].clone();
    assert_eq!([of(&east), of(&west)], ["5", "0"]);
    admin.patch(&format!("/v1/org/{hall}"), &json!({ "parent": to(&west) })).ok();
    assert_eq!([of(&east), of(&west)], ["0", "5"]);
}

#[test]
fn a_uuid_is_read_in_any_case() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", None);
    admin.activity(json!({ "org": to(&org) }));
    assert_eq!(report(&admin, &format!("org={}", org.to_uppercase()))["count"], 1);
}
