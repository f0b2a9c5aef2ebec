//! The period: `date`, `sd` and `ed`, and what the report says of it.

use super::{emit, report, sum};
use crate::http::harness::{Client, Service, Value, json};

/// The days of the activities, the first with 1 kg and each with twice as many as the one before.
const DAYS: [&str; 6] = ["2024-12-31", "2025-01-01", "2025-01-31", "2025-02-01", "2025-12-31", "2026-01-01"];

fn fill(admin: &Client) {
    let scope = admin.scope("scope1");
    for (index, day) in DAYS.iter().enumerate() {
        emit(admin, &scope, day, &(1 << index).to_string());
    }
}

/// Checks count, kilograms, first instant and last second of reports.
fn check(cases: &[(&str, u64, &str, [&str; 2])]) {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    for (query, count, co2e, [first, last]) in cases {
        let report = report(&admin, query);
        assert_eq!((&report["count"], &report["CO2e"]), (&json!(count), &json!(co2e)), "{query}");
        let dates = [json!(format!("{first}T00:00:00Z")), json!(format!("{last}T23:59:59Z"))];
        assert_eq!([&report["startDate"], &report["endDate"]], dates.each_ref(), "{query}");
        assert_eq!(report["data"].as_array().unwrap().len() as u64, *count, "{query}");
    }
}

#[test]
fn a_date_is_a_year_a_month_or_a_day() {
    check(&[
        ("date=2025", 4, "30", ["2025-01-01", "2025-12-31"]),
        ("date=2025-01", 2, "6", ["2025-01-01", "2025-01-31"]),
        ("date=2025-02", 1, "8", ["2025-02-01", "2025-02-28"]),
        ("date=2024-02", 0, "0", ["2024-02-01", "2024-02-29"]),
        ("date=2025-01-31", 1, "4", ["2025-01-31", "2025-01-31"]),
        ("date=2025-06-15", 0, "0", ["2025-06-15", "2025-06-15"]),
    ]);
}

#[test]
fn sd_and_ed_are_both_included() {
    check(&[
        ("sd=2025-01-01&ed=2025-01-31", 2, "6", ["2025-01-01", "2025-01-31"]),
        ("sd=2025-01-02&ed=2025-01-30", 0, "0", ["2025-01-02", "2025-01-30"]),
        ("sd=2025-01-31&ed=2025-01-31", 1, "4", ["2025-01-31", "2025-01-31"]),
        ("ed=2026-01-01&sd=2024-12-31", 6, "63", ["2024-12-31", "2026-01-01"]),
    ]);
}

#[test]
fn an_open_end_is_the_first_or_last_day_found() {
    check(&[
        ("", 6, "63", ["2024-12-31", "2026-01-01"]),
        ("sd=2025-01-15", 4, "60", ["2025-01-15", "2026-01-01"]),
        ("ed=2025-01-31", 3, "7", ["2024-12-31", "2025-01-31"]),
        ("ed=2025-01-30", 2, "3", ["2024-12-31", "2025-01-30"]),
    ]);
}

#[test]
fn an_open_end_of_nothing_is_null() {
    let service = Service::start();
    let admin = service.admin();
    let empty = report(&admin, "");
    assert_eq!([&empty["startDate"], &empty["endDate"]], [&Value::Null, &Value::Null]);
    fill(&admin);
    let after = report(&admin, "sd=2027-01-01");
    assert_eq!((&after["startDate"], &after["endDate"]), (&json!("2027-01-01T00:00:00Z"), &Value::Null));
}

#[test]
fn the_first_and_last_days_of_the_calendar_are_days() {
    let service = Service::start();
    for date in ["0001", "0001-01", "0001-01-01", "9999", "9999-12", "9999-12-31"] {
        assert_eq!(report(&service.admin(), &format!("date={date}"))["count"], 0);
    }
}

#[test]
fn what_is_no_date_is_refused() {
    let service = Service::start();
    let admin = service.admin();
    let refused = |query: &str| admin.get(&format!("/v1/activity?{query}")).problem();
    for date in [
        "25",
        "20255",
        "2025-1",
        "2025-13",
        "2025-00",
        "2025-02-30",
        "2023-02-29",
        "2025-01-1",
        "2025-01-32",
        "2025/01",
        "20250101",
        "0000",
        "-2025",
        "+2025",
        "2025-",
        "2025-01-01T00:00:00Z",
        "today",
        "%D9%A2025",
        "%202025",
        "2025%20",
        "%EF%BC%92%EF%BC%90%EF%BC%92%EF%BC%95",
    ] {
        assert_eq!(refused(&format!("date={date}")), "400 invalid-parameters date", "{date}");
    }
    for day in ["2025", "2025-01", "2025-02-30", "2025-01-01T00:00:00Z", "x"] {
        assert_eq!(refused(&format!("sd={day}&ed={day}")), "400 invalid-parameters ed sd", "{day}");
    }
}

#[test]
fn date_goes_without_sd_and_ed() {
    let service = Service::start();
    let admin = service.admin();
    for query in ["date=2025&sd=2025-01-01", "ed=2025-01-01&date=2025", "date=2025&sd=2025-01-01&ed=2025-01-02"] {
        assert_eq!(admin.get(&format!("/v1/activity?{query}")).problem(), "400 invalid-parameters date", "{query}");
    }
}

#[test]
fn sd_after_ed_is_refused() {
    let service = Service::start();
    let answer = service.admin().get("/v1/activity?sd=2025-01-02&ed=2025-01-01");
    assert_eq!(answer.problem(), "400 invalid-parameters sd");
}

#[test]
fn the_months_of_a_year_add_up_to_the_year_exactly() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    for step in 0..48u32 {
        let day =
            format!("2025-{:02}-{:02}T0{}:00:00+0{}:00", step * 7 % 12 + 1, step * 11 % 28 + 1, step % 10, step % 9);
        let end = format!("2026-{:02}-28", step % 12 + 1);
        let sign = if step % 5 == 0 { "-" } else { "" };
        let amount = format!(
            "{sign}{}.{:018}",
            u64::from(step) * 7_919,
            u64::from(step) * 15_485_863_001_234_567 % 10u64.pow(18)
        );
        admin.activity(
            json!({ "startDate": day, "endDate": end, "DownstreamCO2e": amount, "scope": { "uuid": scope } }),
        );
    }
    for attribution in ["start", "daily"] {
        let of = |period: &str| report(&admin, &format!("{period}&attribution={attribution}"))["CO2e"].clone();
        let months: Vec<_> = (1..=12).map(|month| of(&format!("date=2025-{month:02}"))).collect();
        assert_eq!(of("date=2025"), sum(&months), "{attribution}");
        let halves = [of("ed=2025-07-14"), of("sd=2025-07-15")];
        assert_eq!(of(""), sum(&halves), "{attribution}");
    }
}
