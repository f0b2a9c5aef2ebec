//! The statement: the state of its year and the digest of the chain on its page, and its file with every figure of the page.

use domain::Total;

use super::csv::{cell, rows, text};
use super::visitor::{Visitor, paths, plain};
use crate::http::harness::{json, to};
use crate::http::statement::company;

/// The exact amounts of a page, in their order.
fn amounts(page: &str) -> Vec<&str> {
    page.split("<data value=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_file_of_a_statement_has_every_figure_of_the_page_with_the_digits_of_the_api() {
    let company = company();
    let visitor = Visitor::signed_in(&company.service.own(), "viewer");
    for query in ["", "attribution=daily&"] {
        let page = visitor.page(&format!("/statement/2025?{query}digits=all"));
        let link = paths(&company.service.own(), &page).into_iter().find(|path| path.contains("form=csv")).unwrap();
        let found = rows(&visitor, &link);
        assert_eq!(rows(&visitor, &format!("/statement/2025?{query}form=csv")), found, "{link}");
        let known: Vec<_> = found.iter().map(|row| cell(row, "amount")).filter(|amount| !amount.is_empty()).collect();
        assert_eq!(known, amounts(&page), "{query}");

        let api = company.admin.get(&format!("/v1/statement?{query}year=2025")).ok();
        for (name, pointer) in [
            ("Scope 1, direct emissions", "/scopes/0/CO2e"),
            ("Scope 2, location-based", "/scopes/1/CO2e"),
            ("Scope 2, market-based", "/scopes/1/marketCO2e"),
            ("Scope 3, other indirect emissions", "/scopes/2/CO2e"),
            ("Scopes 1 to 3 with scope 2 location-based", "/activities/CO2e"),
            ("Scopes 1 to 3 with scope 2 market-based", "/activities/marketCO2e"),
        ] {
            let of_it = |row: &&Vec<(String, String)>| {
                [cell(row, "section"), cell(row, "name"), cell(row, "column")] == ["Scopes", name, "CO2e (kg)"]
            };
            let row = found.iter().find(of_it).unwrap_or_else(|| panic!("no {name}: {found:?}"));
            assert_eq!(cell(row, "amount"), text(&api, pointer), "{query}{name}");
        }
    }
}

#[test]
fn each_figure_of_a_statement_as_a_file_stands_beside_the_addresses_that_explain_it() {
    let company = company();
    let visitor = Visitor::signed_in(&company.service.own(), "viewer");
    let found = rows(&visitor, "/statement/2025?form=csv");
    let is_it = |row: &&Vec<(String, String)>| {
        [cell(row, "section"), cell(row, "row"), cell(row, "column")] == ["Scopes", "1", "CO2e (kg)"]
    };
    let row = found.iter().find(is_it).unwrap();
    let explained = cell(row, "explanation").split(' ').map(|address| {
        let path = address.split_once("/api").unwrap().1;
        Total::parse(&text(&company.admin.get(path).ok(), "/shown/CO2e")).unwrap()
    });
    assert_eq!(explained.sum::<Total>().to_string(), cell(row, "amount"));
}

#[test]
fn a_statement_as_a_file_is_named_by_its_days_and_has_no_formula() {
    let company = company();
    let visitor = Visitor::signed_in(&company.service.own(), "viewer");
    let reason = json!({ "scope": to(&company.scope1), "firstYear": 2025, "lastYear": 2025, "reason": "=1+1" });
    company.admin.post("/v1/exclusion", &reason).expect(201);
    let file = visitor.get("/statement?form=csv").expect(200);
    let name = "attachment; filename=\"statement-2025-01-01-2025-12-31.csv\"";
    assert_eq!(file.header("content-disposition"), Some(name));
    assert_eq!(file.text(), visitor.get("/statement/2025?form=csv").expect(200).text(), "that of the newest year");
    let found = rows(&visitor, "/statement?form=csv");
    let reason = found.iter().find(|row| cell(row, "column") == "reason").unwrap();
    assert_eq!([cell(reason, "section"), cell(reason, "amount"), cell(reason, "text")], ["Exclusions", "", "'=1+1"]);
    visitor.get("/statement/2025?form=xlsx").expect(400);
    visitor.get("/statement/year?form=csv").expect(400);
}

#[test]
fn a_statement_has_the_digest_of_the_chain_at_its_change_for_whoever_may_read_changes() {
    let company = company();
    let own = company.service.own();
    let (auditor, reporter) = (Visitor::signed_in(&own, "auditor"), Visitor::signed_in(&own, "activity:report"));
    let found = company.admin.get("/v1/statement?year=2025").ok();
    let number = found["revision"]["number"].as_u64().unwrap();
    let (app, operator) = (company.service.app(), company.service.operator());
    let head = company.service.wait(async move { app.areas().histories.head(&operator, Some(number)).await });
    let line = format!("has the digest {} at change {number}.", head.unwrap().unwrap().digest);
    for query in ["", "?attribution=daily&digits=all"] {
        let text = plain(&auditor.page(&format!("/statement/2025{query}")));
        assert!(text.contains(&line), "{line}: {text}");
    }
    let text = plain(&reporter.page("/statement/2025"));
    assert!(text.contains("Reporting company") && !text.contains("has the digest"), "{text}");
}

#[test]
fn a_statement_says_whether_its_year_is_closed_and_by_which_digest() {
    let company = company();
    let visitor = Visitor::signed_in(&company.service.own(), "auditor");
    let open = "open: figures of it may still change";
    assert!(plain(&visitor.page("/statement/2025")).contains(open));
    let period = json!({ "first": "2025-01-01", "last": "2025-12-31" });
    let period = company.admin.post("/v1/period", &period).created();
    let text = plain(&visitor.page("/statement/2025"));
    let closed = format!("closed; the frozen report has the digest sha256 {}", period["sha256"].as_str().unwrap());
    assert!(text.contains(&closed) && !text.contains(open), "{closed}: {text}");
    let reopen = format!("/v1/period/{}/reopen", period["uuid"].as_str().unwrap());
    company.admin.post(&reopen, &json!({ "reason": "an error" })).expect(200);
    assert!(plain(&visitor.page("/statement/2025")).contains(open));
}
