//! Collections as tables, and their filters.

use super::harness::{Answer, Client, Service, json, to};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

fn ask(client: &Client, accept: &str, path: &str) -> Answer {
    client.request("GET", path).header("Accept", accept).send()
}

#[test]
fn every_collection_comes_as_csv_and_as_a_workbook_under_a_name() {
    let service = Service::start();
    let admin = service.admin();
    let (product, model) =
        (admin.priced("kWh", "0.1", "0.4"), admin.post("/v1/model", &json!({ "name": "M", "unit": "kg" })).uuid());
    let factors = format!("/v1/product/{product}/factor");
    let inputs = format!("/v1/model/{model}/input");
    let collections = [
        ("/v1/scope", "scopes"),
        ("/v1/org", "orgs"),
        ("/v1/taxonomy", "taxonomies"),
        ("/v1/product", "products"),
        ("/v1/model", "models"),
        ("/v1/switch", "switches"),
        ("/v1/key", "keys"),
        ("/v1/client", "clients"),
        ("/v1/unit", "units"),
        (&factors, "factors"),
        (&inputs, "inputs"),
        ("/v1/footprint", "footprints"),
        ("/v1/activity", "activities"),
    ];
    for (path, name) in collections {
        let csv = ask(&admin, "text/csv", path).expect(200);
        let named = |ending: &str| format!("attachment; filename=\"{name}.{ending}\"");
        assert_eq!(csv.header("content-disposition").map(str::to_owned), Some(named("csv")), "{path}");
        assert!(csv.text().lines().next().unwrap().contains(','), "{path}: {}", csv.text());
        let book = ask(&admin, XLSX, path).expect(200);
        assert_eq!(book.header("content-disposition").map(str::to_owned), Some(named("xlsx")), "{path}");
        assert!(book.whole && book.body.starts_with(b"PK"), "{path}");
    }
}

#[test]
fn nodes_have_their_path_and_the_name_of_the_node_above() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let works = admin.org("=Works", Some(&group));
    let csv = ask(&admin, "text/csv", "/v1/org?cells=text&bom=true").expect(200);
    let lines: Vec<_> = csv.text().lines().collect();
    assert_eq!(lines[0], "\u{feff}uuid,syncId,name,parent,parentName,created,updated,path");
    let row = lines.iter().find(|line| line.starts_with(&works)).unwrap();
    assert!(row.starts_with(&format!("{works},,'=Works,{group},Group,")) && row.ends_with(",Group / =Works"), "{row}");
}

#[test]
fn a_table_has_all_records_and_a_page_of_them_where_one_is_asked_for() {
    let service = Service::start();
    let admin = service.admin();
    for number in 0..103 {
        admin.org(&format!("Org {number}"), None);
    }
    let lines = |path: &str| ask(&admin, "text/csv", path).expect(200).text().lines().count();
    assert_eq!(lines("/v1/org"), 104);
    assert_eq!(lines("/v1/org?pageSize=100&page=2"), 4);
    assert_eq!(lines("/v1/org?name=ORG%2010"), 5);
}

#[test]
fn collections_are_filtered_by_name_parent_and_when_they_were_updated() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    admin.org("Works north", Some(&group));
    admin.org("Works south", Some(&group));
    let other = admin.org("Works elsewhere", None);
    let found = |query: &str| admin.get(&format!("/v1/org?{query}")).ok()["count"].as_u64().unwrap();
    assert_eq!(found("name=WORKS"), 3);
    assert_eq!(found(&format!("name=south&parent={group}")), 1);
    assert_eq!(found(&format!("parent={other}")), 0);
    assert_eq!(found("updatedSince=2000-01-01T00:00:00Z"), 4);
    assert_eq!(found("updatedSince=2999-01-01T00:00:00Z"), 0);
    let page = admin.get("/v1/org?name=works&pageSize=2&page=2").ok();
    assert_eq!((&page["count"], page["data"].as_array().unwrap().len()), (&json!(3), 1));
    assert_eq!(admin.get("/v1/product?parent=x").expect(400).places(), ["parent"]);
    assert_eq!(admin.get("/v1/org?parent=x&updatedSince=now").expect(400).places().len(), 2);
}

#[test]
fn activities_come_as_a_workbook_to_those_who_may_read_them() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope1");
    for _ in 0..3 {
        admin.activity(json!({ "DownstreamCO2e": "1.5", "scope": to(&scope) }));
    }
    let book = ask(&admin, XLSX, "/v1/activity?date=2025&co2eUnit=t&attribution=daily").expect(200);
    assert!(book.whole && book.body.starts_with(b"PK"));
    ask(&service.caller("activity:report"), XLSX, "/v1/activity").expect(403);
}
