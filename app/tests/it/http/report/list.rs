//! The lists of scopes, orgs and taxonomies in use.

use super::{names, report};
use crate::http::harness::{Client, Service, json, to};

/// Activities on some nodes of three trees, and nodes that no activity carries.
fn fill(admin: &Client) -> String {
    let group = admin.org("Group", None);
    let works = admin.org("Works", Some(&group));
    let scope3 = admin.scope("scope3");
    let category = admin.category(&scope3, 6);
    let travel = admin.taxonomy("Travel", None);
    let air = admin.taxonomy("By Air", Some(&travel));
    admin.activity(json!({ "org": to(&works), "scope": to(&category), "taxonomy": to(&air) }));
    admin.activity(json!({ "org": to(&works), "startDate": "2026-01-01" }));
    works
}

/// How many each list holds: scopes, orgs, taxonomies.
fn check(cases: &[(&str, [usize; 3])]) {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    for (query, expected) in cases {
        let report = report(&admin, query);
        let lengths = ["scopes", "orgs", "taxonomies"].map(|list| report[list].as_array().unwrap().len());
        assert_eq!(lengths, *expected, "{query}");
    }
}

#[test]
fn all_three_are_filled_unless_some_are_named() {
    check(&[
        ("", [1, 1, 1]),
        ("list=scope", [1, 0, 0]),
        ("list=Org", [0, 1, 0]),
        ("list=TAXONOMIES", [0, 0, 1]),
        ("list=scopes&list=orgs", [1, 1, 0]),
        ("list[]=scope&list[]=taxonomy", [1, 0, 1]),
        ("list%5B%5D=scope&list=org", [1, 1, 0]),
        ("list=scope,org,Taxonomy", [1, 1, 1]),
        ("list=scope%2Corg", [1, 1, 0]),
        ("list=scope&list=scope", [1, 0, 0]),
    ]);
}

#[test]
fn they_hold_the_nodes_that_the_activities_carry_themselves() {
    let service = Service::start();
    let admin = service.admin();
    let works = fill(&admin);
    let all = report(&admin, "");
    assert_eq!(names(&all["orgs"]), ["Works"]);
    assert_eq!(all["orgs"], json!([{ "uuid": works, "name": "Works" }]));
    assert_eq!(names(&all["scopes"]), ["Category 6"]);
    assert_eq!(names(&all["taxonomies"]), ["By Air"]);
    assert_eq!([&all["taxonomies"][0]["slug"], &all["taxonomies"][0]["path"]], ["by-air", "travel/by-air"]);
    let later = report(&admin, "date=2026");
    assert_eq!((names(&later["orgs"]), names(&later["scopes"])), (vec!["Works"], vec![]));
    assert_eq!(report(&admin, "date=2027")["orgs"], json!([]));
}

#[test]
fn they_speak_of_the_result_set_and_not_of_the_page() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let page = report(&admin, "page=2&pageSize=1");
    assert_eq!((names(&page["scopes"]), page["data"][0]["scope"].is_null()), (vec!["Category 6"], true));
}

#[test]
fn names_are_those_of_today() {
    let service = Service::start();
    let admin = service.admin();
    let works = fill(&admin);
    admin.patch(&format!("/v1/org/{works}"), &json!({ "name": "New works" })).ok();
    let report = report(&admin, "");
    assert_eq!((names(&report["orgs"]), &report["data"][0]["org"]["name"]), (vec!["New works"], &json!("New works")));
}
