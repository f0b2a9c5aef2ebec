//! Whether a file was imported before.

use rust_xlsxwriter::Workbook;

use super::super::run::Place;

const MAP: &str = "[[activity]]\nname = \"{Site}\"\nstartDate = \"2025-01-31\"\nUpstreamCO2e = \"{kg}\"\n";

fn two_sheets(place: &Place) {
    let mut book = Workbook::new();
    for (name, kg) in [("North", 1), ("South", 2)] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        sheet.write(0, 0, "Site").unwrap();
        sheet.write(0, 1, "kg").unwrap();
        sheet.write(1, 0, name).unwrap();
        sheet.write(1, 1, kg).unwrap();
    }
    book.save(place.path().join("book.xlsx")).unwrap();
    place.file("map.toml", MAP);
}

#[test]
fn another_sheet_or_another_map_of_one_file_is_another_import() {
    let place = Place::new();
    two_sheets(&place);
    let import = |sheet, map| {
        place.run(&["import", "activities", "book.xlsx", "--sheet", sheet, "--map", map]).stdout.contains("1 created")
    };
    place.file("other.toml", &MAP.replace("UpstreamCO2e", "DownstreamCO2e"));
    let taken = [("North", "map.toml"), ("South", "map.toml"), ("North", "other.toml")];
    let first = place.run(&["import", "activities", "book.xlsx", "--sheet", "North", "--map", "map.toml"]);
    assert!(!first.stderr.contains("the same file"), "{}", first.stderr);
    let id = place.json(&["import", "list"])[0]["uuid"].as_str().unwrap().to_owned();
    let second = place.run(&["import", "activities", "book.xlsx", "--sheet", "South", "--map", "map.toml"]);
    assert!(
        second.stderr.contains(&format!("the same file was imported as {id} (book.xlsx), with another")),
        "{}",
        second.stderr
    );
    assert!(import("North", "other.toml"));
    assert_eq!(taken.map(|(sheet, map)| import(sheet, map)), [false; 3]);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "4");
}

#[test]
fn the_same_rows_on_standard_input_are_refused_before_one_is_written() {
    let place = Place::new();
    let rows = "name,startDate,UpstreamCO2e\nVan,2025-01-31,5\n";
    let feed = |flags: &[&str]| place.feed(&[&["import", "activities", "-", "--format", "csv"], flags].concat(), rows);
    assert_eq!(feed(&[]).status, 0);
    let again = feed(&[]);
    assert_eq!(again.status, 1);
    assert!(again.stderr.contains("standard input was imported before"), "{}", again.stderr);
    assert_eq!(place.json(&["report"])["count"], 1);
    assert_eq!(feed(&["--again"]).status, 0);
}
