//! What a statement says beside its figures: what is stated, excluded and closed, in every form.

use domain::{Consolidation, Description, Name, StatementSettings, YearStart};

use super::{company, statement};
use crate::http::harness::{Service, Value, json, to};

/// States that of the service's company.
fn state(service: &Service, statement: StatementSettings) {
    let (app, tenant) = (service.app(), service.operator().tenant);
    let was_there = service.wait(async move {
        let tenant = app.find_tenant_by_id(tenant).await.unwrap().unwrap();
        app.set_statement(&tenant, statement).await
    });
    assert!(was_there.unwrap());
}

#[test]
fn what_is_not_stated_is_said_and_what_is_stated_stands_in_every_form() {
    let it = company();
    let before = it.admin.get("/v1/statement?year=2025");
    let found = before.json();
    assert_eq!(found["notStated"], json!(["consolidation", "boundary"]));
    assert_eq!(
        (&found["consolidation"], &found["boundary"], &found["baseYear"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    let page = |query: &str| {
        let request = it.admin.request("GET", &format!("/v1/statement?{query}")).header("Accept", "text/html");
        request.send().expect(200)
    };
    assert!(page("year=2025").text().contains("not stated"));

    let stated = StatementSettings::default()
        .with_consolidation(Some(Consolidation::OperationalControl))
        .with_company(Some(Name::parse("Group & <Co>").unwrap()))
        .with_boundary(Some(Description::parse("All sites.").unwrap()));
    state(&it.service, stated);
    let request = it.admin.request("GET", "/v1/statement?year=2025").header("If-None-Match", before.etag());
    let found = request.send().ok();
    assert_eq!(found["notStated"], json!([]), "a tag of before does not stand for it");
    assert_eq!(
        json!([found["company"], found["consolidation"], found["boundary"]]),
        json!(["Group & <Co>", "operationalControl", "All sites."])
    );
    let shown = page("year=2025&co2eUnit=t&round=3");
    assert!(shown.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    for text in [
        "Group &amp; &lt;Co&gt;, 2025",
        "operational control",
        "All sites.",
        "2.202",
        "not claimed",
        "/v1/report/explanation?",
    ] {
        assert!(shown.text().contains(text), "{text}: {}", shown.text());
    }
    assert!(!shown.text().contains("<script"));
    let book = it.admin.request("GET", "/v1/statement?year=2025");
    let book =
        book.header("Accept", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet").send().expect(200);
    assert_eq!(
        book.header("content-disposition"),
        Some("attachment; filename=\"statement-2025-01-01-2025-12-31.xlsx\"")
    );
}

#[test]
fn a_tag_stands_for_a_statement_until_something_is_written() {
    let it = company();
    let tag = it.admin.get("/v1/statement?year=2025").etag();
    let again = || it.admin.request("GET", "/v1/statement?year=2025").header("If-None-Match", &tag).send().status;
    assert_eq!(again(), 304);
    it.admin.activity(json!({ "scope": to(&it.travel), "UpstreamCO2e": "1", "startDate": "2025-01-01" }));
    assert_eq!(again(), 200);
}

#[test]
fn a_closed_year_names_the_digest_of_its_frozen_report() {
    let it = company();
    let closed = |query: &str| statement(&it.admin, query)["period"].clone();
    assert_eq!(closed("year=2025"), json!({ "state": "open", "periods": [] }));
    let closing = json!({ "first": "2025-01-01", "last": "2025-12-31", "baseYear": "5", "reason": "audited" });
    let period = it.admin.post("/v1/period", &closing).created();
    let found = statement(&it.admin, "year=2025");
    let one = &found["period"]["periods"][0];
    assert_eq!(
        json!([found["period"]["state"], one["uuid"], one["sha256"], one["agrees"]]),
        json!(["closed", period["uuid"], period["sha256"], true])
    );
    assert_eq!(found["activities"]["CO2e"], period["CO2e"], "the frozen figure is that of the statement");
    assert_eq!(closed("year=2025&yearKind=07-01")["state"], "partly");
    let base = &found["baseYear"];
    assert_eq!(
        json!([base["uuid"], base["significance"], base["difference"], base["state"]]),
        json!([period["uuid"], "5", "0", "closed"])
    );
    let scopes: Vec<_> = found["scopes"].as_array().unwrap().iter().map(|one| one["CO2e"].clone()).collect();
    let frozen: Vec<_> = base["scopes"].as_array().unwrap().iter().map(|one| one["frozenCO2e"].clone()).collect();
    assert_eq!(frozen, scopes);

    let reopen = format!("/v1/period/{}/reopen", period["uuid"].as_str().unwrap());
    it.admin.post(&reopen, &json!({ "reason": "an error" })).expect(200);
    it.admin.activity(json!({ "scope": to(&it.scope1), "UpstreamCO2e": "100", "startDate": "2025-07-01" }));
    let found = statement(&it.admin, "year=2025");
    assert_eq!(found["period"]["state"], "open");
    assert_eq!(json!([found["baseYear"]["difference"], found["baseYear"]["state"]]), json!(["100", "reopened"]));
}

#[test]
fn what_is_left_out_stands_with_its_reason_and_changes_no_figure() {
    let it = company();
    let before = statement(&it.admin, "year=2025");
    let of = |category: u8, year: u16| {
        let body = json!({ "category": category, "firstYear": year, "reason": "There are no franchises" });
        it.admin.post("/v1/exclusion", &body).created()
    };
    let (made, _, other) = (of(14, 2025), of(13, 2024), of(6, 2025));
    let found = statement(&it.admin, "year=2025");
    let exclusions = found["exclusions"].as_array().unwrap();
    assert_eq!(exclusions.len(), 2, "that of another year is none of it");
    assert_eq!(
        json!([exclusions[0]["uuid"], exclusions[0]["reason"], exclusions[0]["category"]]),
        json!([made["uuid"], made["reason"], 14])
    );
    assert_eq!(
        json!([found["scope3"][13]["exclusions"], found["scope3"][13]["state"]]),
        json!([[made["uuid"]], "none"])
    );
    assert_eq!(json!([found["scope3"][5]["exclusions"], found["scope3"][5]["CO2e"]]), json!([[other["uuid"]], "3.5"]));
    assert_eq!(found["activities"], before["activities"]);
    let page = it.admin.request("GET", "/v1/statement?year=2025").header("Accept", "text/html").send();
    assert!(page.text().contains("There are no franchises") && page.text().contains(">excluded<"), "{}", page.text());
}

#[test]
fn a_fiscal_year_is_the_companys_and_a_word_that_names_no_year_is_refused() {
    let it = company();
    let (app, tenant) = (it.service.app(), it.service.operator().tenant);
    let set = it.service.wait(async move {
        let tenant = app.find_tenant_by_id(tenant).await.unwrap().unwrap();
        app.set_year_start(&tenant, YearStart::parse("04-06").unwrap()).await
    });
    assert!(set.unwrap());
    for query in ["year=2025&yearKind=fiscal", "year=2024/2025&yearKind=fiscal", "year=2025&yearKind=04-06"] {
        let found = statement(&it.admin, query);
        assert_eq!(
            json!([found["first"], found["last"], found["yearStart"]]),
            json!(["2024-04-06", "2025-04-05", "04-06"]),
            "{query}"
        );
    }
    for (query, names) in [
        ("year=", "year"),
        ("year=2025-01", "year"),
        ("year=2024/2025", "year"),
        ("year=twenty", "year"),
        ("year=2025&yearKind=lunar", "yearKind"),
        ("year=2025&date=2025", "date"),
        ("year=25&co2eUnit=lb", "co2eUnit year"),
    ] {
        let refused = it.admin.get(&format!("/v1/statement?{query}"));
        assert_eq!(refused.problem(), format!("400 invalid-parameters {names}"), "{query}: {}", refused.text());
    }
    assert_eq!(statement(&it.admin, "")["year"], "2025", "the year in which the last activity begins");
    assert_eq!(statement(&it.admin, "yearKind=fiscal")["year"], "2024/2025");
    let reporter = it.service.caller("activity:report");
    assert_eq!(reporter.get("/v1/statement?year=2025").status, 200);
}

#[test]
fn a_year_of_nothing_says_that_nothing_was_recorded() {
    let service = Service::start();
    let found = statement(&service.admin(), "year=2025");
    assert_eq!(service.admin().get("/v1/statement").problem(), "400 invalid-parameters year");
    assert_eq!(found["activities"]["count"], 0);
    for table in ["scopes", "scope3"] {
        assert!(found[table].as_array().unwrap().iter().all(|line| line["state"] == "none"), "{found}");
    }
    assert_eq!(json!([found["sources"]["lines"], found["sources"]["agrees"]]), json!([[], true]));
}

#[test]
fn what_was_recorded_without_co2e_is_told_as_such_and_not_as_zero() {
    let service = Service::start();
    let admin = service.admin();
    let scope3 = admin.scope("scope3");
    let travel = admin.category(&scope3, 6);
    admin.activity(json!({ "scope": to(&travel), "startDate": "2025-02-01", "UpstreamCO2e": null }));
    let found = statement(&admin, "year=2025");
    let line = &found["scope3"][5];
    assert_eq!(json!([line["state"], line["count"], line["incompleteCount"]]), json!(["incomplete", 1, 1]));
    assert_eq!(found["scopes"][2]["state"], "incomplete");
    assert_eq!(found["sources"]["lines"][0]["kind"], "incomplete");
    let page = admin.request("GET", "/v1/statement?year=2025").header("Accept", "text/html").send();
    assert!(page.text().contains(">none has CO2e<"), "{}", page.text());
}
