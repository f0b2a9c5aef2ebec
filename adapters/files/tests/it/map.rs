//! Mapping files: what they say, and what is wrong with them.

use ports::inbound::{Field, Reference, RowDraft};
use proptest::prelude::*;
use tonne_files::{MAX_ROW_BYTES, Map};

use crate::support::lines;

fn rows(map: &str, table: &str) -> Vec<RowDraft> {
    let map = Map::parse(map).unwrap_or_else(|error| panic!("{error}"));
    map.rows(table.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect()
}

fn refusal(map: &str) -> String {
    Map::parse(map).unwrap_err().to_string()
}

#[test]
fn all_faults_of_a_map_are_named_with_their_places() {
    let error = refusal(
        r#"
        tabel = 1
        [table]
        delimiter = ";;"
        decimal = ","
        thousands = ","
        encoding = "utf-9"
        dates = ["YYYY", "MMM"]
        [common]
        nmae = "x"
        [[activity]]
        name = "{A"
        quantity = 1.5
        org = ["{B}", { syncId = "x" }]
        [[activity]]
        intensity = { upstream = "1", per = "kwhh" }
        "#,
    );
    for fault in [
        "tabel is not known; did you mean table?",
        "table.delimiter must be one mark",
        "table.thousands is the decimal mark too",
        "table.encoding must be the name of an encoding",
        "table.dates[1] ",
        "common.nmae is not known; did you mean name?",
        "activity[0].name has a { without its }",
        "activity[0].quantity must be a text such as",
        "activity[0].org[1].name is required",
        "activity[1].intensity.per ",
    ] {
        assert!(error.contains(fault), "{fault}: {error}");
    }
}

#[test]
fn what_does_not_go_together_is_named() {
    let error = refusal(
        r#"
        [[activity]]
        name = "a"
        unit = "kwhh"
        product = "p"
        UpstreamCO2e = "1"
        startDate = "tomorrow"
        intensity = { upstream = "1", per = "kWh" }
        [[activity]]
        quantity = "{q} {r}"
        "#,
    );
    assert!(error.contains("activity[1].quantity must be one column"), "{error}");
    let error = refusal(
        "[[activity]]\nname = \"a\"\nunit = \"kwhh\"\nproduct = \"p\"\nUpstreamCO2e = \"1\"\nstartDate = \"tomorrow\"\n\
         intensity = { upstream = \"1\", per = \"kWh\" }\n[[activity]]",
    );
    for fault in [
        "activity[0].quantity is required beside unit",
        "activity[0].unit \"kwhh\" is not a unit",
        "activity[0].startDate is a date of none of the forms",
        "activity[0].intensity needs quantity and unit",
        "activity[0].intensity and product exclude each other",
        "activity[0].intensity gives a part that",
        "activity[1].name is required, here or in common",
        "activity[1].startDate is required, here or in common",
    ] {
        assert!(error.contains(fault), "{fault}: {error}");
    }
    assert!(refusal("").contains("activity is missing"));
    assert!(refusal("a = 1\na = 2").contains("line 2"));
}

#[test]
fn every_fault_of_a_map_comes_in_one_round_and_none_that_follows_from_another() {
    let map = r#"
        [common]
        unit = "kwhh"
        [[activity]]
        nmae = "{Site}"
        name = "{A"
        quantity = "{Menge}"
        startDate = "tomorrow"
        [[activity]]
        name = "b"
        quantity = 1.5
        startDate = "2025-01-31"
        intensity = { upstream = "1", per = "kWh" }
        product = "p"
        [[activity]]
        name = "{Sit}"
        startDate = "2025-01-31"
        quantity = "1"
        "#;
    let error = Map::refusal(map, &b"Site,Menge\n"[..], MAX_ROW_BYTES).to_string();
    let parts: Vec<_> = error.strip_prefix("is no mapping file: ").unwrap().split("; ").collect();
    for fault in [
        "activity[0].nmae is not known",
        "activity[0].name has a { without its }",
        "activity[0].unit \"kwhh\" is not a unit",
        "activity[0].startDate is a date of none of the forms",
        "activity[1].quantity must be a text such as",
        "activity[1].intensity and product exclude each other",
        "column \"Sit\", which the map names, is missing",
    ] {
        assert!(error.contains(fault), "{fault}: {error}");
    }
    assert!(!error.contains("is required"), "{error}");
    assert!(parts.len() >= 8, "{error}");
}

#[test]
fn a_column_that_the_file_lacks_is_one_clear_error() {
    let map = Map::parse("[[activity]]\nname = \"{Site}\"\nstartDate = \"{Form}\"\nskip = { zero = \"kWh\" }").unwrap();
    let error = map.rows(&b"site,From\n"[..], MAX_ROW_BYTES).unwrap_err().to_string();
    assert_eq!(
        error,
        "has a header that is wrong: column \"Form\", which the map names, is missing; did you mean From?; \
         column \"Site\", which the map names, is missing; did you mean site?; column \"kWh\", which the map names, is missing"
    );
}

#[test]
fn the_tables_own_marks_dates_and_header_line_are_read() {
    let rows = rows(
        r#"
        [table]
        delimiter = ";"
        header = 3
        decimal = ","
        thousands = "."
        dates = ["DD.MM.YYYY"]
        nulls = ["k.A."]
        [[activity]]
        name = "{Ort}"
        description = "{Note}"
        quantity = "{Menge}"
        unit = "kWh"
        startDate = "{von}"
        endDate = "{bis}"
        product = { syncId = "strom" }
        "#,
        "Export\n\nOrt;Menge;von;bis;Note\nBonn;1.234,50;01.02.2025;28.02.2025;k.A.\nKöln;1.5;x;;\n",
    );
    let draft = &rows[0].draft;
    assert!(draft.faults.is_empty(), "{}", draft.faults);
    assert_eq!(rows[0].line, 4);
    assert_eq!(draft.quantity.given().unwrap().to_string(), "1234.5");
    assert_eq!(draft.start.given().unwrap().to_string(), "2025-02-01T00:00:00Z");
    assert_eq!(draft.end.given().unwrap().to_string(), "2025-02-28T23:59:59Z");
    assert_eq!(draft.description, Field::Null);
    assert_eq!(draft.sync_id, Field::Absent, "what the map does not mention stays as it is");
    assert!(matches!(draft.product, Field::Given(Reference::SyncId(_))));
    assert_eq!(
        lines(&rows[1].draft.faults),
        [
            "/quantity: has '.' elsewhere than between groups of three digits: \"1.5\" in column \"Menge\"",
            "/startDate: is a date of none of the forms that the map says: \"x\" in column \"von\"",
        ]
    );
}

#[test]
fn an_intensity_is_multiplied_exactly_and_rounded_once() {
    let rows = rows(
        r#"
        [[activity]]
        name = "a"
        startDate = 2025-01-31
        quantity = "{q}"
        unit = "{u}"
        intensity = { upstream = "0.1", downstream = "0.000000000000000001", per = "kWh" }
        "#,
        "q,u\n12345678901234567.123456789012345678,kWh\n1,MWh\n,kWh\n1,kg\n",
    );
    let part = |field: &Field<domain::Co2e>| field.given().map(ToString::to_string);
    assert_eq!(part(&rows[0].draft.upstream).as_deref(), Some("1234567890123456.712345678901234568"));
    assert_eq!(part(&rows[1].draft.upstream).as_deref(), Some("100"));
    assert_eq!(part(&rows[1].draft.downstream).as_deref(), Some("0.000000000000001"));
    assert_eq!((&rows[2].draft.quantity, &rows[2].draft.upstream), (&Field::Null, &Field::Null));
    assert!(lines(&rows[3].draft.faults)[0].starts_with("/quantity: kg measures mass"));
}

#[test]
fn skip_leaves_out_what_it_names_and_nothing_else() {
    let map = Map::parse(
        r#"
        [common]
        name = "{n}"
        startDate = "2025-01-31"
        skip = { equals = { s = ["void", "draft"] } }
        [[activity]]
        skip = { empty = "a", zero = "a" }
        [[activity]]
        "#,
    )
    .unwrap();
    let table = "n,a,s\nx,0.0,\ny,,\nz,1,\nv,1,void\nw,one,\n";
    let mut rows = map.rows(table.as_bytes(), MAX_ROW_BYTES).unwrap();
    let seen: Vec<_> = rows.by_ref().map(|row| row.unwrap().line).collect();
    assert_eq!(seen, [2, 3, 4, 4, 6, 6]);
    assert_eq!((rows.rows(), rows.skipped()), (5, 4));
}

#[test]
fn a_skip_that_cannot_be_judged_rejects_the_row() {
    let rows = rows(
        "[[activity]]\nname = \"a\"\nstartDate = \"2025\"\nskip = { zero = \"a\" }\n[table]\ndates = [\"YYYY\"]",
        "a\none\n",
    );
    assert_eq!(
        lines(&rows[0].draft.faults),
        [": cannot be validated by the map's skip: is not a number with '.' as decimal mark: \"one\" in column \"a\""]
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>, text in "\\PC{0,80}") {
        let _ = Map::parse(&text);
        let map = Map::parse("[table]\nthousands = \" \"\ndates = [\"M/D/YYYY h:mm\"]\n[[activity]]\nname = \"{n}\"\n\
            quantity = \"{n}\"\nunit = \"kg\"\nstartDate = \"{n}\"\nskip = { zero = \"n\" }").unwrap();
        let table = [b"n,m\n", &bytes[..], format!("\n{text},").as_bytes()].concat();
        let _ = map.rows(&table[..], 100).unwrap().map(Result::unwrap).count();
    }
}
