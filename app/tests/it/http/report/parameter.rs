//! Parameters: malformed, doubled, empty, unknown, and all of it at once.

use super::report;
use crate::http::harness::Service;

/// Checks what is refused, and which parameters are named.
fn refused(cases: &[(&str, &str)]) {
    let service = Service::start();
    let admin = service.admin();
    for (query, places) in cases {
        let answer = admin.get(&format!("/v1/activity?{query}"));
        assert_eq!(answer.problem(), format!("400 invalid-parameters {places}"), "{query}");
    }
}

const UUID: &str = "00000000-0000-4000-8000-000000000000";

#[test]
fn a_malformed_value_is_refused() {
    refused(&[
        ("org=x", "org"),
        ("scope=1", "scope"),
        ("taxonomy=00000000000040008000000000000000", "taxonomy"),
        ("syncId=a%0Ab", "syncId"),
        ("list=site", "list"),
        ("list=scope,site", "list"),
        ("co2eUnit=lbs", "co2eUnit"),
        ("co2eUnit=KG", "co2eUnit"),
        ("attribution=end", "attribution"),
        ("page=0", "page"),
        ("page=-1", "page"),
        ("page=1.5", "page"),
        ("page=one", "page"),
        ("pageSize=0", "pageSize"),
        ("pageSize=1001", "pageSize"),
        ("org=%zz", "org"),
        ("org=%FF", "org"),
    ]);
}

#[test]
fn a_parameter_stands_once() {
    let twice = |name: &'static str, value: &str| (format!("{name}={value}&{name}={value}"), name);
    let cases = [
        twice("date", "2025"),
        twice("sd", "2025-01-01"),
        twice("ed", "2025-01-01"),
        twice("org", UUID),
        twice("scope", UUID),
        twice("taxonomy", UUID),
        twice("syncId", "a"),
        twice("co2eUnit", "kg"),
        twice("attribution", "start"),
        twice("page", "1"),
        twice("pageSize", "10"),
    ];
    refused(&cases.each_ref().map(|(query, name)| (query.as_str(), *name)));
    refused(&[("date=2025&d%61te=2025", "date")]);
}

#[test]
fn an_empty_value_is_refused() {
    for name in [
        "date",
        "sd",
        "ed",
        "org",
        "scope",
        "taxonomy",
        "syncId",
        "list",
        "co2eUnit",
        "attribution",
        "page",
        "pageSize",
    ] {
        refused(&[(&format!("{name}="), name), (name, name)]);
    }
}

#[test]
fn an_unknown_parameter_is_refused_with_a_suggestion() {
    let service = Service::start();
    let admin = service.admin();
    for (query, name, suggestion) in [
        ("sope=x", "sope", "scope"),
        ("Date=2025", "Date", "date"),
        ("taxonomie=x", "taxonomie", "taxonomy"),
        ("pagesize=10", "pagesize", "pageSize"),
        ("co2eunit=kg", "co2eunit", "co2eUnit"),
    ] {
        let answer = admin.get(&format!("/v1/activity?{query}"));
        assert_eq!(answer.problem(), format!("400 invalid-parameters {name}"));
        assert!(answer.text().contains(&format!("did you mean {suggestion}?")), "{}", answer.text());
    }
    refused(&[("q=1", "q"), ("by=month", "by"), ("=1", "(all)")]);
}

#[test]
fn an_unknown_uuid_is_refused_by_the_name_of_its_parameter() {
    refused(&[
        (&format!("org={UUID}"), "org"),
        (&format!("scope={UUID}"), "scope"),
        (&format!("taxonomy={UUID}"), "taxonomy"),
        (&format!("org={UUID}&scope={UUID}&taxonomy={UUID}"), "org scope taxonomy"),
    ]);
}

#[test]
fn a_node_of_another_tree_is_unknown() {
    let service = Service::start();
    let admin = service.admin();
    let nodes =
        [("org", admin.org("A", None)), ("taxonomy", admin.taxonomy("A", None)), ("scope", admin.scope("scope1"))];
    for (tree, uuid) in &nodes {
        for parameter in ["org", "taxonomy", "scope"].iter().filter(|name| *name != tree) {
            let answer = admin.get(&format!("/v1/activity?{parameter}={uuid}"));
            assert_eq!(answer.problem(), format!("400 invalid-parameters {parameter}"), "{tree}");
        }
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let query = format!(
        "date=2025-13&sd=x&ed=&org={UUID}&scope=1&taxonomy=&list=foo&co2eUnit=lb&attribution=end&page=0&pageSize=x&sope=1"
    );
    refused(&[(query.as_str(), "attribution co2eUnit date date ed list org page pageSize scope sd sope taxonomy")]);
}

#[test]
fn the_query_string_is_echoed_as_it_was_received() {
    let service = Service::start();
    let admin = service.admin();
    for query in ["", "date=2025", "d%61te=2025&list=%53cope", "list[]=org&&sd=2025-01-01", "list=scope,org"] {
        assert_eq!(report(&admin, query)["queryString"], query);
    }
    assert_eq!(admin.get("/v1/activity").ok()["queryString"], "");
}
