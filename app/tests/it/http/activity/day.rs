//! Days and moments: how dates come back, and on which days an activity lies.

use crate::http::harness::{Client, Service, activity, json};

fn dates(start: &str, end: Option<&str>) -> serde_json::Value {
    activity(json!({ "startDate": start, "endDate": end, "DownstreamCO2e": "1" }))
}

/// Checks how a start and an end come back.
fn check(client: &Client, given: [&str; 2], back: [&str; 2]) {
    let made = client.post("/v1/activity", &dates(given[0], Some(given[1]))).created();
    assert_eq!([&made["startDate"], &made["endDate"]], back, "{given:?}");
}

/// The days that hold the activity, of those from 28 December to 5 January.
fn days(start: &str, end: Option<&str>, attribution: &str) -> Vec<&'static str> {
    let service = Service::start();
    let admin = service.admin();
    admin.post("/v1/activity", &dates(start, end)).created();
    let all = [
        "2024-12-29",
        "2024-12-30",
        "2024-12-31",
        "2025-01-01",
        "2025-01-02",
        "2025-01-03",
        "2025-01-04",
        "2025-01-05",
    ];
    let on = |day: &&str| admin.get(&format!("/v1/activity?date={day}&attribution={attribution}")).ok()["count"] == 1;
    all.into_iter().filter(on).collect()
}

#[test]
fn dates_come_back_with_the_offset_and_fraction_they_came_with() {
    let service = Service::start();
    let admin = service.admin();
    for (start, end) in [
        ("2025-01-01T08:30:00+02:00", "2025-01-01T09:00:00.123456789+02:00"),
        ("2025-01-01T00:00:00.500Z", "2025-01-01T00:00:00.50Z"),
        ("2025-01-01T00:00:00-11:30", "2025-02-01T00:00:00+13:45"),
    ] {
        check(&admin, [start, end], [start, end]);
    }
    check(
        &admin,
        ["2025-01-01T00:00:00+00:00", "2025-01-01t10:00:00-00:00"],
        ["2025-01-01T00:00:00Z", "2025-01-01T10:00:00Z"],
    );
}

#[test]
fn a_bare_date_is_that_days_start_or_its_last_second() {
    let service = Service::start();
    check(&service.admin(), ["2025-01-01", "2025-01-31"], ["2025-01-01T00:00:00Z", "2025-01-31T23:59:59Z"]);
}

#[test]
fn what_is_no_moment_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    for wrong in [
        "",
        "2025",
        "2025-01",
        "01/02/2025",
        "2025-02-29",
        "2025-13-01",
        "2025-00-10",
        "2025-01-01T00:00:00",
        "2025-01-01T00Z",
        "2025-01-01T24:00:00Z",
        "2025-01-01T23:59:60Z",
        "2025-01-01T00:00:00+24:00",
        "2025-01-01T00:00:00+0200",
        "2025-01-01T00:00:00.Z",
        "2025-01-01T00:00:00.1234567890Z",
        "２025-01-01",
        "12025-01-01",
        "0000-01-01",
        " 2025-01-01",
    ] {
        let answer = admin.post("/v1/activity", &dates(wrong, Some(wrong)));
        assert_eq!(answer.problem(), "422 invalid-input /endDate /startDate", "{wrong}");
    }
}

#[test]
fn an_end_before_the_start_is_refused_as_an_instant() {
    let service = Service::start();
    let admin = service.admin();
    for (start, end) in [
        ("2025-01-02", "2025-01-01"),
        ("2025-01-01T10:00:00Z", "2025-01-01T09:59:59.999999999Z"),
        ("2025-01-01T10:00:00Z", "2025-01-01T11:00:00+02:00"),
    ] {
        let answer = admin.post("/v1/activity", &dates(start, Some(end)));
        assert_eq!(answer.problem(), "422 invalid-input /endDate", "{start} {end}");
    }
    admin.post("/v1/activity", &dates("2025-01-01T10:00:00Z", Some("2025-01-01T10:00:00Z"))).created();
    admin.post("/v1/activity", &dates("2025-01-02T00:00:00+02:00", Some("2025-01-01T23:00:00Z"))).created();
}

#[test]
fn the_day_is_the_one_written_in_the_starts_own_offset() {
    assert_eq!(days("2025-01-01T00:30:00+13:00", None, "start"), ["2025-01-01"]);
    assert_eq!(days("2024-12-31T23:30:00-11:00", None, "start"), ["2024-12-31"]);
}

#[test]
fn without_an_end_an_activity_lies_on_a_single_day() {
    assert_eq!(days("2025-01-01", None, "daily"), ["2025-01-01"]);
}

#[test]
fn the_last_day_is_the_one_written_in_the_end() {
    assert_eq!(days("2024-12-31", Some("2025-01-02"), "daily"), ["2024-12-31", "2025-01-01", "2025-01-02"]);
    assert_eq!(
        days("2024-12-31T10:00:00Z", Some("2025-01-02T00:30:00+10:00"), "daily"),
        ["2024-12-31", "2025-01-01", "2025-01-02"]
    );
}

#[test]
fn an_end_at_midnight_is_the_end_of_the_day_before() {
    assert_eq!(days("2024-12-31", Some("2025-01-03T00:00:00Z"), "daily"), ["2024-12-31", "2025-01-01", "2025-01-02"]);
    assert_eq!(days("2024-12-31", Some("2025-01-02T00:00:00.000+05:00"), "daily"), ["2024-12-31", "2025-01-01"]);
    assert_eq!(
        days("2024-12-31", Some("2025-01-02T00:00:00.001Z"), "daily"),
        ["2024-12-31", "2025-01-01", "2025-01-02"]
    );
    assert_eq!(days("2025-01-01T00:00:00Z", Some("2025-01-01T00:00:00Z"), "daily"), ["2025-01-01"]);
}

#[test]
fn the_last_day_is_never_before_the_first() {
    // As instants the end is later, but the day written in it is earlier.
    assert_eq!(days("2025-01-02T00:00:00+12:00", Some("2025-01-01T13:00:00Z"), "daily"), ["2025-01-02"]);
}
