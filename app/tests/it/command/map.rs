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

#[test]
fn a_map_says_what_energy_is_by_contract() {
    let place = Place::new();
    place.file(
        "catalog.toml",
        "[[scope]]\nsyncId = \"two\"\nname = \"Scope 2\"\nkind = \"scope2\"\n\
         [[product]]\nsyncId = \"grid\"\nname = \"Grid\"\nunit = \"kWh\"\n\
         [[product]]\nsyncId = \"wind\"\nname = \"Wind\"\nunit = \"kWh\"\n\
         [[factor]]\nproduct = \"grid\"\nunit = \"kWh\"\nupstream = \"0.4\"\nvalidFrom = 2024-01-01\nsource = \"A table\"\n\
         [[factor]]\nproduct = \"wind\"\nunit = \"kWh\"\nupstream = \"0.01\"\nvalidFrom = 2024-01-01\nsource = \"A table\"\n",
    );
    place.ok(&["import", "catalog", "catalog.toml"]);
    let history = place.json(&["history"]);
    let records = history.as_array().unwrap().iter().flat_map(|change| change["records"].as_array().unwrap());
    let factors: Vec<&str> =
        records.filter(|record| record["kind"] == "factor").map(|record| record["uuid"].as_str().unwrap()).collect();
    place.file(
        "meters.csv",
        &format!(
            "Meter,kWh,By,Factor,Which\nhall,1000,certificate,{},GO 4711\noffice,500,,,\n",
            factors.last().unwrap()
        ),
    );
    let map = "[[activity]]\nname = \"{Meter}\"\nsyncId = \"{Meter}\"\nquantity = \"{kWh}\"\nunit = \"kWh\"\n\
               product = \"grid\"\nscope = \"two\"\nstartDate = \"2025-01-01\"\n";
    let market = "marketInstrument = \"{By}\"\nmarketFactor = \"{Factor}\"\nmarketReference = \"{Which}\"\n";
    place.file("map.toml", &format!("{map}{market}"));
    place.ok(&["import", "activities", "meters.csv", "--map", "map.toml"]);
    let both = place.json(&["report", "--date", "2025", "--scope2", "both"]);
    assert_eq!([&both["CO2e"], &both["marketCO2e"]], ["600", "210"]);
    place.file("lone.toml", &format!("{map}marketInstrument = \"contract\"\n"));
    place.file("word.toml", &format!("{map}marketInstrument = \"promise\"\nmarketFactor = \"one\"\n"));
    for (map, places) in [
        ("lone.toml", &["marketFactor is required"][..]),
        ("word.toml", &["marketInstrument must be certificate", "marketFactor "]),
    ] {
        let refused = place.run(&["import", "activities", "meters.csv", "--map", map]);
        let told = format!("{}{}", refused.stdout, refused.stderr);
        assert!(refused.status != 0 && places.iter().all(|place| told.contains(place)), "{map}: {told}");
    }
}
