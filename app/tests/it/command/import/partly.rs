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
    let command = ["import", "activities", "rows.csv", "--map", "map.toml", "--errors", "bad.csv"];
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
