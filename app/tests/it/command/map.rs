//! Maps, suggested and tried.

use super::run::Place;

/// Ten rows that can be read, and one that cannot.
fn table() -> String {
    let good = "K\u{f6}ln;31.01.2025;1.234,5;kWh\n".repeat(10);
    format!("Site;Datum;Verbrauch;Einheit\n{good}Bonn;30.02.2025;1,5;kWh\n")
}

#[test]
fn a_suggested_map_is_sound_and_the_row_it_is_tried_on_is_told_field_by_field() {
    let place = Place::new();
    place.file("table.csv", &table());
    let map = place.ok(&["map", "suggest", "table.csv"]);
    place.file("map.toml", &map);
    let told = place.ok(&["map", "check", "map.toml", "table.csv"]);
    for line in [
        "table.csv, line 2, as the map reads it:",
        "    startDate       2025-01-31T00:00:00Z",
        "    quantity        1234.5",
        "    org             K\u{f6}ln",
        "table.csv: 11 activities, of which 1 cannot be read",
        "map.toml: the map is sound",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    let done = place.run(&["import", "activities", "table.csv", "--map", "map.toml"]);
    assert!(done.stdout.contains("10 created, 0 updated, 0 unchanged, 1 rejected"), "{}", done.stdout);
}

#[test]
fn all_faults_of_a_map_are_told_at_once() {
    let place = Place::new();
    place.file("table.csv", &table());
    let map = "[table]\ndelimiter = \";\"\n[[activity]]\nname = \"{Sitte}\"\nquantity = \"{Verbrauch}\"\nstartDate = \"{Datum}\"\nunti = \"kWh\"\n";
    place.file("map.toml", map);
    let ended = place.run(&["map", "check", "map.toml", "table.csv"]);
    assert_eq!(ended.status, 1);
    for fault in [
        "map.toml: activity[0].unit: is required beside quantity",
        "map.toml: activity[0].unti: is not known; did you mean unit?",
        "map.toml: column \"Sitte\", which the map names, is missing; did you mean Site?",
    ] {
        assert!(ended.stderr.contains(fault), "{fault}: {}", ended.stderr);
    }
}

#[test]
fn a_map_and_a_table_in_the_wrong_order_are_told_so() {
    let place = Place::new();
    place.file("table.csv", &table());
    let map = place.ok(&["map", "suggest", "table.csv"]);
    place.file("map.toml", &map);
    let ended = place.run(&["map", "check", "table.csv", "map.toml"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("the map comes first: tonne map check map.toml table.csv"), "{}", ended.stderr);
}

#[test]
fn a_table_with_columns_of_its_own_is_told_of_maps() {
    let place = Place::new();
    place.file("table.csv", &table());
    place.file("dates.csv", "name\nDiesel\n");
    let hint = "A first one: tonne map suggest table.csv > map.toml";
    let ended = place.run(&["import", "activities", "table.csv"]);
    assert!(ended.status == 1 && ended.stderr.contains(hint), "{}", ended.stderr);
    let ended = place.run(&["import", "activities", "dates.csv"]);
    assert!(ended.status == 1 && !ended.stderr.contains("map suggest"), "{}", ended.stderr);
}

#[test]
fn numbers_whose_mark_may_be_another_are_told_when_a_map_is_tried_and_when_the_table_is_imported() {
    let place = Place::new();
    let whole = "A,2025-01-31,7,kWh\n".repeat(3);
    place.file("table.csv", &format!("Site,Date,Usage,Unit\n{whole}B,2025-01-31,1.234,kWh\n"));
    place.file(
        "map.toml",
        "[[activity]]\nname = \"{Site}\"\nstartDate = \"{Date}\"\nquantity = \"{Usage}\"\nunit = \"{Unit}\"\n",
    );
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let said = "warning: column \"Usage\" has whole numbers and, from line 5, 1 such number as \"1.234\"";
    let tried = place.run(&["map", "check", "map.toml", "table.csv"]);
    assert!(tried.status == 0 && tried.stderr.contains(said), "{}", tried.stderr);
    for way in [&["--dry-run"][..], &["--atomic"], &[]] {
        let command = [&["import", "activities", "table.csv", "--map", "map.toml", "--again"], way].concat();
        let done = place.run(&command);
        assert!(done.stderr.contains(said), "{way:?}: {}", done.stderr);
    }
}
