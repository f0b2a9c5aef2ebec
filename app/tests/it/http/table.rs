//! Collections as tables, and their filters.

mod names;

use std::collections::BTreeSet;

use calamine::Reader as _;

use super::harness::{Answer, Client, DOCUMENT, Service, Value, json, to};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

fn ask(client: &Client, accept: &str, path: &str) -> Answer {
    client.request("GET", path).header("Accept", accept).send()
}

/// The collections of the document: what is listed with its count.
fn collections() -> Vec<&'static str> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let is_counted = |path: &&String| {
        let mut schema = &paths[*path]["get"]["responses"]["200"]["content"]["application/json"]["schema"];
        while let Some(at) = schema["$ref"].as_str() {
            schema = &DOCUMENT["components"]["schemas"][at.rsplit('/').next().unwrap()];
        }
        let has = |member: &str| schema["properties"][member].is_object();
        has("count") && has("data") && !has("line")
    };
    paths.keys().filter(is_counted).map(String::as_str).collect()
}

/// The path of each of them, and that of one there is.
fn collections_at(admin: &Client) -> Vec<(&'static str, String)> {
    let (product, model) =
        (admin.priced("kWh", "0.1", "0.4"), admin.post("/v1/model", &json!({ "name": "M", "unit": "kg" })).uuid());
    let partner = admin.post("/v1/partner", &json!({ "name": "P", "baseUrl": "https://p.example" })).uuid();
    let at = |path: &'static str| {
        let of = [("/model/", &model), ("/partner/", &partner)].into_iter().find(|(part, _)| path.contains(part));
        (path, path.replace("{uuid}", of.map_or(&product, |(_, uuid)| uuid)))
    };
    collections().into_iter().map(at).collect()
}

#[test]
fn every_collection_of_the_document_comes_as_csv_and_as_a_workbook_under_a_name() {
    let service = Service::start();
    let admin = service.admin();
    let all = collections_at(&admin);
    service.import(service.operator(), super::report::form::lines(1));
    let mut names = BTreeSet::new();
    for (path, at) in &all {
        let offered = &DOCUMENT["paths"][*path]["get"]["responses"]["200"]["content"];
        assert!(offered["text/csv"].is_object() && offered[XLSX].is_object(), "{path} is no table in the document");
        let path = at;
        let csv = ask(&admin, "text/csv", path).expect(200);
        let disposition = csv.header("content-disposition").unwrap();
        let name = disposition.strip_prefix("attachment; filename=\"").unwrap().strip_suffix(".csv\"").unwrap();
        assert!(names.insert(name.to_owned()), "{name} names two tables");
        let header: Vec<_> = csv.text().lines().next().unwrap().split(',').collect();
        assert!(header.len() > 1, "{path}: {}", csv.text());
        let book = ask(&admin, XLSX, path).expect(200);
        assert_eq!(
            book.header("content-disposition"),
            Some(&*format!("attachment; filename=\"{name}.xlsx\"")),
            "{path}"
        );
        let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(book.body)).unwrap();
        let range = book.worksheet_range_at(0).unwrap().unwrap();
        let first: Vec<_> = range.rows().next().unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(first, header, "{path}");
        let rows = ask(&admin, "application/json", path).ok()["data"].as_array().unwrap().len();
        assert_eq!(range.rows().count() - 1, rows, "{path}");
    }
    assert_eq!(names.len(), 21, "{names:?}");
}

#[test]
fn all_imports_come_as_a_table_and_a_page_of_them_where_one_is_asked_for() {
    let service = Service::start();
    let admin = service.admin();
    for _ in 0..3 {
        service.import(service.operator(), super::report::form::lines(2));
    }
    let csv = ask(&admin, "text/csv", "/v1/import?bom=true").expect(200);
    let lines: Vec<_> = csv.text().lines().collect();
    assert!(lines[0].starts_with("\u{feff}uuid,name,actor,created,"), "{}", lines[0]);
    assert_eq!(lines.len(), 4);
    assert_eq!(ask(&admin, "text/csv", "/v1/import?pageSize=2&page=2").expect(200).text().lines().count(), 2);
    ask(&service.caller("activity:report"), "text/csv", "/v1/import").expect(403);
}

#[test]
fn nodes_have_their_path_and_the_name_of_the_node_above() {
    let service = Service::start();
    let admin = service.admin();
    let group = admin.org("Group", None);
    let works = admin.org("=Works", Some(&group));
    admin.patch(&format!("/v1/org/{group}"), &json!({ "syncId": "g-1" })).expect(200);
    let csv = ask(&admin, "text/csv", "/v1/org?cells=text&bom=true").expect(200);
    let lines: Vec<_> = csv.text().lines().collect();
    assert_eq!(
        lines[0],
        "\u{feff}uuid,syncId,name,parent,parentName,parentPath,parentSyncId,region,created,updated,path"
    );
    let row = lines.iter().find(|line| line.starts_with(&works)).unwrap();
    assert!(
        row.starts_with(&format!("{works},,'=Works,{group},Group,Group,g-1,")) && row.ends_with(",Group / =Works"),
        "{row}"
    );
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

#[test]
fn changes_come_as_a_table_with_a_row_for_each_record_and_lead_on() {
    let service = Service::start();
    let admin = service.admin();
    let orgs: Vec<_> = (0..3).map(|number| admin.org(&format!("Org {number}"), None)).collect();
    let csv = ask(&admin, "text/csv", "/v1/change?limit=2&bom=true").expect(200);
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"changes.csv\""));
    let lines: Vec<_> = csv.text().lines().collect();
    assert_eq!(lines[0], "\u{feff}number,at,actor,cause,kind,uuid,verb");
    let ends: Vec<_> = lines[1..].iter().map(|line| line.splitn(5, ',').nth(4).unwrap()).collect();
    assert_eq!(ends, orgs[..2].iter().map(|org| format!("org,{org},added")).collect::<Vec<_>>());
    let rest = ask(&admin, "text/csv", &behind(&csv)).expect(200);
    assert!(rest.text().lines().nth(1).unwrap().contains(&orgs[2]), "{}", rest.text());
    let book = ask(&admin, XLSX, "/v1/change").expect(200);
    let mut book: calamine::Xlsx<_> = calamine::open_workbook_from_rs(std::io::Cursor::new(book.body)).unwrap();
    assert_eq!(book.worksheet_range_at(0).unwrap().unwrap().rows().count(), 4);
}

/// Where the changes behind a table of them are.
fn behind(table: &Answer) -> String {
    let (address, relation) = table.header("link").unwrap().strip_prefix('<').unwrap().split_once('>').unwrap();
    assert_eq!(relation, "; rel=\"next\"");
    format!("/v1/change?{}", address.split_once("/v1/change?").unwrap().1)
}

#[test]
fn who_has_caught_up_by_a_table_of_changes_goes_on_from_its_link_in_the_same_form() {
    let service = Service::start();
    let admin = service.admin();
    let none = ask(&admin, "text/csv", "/v1/change").expect(200);
    assert_eq!(none.text().lines().count(), 1);
    admin.org("Works", None);
    assert_eq!(ask(&admin, "text/csv", &behind(&none)).expect(200).text().lines().count(), 2);

    let all = ask(&admin, "text/csv", "/v1/change?limit=50&cells=text&bom=true").expect(200);
    let next = behind(&all);
    assert!(next.ends_with("&limit=50&cells=text&bom=true"), "{next}");
    let caught_up = ask(&admin, "text/csv", &next).expect(200);
    assert_eq!((caught_up.text().lines().count(), behind(&caught_up)), (1, next.clone()));
    let later = admin.org("Yard", None);
    let only = ask(&admin, "text/csv", &next).expect(200);
    let lines: Vec<_> = only.text().lines().collect();
    assert!(lines[0].starts_with("\u{feff}number,") && lines[1].ends_with(&format!(",org,{later},added")), "{lines:?}");
    assert!(lines.len() == 2 && behind(&only) != next && behind(&only).ends_with("&cells=text&bom=true"), "{lines:?}");

    let book = ask(&admin, XLSX, &next).expect(200);
    assert_eq!(behind(&book), behind(&only));
    assert_eq!(admin.get("/v1/change").expect(200).header("link"), None, "JSON has `next`");
}

#[test]
fn closed_periods_come_as_a_table_with_their_org_and_who_closed_them() {
    let service = Service::start();
    let admin = service.admin();
    let org = admin.org("Works", Some(&admin.org("Group", None)));
    admin.post("/v1/period", &json!({ "period": "2024", "org": to(&org), "reason": "audited" })).expect(201);
    let csv = ask(&admin, "text/csv", "/v1/period").expect(200);
    let (header, row) = csv.text().trim_end().split_once('\n').unwrap();
    assert!(header.starts_with("uuid,org,orgName,orgPath,first,last,baseYear,state,"), "{header}");
    assert!(header.contains(",closedAt,closedBy,closedReason,reopened"), "{header}");
    assert!(
        row.contains(&format!(",{org},Works,Group / Works,2024-01-01,2024-12-31,,closed,"))
            && row.contains(",audited,"),
        "{row}"
    );
}

#[test]
fn exclusions_come_as_a_table_with_name_and_path_of_their_scope_and_org() {
    let service = Service::start();
    let admin = service.admin();
    let scope = admin.scope("scope3");
    let travel = admin.category(&scope, 6);
    let org = admin.org("Works", Some(&admin.org("Group", None)));
    let excluded = |more: Value| {
        let mut body = json!({ "firstYear": 2025, "reason": "not material" });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        admin.post("/v1/exclusion", &body).created()
    };
    let told = excluded(json!({ "scope": to(&travel), "org": to(&org) }));
    let whole = excluded(json!({ "category": 14 }));
    assert!(whole.get("orgPath").is_none() && whole.get("scopePath").is_none(), "{whole}");
    assert_eq!(told["orgPath"], "Group / Works");
    let csv = ask(&admin, "text/csv", "/v1/exclusion").expect(200);
    let lines: Vec<_> = csv.text().lines().collect();
    assert!(
        lines[0].starts_with("uuid,scope,scopeName,scopePath,category,org,orgName,orgPath,firstYear,"),
        "{lines:?}"
    );
    let uuid = |record: &Value| record["uuid"].as_str().unwrap().to_owned();
    let both = format!("{},{travel},Category 6,scope3 / Category 6,,{org},Works,Group / Works,2025,", uuid(&told));
    let none = format!("{},,,,14,,,,2025,", uuid(&whole));
    for row in [both, none] {
        assert!(lines[1..].iter().any(|line| line.starts_with(&row)), "{row}: {lines:?}");
    }
}
