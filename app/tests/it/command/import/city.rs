//! The City of Seattle's own table of 2015, by the map of the tutorial; it is no part of the repository.

use std::path::PathBuf;

use calamine::Reader as _;

use super::super::run::Place;

const TUTORIAL: &str = include_str!("../../../../../docs/tutorial.md");
const TABLE: &str = "activities/seattle-buildings-2015.csv";

/// The map as the tutorial prints it.
fn map() -> &'static str {
    let (_, behind) = TUTORIAL.split_once("```toml file=map.toml\n").unwrap();
    behind.split_once("```").unwrap().0
}

#[test]
fn the_table_of_the_city_comes_to_the_printed_total_by_neighbourhood_and_type_as_a_workbook() {
    let Some(folder) = std::env::var_os("TONNE_SHARED_DATA").map(PathBuf::from) else {
        eprintln!("SKIPPED: TONNE_SHARED_DATA names no folder with {TABLE}");
        return;
    };
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.file("map.toml", map());
    let table = folder.join(TABLE).display().to_string();
    let done = place.json(&["import", "activities", &table, "--map", "map.toml"]);
    let counts = ["created", "rejected", "warnings"].map(|count| done[count].as_u64().unwrap());
    assert_eq!(counts, [5_532, 0, 2]);
    let asked = ["report", "--date", "2015", "--by", "org,taxonomy", "--unit", "t"];
    let report = place.json(&asked);
    assert_eq!(report["CO2e"], "366613.2863211369");
    assert!(TUTORIAL.contains("comes to 366,613.29 t with this map"));
    place.ok(&[&asked[..], &["--xlsx", "report.xlsx"]].concat());
    let mut book: calamine::Xlsx<_> = calamine::open_workbook(place.path().join("report.xlsx")).unwrap();
    let sheet = book.worksheet_range("Report").unwrap();
    let rows = report["rows"].as_array().unwrap().len();
    assert_eq!((rows, sheet.rows().count()), (220, rows + 2), "a header and the total besides");
}
