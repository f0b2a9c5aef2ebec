//! `tonne explain` and `tonne verify --explain`: figures come out as they are stored, and one that does not is named.

use std::fs;

use serde_json::Value;

use super::run::Place;

const PAGE: &str = include_str!("../../../../docs/howto/explain.md");

const CATALOG: &str = r#"
[[product]]
syncId = "gas"
name = "Natural gas"
unit = "kWh"

[[factor]]
product = "gas"
unit = "kWh"
upstream = "0.03"
downstream = "0.202"
validFrom = "2024-01-01"
source = "A published table"
gwp = "AR5"
"#;

/// A place with a factor and those rows imported.
fn with(rows: &str) -> Place {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    place.ok(&["import", "catalog", "catalog.toml"]);
    place.file("rows.csv", &format!("syncId,name,startDate,quantity,unit,product\n{rows}"));
    place.ok(&["import", "activities", "rows.csv"]);
    place
}

/// The activities of the newest change but so many.
fn written(place: &Place, back: usize) -> Vec<String> {
    let changes = place.json(&["history"]);
    let changes = changes.as_array().unwrap();
    let records = changes[changes.len() - 1 - back]["records"].as_array().unwrap();
    let of = |record: &Value| (record["kind"] == "activity").then(|| record["uuid"].as_str().unwrap().to_owned());
    records.iter().filter_map(of).collect()
}

/// Edits the first such text in the file of the company.
fn edit(place: &Place, text: &str, other: &str) {
    let path = place.path().join("tonne-data/tenants/main.db");
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(text.len()).position(|window| window == text.as_bytes()).unwrap();
    bytes[at..at + text.len()].copy_from_slice(other.as_bytes());
    fs::write(&path, bytes).unwrap();
}

#[test]
fn a_figure_is_explained_with_the_import_that_brought_it() {
    let place = with("a-1,\"Gas, January\",2025-01-31,1234.5,MJ,gas\n");
    let id = &written(&place, 0)[0];
    let told = place.ok(&["explain", id]);
    assert!(
        told.starts_with(&format!("Activity \"Gas, January\" ({id})\n  CO2e        79.556666666666666667 kg\n")),
        "{told}"
    );
    for line in ["  file        \"rows.csv\", line 2\n", "  syncId      a-1\n", "  GWP set     AR5\n"] {
        assert!(told.contains(line), "{line:?} in {told}");
    }
    for word in ["a-1", "Gas, January"] {
        assert_eq!(place.ok(&["explain", word]), told, "{word}");
    }
    let unknown = place.run(&["explain", "Office"]);
    assert!(
        unknown.stderr.contains("no activity or model or switch with the syncId or name \"Office\""),
        "{}",
        unknown.stderr
    );
    let said = place.json(&["explain", id]);
    assert_eq!(said["import"]["name"], "rows.csv");
    assert_eq!(said["import"]["hash"].as_str().unwrap().len(), 64);
    assert_eq!(said["import"]["line"], 2);
    assert_eq!((&said["agrees"], &said["recomputed"]), (&true.into(), &said["CO2e"]));
}

#[test]
fn what_was_changed_after_its_import_names_the_change_and_still_the_import() {
    let place = with("a-1,Gas,2025-01-31,1000,kWh,gas\n");
    let id = &written(&place, 0)[0];
    let first = place.json(&["explain", id])["import"].clone();
    let rows =
        "syncId,name,startDate,quantity,unit,product\nb-1,Oil,2025-01-01,1,kWh,gas\na-1,Gas,2025-01-31,2000,kWh,gas\n";
    place.file("more.csv", rows);
    place.ok(&["import", "activities", "more.csv"]);
    let second = place.json(&["explain", id])["import"].clone();
    assert_eq!((&second["name"], &second["line"]), (&"more.csv".into(), &3.into()));
    place.ok(&["import", "undo", second["uuid"].as_str().unwrap()]);
    let undone = place.json(&["explain", id]);
    assert_eq!((&undone["import"], &undone["CO2e"]), (&first, &"232".into()));
    assert_eq!(first["line"], 2);
    assert!(undone["written"]["cause"].as_str().unwrap().starts_with("undo import "), "{undone}");
}

/// Rows on days in no order, a blank line, descriptions over two lines, a row that is left out, and one syncId twice: each activity
/// still knows the line that it stands on.
#[test]
fn each_activity_knows_the_line_that_its_row_starts_on() {
    let place = with("");
    let mut text = "syncId,description,startDate,quantity,unit,product,name\n".to_owned();
    for (id, day) in [("a", "2025-03-01"), ("b", "2024-01-31"), ("c", "2025-02-30"), ("d", "2023-06-01")] {
        text += &[id, ",\"Gas\nof ", id, "\",", day, ",1000,kWh,gas,Gas\n"].concat();
    }
    text.push_str("\na,,2025-01-31,5,kWh,gas,Gas\ne,,2022-01-31,5,kWh,gas,Gas\n");
    place.file("more.csv", &text);
    let told = place.run(&["import", "activities", "more.csv", "--repeats", "last"]);
    assert_eq!(told.status, 1, "{}", told.stderr);
    let line = |id: &str| place.json(&["explain", id])["import"]["line"].clone();
    assert_eq!(["a", "b", "d", "e"].map(line), [11, 4, 8, 12].map(Value::from));
    place.ok(&["export", "--to", "acme.tonne"]);
    place.ok(&["import", "tenant", "acme.tonne", "--data-dir", "elsewhere"]);
    assert_eq!(place.json(&["explain", "a", "--data-dir", "elsewhere"])["import"]["line"], 11);
}

#[test]
fn an_edited_digit_of_a_quantity_is_found_and_the_record_named_with_both_figures_and_the_factor() {
    let place = with("a-1,Gas,2025-01-31,98761.25,kWh,gas\na-2,Oil,2025-02-01,5,kWh,gas\n");
    let id = written(&place, 0).into_iter().find(|id| place.json(&["explain", id])["syncId"] == "a-1").unwrap();
    let factor = place.json(&["explain", &id])["factor"]["uuid"].as_str().unwrap().to_owned();
    let sound = place.ok(&["verify", "--explain"]);
    assert!(sound.starts_with("OK: ") && sound.contains("figures of 2 activities and 0 inputs"), "{sound}");
    edit(&place, "98761.25", "98761.26");
    let ended = place.run(&["verify", "--explain"]);
    assert_eq!(ended.status, 1);
    let line = format!(
        "main: activity {id} (\"Gas\"): has 22912.61 (2962.8375 + 19949.7725) kg stored; it comes to \
         22912.61232 (2962.8378 + 19949.77452) kg by factor {factor}"
    );
    assert!(ended.stdout.lines().any(|told| told == line), "{line:?} in {}", ended.stdout);
    assert!(!ended.stdout.contains("Oil"), "{}", ended.stdout);
    let ended = place.run(&["explain", &id]);
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.contains("NOT what it comes to"), "{}", ended.stdout);
    let said: Value = serde_json::from_str(&place.run(&["verify", "--explain", "--json"]).stdout).unwrap();
    assert_eq!(said["parts"][1]["figures"]["wrong"], 1);
}

#[test]
fn the_page_prints_what_is_told_of_an_edited_quantity() {
    let place = with("bill-1,\"Gas, January\",2025-01-31,1234.5,MJ,gas\n");
    edit(&place, "1234.5", "1234.6");
    let told = place.run(&["verify", "--explain"]).stdout;
    let line = told.lines().find(|line| line.contains("it comes to")).unwrap_or_else(|| panic!("{told}"));
    let (_, block) = PAGE.split_once("no-run=a store that somebody edited by hand\n").unwrap();
    let (shown, _) = block.split_once("\n```").unwrap();
    // Identifiers differ, and figures are cut.
    let mut rest = line;
    for part in shown.replace("01a207ae-", "").split("...") {
        let (before, behind) =
            rest.split_once(part).unwrap_or_else(|| panic!("{part:?} of {shown} is not in {rest:?}"));
        assert!(before.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-'), "{before:?} before {part:?}");
        rest = behind;
    }
    assert!(rest.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-'), "{rest:?}");
}

#[test]
fn every_figure_of_thousands_of_imported_rows_verifies_digit_for_digit() {
    let units = ["kWh", "MWh", "MJ", "GJ", "therm", "MMBtu", "kBtu"];
    let row = |n: usize| {
        let day = format!("2025-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
        format!("r-{n},Meter {n},{day},{}.{:06},{},gas\n", n * 7_919 % 100_003, n * 104_729 % 1_000_000, units[n % 7])
    };
    let place = with(&(0..5_000).map(row).collect::<String>());
    let told = place.ok(&["verify", "--explain"]);
    assert!(told.contains("figures of 5000 activities"), "{told}");
}

#[test]
fn what_has_no_figure_is_no_record_that_can_be_explained() {
    let place = with("");
    let ended = place.run(&["explain", "01890000-0000-7000-8000-000000000000"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("there is no such record"), "{}", ended.stderr);
}
