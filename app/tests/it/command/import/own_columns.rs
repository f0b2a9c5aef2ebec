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
fn nodes_that_share_a_name_are_told_apart_by_their_paths_in_another_installation() {
    let regions = || {
        let place = Place::new();
        let orgs = "syncId,name,parent\nr1,Region 1,\nr2,Region 2,\ns1,Store,r1\ns2,Store,r2\n";
        place.file("orgs.csv", orgs);
        place.ok(&["import", "catalog", "orgs.csv"]);
        let taxonomies =
            "syncId,name,slug,parent\nheat,Heat,heat,\ncold,Cold,cold,\ngas1,Gas,gas,heat\ngas2,Gas,gas,cold\n";
        place.file("taxonomies.csv", taxonomies);
        place.ok(&["import", "catalog", "taxonomies.csv"]);
        place
    };
    let (here, there) = (regions(), regions());
    here.file(
        "rows.csv",
        "syncId,name,startDate,DownstreamCO2e,org,taxonomy\na,a,2025-01-01,1,s1,gas2\nb,b,2025-01-01,10,s2,gas1\n",
    );
    here.ok(&["import", "activities", "rows.csv"]);
    there.file("out.csv", &exported(&here, "text/csv"));
    let taken = there.json(&["import", "activities", "out.csv"]);
    assert_eq!((&taken["created"], &taken["rejected"]), (&2.into(), &0.into()), "{taken}");
    for by in ["org", "taxonomy"] {
        let rows = |place: &Place| {
            let report = place.json(&["report", "--by", by, "--depth", "2"]);
            let rows = report["rows"].as_array().unwrap().clone();
            rows.iter().map(|row| (row["labels"][0]["path"].clone(), row["CO2e"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(rows(&there), rows(&here));
        assert_eq!(rows(&here).len(), 2, "{:?}", rows(&here));
    }
}

#[test]
fn a_path_that_two_records_have_here_is_an_error_of_the_row() {
    let here = place_with_catalog();
    here.file("rows.csv", ROWS);
    here.ok(&["import", "activities", "rows.csv"]);
    // None of them has the syncId that it has here.
    let there = Place::new();
    there.file("orgs.csv", "syncId,name,parent\nn0,Group,\nn1,North,n0\nn2,North,n0\n");
    there.ok(&["import", "catalog", "orgs.csv"]);
    there.file("out.csv", &exported(&here, "text/csv"));
    let ended = there.run(&["import", "activities", "out.csv"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("org: 2 org records are called \"Group / North\""), "{}", ended.stderr);
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
        assert!(ended.stderr.contains("there is no org with the path \"Acme /"), "{}", ended.stderr);
    }
    place.file("named.csv", &format!("name,startDate,org,orgName\na,2025-01-01,{uuid},North\n"));
    assert_eq!(place.json(&["import", "activities", "named.csv"])["created"], 1);
}

/// A place with these orgs and scopes: each a syncId, a name and a parent.
fn place_with(orgs: &str, scopes: &str) -> Place {
    let place = Place::new();
    for (file, header, rows) in
        [("orgs.csv", "syncId,name,parent", orgs), ("scopes.csv", "syncId,name,parent,kind", scopes)]
    {
        place.file(file, &format!("{header}\n{rows}"));
        place.ok(&["import", "catalog", file]);
    }
    place
}

#[test]
fn a_node_of_another_installation_is_found_by_its_whole_path_and_never_by_its_name_elsewhere() {
    let orgs = "a,A,\nb,B,\nc,C,\na1,Shop,a\nb1,Shop,b\nc1,Shop,c\n";
    let scopes = "s3,Scope 3,,scope3\ne,Energy,s3,\nroot,Purchased,,scope2\n";
    let here = place_with(orgs, scopes);
    here.file(
        "rows.csv",
        "syncId,name,startDate,DownstreamCO2e,org,scope\n1,a,2025-01-01,1,a1,e\n2,b,2025-01-01,2,b1,\n3,c,2025-01-01,4,c1,\n4,d,2025-01-01,8,,root\n",
    );
    here.ok(&["import", "activities", "rows.csv"]);
    for (accept, name) in [("text/csv", "out.csv"), ("application/x-ndjson", "out.ndjson")] {
        let rows = exported(&here, accept);
        let other = place_with("d,D,\nd1,Shop,d\n", "s2,Scope 2,,scope2\ne2,Energy,s2,\np2,Purchased,s2,\n");
        other.file(name, &rows);
        let ended = other.run(&["import", "activities", name]);
        assert_eq!(ended.status, 1, "{name}");
        for path in ["A / Shop", "B / Shop", "C / Shop", "Scope 3 / Energy", "Purchased"] {
            let said = format!("with the path \"{path}\"");
            assert!(ended.stderr.contains(&said), "{name}: {path}: {}", ended.stderr);
        }
        assert_eq!(other.json(&["report"])["count"], 0, "{name}");
        // The same tree under other syncIds is the same by its paths; under the same syncIds by these, wherever they are.
        let alike = "q,A,\nr,B,\ns,C,\nq1,Shop,q\nr1,Shop,r\ns1,Shop,s\n";
        let moved = "x,X,\na1,Shop,x\nb1,Laden,x\nc1,Boutique,x\n";
        for (orgs, scopes) in [(alike, "t3,Scope 3,,scope3\nt,Energy,t3,\nt2,Purchased,,scope2\n"), (moved, scopes)] {
            let there = place_with(orgs, scopes);
            there.file(name, &rows);
            assert_eq!(there.json(&["import", "activities", name])["created"], 4, "{name}");
            assert_eq!(totals(&there), totals(&here));
        }
    }
}
