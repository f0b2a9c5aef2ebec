//! Rows that make several activities, of which one is rejected.

use super::super::run::Place;

const MAP: &str = "[[activity]]\nname = \"{Site}: power\"\nstartDate = \"2025-01-31\"\nquantity = \"{kWh}\"\nunit = \"kWh\"\n\
                   [[activity]]\nname = \"{Site}: gas\"\nstartDate = \"2025-01-31\"\nquantity = \"{m3}\"\nunit = \"m3\"\n";

const ROWS: &str = "Site,kWh,m3\nA,10,1\nB,ten,2\nC,ten,two\n";

#[test]
fn rows_that_are_taken_in_part_are_told_of_where_importing_them_again_would_double_them() {
    let place = Place::new();
    place.file("map.toml", MAP);
    place.file("rows.csv", ROWS);
    let command = ["import", "activities", "rows.csv", "--map", "map.toml", "--errors", "bad.csv", "--force"];
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    for flags in [&["--dry-run"][..], &[]] {
        let ended = place.run(&[&command, flags].concat());
        assert!(ended.stdout.contains("1 of the rows with rejected activities make others"), "{}", ended.stdout);
    }
    let keyed = MAP.replace("name = \"{Site}: gas\"", "name = \"{Site}: gas\"\nsyncId = \"{Site}-gas\"");
    place.file("map.toml", &keyed.replace("{Site}: power\"", "{Site}: power\"\nsyncId = \"{Site}-power\""));
    let ended = place.run(&[&command, &["--json"][..]].concat());
    let done: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&done["rejected"], &done["partlyTaken"]), (&3.into(), &0.into()));
}

#[test]
fn a_file_of_errors_in_which_rows_may_have_been_mended_is_replaced_only_by_force() {
    let place = Place::new();
    place.file("rows.csv", "name,startDate\n,2025-01-31\n");
    place.file("bad.csv", "name,startDate\nmended,2025-01-31\n");
    let command = ["import", "activities", "rows.csv", "--errors", "bad.csv"];
    let ended = place.run(&command);
    assert!(ended.status == 2 && ended.stderr.contains("bad.csv is there already"), "{}", ended.stderr);
    assert!(std::fs::read_to_string(place.path().join("bad.csv")).unwrap().contains("mended"));
    place.run(&[&command, &["--force"][..]].concat());
    assert!(std::fs::read_to_string(place.path().join("bad.csv")).unwrap().contains("rejectedBecause"));
}
