//! What one installation wrote comes into another.

use super::super::run::Place;

const CATALOG: &str = r#"
[[scope]]
syncId = "scope1"
name = "Scope 1"
kind = "scope1"
[[org]]
syncId = "group"
name = "Group"
[[org]]
syncId = "north"
name = "North"
parent = "group"
[[taxonomy]]
syncId = "fuel"
name = "Fuel"
[[product]]
syncId = "gas"
name = "Gas"
unit = "kWh"
[[factor]]
product = "gas"
unit = "kWh"
downstream = "0.182"
upstream = "0.031"
validFrom = 2024-01-01
source = "Made up"
"#;

const ROWS: &str = "\
syncId,name,startDate,endDate,quantity,unit,UpstreamCO2e,product,scope,org,taxonomy
a,Boiler,2024-01-01,2024-01-31,1000.5,kWh,,gas,scope1,north,fuel
b,Boiler,2024-02-01,2024-02-29,0.000000000000000007,kWh,,gas,scope1,group,fuel
,Trip,2024-03-05,,,,7.125,,,,
";

fn place_with_catalog() -> Place {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    place.ok(&["import", "catalog", "catalog.toml"]);
    place
}

/// The activities of a place in one form, from its service.
fn exported(place: &Place, accept: &str) -> String {
    let key = place.json(&["key", "create", "--name", "k", "--permissions", "activity:read"])["key"].clone();
    let (authorization, accept) =
        (format!("Authorization: Bearer {}", key.as_str().unwrap()), format!("Accept: {accept}"));
    let served = place.serve();
    let (status, text) = served.get("/v1/activity", &[&authorization, &accept]);
    assert_eq!(status, 200, "{text}");
    text
}

fn totals(place: &Place) -> [serde_json::Value; 3] {
    let report = place.json(&["report"]);
    ["CO2e", "uncategorizedCO2e", "count"].map(|name| report[name].clone())
}

#[test]
fn a_file_of_one_installation_comes_into_another_to_the_digit_and_again_changes_nothing() {
    let here = place_with_catalog();
    here.file("rows.csv", ROWS);
    here.ok(&["import", "activities", "rows.csv"]);
    for (accept, name) in [("text/csv", "out.csv"), ("application/x-ndjson", "out.ndjson")] {
        let there = place_with_catalog();
        there.file(name, &exported(&here, accept));
        let first = there.json(&["import", "activities", name]);
        assert_eq!((&first["created"], &first["rejected"]), (&3.into(), &0.into()), "{first}");
        assert_eq!(totals(&there), totals(&here));
        let again = there.json(&["import", "activities", name, "--again"]);
        assert_eq!((&again["created"], &again["unchanged"]), (&0.into(), &3.into()), "{again}");
    }
}

#[test]
fn a_name_that_two_records_have_here_is_an_error_of_the_row() {
    let here = place_with_catalog();
    here.file("rows.csv", ROWS);
    here.ok(&["import", "activities", "rows.csv"]);
    let there = place_with_catalog();
    there.file("orgs.csv", "syncId,name\nnorth2,North\n");
    there.ok(&["import", "catalog", "orgs.csv"]);
    there.file("out.csv", &exported(&here, "text/csv"));
    let ended = there.run(&["import", "activities", "out.csv"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("org: 2 org records are called \"North\""), "{}", ended.stderr);
}

#[test]
fn a_path_that_is_not_here_is_an_error_of_the_row_though_another_record_has_the_name() {
    let place = place_with_catalog();
    let uuid = "0190a000-0000-7000-8000-000000000002";
    place.file(
        "rows.csv",
        &format!("name,startDate,org,orgPath,orgName\na,2025-01-01,{uuid},Acme / Berlin / North,North\n"),
    );
    place.file(
        "rows.ndjson",
        &format!(
            r#"{{"name":"a","startDate":"2025-01-01","org":{{"uuid":"{uuid}","path":"Acme / North","name":"North"}}}}"#
        ),
    );
    for file in ["rows.csv", "rows.ndjson"] {
        let ended = place.run(&["import", "activities", file]);
        assert_eq!(ended.status, 1);
        assert!(ended.stderr.contains("there is no org with the syncId or name \"Acme /"), "{}", ended.stderr);
    }
    place.file("named.csv", &format!("name,startDate,org,orgName\na,2025-01-01,{uuid},North\n"));
    assert_eq!(place.json(&["import", "activities", "named.csv"])["created"], 1);
}
