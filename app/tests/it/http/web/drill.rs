//! From any figure to what it is made of, with the same digits as the API's all along.

use super::visitor::{Books, Visitor, links, plain};
use crate::http::harness::{Service, json, to};

fn totals(service: &Service, query: &str) -> (String, i64) {
    let report = service.admin().get(&format!("/v1/activity?{query}&pageSize=1")).ok();
    (report["CO2e"].as_str().unwrap().to_owned(), report["count"].as_i64().unwrap())
}

/// The first link to that path whose query has each of those parts.
fn link(html: &str, path: &str, parts: &[&str]) -> String {
    let fits = |link: &&String| {
        let (at, query) = link.split_once('?').unwrap_or((link.as_str(), ""));
        at.ends_with(path) && parts.iter().all(|part| query.contains(part))
    };
    links(html)
        .iter()
        .find(fits)
        .unwrap_or_else(|| panic!("no link to {path} with {parts:?}: {:?}", links(html)))
        .clone()
}

#[test]
fn three_clicks_lead_from_the_dashboards_total_to_a_factor() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let (co2e, count) = totals(&service, "date=2025");

    let dashboard = visitor.page("/");
    assert!(dashboard.contains(&format!("<data value=\"{co2e}\"")), "{dashboard}");
    let activities = visitor.page(&link(&dashboard, "/activities", &["date=2025"]));
    assert!(plain(&activities).contains(&format!("{count} of 5")), "{}", plain(&activities));
    assert!(activities.contains(&format!("<data value=\"{co2e}\"")), "{activities}");
    let explanation = visitor.page(&link(&activities, &format!("/activities/{}/explanation", books.activity), &[]));

    let api = service.admin().get(&format!("/v1/activity/{}", books.activity)).ok();
    let text = plain(&explanation);
    assert!(explanation.contains(&format!("<data value=\"{}\"", api["CO2e"].as_str().unwrap())), "{explanation}");
    for said in
        ["× 0.61 kg/L", "× 2.05 kg/L", "A published table", "valid from 2000-01-01", "replayed: the same digits"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn every_cell_and_total_of_a_report_leads_to_activities_that_come_to_it() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let pages = [
        "by=org,month&date=2025",
        "by=org,scope&depth=2&date=2025",
        "by=month,org&depth=3",
        "by=quarter",
        "by=scope,org&depth=2",
    ];
    for asked in pages.into_iter().map(str::to_owned).chain([format!("by=org,month&date=2025&org={}", books.org)]) {
        let report = visitor.page(&format!("/report?{asked}&digits=all"));
        let table = report.split("<table").nth(1).unwrap();
        let cells = table.split("<a href=\"").skip(1).filter_map(|rest| {
            let (link, rest) = rest.split_once('"')?;
            let value = rest.split("</a>").next()?.split("<data value=\"").nth(1)?.split('"').next()?;
            Some((link.replace("&amp;", "&"), value.to_owned()))
        });
        let cells: Vec<_> = cells.collect();
        assert!(cells.len() > 3, "{asked}: {table}");
        for (link, value) in cells {
            let behind = visitor.page(&link);
            let total = behind
                .split("<main")
                .nth(1)
                .unwrap()
                .split("<data value=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            assert_eq!(total, value, "{asked} -> {link}");
        }
    }
}

#[test]
fn what_is_not_computed_is_counted_and_one_click_away() {
    let service = Service::start();
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let dashboard = visitor.page("/");
    assert!(plain(&dashboard).contains("1 activity not computed"), "{}", plain(&dashboard));
    let activities = visitor.page(&link(&dashboard, "/activities", &["incomplete=true"]));
    assert!(
        plain(&activities).contains("Heat pump") && !plain(&activities).contains("Van 7"),
        "{}",
        plain(&activities)
    );
}

#[test]
fn a_sentence_of_the_statement_leads_to_what_it_speaks_of_and_prints_no_address() {
    let service = Service::start();
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let statement = visitor.page("/statement/2025");
    let text = plain(&statement);
    assert!(
        text.contains("1 of 4 activities of the period") && text.contains("has no CO2e and adds nothing. show"),
        "{text}"
    );
    assert!(!text.contains("/v1/"), "{text}");
    let activities = visitor.page(&link(&statement, "/activities", &["incomplete=true"]));
    assert!(plain(&activities).contains("Heat pump"), "{}", plain(&activities));
}

#[test]
fn the_statement_has_the_digits_of_the_api() {
    let company = crate::http::statement::company();
    let visitor = Visitor::signed_in(&company.service.own(), "auditor");
    let found = company.admin.get("/v1/statement?year=2025").ok();
    let page = visitor.page("/statement/2025?digits=all");
    for pointer in ["/activities/CO2e", "/apart/outside/amount", "/apart/biogenicCO2"] {
        let amount = found.pointer(pointer).and_then(|amount| amount.as_str()).unwrap();
        assert!(page.contains(&format!("<data value=\"{amount}\"")), "{pointer} is {amount}: {page}");
    }
}

#[test]
fn a_total_is_explained_by_all_of_its_activities() {
    let service = Service::start();
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let text = plain(&visitor.page("/report/explanation?date=2025"));
    for said in ["added up again, one by one: the same digits", "4 activities", "1 not computed", "Van 8"] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn where_the_largest_of_a_total_are_not_named_the_page_says_of_how_many_they_are_and_leads_to_them() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let rows = (0..101)
        .map(|at| format!("{{\"name\":\"Trip {at}\",\"startDate\":\"2025-02-01\",\"DownstreamCO2e\":\"{at}\"}}\n"));
    let request = admin.request("POST", "/v1/activity/batch").header("Content-Type", "application/x-ndjson");
    request.body(rows.collect::<String>()).send().expect(200);
    let page = visitor.page("/report/explanation?date=2025");
    assert!(plain(&page).contains("They are named here of up to 100 activities"), "{}", plain(&page));
    let sorted = plain(&visitor.page(&link(&page, "/activities", &["sort=largest"])));
    assert!(sorted.find("Trip 100") < sorted.find("Trip 99") && sorted.contains("Trip 100"), "{sorted}");
}

#[test]
fn a_filter_that_leaves_nothing_says_what_to_take_away() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let report = visitor.page(&format!("/report?date=2019&org={}", books.site));
    assert!(plain(&report).contains("No activities in this selection"), "{}", plain(&report));
    link(&report, "/report", &[&books.site]);
    assert!(plain(&visitor.page("/activities?date=2019")).contains("No activities in this selection"));
    assert!(plain(&visitor.page("/?date=2019")).contains("No activities in this selection"));
}

#[test]
fn a_new_company_is_told_what_to_do() {
    let service = Service::start();
    let visitor = Visitor::signed_in(&service.own(), "admin");
    for path in ["/", "/report", "/activities"] {
        assert!(plain(&visitor.page(path)).contains("ctivities"), "{path}");
    }
    let dashboard = visitor.page("/");
    assert!(plain(&dashboard).contains("No activities yet"));
    for step in ["/catalog/org", "/imports/new", "/activities/new", "/settings/keys"] {
        visitor.page(&link(&dashboard, step, &[]));
    }
}

#[test]
fn what_is_missing_of_books_without_activities_is_no_fault_of_the_address() {
    let service = Service::start();
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    for path in ["/completeness", "/completeness?by=taxonomy"] {
        let text = plain(&visitor.page(path));
        assert!(text.contains("No activities yet") && !text.contains("does not exist"), "{path}: {text}");
    }
    assert!(
        plain(&visitor.page("/completeness?date=2025")).contains("2025-01-01 to 2025-12-31"),
        "days that are chosen"
    );
    visitor.get("/completeness?date=2025-13").expect(400);
}

#[test]
fn whoever_may_see_totals_alone_sees_facets_and_what_rows_need() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "activity:report");
    let page = visitor.page("/activities?date=2025");
    let text = plain(&page);
    assert!(text.contains("Rows need the permission activity:read") && text.contains("Oslo"), "{text}");
    assert!(!text.contains("Van 7") && !page.contains("form=csv"), "{text}");
    visitor.get(&format!("/activities/{}", books.activity)).expect(403);
    visitor.get("/activities?form=csv").expect(403);
    visitor.get("/activities/new").expect(200);
    visitor.send("/activities/new", &[("name", "x"), ("startDate", "2025-01-01")]).expect(403);
}

#[test]
fn compared_with_nothing_there_is_no_percentage() {
    let service = Service::start();
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let text = plain(&visitor.page("/?date=2025-04"));
    assert!(text.contains("no data for 2024-04 to compare with") && !text.contains("\u{2212}100.0"), "{text}");
}

#[test]
fn a_dashboard_of_one_category_leads_to_each_above_it_and_to_all() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let fleet = admin.taxonomy("Fleet", None);
    let vans = admin.taxonomy("Vans", Some(&fleet));
    let electric = admin.taxonomy("Electric", Some(&vans));
    admin.activity(json!({ "taxonomy": to(&electric), "UpstreamCO2e": "1" }));
    let mut page = visitor.page(&format!("/?date=2025&taxonomy={electric}"));
    assert!(plain(&page).contains("all categories / Fleet / Vans / Electric"), "{}", plain(&page));
    for (above, said) in [(&vans, "all categories / Fleet / Vans"), (&fleet, "all categories / Fleet")] {
        page = visitor.page(&link(&page, "/", &["date=2025", &format!("taxonomy={above}")]));
        assert!(plain(&page).contains(said), "{said}: {}", plain(&page));
    }
    let all = page.split("<a href=\"").find(|rest| rest.contains(">all categories</a>")).unwrap();
    let all = visitor.page(&all.split('"').next().unwrap().replace("&amp;", "&"));
    assert!(!plain(&all).contains("all categories /"), "{}", plain(&all));
}
