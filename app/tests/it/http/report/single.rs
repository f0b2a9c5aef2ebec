//! Single activities: `product`, `name`, `updatedSince`, `incomplete` and `uncategorized`, in totals and rows alike.

use calamine::{DataType as _, Reader as _};

use super::page::linked;
use super::{names, report, sum};
use crate::http::harness::{Answer, Client, Service, Value, json, to};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

fn ask(client: &Client, accept: &str, query: &str) -> Answer {
    client.request("GET", &format!("/v1/activity?{query}")).header("Accept", accept).send()
}

/// Activities of every kind over three months, a few of each.
fn fill(admin: &Client) -> String {
    let (scope, org) = (admin.scope("scope1"), admin.org("Works", None));
    let product = admin.priced("kWh", "0.125", "0.375");
    for day in ["2025-01-31", "2025-02-01", "2025-03-15"] {
        let ends = "2025-03-31";
        admin.activity(json!({
            "name": "Power", "startDate": day, "endDate": ends, "quantity": 3, "unit": "kWh", "product": to(&product),
            "scope": to(&scope), "org": to(&org),
        }));
        admin.activity(json!({ "name": "Gas", "startDate": day, "DownstreamCO2e": "4", "scope": to(&scope) }));
        admin.activity(json!({ "name": "Gas, unsorted", "startDate": day, "DownstreamCO2e": "0.5" }));
        admin.activity(json!({ "name": "Unknown", "startDate": day, "org": to(&org) }));
    }
    product
}

fn is_of(one: &Value, product: &str) -> bool {
    one["product"]["uuid"] == product
}

/// Whether a filter selects an activity.
type Rule<'a> = Box<dyn Fn(&Value) -> bool + 'a>;

#[test]
fn totals_lists_and_rows_are_of_the_same_activities() {
    let service = Service::start();
    let admin = service.admin();
    let product = fill(&admin);
    let filters: [(String, Rule<'_>); 6] = [
        (format!("product={product}"), Box::new(|one| is_of(one, &product))),
        ("name=gAS".to_owned(), Box::new(|one| one["name"].as_str().unwrap().starts_with("Gas"))),
        ("incomplete=true".to_owned(), Box::new(|one| one["CO2e"].is_null())),
        ("uncategorized=true".to_owned(), Box::new(|one| one["scope"].is_null())),
        ("uncategorized=true&incomplete=true&name=unk".to_owned(), Box::new(|one| one["name"] == "Unknown")),
        ("updatedSince=2999-01-01T00:00:00Z".to_owned(), Box::new(|_| false)),
    ];
    for (filter, rule) in &filters {
        for rest in ["", "&date=2025-02", "&attribution=daily&sd=2025-02-10&ed=2025-03-15"] {
            let (all, query) = (report(&admin, rest.trim_start_matches('&')), format!("{filter}{rest}"));
            let found = report(&admin, &query);
            let expected: Vec<Value> =
                all["data"].as_array().unwrap().iter().filter(|one| rule(one)).cloned().collect();
            assert_eq!(found["data"], json!(expected), "{query}");
            assert_eq!(found["count"], expected.len(), "{query}");
            let amount = if rest.contains("daily") { "periodCO2e" } else { "CO2e" };
            let of = |sorted: bool| {
                let some = expected.iter().filter(|one| one["scope"].is_null() != sorted && !one[amount].is_null());
                sum(some.map(|one| &one[amount]))
            };
            assert_eq!([&found["CO2e"], &found["uncategorizedCO2e"]], [&json!(of(true)), &json!(of(false))], "{query}");
            let incomplete = expected.iter().filter(|one| one["CO2e"].is_null()).count();
            assert_eq!(found["incompleteCount"], incomplete, "{query}");
            let carried = |list: &str, member: &str| {
                let is_any = expected.iter().any(|one| !one[member].is_null());
                assert_eq!(names(&found[list]).len(), usize::from(is_any), "{list} of {query}");
            };
            carried("orgs", "org");
            carried("scopes", "scope");
            if !rest.is_empty() {
                assert_eq!([&found["startDate"], &found["endDate"]], [&all["startDate"], &all["endDate"]]);
            } else if let Some(first) = expected.first() {
                assert_eq!(
                    found["startDate"],
                    json!(format!("{}T00:00:00Z", &first["startDate"].as_str().unwrap()[..10]))
                );
            } else {
                assert_eq!([&found["startDate"], &found["endDate"]], [&Value::Null, &Value::Null], "{query}");
            }
        }
    }
}

#[test]
fn tables_have_the_same_activities_as_the_report() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let query = "name=gas&uncategorized=true";
    let found = report(&admin, query);
    assert_eq!(found["count"], 3);
    let lines = ask(&admin, "application/x-ndjson", query).expect(200);
    let lines: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json!(lines), found["data"]);
    let csv = ask(&admin, "text/csv", query).expect(200);
    let ids: Vec<&str> = found["data"].as_array().unwrap().iter().map(|one| one["uuid"].as_str().unwrap()).collect();
    let rows: Vec<&str> = csv.text().lines().skip(1).collect();
    assert!(rows.len() == 3 && rows.iter().zip(&ids).all(|(row, id)| row.contains(id)), "{rows:?}");
    let book = ask(&admin, XLSX, query).expect(200);
    let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(book.body)).unwrap();
    let range = book.worksheet_range_at(0).unwrap().unwrap();
    assert_eq!(range.rows().count(), 4);
    assert!(range.rows().skip(1).zip(&ids).all(|(row, id)| row.iter().any(|cell| cell.get_string() == Some(*id))));
}

#[test]
fn pages_and_steps_lead_through_them_and_back() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let whole = report(&admin, "name=gas");
    let all = whole["data"].as_array().unwrap();
    assert_eq!(all.len(), 6);
    for size in [1, 2, 4, 6, 100] {
        let mut together = Vec::new();
        for number in 1..=6_usize.div_ceil(size) {
            let page = report(&admin, &format!("name=gas&page={number}&pageSize={size}"));
            assert_eq!((&page["count"], &page["CO2e"]), (&whole["count"], &whole["CO2e"]));
            together.extend(page["data"].as_array().unwrap().clone());
        }
        assert_eq!(&together, all, "pages of {size}");
        let (mut steps, mut path) = (Vec::new(), Some(format!("/v1/activity?name=gas&limit={size}")));
        while let Some(next) = path {
            let answer = admin.get(&next).expect(200);
            path = linked(&answer, "next");
            steps.push(answer);
        }
        let together: Vec<Value> =
            steps.iter().flat_map(|step| step.json()["data"].as_array().unwrap().clone()).collect();
        assert_eq!(&together, all, "steps of {size}");
        let mut path = linked(steps.last().unwrap(), "prev");
        for expected in steps.iter().rev().skip(1) {
            let answer = admin.get(&path.unwrap()).expect(200);
            assert_eq!(answer.json()["data"], expected.json()["data"], "back by {size}");
            assert_eq!(linked(&answer, "next"), linked(expected, "next"));
            path = linked(&answer, "prev");
        }
        assert_eq!(path, None);
    }
    let past = report(&admin, "name=gas&page=9");
    assert_eq!((&past["count"], &past["data"]), (&json!(6), &json!([])));
}

#[test]
fn one_activity_by_its_sync_id_is_left_out_where_it_is_another() {
    let service = Service::start();
    let admin = service.admin();
    admin.activity(json!({ "syncId": "a-1", "name": "Gas", "DownstreamCO2e": "4" }));
    assert_eq!(report(&admin, "syncId=a-1&name=gas")["count"], 1);
    let none = report(&admin, "syncId=a-1&incomplete=true");
    assert_eq!((&none["count"], &none["data"]), (&json!(0), &json!([])));
}

#[test]
fn what_tells_of_one_activity_needs_the_permission_to_read_it() {
    let service = Service::start();
    let admin = service.admin();
    fill(&admin);
    let caller = service.caller("activity:report");
    let found = report(&caller, "incomplete=true");
    assert_eq!((&found["count"], &found["data"]), (&json!(3), &json!([])));
    for query in ["name=gas", "updatedSince=2025-01-01T00:00:00Z"] {
        caller.get(&format!("/v1/activity?{query}")).expect(403);
    }
}

#[test]
fn a_product_that_is_not_there_is_a_fault_beside_the_others() {
    let service = Service::start();
    let nobody = "00000000-0000-7000-8000-000000000000";
    let mut places = service.admin().get(&format!("/v1/activity?product={nobody}&scope={nobody}")).expect(400).places();
    places.sort();
    assert_eq!(places, ["product", "scope"]);
    let places = service.admin().get("/v1/activity?product=x&incomplete=1&updatedSince=now").expect(400).places();
    assert_eq!(places.len(), 3);
}

#[test]
fn rows_that_fill_many_batches_are_found_behind_batches_without_any() {
    let service = Service::start();
    let admin = service.admin();
    service.import(service.operator(), super::form::lines(1_700));
    admin.activity(json!({ "name": "Needle", "startDate": "2026-01-01", "DownstreamCO2e": "1" }));
    let found = report(&admin, "name=needle");
    assert_eq!((&found["count"], found["data"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(report(&admin, "name=a&date=2025")["data"].as_array().unwrap().len(), 1_700);
}
