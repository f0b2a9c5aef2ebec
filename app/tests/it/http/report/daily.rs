//! `attribution=daily`: an activity counts on every day it covers.

use super::report;
use crate::http::harness::{Client, Service, Value, json, to};

/// An activity of that span with that many kg, in that scope.
fn emit(admin: &Client, scope: &str, [start, end]: [&str; 2], kilograms: &str) {
    admin.activity(json!({ "startDate": start, "endDate": end, "DownstreamCO2e": kilograms, "scope": to(scope) }));
}

fn daily(admin: &Client, query: &str) -> Value {
    report(admin, &format!("{query}&attribution=daily"))
}

/// What of `kilograms` falls on each of the days from 1 January 2025 on.
fn check(kilograms: &str, days: &[&str]) {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    emit(&admin, &scope, ["2025-01-01", &format!("2025-01-{:02}", days.len())], kilograms);
    for (index, share) in days.iter().enumerate() {
        let day = daily(&admin, &format!("date=2025-01-{:02}", index + 1));
        assert_eq!((&day["CO2e"], &day["data"][0]["periodCO2e"]), (&json!(share), &json!(share)), "day {}", index + 1);
        assert_eq!(day["data"][0]["CO2e"], *kilograms);
    }
}

#[test]
fn every_day_has_the_same_share_and_the_last_day_the_rest() {
    check("10", &["3.333333333333333333", "3.333333333333333333", "3.333333333333333334"]);
    check("-10", &["-3.333333333333333333", "-3.333333333333333333", "-3.333333333333333334"]);
    check("0.000000000000000002", &["0", "0", "0.000000000000000002"]);
    check("6", &["2", "2", "2"]);
    check("5", &["5"]);
}

#[test]
fn the_way_is_echoed() {
    let service = Service::start();
    let admin = service.admin();
    assert_eq!(report(&admin, "")["attribution"], "start");
    assert_eq!(report(&admin, "attribution=start")["attribution"], "start");
    assert_eq!(daily(&admin, "")["attribution"], "daily");
}

#[test]
fn an_activity_is_in_every_period_it_touches() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, org) = (admin.scope("scope1"), admin.org("Works", None));
    admin.activity(json!({
        "startDate": "2024-12-01", "endDate": "2025-02-28", "DownstreamCO2e": "90", "scope": to(&scope), "org": to(&org),
    }));
    admin.activity(json!({ "startDate": "2024-12-31", "endDate": "2025-01-01" }));
    for (period, count, incomplete, co2e) in [
        ("date=2024", 2, 1, "31"),
        ("date=2025-01", 2, 1, "31"),
        ("date=2025-01-31", 1, 0, "1"),
        ("date=2025-02", 1, 0, "28"),
        ("date=2025-03", 0, 0, "0"),
        ("sd=2024-12-31&ed=2025-01-01", 2, 1, "2"),
        ("", 2, 1, "90"),
    ] {
        let report = daily(&admin, period);
        assert_eq!([&report["count"], &report["incompleteCount"]], [count, incomplete], "{period}");
        assert_eq!(report["CO2e"], co2e, "{period}");
        assert_eq!(report["data"].as_array().unwrap().len(), count, "{period}");
        assert_eq!(report["orgs"].as_array().unwrap().len(), usize::from(count > 0), "{period}");
    }
}

#[test]
fn an_open_end_reaches_the_last_day_that_is_touched() {
    let service = Service::start();
    let admin = service.admin();
    emit(&admin, &admin.scope("scope1"), ["2024-12-01", "2025-02-28"], "90");
    let all = daily(&admin, "");
    assert_eq!([&all["startDate"], &all["endDate"]], ["2024-12-01T00:00:00Z", "2025-02-28T23:59:59Z"]);
    let start = report(&admin, "");
    assert_eq!([&start["startDate"], &start["endDate"]], ["2024-12-01T00:00:00Z", "2024-12-01T23:59:59Z"]);
}

#[test]
fn purchases_disposals_and_sales_are_never_spread() {
    let service = Service::start();
    let admin = service.admin();
    let scope3 = admin.scope("scope3");
    for category in 1..=15 {
        let scope = admin.category(&scope3, category);
        emit(&admin, &scope, ["2025-01-01", "2025-01-10"], "10");
        let first = daily(&admin, &format!("date=2025-01-01&scope={scope}"));
        let second = daily(&admin, &format!("date=2025-01-02&scope={scope}"));
        let whole = matches!(category, 2 | 5 | 11 | 12);
        let expected = if whole { ["10", "0"] } else { ["1", "1"] };
        assert_eq!([&first["CO2e"], &second["CO2e"]], expected, "category {category}");
        assert_eq!(first["data"][0]["periodCO2e"], expected[0], "category {category}");
        assert_eq!([&first["count"], &second["count"]], [1, u64::from(!whole)], "category {category}");
    }
}

#[test]
fn any_partition_of_time_adds_up_exactly() {
    let service = Service::start();
    let admin = service.admin();
    let scope3 = admin.scope("scope3");
    let (spread, whole) = (admin.category(&scope3, 1), admin.category(&scope3, 2));
    for (scope, span, kilograms) in [
        (&spread, ["2024-11-17", "2025-03-05"], "100"),
        (&spread, ["2025-01-31", "2025-02-01"], "-0.000000000000000003"),
        (&spread, ["2025-02-10", "2025-02-16"], "1.000000000000000001"),
        (&whole, ["2025-02-03", "2025-04-16"], "7.7"),
    ] {
        emit(&admin, scope, span, kilograms);
    }
    let weeks = ["2025-02-01 2025-02-09", "2025-02-10 2025-02-10", "2025-02-11 2025-02-27", "2025-02-28 2025-02-28"];
    let of = |period: &str| daily(&admin, period);
    let parts: Vec<_> = weeks
        .iter()
        .map(|week| week.split_once(' ').unwrap())
        .map(|(first, last)| of(&format!("sd={first}&ed={last}"))["CO2e"].clone())
        .collect();
    let month = of("date=2025-02");
    assert_eq!(month["CO2e"], super::sum(&parts));
    let shares: Vec<_> = month["data"].as_array().unwrap().iter().map(|one| one["periodCO2e"].clone()).collect();
    assert_eq!(month["CO2e"], super::sum(&shares));
}

#[test]
fn without_daily_no_share_is_shown() {
    let service = Service::start();
    let admin = service.admin();
    admin.activity(json!({}));
    assert!(report(&admin, "")["data"][0].get("periodCO2e").is_none());
    assert_eq!(daily(&admin, "")["data"][0]["periodCO2e"], Value::Null);
}

#[test]
fn a_share_is_in_the_unit_of_the_answer() {
    let service = Service::start();
    let admin = service.admin();
    emit(&admin, &admin.scope("scope1"), ["2025-01-01", "2025-01-02"], "5");
    assert_eq!(daily(&admin, "date=2025-01-01&co2eUnit=g")["data"][0]["periodCO2e"], "2500");
}
