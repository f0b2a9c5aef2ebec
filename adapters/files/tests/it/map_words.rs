//! What a map says of words and cells of its table: units, cells filled from above, factors in columns.

use ports::inbound::RowDraft;
use tonne_files::{MAX_ROW_BYTES, Map, Reasons, copy_rejected};

use crate::support::lines;

fn rows(map: &Map, table: &str) -> Vec<RowDraft> {
    map.rows(table.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect()
}

/// Name, quantity and unit of each activity, or what is wrong with it.
fn read(map: &str, table: &str) -> Vec<String> {
    let map = Map::parse(map).unwrap_or_else(|error| panic!("{error}"));
    let shown = |row: &RowDraft| {
        let draft = &row.draft;
        if !draft.faults.is_empty() {
            return lines(&draft.faults).join("; ");
        }
        let quantity = draft.quantity.given().map(ToString::to_string).unwrap_or_default();
        let unit = draft.unit.given().map(ToString::to_string).unwrap_or_default();
        let co2e = draft.upstream.given().map(|co2e| format!(" = {co2e}")).unwrap_or_default();
        let name = draft.name.given().map_or_else(|| "?".to_owned(), ToString::to_string);
        format!("{name} {quantity} {unit}{co2e}")
    };
    rows(&map, table).iter().map(shown).collect()
}

const ACTIVITY: &str =
    "[[activity]]\nname = \"{Site}\"\nstartDate = \"2025-01-01\"\nquantity = \"{Q}\"\nunit = \"{Unit}\"\n";

#[test]
fn a_word_for_several_units_is_refused_with_each_of_them_and_the_line_that_chooses() {
    let table = "Site,Q,Unit\nA,1,gal\nB,1,Therms\nC,1,ton\nD,1,cwt\nE,1,gal_uk\n";
    let told = read(ACTIVITY, table);
    assert_eq!(
        told[0],
        "/unit: means several units: say which in [table] of the map, units = { gal = \"gal_us\" } for the US liquid gallon or \
         units = { gal = \"gal_uk\" } for the imperial gallon: \"gal\" in column \"Unit\""
    );
    assert!(told[1].contains("units = { Therms = \"therm_us\" }") && told[1].contains("\"therm_ec\""), "{}", told[1]);
    assert!(told[2].contains("ton_short") && told[2].contains("in [table] of the map: units = { ton ="), "{}", told[2]);
    assert!(told[3].contains("112 lb in Britain"), "{}", told[3]);
    assert_eq!(told[4], "E 1 gal_uk");
}

#[test]
fn the_map_says_what_a_word_means() {
    let map = format!("[table]\nunits = {{ gal = \"gal_uk\", \"m\u{b3} (gas)\" = \"m3\" }}\n{ACTIVITY}");
    assert_eq!(read(&map, "Site,Q,Unit\nA,1,gal\nB,2,m\u{b3} (gas)\nC,3,L\n"), ["A 1 gal_uk", "B 2 m3", "C 3 L"]);
    // What the map writes itself is a code.
    let own = ACTIVITY.replace("{Unit}", "gal");
    assert_eq!(read(&own, "Site,Q\nA,1\n"), ["A 1 gal"]);
    let wrong = Map::parse(&format!("[table]\nunits = {{ gal = \"gallon\" }}\n{ACTIVITY}")).unwrap_err().to_string();
    assert!(wrong.contains("table.units.gal \"gallon\" means two units"), "{wrong}");
}

const GROUPED: &str = "[table]\nfill = [\"Region\", \"Site\"]\n[[activity]]\nname = \"{Region}: {Site}\"\n\
                       startDate = \"2025-01-01\"\nquantity = \"{Q}\"\nunit = \"kWh\"\n";

#[test]
fn cells_below_the_name_of_a_group_have_it_and_a_site_of_one_region_is_none_of_the_next() {
    let table = "Region,Site,Q\nNorth,A,1\n,,2\n,B,3\n\nSouth,,4\n,C,5\n";
    assert_eq!(
        read(GROUPED, table),
        ["North: A 1 kWh", "North: A 2 kWh", "North: B 3 kWh", "? 4 kWh", "South: C 5 kWh"]
    );
}

#[test]
fn nothing_is_filled_from_a_row_that_cannot_be_read() {
    let told = read(GROUPED, "Region,Site,Q\nNorth,A,1\nSouth,B\n,,2\nSouth,C,3\n");
    assert_eq!((told[0].as_str(), told[3].as_str()), ("North: A 1 kWh", "South: C 3 kWh"));
    assert!(told[1].contains("has 2 cells"), "{}", told[1]);
    assert!(told[2].contains("\"Region\" is that of line 3"), "{}", told[2]);
}

#[test]
fn rejected_rows_are_copied_with_what_fills_them() {
    let map = Map::parse(GROUPED).unwrap();
    let mut reasons = Reasons::new(Vec::new());
    reasons.write(3, &domain::Faults::one("/quantity", "is no number")).unwrap();
    let mut copy = Vec::new();
    let table = "Region,Site,Q\nNorth,A,1\n,,x\nSouth,B,2\n";
    copy_rejected(table.as_bytes(), Some(&map), &reasons.finish().unwrap()[..], &mut copy).unwrap();
    let copy = String::from_utf8(copy).unwrap();
    assert!(copy.ends_with("\nNorth,A,x,line 3: quantity: is no number\n"), "{copy}");
    assert_eq!(read(GROUPED, &copy.replace(",x,", ",7,")), ["North: A 7 kWh"]);
}

#[test]
fn a_column_of_factors_is_multiplied_by_the_quantity() {
    let intensity = "intensity = { upstream = \"{Factor}\", per = \"{Per}\" }\n";
    let table =
        "Site,Q,Unit,Factor,Per\nA,10,kWh,0.4,kWh\nB,2,MWh,0.4,kWh\nC,1,kWh,,kWh\nD,1,kWh,0.4,\nE,1,kWh,0.4,gal\n";
    let told = read(&format!("{ACTIVITY}{intensity}"), table);
    assert_eq!(told[..3], ["A 10 kWh = 4", "B 2 MWh = 800", "C 1 kWh"]);
    assert!(told[3].contains("is per a unit that is empty in column \"Per\""), "{}", told[3]);
    assert!(told[4].contains("gal_us"), "{}", told[4]);
}
