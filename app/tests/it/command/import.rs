//! Importing a catalog and activities.

mod answer;
mod at_once;
mod catalog;
mod city;
mod completable;
mod kinds;
mod listed;
mod own_columns;
mod partly;
mod same_file;
mod same_file_race;
mod staged_killed;
mod suspicious;
mod table;
mod undo_killed;

use std::time::{SystemTime, UNIX_EPOCH};

use domain::Timestamp;
use serde_json::Value;

use super::run::Place;

const ROWS: &str = "\
name,syncId,startDate,endDate,quantity,unit,UpstreamCO2e,DownstreamCO2e,scope,org
Gas,a-1,2024-01-01,2024-01-31,10,kWh,0.5,2,scope1,
Power,a-2,2024-02-01,,20,kWh,,3.25,scope2,
Trips,a-3,2024-03-05,,,,7,,scope3.6,
";

fn with_scopes() -> Place {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place
}

#[test]
fn the_scopes_of_the_standard_are_added_once() {
    let place = Place::new();
    let command = ["import", "catalog", "--standard", "ghg-protocol"];
    let counts = || {
        let counts = place.json(&command);
        [counts["created"].clone(), counts["unchanged"].clone()]
    };
    assert_eq!(counts(), [21, 0]);
    assert_eq!(counts(), [0, 21]);
}

#[test]
fn importing_a_file_again_changes_nothing() {
    let place = with_scopes();
    place.file("rows.csv", ROWS);
    let first = place.json(&["import", "activities", "rows.csv"]);
    assert_eq!((&first["created"], &first["rejected"]), (&3.into(), &0.into()));
    let refused = place.run(&["import", "activities", "rows.csv"]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("was imported before") && refused.stderr.contains("--again"), "{}", refused.stderr);
    let again = place.json(&["import", "activities", "rows.csv", "--again"]);
    assert_eq!((&again["created"], &again["unchanged"]), (&0.into(), &3.into()));
}

#[test]
fn all_rows_or_none_of_standard_input_are_read_twice() {
    let place = with_scopes();
    let arguments = ["import", "activities", "-", "--format", "csv", "--atomic", "--json"];
    let ended = place.feed(&arguments, ROWS);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains(r#""created":3"#), "{}", ended.stdout);
}

/// Milliseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "the program reads the same clock")]
fn now() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis()).unwrap()
}

/// The same of a change.
fn millis(change: &Value) -> i64 {
    Timestamp::parse(change["at"].as_str().unwrap()).unwrap().millis()
}

#[test]
fn what_became_of_a_record_is_told() {
    let place = with_scopes();
    let began = now();
    place.file("rows.csv", "name,syncId,startDate,UpstreamCO2e\nVan,a,2025-01-01,1\n");
    place.json(&["import", "activities", "rows.csv"]);
    place.file("rows.csv", "name,syncId,startDate,UpstreamCO2e\nVan 7,a,2025-01-01,1\n");
    place.json(&["import", "activities", "rows.csv"]);
    let changes = place.json(&["history"]);
    let last = changes.as_array().unwrap().last().unwrap();
    let record = &last["records"][0];
    assert_eq!((&record["kind"], &record["verb"]), (&"activity".into(), &"updated".into()));
    let of_record = place.json(&["history", "activity", record["uuid"].as_str().unwrap()]);
    let verbs: Vec<_> = of_record.as_array().unwrap().iter().map(|change| change["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["updated", "added"]);
    let times = [1, 0].map(|version: usize| millis(&of_record[version]));
    assert!(began <= times[0] && times[0] <= times[1] && times[1] <= now(), "{began}: {of_record}");
    assert!(of_record[0]["actor"].as_str().unwrap().starts_with("cli:"), "{of_record}");
    assert_eq!((&of_record[0]["before"]["name"], &of_record[0]["after"]["name"]), (&"Van".into(), &"Van 7".into()));
    let told = place.run(&["history", "activity", record["uuid"].as_str().unwrap()]);
    assert!(told.stdout.contains("name: \"Van\" -> \"Van 7\""), "{}", told.stdout);
    let when = format!(" at {}: updated by cli:", of_record[0]["at"].as_str().unwrap());
    assert!(told.stdout.contains(&when), "{}", told.stdout);
    for word in ["a", "Van 7"] {
        assert_eq!(place.ok(&["history", "activity", word]), told.stdout, "{word}");
    }
    assert!(place.ok(&["history", "scope", "Scope 1"]).contains(": added by cli:"));
    let line = format!("updated activity Van 7 ({})", record["uuid"].as_str().unwrap());
    assert!(place.ok(&["history"]).contains(&line), "{}", place.ok(&["history"]));
    let none = place.run(&["history", "activity", "Van"]);
    assert!(none.status == 2 && none.stderr.contains("no activity with the syncId or name \"Van\""), "{}", none.stderr);
    place.file("more.csv", "name,startDate,UpstreamCO2e\nVan 7,2025-01-01,1\n");
    place.json(&["import", "activities", "more.csv"]);
    let several = place.run(&["history", "activity", "Van 7"]);
    assert!(several.status == 2 && several.stderr.contains("several are called"), "{}", several.stderr);
}

#[test]
fn bad_rows_are_told_with_line_field_and_reason_and_the_good_ones_stay() {
    let place = with_scopes();
    place.file(
        "rows.csv",
        &format!("{ROWS}Bad,a-4,2024-02-30,,1,kWh,,1,scope1,\nWorse,a-5,2024-01-01,,ten,kWh,,1,nowhere,\n"),
    );
    let ended = place.run(&["import", "activities", "rows.csv", "--errors", "bad.csv"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.contains("3 created, 0 updated, 0 unchanged, 2 rejected"), "{}", ended.stdout);
    for told in ["line 5, startDate: ", "line 6, quantity: ", "line 6, scope: "] {
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
    let rejected = std::fs::read_to_string(place.path().join("bad.csv")).unwrap();
    assert!(rejected.contains("\nBad,a-4,2024-02-30,,1,kWh,,1,scope1,,\"line 5: startDate: "), "{rejected}");
    assert!(rejected.contains("\nWorse,a-5,"), "{rejected}");
    place.file("bad.csv", &rejected.replace("02-30", "02-28").replace("ten", "10").replace("nowhere", "scope1"));
    assert_eq!(place.json(&["import", "activities", "bad.csv"])["created"], 2);
    assert_eq!(place.json(&["report"])["count"], 5);
}

#[test]
fn a_bad_row_rejects_all_where_asked_and_a_dry_run_writes_nothing() {
    let place = with_scopes();
    place.file("good.csv", ROWS);
    place.file("bad.csv", &format!("{ROWS}Bad,a-4,2024-02-30,,1,kWh,,1,scope1,\n"));
    assert_eq!(place.run(&["import", "activities", "bad.csv", "--atomic"]).status, 1);
    let dry = place.json(&["import", "activities", "good.csv", "--dry-run"]);
    assert_eq!((&dry["created"], &dry["written"]), (&3.into(), &false.into()));
    assert_eq!(place.json(&["report"])["count"], 0);
    place.ok(&["import", "activities", "good.csv", "--atomic"]);
    assert_eq!(place.json(&["report"])["count"], 3);
}

#[test]
fn rows_come_from_standard_input_too() {
    let place = with_scopes();
    let row = r#"{"name": "Gas", "syncId": "g", "startDate": "2024-01-01", "DownstreamCO2e": "1.5", "scope": {"syncId": "scope1"}}"#;
    let ended = place.feed(&["import", "activities", "-", "--format", "ndjson"], row);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(place.json(&["report"])["CO2e"], "1.5");
    assert_eq!(place.run(&["import", "activities", "-"]).status, 2);
}

#[test]
fn a_header_or_a_file_that_cannot_be_read_is_an_error() {
    let place = Place::new();
    place.file("rows.csv", "name,startdate\nGas,2024-01-01\n");
    let header = place.run(&["import", "activities", "rows.csv"]);
    assert_eq!(header.status, 1);
    assert!(
        header.stderr.contains("rows.csv") && header.stderr.contains("did you mean startDate?"),
        "{}",
        header.stderr
    );
    let missing = place.run(&["import", "activities", "missing.csv"]);
    assert!(missing.status == 1 && missing.stderr.contains("missing.csv cannot be read"), "{}", missing.stderr);
}

#[test]
fn more_rows_than_fit_all_or_none_are_wrong_use() {
    let place = with_scopes();
    place.file("rows.csv", ROWS);
    let arguments = ["import", "activities", "rows.csv", "--atomic"];
    let output = place.command(&arguments).env("TONNE_LIMITS__ATOMIC_ROWS", "2").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("nothing was written") && stderr.contains("at most 2 rows"), "{stderr}");
}

#[test]
fn a_map_makes_nodes_on_the_way_and_several_activities_of_a_row() {
    let place = with_scopes();
    place.file("wide.csv", "Site,Gas,Power\nNorth,\"1,000\",20\nSouth,,5\n");
    place.file(
        "map.toml",
        "[table]\nthousands = \",\"\n[common]\nstartDate = \"2024-01-01\"\nunit = \"kWh\"\norg = [\"{Site}\"]\n\
         [[activity]]\nname = \"gas\"\nsyncId = \"{Site}-gas\"\nquantity = \"{Gas}\"\nscope = \"scope1\"\n\
         intensity = { downstream = \"0.2\", per = \"kWh\" }\nskip = { empty = \"Gas\" }\n\
         [[activity]]\nname = \"power\"\nsyncId = \"{Site}-power\"\nquantity = \"{Power}\"\nscope = \"scope2\"\n\
         intensity = { downstream = \"0.5\", per = \"kWh\" }\n",
    );
    let told = place.json(&["import", "activities", "wide.csv", "--map", "map.toml"]);
    assert_eq!((&told["created"], &told["rejected"]), (&3.into(), &0.into()));
    let report = place.json(&["report", "--by", "org"]);
    let rows: Vec<_> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["org"]["name"].as_str(), row["CO2e"].as_str()))
        .collect();
    assert_eq!(rows, [(Some("North"), Some("210")), (Some("South"), Some("2.5"))]);
}

#[test]
fn a_row_whose_path_is_too_deep_is_rejected_and_makes_no_node() {
    let place = with_scopes();
    place.file("rows.csv", "Site\nNorth\n");
    let map = |path: &[&str]| {
        place.file(
            "map.toml",
            &format!(
                "[[activity]]\nname = \"gas\"\nstartDate = \"2024-01-01\"\nDownstreamCO2e = \"1\"\ntaxonomy = {path:?}\n"
            ),
        );
    };
    let records = || {
        let parts = &place.json(&["verify"])["parts"];
        parts.as_array().unwrap().iter().map(|part| part["records"].as_u64().unwrap()).sum::<u64>()
    };
    let before = records();
    map(&["{Site}"; 33]);
    let ended = place.run(&["import", "activities", "rows.csv", "--map", "map.toml"]);
    assert!(ended.stderr.contains("line 2, taxonomy: would make 33 levels"), "{}", ended.stderr);
    assert_eq!(records(), before);
    map(&["{Site}"; 32]);
    let told = place.json(&["import", "activities", "rows.csv", "--map", "map.toml"]);
    assert_eq!((&told["created"], &told["rejected"]), (&1.into(), &0.into()));
    assert_eq!(records(), before + 32 + 1);
    map(&["{Site}"; 33]);
    let ended = place.run(&["import", "activities", "rows.csv", "--map", "map.toml", "--again"]);
    assert!(ended.stderr.contains("line 2, taxonomy: would make 33 levels"), "{}", ended.stderr);
}

#[test]
fn a_map_that_is_wrong_is_told_with_its_place() {
    let place = Place::new();
    place.file("rows.csv", ROWS);
    place.file("map.toml", "[[activity]]\nnam = \"x\"\n");
    let ended = place.run(&["import", "activities", "rows.csv", "--map", "map.toml"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("map.toml") && ended.stderr.contains("did you mean name?"), "{}", ended.stderr);
}

#[test]
fn the_table_of_errors_never_takes_the_place_of_what_is_read() {
    let place = Place::new();
    let table = "name,startDate\nA,2025-01-31\n";
    let path = place.file("a.csv", table);
    let ended = place.run(&["import", "activities", "a.csv", "--errors", "./a.csv"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("would write over a.csv"), "{}", ended.stderr);
    assert_eq!(std::fs::read_to_string(path).unwrap(), table);
}

#[test]
fn what_is_wrong_with_a_header_is_a_sentence_about_the_file() {
    let place = Place::new();
    let sentences = [
        ("", "error: rows.csv has a header that is wrong: it is missing: the first row must name the columns\n"),
        ("name\nDiesel\n", "error: rows.csv has a header that is wrong: column \"startDate\" is missing\n"),
    ];
    for (content, told) in sentences {
        place.file("rows.csv", content);
        let ended = place.run(&["import", "activities", "rows.csv"]);
        assert_eq!((ended.status, ended.stderr.as_str()), (1, told));
    }
}

#[test]
fn records_are_found_by_their_one_matching_name_and_taxonomies_by_their_path() {
    let place = with_scopes();
    place.file(
        "map.toml",
        "[[activity]]\nname = \"{n}\"\nsyncId = \"{n}\"\nstartDate = \"2025-01-31\"\n\
        org = [\"{top}\", \"Site\"]\ntaxonomy = [\"Root\", \"{leaf}\"]\n",
    );
    place.file("nodes.csv", "n,top,leaf\na,North,Leaf One\nb,South,Leaf Two\n");
    place.ok(&["import", "activities", "nodes.csv", "--map", "map.toml"]);
    place.file(
        "rows.csv",
        "name,startDate,scope,org,taxonomy\n\
         By name,2025-01-31,Scope 1,North,Leaf One\n\
         By path,2025-01-31,,,root/leaf-two\n\
         Ambiguous,2025-01-31,,Site,\n\
         Unknown,2025-01-31,,,root/leaf-three\n",
    );
    let ended = place.run(&["import", "activities", "rows.csv", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&told["created"], &told["rejected"]), (&2.into(), &2.into()), "{told}");
    let errors: Vec<_> = told["errors"].as_array().unwrap().iter().map(|e| e["detail"].as_str().unwrap()).collect();
    assert_eq!(
        errors,
        [
            "2 org records are called \"Site\"; give the syncId of one",
            "there is no taxonomy with the syncId, name or path \"root/leaf-three\"",
        ]
    );
}
