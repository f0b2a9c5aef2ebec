//! `GET /v1/report` by fiscal years.

use domain::{Total, YearStart};

use super::emit;
use super::law::{fill, trees};
use crate::http::harness::{Client, Service, Value, json};

/// Says on which day the years of the service's company begin.
fn begin_years(service: &Service, day: &str) {
    let (app, year_start) = (service.app(), YearStart::parse(day).unwrap());
    let tenant = service.operator().tenant;
    let was_there = service.wait(async move {
        let tenant = app.find_tenant_by_id(tenant).await.unwrap().unwrap();
        app.set_year_start(&tenant, year_start).await
    });
    assert!(was_there.unwrap());
}

fn broken_down(client: &Client, query: &str) -> Value {
    client.get(&format!("/v1/report?{query}")).ok()
}

/// The label of each row in that dimension, with its CO2e.
fn rows(found: &Value, dimension: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    found["rows"].as_array().unwrap().iter().map(|row| (text(&row[dimension]), text(&row["CO2e"]))).collect()
}

fn labelled(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(label, amount)| ((*label).to_owned(), (*amount).to_owned())).collect()
}

/// A company with an activity on either side of two turns of a year that begins on 6 April.
fn company() -> Service {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    for (day, amount) in [("2024-04-05", "1"), ("2024-04-06", "20"), ("2025-01-01", "300"), ("2025-04-06", "4000")] {
        emit(&admin, &scope, day, amount);
    }
    service
}

#[test]
fn fiscal_years_begin_on_the_day_that_is_set_and_are_calendar_years_before() {
    let service = company();
    let admin = service.admin();
    let found = broken_down(&admin, "by=year&year=fiscal");
    assert_eq!(
        (rows(&found, "year"), &found["yearStart"]),
        (labelled(&[("2024", "21"), ("2025", "4300")]), &json!("01-01"))
    );

    begin_years(&service, "04-06");
    let found = broken_down(&admin, "by=year&year=fiscal");
    let years = [("2023/2024", "1"), ("2024/2025", "320"), ("2025/2026", "4000")];
    assert_eq!((rows(&found, "year"), &found["yearStart"]), (labelled(&years), &json!("04-06")));
    let found = broken_down(&admin, "by=quarter&year=fiscal&date=2025");
    assert_eq!(rows(&found, "quarter"), labelled(&[("2024/2025-Q1", "20"), ("2024/2025-Q3", "300")]));
    assert_eq!(rows(&broken_down(&admin, "by=year"), "year"), labelled(&[("2024", "21"), ("2025", "4300")]));
}

#[test]
fn a_fiscal_year_is_asked_for_by_the_year_it_ends_in_or_by_both_and_says_its_days() {
    let service = company();
    let admin = service.admin();
    begin_years(&service, "04-06");
    for date in ["2025", "2024/2025", "2024/25"] {
        let found = broken_down(&admin, &format!("by=year&year=fiscal&date={date}"));
        assert_eq!(rows(&found, "year"), labelled(&[("2024/2025", "320")]), "{date}");
        assert_eq!(found["startDate"], "2024-04-06T00:00:00Z");
        assert_eq!(found["endDate"], "2025-04-05T23:59:59Z");
    }
    let quarter = broken_down(&admin, "by=scope&year=fiscal&date=2024/2025-Q3");
    assert_eq!((&quarter["CO2e"], &quarter["endDate"]), (&json!("300"), &json!("2025-01-05T23:59:59Z")));
    let compared = broken_down(&admin, "by=year&year=fiscal&date=2026&compare=2025");
    assert_eq!(compared["compared"]["startDate"], "2024-04-06T00:00:00Z");
    assert_eq!(compared["rows"][0]["year"], "2025/2026");
    assert_eq!(compared["rows"][0]["difference"], "3680");
    let refused = admin.get("/v1/report?by=year&year=fiscal&date=2024/2026&compare=2025-Q5").expect(400);
    assert_eq!(refused.json()["errors"].as_array().unwrap().len(), 2);
}

#[test]
fn a_report_that_is_known_is_sent_again_when_years_begin_on_another_day() {
    let service = company();
    let admin = service.admin();
    let tag = admin.get("/v1/report?by=year&year=fiscal").expect(200).etag();
    let again = || admin.request("GET", "/v1/report?by=year&year=fiscal").header("If-None-Match", &tag).send().status;
    assert_eq!(again(), 304);
    begin_years(&service, "07-01");
    assert_eq!(again(), 200);
}

#[test]
fn fiscal_years_and_quarters_add_up_to_the_whole_to_the_digit() {
    let service = Service::start();
    let admin = service.admin();
    fill(&service, &admin, &trees(&admin));
    for day in ["01-01", "02-28", "04-06", "10-01", "12-28"] {
        begin_years(&service, day);
        for query in ["by=year", "by=quarter", "by=quarter,scope", "by=year&attribution=daily"] {
            let found = broken_down(&admin, &format!("{query}&year=fiscal"));
            for amount in ["CO2e", "uncategorizedCO2e", "biogenicCO2", "creditsCO2e", "outsideCO2e"] {
                let total = |value: &Value| Total::parse(value[amount].as_str().unwrap()).unwrap();
                let sum: Total = found["rows"].as_array().unwrap().iter().map(total).sum();
                assert_eq!(sum, total(&found), "{amount} of {query}, years from {day}");
            }
        }
    }
}
