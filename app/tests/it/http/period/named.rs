//! Periods that are closed by their names: years and quarters of the calendar, and of the company's fiscal years.

use domain::YearStart;

use crate::http::harness::{Service, Value, json};

#[test]
fn a_period_is_closed_by_its_name_in_years_of_the_calendar_or_of_the_company() {
    let service = Service::start();
    let (app, tenant) = (service.app(), service.operator().tenant);
    let was_there = service.wait(async move {
        let tenant = app.find_tenant_by_id(tenant).await.unwrap().unwrap();
        app.set_year_start(&tenant, YearStart::parse("04-01").unwrap()).await
    });
    assert!(was_there.unwrap());
    let admin = service.admin();
    for (name, first, last) in [
        ("FY2025", "2024-04-01", "2025-03-31"),
        ("FY2025-Q2", "2024-07-01", "2024-09-30"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("2025-Q1", "2025-01-01", "2025-03-31"),
        ("2025-02", "2025-02-01", "2025-02-28"),
        ("2023/2024", "2023-04-01", "2024-03-31"),
    ] {
        let closed = admin.post("/v1/period", &json!({ "period": name })).created();
        assert_eq!([&closed["first"], &closed["last"]], [first, last], "{name}");
    }
}

#[test]
fn a_name_that_is_none_or_stands_beside_days_is_named_as_the_fault() {
    let service = Service::start();
    let admin = service.admin();
    let refused = |body: Value| admin.post("/v1/period", &body).problem();
    assert_eq!(refused(json!({})), "422 invalid-input /first /last");
    for name in ["2025-Q5", "FY25", "2024/2025", "fiscal", "2025-02-30"] {
        assert_eq!(refused(json!({ "period": name })), "422 invalid-input /period", "{name}");
    }
    let both = json!({ "period": "2025", "first": "2025-01-01", "last": "2025-12-31" });
    assert_eq!(refused(both), "422 invalid-input /period");
    assert_eq!(refused(json!({ "period": 2025 })), "422 invalid-input /period");
}
