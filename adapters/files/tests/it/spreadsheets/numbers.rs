//! Marks of numbers, and what stands in the place of numbers.

use tonne_files::{MAX_ROW_BYTES, Map};

use super::{Table, has};

/// What a map says of the numbers of a table that it has read.
fn doubts(map: &str, text: &str) -> Vec<String> {
    let map = Map::parse(map).unwrap_or_else(|error| panic!("{error}\n{map}"));
    let mut rows = map.rows(text.as_bytes(), MAX_ROW_BYTES).unwrap();
    assert!(rows.by_ref().all(|row| row.is_ok()));
    rows.doubts()
}

/// A table whose first 600 numbers have no mark.
fn late(cells: &[&str]) -> String {
    let whole = (0..600).map(|number| format!("W;2025-01-31;{}\n", number + 100)).collect::<Vec<_>>().concat();
    let marked = cells.iter().map(|cell| format!("W;2025-01-31;{cell}\n")).collect::<Vec<_>>().concat();
    format!("Werk;Datum;Verbrauch kWh\n{whole}{marked}")
}

#[test]
fn where_no_number_shows_a_mark_the_map_does_not_say_one() {
    let map = Table::text(&late(&["1.234", "2.500"])).suggested();
    has(&map, "# decimal = \".\"  # no number that was looked at has a mark; say which one it is where others have");
}

#[test]
fn marks_of_columns_that_are_no_numbers_leave_nothing_open() {
    let receipts = "R-1;2025-01-31;12,5\nR-2;2025-02-28;13,75\nR-3;2025-03-31;1.234\n4.711;2025-04-30;8,5\n";
    let map = Table::text(&format!("Beleg;Datum;kWh\n{receipts}")).suggested();
    has(&map, "decimal = \",\"");
    has(&map, "thousands = \".\"");
    // A column whose numbers have the other decimal mark is one of numbers too.
    let mixed = "2025-01-31;12,5;1.234\n2025-02-28;13,7;12.5\n2025-03-31;8,25;13.5\n";
    let map = Table::text(&format!("Datum;Betrag;kWh\n{mixed}")).suggested();
    has(&map, "# decimal = \",\"  # unsure: \"1.234\" in \"kWh\" can be read in two ways");
}

#[test]
fn numbers_that_contradict_each_other_leave_their_marks_open() {
    let commas: Vec<_> = (1..=12).map(|number| format!("W;2025-01-31;{number},5\n")).collect();
    let table = |rest: &str| Table::text(&format!("Werk;Datum;kWh\n{}{rest}", commas.concat())).suggested();
    let map = table("W;2025-01-31;7.5\nW;2025-01-31;1.234\n");
    has(&map, "# decimal = \",\"  # unsure: \"1.234\" in \"kWh\" can be read in two ways; keep what is right");
    // Without a number with a point as the decimal mark nothing speaks for it.
    has(&table("W;2025-01-31;1.234\n"), "decimal = \",\"  # numbers show it");
    let map = Table::text("Werk;Datum;kWh\nA;2025-01-31;1,5\nB;2025-02-28;2.5\n").suggested();
    has(
        &map,
        "# decimal = \".\"  # unsure: as many numbers have a decimal point as have a decimal comma; keep what is right",
    );
}

#[test]
fn whole_numbers_beside_numbers_with_three_digits_behind_the_mark_are_doubted() {
    let text = late(&["1.234", "2.500"]);
    let map = Table::text(&text).suggested();
    let doubts_of = |cells: &[&str]| doubts(&map, &late(cells));
    let told = doubts(&map, &text);
    assert_eq!(told.len(), 1, "{told:?}");
    for part in ["column \"Verbrauch kWh\"", "from line 602, 2 such numbers as \"1.234\"", "Where 1234 is meant"] {
        assert!(told[0].contains(part), "{part}: {told:?}");
    }
    assert!(doubts_of(&["1.234", "2.5"]).is_empty());
    assert!(doubts_of(&["0.234"]).is_empty());
    assert!(doubts_of(&["7"]).is_empty());
    // Without whole numbers all have three digits behind the mark, as programs write them.
    assert!(doubts(&map, "Werk;Datum;Verbrauch kWh\nW;2025-01-31;1.234\nW;2025-01-31;2.500\n").is_empty());
    // What the map says of thousands leaves nothing open.
    let said = map.replace("# decimal = \".\"", "decimal = \",\"\nthousands = \".\"");
    assert!(doubts(&said, &text).is_empty());
}

#[test]
fn what_is_doubted_of_a_column_with_marks_of_its_own_is_mended_there() {
    let map = "[table]\ndelimiter = \";\"\ncolumns = { kWh = { decimal = \".\" } }\n[[activity]]\nname = \"{Werk}\"\n\
               startDate = \"{Datum}\"\nquantity = \"{kWh}\"\nunit = \"kWh\"\n";
    let text = "Werk;Datum;kWh\nA;2025-01-31;7\nB;2025-01-31;1.234\n";
    let told = doubts(map, text);
    let own = "columns = { \"kWh\" = { decimal = \",\", thousands = \".\" } }";
    assert!(told.len() == 1 && told[0].ends_with(&format!("Where 1234 is meant, say {own} in [table]")), "{told:?}");
    let said = map.replace("columns = { kWh = { decimal = \".\" } }", own);
    assert!(doubts(&said, text).is_empty());
}

#[test]
fn a_column_that_two_activities_of_a_row_read_is_doubted_once() {
    let activity = "[[activity]]\nname = \"{Werk}\"\nstartDate = \"{Datum}\"\nquantity = \"{kWh}\"\nunit = \"kWh\"\n";
    let text = "Werk,Datum,kWh\nA,2025-01-31,7\nB,2025-01-31,1.234\n";
    let told = doubts(&format!("{activity}{activity}"), text);
    assert!(told.len() == 1 && told[0].contains("1 such number as"), "{told:?}");
}
