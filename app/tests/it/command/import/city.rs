//! The City of Seattle's own table of 2015, which is no part of the repository, and the small one of its kind that is, by the map
//! of the tutorial.

use std::path::PathBuf;

use calamine::Reader as _;
use serde_json::Value;

use super::super::run::Place;
use crate::http::report::workbook::digits;

const TUTORIAL: &str = include_str!("../../../../../docs/tutorial.md");
const EXAMPLE: &str = include_str!("../../../../../docs/examples/seattle-buildings.csv");
const TABLE: &str = "activities/seattle-buildings-2015.csv";

/// A place with the scopes of the standard and the map as the tutorial prints it.
fn place() -> Place {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let (_, behind) = TUTORIAL.split_once("```toml file=map.toml\n").unwrap();
    place.file("map.toml", behind.split_once("```").unwrap().0);
    place
}

/// The report by neighbourhood and type, whose workbook has the same rows and the same CO2e of each and of the total.
fn reported(place: &Place) -> Value {
    let asked = ["report", "--date", "2015", "--by", "org,taxonomy", "--unit", "t"];
    let report = place.json(&asked);
    place.ok(&[&asked[..], &["--xlsx", "report.xlsx"]].concat());
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(place.path().join("report.xlsx")).unwrap();
    let sheet = book.worksheet_range("Report").unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(sheet.rows().count(), rows.len() + 2, "a header and the total besides");
    let mut lines = sheet.rows();
    let names: Vec<_> = lines.next().unwrap().iter().map(ToString::to_string).collect();
    let at = |name: &str| names.iter().position(|one| one == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
    for (cells, row) in lines.zip(rows.iter().chain([&report])) {
        assert_eq!(cells[at("orgName")].to_string(), row["org"]["name"].as_str().unwrap_or("total"), "{row}");
        assert_eq!(digits(&cells[at("CO2e")]).as_deref(), row["CO2e"].as_str(), "{row}");
    }
    report
}

#[test]
fn the_table_of_the_city_comes_to_the_printed_total_by_neighbourhood_and_type_as_a_workbook() {
    let Some(folder) = std::env::var_os("TONNE_SHARED_DATA").map(PathBuf::from) else {
        eprintln!("SKIPPED: TONNE_SHARED_DATA names no folder with {TABLE}");
        return;
    };
    let place = place();
    let table = folder.join(TABLE).display().to_string();
    let done = place.json(&["import", "activities", &table, "--map", "map.toml"]);
    let counts = ["created", "rejected", "warnings"].map(|count| done[count].as_u64().unwrap());
    assert_eq!(counts, [5_532, 0, 2]);
    let report = reported(&place);
    assert_eq!((report["rows"].as_array().unwrap().len(), &report["CO2e"]), (220, &"366613.2863211369".into()));
    assert!(TUTORIAL.contains("comes to 366,613.29 t with this map"));
}

#[test]
fn the_table_of_the_tutorial_comes_to_its_rows_by_neighbourhood_and_type_as_a_workbook() {
    let place = place();
    place.file("buildings.csv", EXAMPLE);
    let ended = place.run(&[
        "import",
        "activities",
        "buildings.csv",
        "--map",
        "map.toml",
        "--errors",
        "rejected.csv",
        "--json",
    ]);
    let done: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&done["created"], &done["rejected"]), (&6.into(), &1.into()), "{done}");
    let rejected = std::fs::read_to_string(place.path().join("rejected.csv")).unwrap();
    place.file("rejected.csv", &rejected.replacen("\"12,34\"", "1234", 1));
    let mended = place.json(&["import", "activities", "rejected.csv", "--map", "map.toml"]);
    assert_eq!((&mended["created"], &mended["rejected"]), (&1.into(), &0.into()), "{mended}");
    let report = reported(&place);
    let rows = report["rows"].as_array().unwrap().iter();
    let seen: Vec<_> = rows.map(|row| [&row["org"]["name"], &row["taxonomy"]["name"], &row["CO2e"]]).collect();
    let expected = [
        ["DOWNTOWN", "Hotel", "242.50685"],
        ["EAST", "Low-Rise Multifamily", "5.57688"],
        ["GREATER DUWAMISH", "Distribution Center", "6.97110348555"],
        ["LAKE UNION", "Large Office", "26.5636023374"],
    ];
    assert_eq!(seen, expected);
    assert_eq!(report["CO2e"], "281.61843582295");
}
