//! Totals, the unit they are in, and what belongs to which.

use super::{emit, report};
use crate::http::harness::{Service, json, redacted, to};

#[test]
fn every_field_is_there() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org, taxonomy) = (admin.scope("scope1"), admin.org("Works", None), admin.taxonomy("Gas", None));
    admin.activity(json!({
        "name": "Gas", "DownstreamCO2e": "12.50", "scope": to(&scope), "org": to(&org), "taxonomy": to(&taxonomy),
    }));
    insta::assert_snapshot!(redacted(&report(&admin, "date=2025&list=org,scope,taxonomy")), @r#"
    {
      "CO2e": "12.5",
      "CO2eUnit": "kg",
      "attribution": "start",
      "biogenicCO2": "0",
      "count": 1,
      "creditsCO2e": "0",
      "data": [
        {
          "CO2e": "12.5",
          "DownstreamCO2e": "12.5",
          "UpstreamCO2e": null,
          "biogenicCO2": null,
          "created": "[time]",
          "description": null,
          "endDate": null,
          "evidence": [],
          "incomplete": null,
          "marketCO2e": null,
          "marketFactor": null,
          "marketInstrument": null,
          "marketReference": null,
          "name": "Gas",
          "org": {
            "name": "Works",
            "uuid": "[uuid 1]"
          },
          "outdated": false,
          "product": null,
          "quality": null,
          "quantity": null,
          "scope": {
            "name": "scope1",
            "uuid": "[uuid 2]"
          },
          "startDate": "2025-01-01T00:00:00Z",
          "supplied": [
            "DownstreamCO2e"
          ],
          "syncId": null,
          "taxonomy": {
            "name": "Gas",
            "uuid": "[uuid 3]"
          },
          "unit": null,
          "updated": "[time]",
          "uuid": "[uuid 4]"
        }
      ],
      "endDate": "2025-12-31T23:59:59Z",
      "incompleteCount": 0,
      "marketCO2e": null,
      "orgs": [
        {
          "name": "Works",
          "uuid": "[uuid 1]"
        }
      ],
      "outdatedCount": 0,
      "outsideCO2e": "0",
      "quality": {
        "estimatedCO2e": "0",
        "measuredCO2e": "0",
        "notStatedCO2e": "12.5",
        "proxyCO2e": "0"
      },
      "queryString": "date=2025&list=org,scope,taxonomy",
      "scope2": "location",
      "scope2InstrumentCO2e": null,
      "scope2LocationCO2e": null,
      "scope2ResidualCO2e": null,
      "scopes": [
        {
          "name": "scope1",
          "uuid": "[uuid 2]"
        }
      ],
      "startDate": "2025-01-01T00:00:00Z",
      "taxonomies": [
        {
          "name": "Gas",
          "path": "gas",
          "slug": "gas",
          "uuid": "[uuid 3]"
        }
      ],
      "uncategorizedCO2e": "0"
    }
    "#);
}

#[test]
fn a_report_of_nothing_has_every_field_too() {
    let service = Service::start();
    insta::assert_snapshot!(redacted(&report(&service.admin(), "")), @r#"
    {
      "CO2e": "0",
      "CO2eUnit": "kg",
      "attribution": "start",
      "biogenicCO2": "0",
      "count": 0,
      "creditsCO2e": "0",
      "data": [],
      "endDate": null,
      "incompleteCount": 0,
      "marketCO2e": null,
      "orgs": [],
      "outdatedCount": 0,
      "outsideCO2e": "0",
      "quality": {
        "estimatedCO2e": "0",
        "measuredCO2e": "0",
        "notStatedCO2e": "0",
        "proxyCO2e": "0"
      },
      "queryString": "",
      "scope2": "location",
      "scope2InstrumentCO2e": null,
      "scope2LocationCO2e": null,
      "scope2ResidualCO2e": null,
      "scopes": [],
      "startDate": null,
      "taxonomies": [],
      "uncategorizedCO2e": "0"
    }
    "#);
}

#[test]
fn scopes_1_to_3_and_what_stands_beside_them_are_totals_of_their_own_and_never_netted() {
    let service = Service::start();
    let admin = service.admin();
    for (kind, kilograms) in
        [("scope1", "1"), ("scope2", "2"), ("scope3", "4"), ("biogenic", "100"), ("credit", "-100"), ("outside", "16")]
    {
        emit(&admin, &admin.scope(kind), "2025-01-01", kilograms);
    }
    admin.activity(json!({ "DownstreamCO2e": "8" }));
    let all = report(&admin, "");
    let totals = ["CO2e", "uncategorizedCO2e", "biogenicCO2", "creditsCO2e", "outsideCO2e"].map(|total| &all[total]);
    assert_eq!(totals, ["7", "8", "100", "-100", "16"]);
    assert_eq!([&all["count"], &all["incompleteCount"]], [7, 0]);
}

#[test]
fn removals_count_against_emissions() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    emit(&admin, &scope, "2025-01-01", "1.5");
    emit(&admin, &scope, "2025-01-02", "-4");
    assert_eq!(report(&admin, "")["CO2e"], "-2.5");
}

#[test]
fn incomplete_activities_are_counted_and_add_nothing() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    emit(&admin, &scope, "2025-01-01", "1.5");
    admin.activity(json!({ "scope": to(&scope) }));
    let all = report(&admin, "");
    assert_eq!((&all["count"], &all["incompleteCount"], &all["CO2e"]), (&json!(2), &json!(1), &json!("1.5")));
}

#[test]
fn sums_have_no_bound() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    for _ in 0..11 {
        emit(&admin, &scope, "2025-01-01", "99999999999999999999.999999999999999999");
    }
    assert_eq!(report(&admin, "")["CO2e"], "1099999999999999999999.999999999999999989");
    assert_eq!(report(&admin, "co2eUnit=g")["CO2e"], "1099999999999999999999999.999999999999989");
}

#[test]
fn a_unit_shifts_every_amount_exactly_and_says_so() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, outside) = (admin.scope("scope1"), admin.scope("outside"));
    admin.activity(json!({ "UpstreamCO2e": "0.000000000000000001", "DownstreamCO2e": "1234.5", "scope": to(&scope) }));
    emit(&admin, &outside, "2025-01-02", "-0.5");
    admin.activity(json!({ "DownstreamCO2e": "20", "startDate": "2025-01-03" }));
    for (query, unit, totals, parts) in [
        ("", "kg", ["1234.500000000000000001", "20", "-0.5"], ["0.000000000000000001", "1234.5"]),
        ("co2eUnit=kg", "kg", ["1234.500000000000000001", "20", "-0.5"], ["0.000000000000000001", "1234.5"]),
        ("co2eUnit=g", "g", ["1234500.000000000000001", "20000", "-500"], ["0.000000000000001", "1234500"]),
        ("co2eUnit=t", "t", ["1.234500000000000000001", "0.02", "-0.0005"], ["0.000000000000000000001", "1.2345"]),
    ] {
        let report = report(&admin, query);
        assert_eq!(report["CO2eUnit"], unit);
        assert_eq!([&report["CO2e"], &report["uncategorizedCO2e"], &report["outsideCO2e"]], totals, "{query}");
        let first = &report["data"][0];
        assert_eq!([&first["UpstreamCO2e"], &first["DownstreamCO2e"]], parts, "{query}");
        assert_eq!(first["CO2e"], totals[0], "{query}");
    }
}
