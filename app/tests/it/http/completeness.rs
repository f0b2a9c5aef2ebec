//! What is missing: by reason, by month, by scope and category.

use super::harness::{Client, Service, Value, json, to};

fn ask(admin: &Client, query: &str) -> Value {
    admin.get(&format!("/v1/completeness?{query}")).ok()
}

/// The line of that kind and category.
fn line(found: &Value, kind: &str, category: Option<u8>) -> Value {
    let lines = found["coverage"].as_array().unwrap();
    lines.iter().find(|line| line["kind"] == kind && line["category"] == json!(category)).unwrap().clone()
}

#[test]
fn activities_without_co2e_are_counted_by_reason_with_the_first_of_them() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, product) = (admin.scope("scope1"), admin.product("kg"));
    for number in 1..=6 {
        admin.activity(json!({ "name": format!("Bill {number}"), "scope": to(&scope), "startDate": "2024-05-01" }));
    }
    admin.activity(json!({ "product": to(&product), "quantity": 1, "unit": "kg", "startDate": "2024-05-02" }));
    admin.activity(json!({ "UpstreamCO2e": "7", "startDate": "2024-05-03" }));
    let found = ask(&admin, "year=2024");
    assert_eq!((&found["count"], &found["incompleteCount"]), (&8.into(), &7.into()));
    let reasons = found["incomplete"].as_array().unwrap();
    let told: Vec<_> =
        reasons.iter().map(|one| (one["code"].as_str().unwrap(), one["count"].as_u64().unwrap())).collect();
    assert_eq!(told, [("no_product", 6), ("no_factor", 1)]);
    let examples = reasons[0]["examples"].as_array().unwrap();
    assert_eq!((examples.len(), &examples[0]["day"]), (5, &"2024-05-01".into()));
    let reporter = service.caller("activity:report");
    let found = ask(&reporter, "year=2024");
    assert_eq!((&found["incomplete"][0]["count"], &found["incomplete"][0]["examples"]), (&6.into(), &json!([])));
    assert_eq!(ask(&admin, "year=2023")["incomplete"], json!([]));
}

#[test]
fn a_month_without_the_usual_bill_is_named_with_its_scope_org_and_taxonomy() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org, taxonomy) = (admin.scope("scope2"), admin.org("Works", None), admin.taxonomy("Power", None));
    for month in [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12] {
        let start = format!("2024-{month:02}-01");
        admin.activity(json!({
            "scope": to(&scope), "org": to(&org), "taxonomy": to(&taxonomy), "UpstreamCO2e": "1", "startDate": start,
        }));
    }
    let found = ask(&admin, "year=2024");
    assert_eq!(found["gapCount"], 1);
    let gap = &found["gaps"][0];
    assert_eq!((&gap["months"], &gap["scope"]["name"]), (&json!(["2024-04"]), &"scope2".into()));
    assert_eq!((&gap["org"]["name"], &gap["taxonomy"]["name"]), (&"Works".into(), &"Power".into()));
    assert_eq!((&gap["monthsWithData"], &gap["monthsLookedAt"]), (&11.into(), &12.into()));
    assert_eq!(ask(&admin, "sd=2024-05-01&ed=2024-12-31")["gapCount"], 0);
    let other = admin.org("Office", None);
    assert_eq!(ask(&admin, &format!("year=2024&org={other}"))["gapCount"], 0);
}

#[test]
fn categories_never_reported_have_their_exclusion_and_its_reason_or_none() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, site) = (admin.scope("scope1"), admin.org("Site", None));
    admin.activity(json!({ "scope": to(&scope), "UpstreamCO2e": "7", "startDate": "2024-05-03" }));
    let exclude = |body: Value| admin.post("/v1/exclusion", &body).created();
    exclude(json!({ "category": 14, "firstYear": 2023, "lastYear": 2024, "reason": "There are no franchises" }));
    exclude(json!({ "category": 7, "org": to(&site), "firstYear": 2024, "reason": "Nobody works there" }));
    let found = ask(&admin, "year=2024");
    assert_eq!(found["coverage"].as_array().unwrap().len(), 17);
    let state = |found: &Value, category| line(found, "scope3", Some(category))["state"].clone();
    assert_eq!(line(&found, "scope1", None)["state"], "reported");
    assert_eq!(line(&found, "scope2", None)["state"], "missing");
    assert_eq!((state(&found, 14), state(&found, 7)), ("excluded".into(), "partlyExcluded".into()));
    assert_eq!(state(&found, 1), "missing");
    assert_eq!(line(&found, "scope3", Some(14))["exclusions"][0]["reason"], "There are no franchises");
    let of_site = ask(&admin, &format!("year=2024&org={site}"));
    assert_eq!((state(&of_site, 14), state(&of_site, 7)), ("excluded".into(), "excluded".into()));
    let later = ask(&admin, "sd=2024-01-01&ed=2025-12-31");
    assert_eq!(state(&later, 14), "partlyExcluded", "in 2025 it is not");
    assert_eq!(state(&ask(&admin, "year=2025"), 14), "missing");
}

#[test]
fn the_days_are_required_and_all_that_is_wrong_is_told_at_once() {
    let service = Service::start();
    let admin = service.admin();
    let places = |query: &str| admin.get(&format!("/v1/completeness{query}")).expect(400).places();
    assert_eq!(places(""), ["year"]);
    assert_eq!(places("?sd=2024-01-01"), ["year"]);
    assert_eq!(places("?sd=2024-02-01&ed=2024-01-01"), ["sd"]);
    assert_eq!(places("?sd=2004-01-01&ed=2024-01-01"), ["ed"]);
    assert_eq!(places("?year=2024&ed=2024-12-31"), ["year"]);
    let nobody = "00000000-0000-7000-8000-000000000000";
    assert_eq!(places(&format!("?year=24&org={nobody}&orgs=x")), ["org", "orgs", "year"]);
}

/// The JSON says the same as the table, number by number.
#[test]
fn what_is_missing_comes_as_a_table_with_a_row_for_each_finding() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    for month in [1, 2, 4] {
        let start = format!("2024-{month:02}-01");
        admin.activity(json!({ "name": "Bill", "scope": to(&scope), "startDate": start, "UpstreamCO2e": "1" }));
    }
    admin.activity(json!({ "name": "Van, \"old\"", "scope": to(&scope), "startDate": "2024-05-01" }));
    let found = ask(&admin, "year=2024");
    let csv = admin.request("GET", "/v1/completeness?year=2024").header("Accept", "text/csv").send();
    let rows = |finding: &str| csv.text().lines().filter(|line| line.starts_with(finding)).count();
    let months: usize =
        found["gaps"].as_array().unwrap().iter().map(|gap| gap["months"].as_array().unwrap().len()).sum();
    assert_eq!((rows("month,"), rows("coverage,")), (months, found["coverage"].as_array().unwrap().len()));
    assert_eq!((rows("incomplete,no_product,1,"), rows("activity,no_product,")), (1, 1), "{}", csv.text());
    assert!(csv.text().contains("\"Van, \"\"old\"\"\",2024-05-01"), "{}", csv.text());
    let reporter = service.caller("activity:report");
    let shown = reporter.request("GET", "/v1/completeness?year=2024").header("Accept", "text/csv").send();
    assert!(!shown.text().contains("Van"), "single activities are for who may read them: {}", shown.text());
    let book = admin.request("GET", "/v1/completeness?year=2024").header("Accept", XLSX).send();
    assert_eq!(book.status, 200);
}

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
