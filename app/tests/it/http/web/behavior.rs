//! What pages do beside showing records: opening a period again, refusing an undo, naming issues and the change that figures are
//! of, saying that nothing is missing, files of views.

use super::visitor::{Books, Visitor, paths, plain};
use crate::http::harness::{Service, json, to};

/// The lines of a file of CSV behind its first.
#[track_caller]
fn lines(visitor: &Visitor, path: &str, first: &str) -> Vec<String> {
    let file = visitor.get(path).expect(200);
    let mut lines = file.text().trim_start_matches('\u{feff}').lines().map(str::to_owned);
    assert_eq!(lines.next().as_deref(), Some(first), "{path}");
    lines.collect()
}

#[test]
fn a_period_is_opened_again_by_its_page_for_a_reason_alone() {
    let service = Service::start();
    Books::new(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "admin"));
    let period = admin.post("/v1/period", &json!({ "first": "2024-01-01", "last": "2024-12-31" })).uuid();
    let state = || admin.get(&format!("/v1/period/{period}")).ok();
    let refused = visitor.send("/periods", &[("do", "reopen"), ("period", &period)]).expect(422);
    assert!(plain(refused.text()).contains("Reason"), "{}", plain(refused.text()));
    assert_eq!(state()["state"], "closed");
    visitor.send("/periods", &[("do", "reopen"), ("period", &period), ("reason", "a late bill")]).expect(303);
    assert_eq!((&state()["state"], &state()["reopened"]["reason"]), (&"reopened".into(), &"a late bill".into()));
    let page = plain(&visitor.page("/periods?done=reopened"));
    assert!(page.contains("open again") && page.contains("a late bill"), "{page}");
    visitor.send("/periods", &[("do", "reopen"), ("period", &period), ("reason", "again")]).expect(409);
}

#[test]
fn an_import_that_a_closed_period_holds_is_not_undone_by_its_page_which_says_why() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "admin"));
    let rows = "{\"name\":\"Imported\",\"startDate\":\"2023-03-01\",\"DownstreamCO2e\":\"5\"}\n";
    let batch = admin.request("POST", "/v1/activity/batch").header("Content-Type", "application/x-ndjson");
    batch.body(rows).send().expect(200);
    let import = admin.get("/v1/import").ok()["data"][0]["uuid"].as_str().unwrap().to_owned();
    admin.post("/v1/period", &json!({ "first": "2023-01-01", "last": "2023-12-31" })).expect(201);
    let refused = visitor.send("/imports", &[("import", &import)]).expect(409);
    let said = plain(refused.text());
    assert!(said.contains("The import was not undone.") && said.contains("closed"), "{said}");
    assert_eq!(admin.get("/v1/activity").ok()["count"], 1, "its row is there");
}

#[test]
fn what_uses_a_product_or_a_node_of_a_tree_is_linked_from_its_page() {
    let service = Service::start();
    let books = Books::new(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let used = admin.get(&format!("/v1/activity/{}", books.activity)).ok();
    let product = used["product"]["uuid"].as_str().unwrap();
    for (page, asked) in [
        (format!("/products/{product}"), format!("product={product}")),
        ("/catalog/org?date=2025".to_owned(), format!("org={}", books.site)),
        ("/catalog/scope?date=2025".to_owned(), format!("scope={}", books.scope)),
    ] {
        let links = paths(&service.own(), &visitor.page(&page));
        let link = links.iter().find(|link| link.starts_with("/activities?") && link.contains(&asked));
        let link = link.unwrap_or_else(|| panic!("{page}: {links:?}"));
        let listed = paths(&service.own(), &visitor.page(link));
        let found: Vec<_> = listed.iter().filter_map(|path| path.strip_prefix("/activities/")).collect();
        assert!(found.iter().any(|path| path.starts_with(&books.activity)), "{page}, {link}: {listed:?}");
    }
}

#[test]
fn what_keeps_a_switchs_figure_from_being_known_is_said_on_its_page() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let made = admin.post("/v1/switch", &json!({ "name": "Lamp", "unit": "kg" })).created();
    let issues = made["footprint"]["issues"].as_array().unwrap().clone();
    assert!(!issues.is_empty(), "{made}");
    let page = plain(&visitor.page(&format!("/switches/{}", made["uuid"].as_str().unwrap())));
    for issue in issues {
        let detail = issue["detail"].as_str().unwrap();
        assert!(page.contains(detail.trim_end_matches('.')), "{detail}: {page}");
    }
}

#[test]
fn the_file_of_a_tree_has_the_totals_of_the_api() {
    let service = Service::start();
    let books = Books::new(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let rows = lines(&visitor, "/catalog/org?date=2025&form=csv", "uuid,path,co2e_kg,activities,not_computed");
    assert_eq!(rows.len(), 3, "{rows:?}");
    for (org, path) in [(&books.org, "Group"), (&books.site, "Group / Oslo")] {
        let found = admin.get(&format!("/v1/activity?date=2025&org={org}")).ok();
        let co2e = found["CO2e"].as_str().unwrap();
        let row = format!("{org},{path},{co2e},{},{}", found["count"], found["incompleteCount"]);
        assert!(rows.contains(&row), "{row}: {rows:?}");
    }
}

#[test]
fn the_file_of_completeness_counts_each_rows_activities_month_by_month() {
    let service = Service::start();
    let books = Books::new(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    for by in ["org", "taxonomy"] {
        let first = format!("{by},month,activities,not_computed,without_data");
        let rows = lines(&visitor, &format!("/completeness?by={by}&date=2025&org={}&form=csv", books.org), &first);
        let sum = |column: usize| -> u64 {
            rows.iter().map(|row| row.rsplit(',').nth(column).unwrap().parse::<u64>().unwrap()).sum()
        };
        let found = admin.get(&format!("/v1/activity?date=2025&org={}", books.org)).ok();
        assert_eq!((found["count"].as_u64(), found["incompleteCount"].as_u64()), (Some(sum(2)), Some(sum(1))), "{by}");
        assert!(rows.iter().any(|row| row.contains(",2025-03,")), "{rows:?}");
    }
}

#[test]
fn pages_name_the_newest_change_that_their_figures_are_of() {
    let service = Service::start();
    let books = Books::new(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let newest = || {
        let found = admin.get("/v1/change?limit=1").ok();
        found["newest"].as_str().unwrap().split_once('.').unwrap().1.to_owned()
    };
    let named = |path: &str| {
        let text = plain(&visitor.page(path));
        let named = text.split("As of change ").nth(1).and_then(|rest| rest.split(',').next());
        named.unwrap_or_else(|| panic!("{path} names no change: {text}")).to_owned()
    };
    let activity = format!("/activities/{}", books.activity);
    let paths =
        ["/", "/report?date=2025", "/activities", "/completeness", "/statement/2025", "/catalog/org", &*activity];
    for _ in 0..2 {
        for path in paths {
            assert_eq!(named(path), newest(), "{path}");
        }
        admin.activity(json!({ "startDate": "2025-05-01", "UpstreamCO2e": "1" }));
    }
}

#[test]
fn a_selection_is_called_complete_only_where_the_api_finds_nothing_missing() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let is_called_complete =
        || plain(&visitor.page("/completeness?date=2025-03")).contains("complete Each activity is computed");
    let is_complete = || {
        let found = admin.get("/v1/completeness?sd=2025-03-01&ed=2025-03-31").ok();
        let is_silent = found["coverage"].as_array().unwrap().iter().any(|line| line["state"] == "missing");
        found["count"] != 0 && found["incompleteCount"] == 0 && found["gapCount"] == 0 && !is_silent
    };
    let scopes = ["scope1", "scope2"].map(|kind| admin.scope(kind));
    for scope in &scopes {
        admin.activity(json!({ "scope": to(scope), "startDate": "2025-03-05", "DownstreamCO2e": "1" }));
    }
    assert_eq!((is_called_complete(), is_complete()), (false, false), "nothing is said of scope 3");
    for category in 1..=15 {
        let exclusion = json!({ "category": category, "firstYear": 2025, "reason": "There is nothing of it" });
        admin.post("/v1/exclusion", &exclusion).expect(201);
    }
    assert_eq!((is_called_complete(), is_complete()), (true, true));
    admin.activity(json!({ "scope": to(&scopes[0]), "startDate": "2025-03-06" }));
    assert_eq!((is_called_complete(), is_complete()), (false, false), "one activity is not computed");
}
