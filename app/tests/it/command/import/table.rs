//! Importing workbooks, compressed files and other encodings.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use rust_xlsxwriter::Workbook;

use super::super::run::Place;

const MAP: &str = r#"
[[activity]]
name = "{Site}"
syncId = "{Site}"
startDate = "{Date}"
UpstreamCO2e = "{kg}"
"#;

fn put(place: &Place, name: &str, bytes: &[u8]) {
    std::fs::write(place.path().join(name), bytes).unwrap();
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn workbook() -> Vec<u8> {
    let mut book = Workbook::new();
    book.add_worksheet().set_name("Notes").unwrap().set_hidden(true);
    let sheet = book.add_worksheet().set_name("Data").unwrap();
    sheet.set_active(true);
    for (column, name) in (0..).zip(["Site", "Date", "kg"]) {
        sheet.write(0, column, name).unwrap();
    }
    for (row, kg) in [(1, 0.1), (2, 0.2)] {
        sheet.write(row, 0, format!("K\u{f6}ln {row}")).unwrap();
        sheet.write(row, 1, "2025-01-31").unwrap();
        sheet.write(row, 2, kg).unwrap();
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn a_workbook_comes_in_and_hidden_sheets_are_told_of() {
    let place = Place::new();
    place.file("map.toml", MAP);
    // Made once: a workbook says when it was made.
    let book = workbook();
    put(&place, "book.xlsx", &book);
    put(&place, "book.xlsx.gz", &zipped(&book));
    let ended = place.run(&["import", "activities", "book.xlsx", "--map", "map.toml"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("the sheet \"Data\" is read; not read: \"Notes\" (hidden)"), "{}", ended.stderr);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "0.3");
    let same = place.run(&["import", "activities", "book.xlsx.gz", "--map", "map.toml"]);
    assert!(same.status == 1 && same.stderr.contains("was imported before"), "{}", same.stderr);
    let again = place.json(&["import", "activities", "book.xlsx.gz", "--map", "map.toml", "--again"]);
    assert_eq!((&again["created"], &again["unchanged"]), (&0.into(), &2.into()));
    let ended = place.run(&["import", "activities", "book.xlsx", "--map", "map.toml", "--sheet", "Notes"]);
    assert!(ended.stderr.contains("has a header that is wrong: it is missing"), "{}", ended.stderr);
    // Without a map the columns are an activity's.
    let ended = place.run(&["import", "activities", "book.xlsx"]);
    assert!(ended.stderr.contains("column \"Site\" is not known"), "{}", ended.stderr);
}

#[test]
fn what_is_called_a_workbook_and_is_none_is_refused() {
    let place = Place::new();
    place.file("map.toml", MAP);
    place.file("table.xlsx", "name,startDate\na,2025-01-01\n");
    let ended = place.run(&["import", "activities", "table.xlsx"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("it is a text, whatever its name says"), "{}", ended.stderr);
    put(&place, "cut.xlsx", &workbook()[..1_000]);
    let ended = place.run(&["import", "activities", "cut.xlsx", "--map", "map.toml"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("cut.xlsx is no workbook that can be read"), "{}", ended.stderr);
}

#[test]
fn texts_in_other_encodings_and_compressed_ones_come_in() {
    let place = Place::new();
    place.file("map.toml", &format!("[table]\ndelimiter = \";\"\nencoding = \"windows-1252\"\n{MAP}"));
    let text = "Site;Date;kg\nK\u{f6}ln 1;2025-01-31;0.1\nK\u{f6}ln 2;2025-01-31;0.2\n";
    let latin: Vec<u8> = text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect();
    put(&place, "latin.csv", &latin);
    put(&place, "latin.csv.gz", &zipped(&latin));
    let wide: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    put(&place, "wide.csv", &wide);
    let created = |file: &str| {
        let done = place.json(&["import", "activities", file, "--map", "map.toml", "--again"]);
        [done["created"].clone(), done["unchanged"].clone()]
    };
    assert_eq!(created("latin.csv"), [2, 0]);
    let same = place.run(&["import", "activities", "latin.csv.gz", "--map", "map.toml"]);
    assert!(same.status == 1 && same.stderr.contains("was imported before"), "{}", same.stderr);
    assert_eq!(created("latin.csv.gz"), [0, 2]);
    assert_eq!(created("wide.csv"), [0, 2]);
    place.file("plain.toml", &format!("[table]\ndelimiter = \";\"\n{MAP}"));
    let ended = place.run(&["import", "activities", "latin.csv", "--map", "plain.toml", "--again"]);
    assert!(ended.stderr.contains("is not UTF-8 in cell 1"), "{}", ended.stderr);
}

#[test]
fn an_import_that_breaks_midway_says_what_it_kept_though_its_rejected_rows_cannot_be_copied() {
    let place = Place::new();
    let row = |row: u32| format!("row-{row},Row {row},2025-01-31,{}.5\n", row * 7_919 % 1_000);
    let rows = (0..2_000).map(row).collect::<Vec<_>>().concat();
    let text = format!("syncId,name,startDate,UpstreamCO2e\nwrong,Wrong,2025-02-30,1\n{rows}");
    let whole = zipped(text.as_bytes());
    put(&place, "cut.csv.gz", &whole[..whole.len() / 2]);
    let ended = place.run(&["import", "activities", "cut.csv.gz", "--errors", "bad.csv"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("rows, which are kept"), "{}", ended.stderr);
    assert!(ended.stderr.contains("the file of --errors, bad.csv"), "{}", ended.stderr);
    assert!(place.json(&["report"])["count"].as_u64().unwrap() > 100);
}

#[test]
fn rows_that_the_map_leaves_out_are_counted() {
    let place = Place::new();
    place.file("map.toml", &format!("[common]\nskip = {{ equals = {{ Site = [\"Total\"] }} }}\n{MAP}"));
    place.file("rows.csv", "Site,Date,kg\nA,2025-01-31,1\nTotal,2025-01-31,1\nTotal,,1\n");
    let atomic = ["import", "activities", "rows.csv", "--map", "map.toml", "--atomic"];
    let done = place.json(&atomic);
    assert_eq!((&done["created"], &done["skipped"]), (&1.into(), &2.into()), "{done}");
    place.file("none.csv", "Site,Date,kg\nB,2025-01-31,1\n");
    let done = place.json(&["import", "activities", "none.csv", "--map", "map.toml"]);
    assert_eq!((&done["created"], &done["skipped"]), (&1.into(), &0.into()), "{done}");
    let command = ["import", "activities", "rows.csv", "--map", "map.toml", "--dry-run"];
    let dry = place.ok(&command);
    assert!(dry.contains("2 left out, as the map's skip says"), "{dry}");
}

#[test]
fn standard_input_comes_in_to_its_last_row_also_where_it_is_read_twice() {
    let text = |header: &str| {
        let row = |number: u32| format!("Van {number},2025-01-31,0.5\n");
        let rows = (0..8_000).map(row).collect::<Vec<_>>().concat();
        format!("{header}\n{rows}")
    };
    assert!(text("").len() > 150 << 10);
    let place = Place::new();
    place.file("map.toml", MAP);
    let feed = |more: &[&str], header| {
        let arguments = [&["import", "activities", "-", "--errors", "bad.csv", "--force", "--json"], more].concat();
        let ended = place.feed(&arguments, &text(header));
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        serde_json::from_str::<serde_json::Value>(&ended.stdout).unwrap()["created"].clone()
    };
    assert_eq!(feed(&["--format", "csv"], "name,startDate,UpstreamCO2e"), 8_000);
    assert_eq!(feed(&["--map", "map.toml"], "Site,Date,kg"), 8_000);
}

#[test]
fn rows_of_json_come_in_compressed() {
    let place = Place::new();
    let row = b"{\"name\":\"Van\",\"startDate\":\"2025-01-01\",\"UpstreamCO2e\":\"0.1\"}\n";
    put(&place, "rows.ndjson.gz", &zipped(row));
    assert_eq!(place.json(&["import", "activities", "rows.ndjson.gz"])["created"], 1);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "0.1");
}

#[test]
fn workbooks_that_libreoffice_wrote_say_what_the_table_says_that_they_were_made_of() {
    let place = Place::new();
    put(&place, "table.csv", include_bytes!("../../../data/libreoffice/activities.csv"));
    assert_eq!(place.json(&["import", "activities", "table.csv"])["created"], 12);
    let total = place.json(&["report"])["uncategorizedCO2e"].clone();
    for (file, bytes) in [
        ("book.xlsx", &include_bytes!("../../../data/libreoffice/activities.xlsx")[..]),
        ("book.xls", include_bytes!("../../../data/libreoffice/activities.xls")),
        ("book.ods", include_bytes!("../../../data/libreoffice/activities.ods")),
    ] {
        put(&place, file, bytes);
        let ended = place.run(&["import", "activities", file, "--json"]);
        assert_eq!(ended.status, 0, "{file}: {}", ended.stderr);
        assert!(ended.stderr.contains("not read: \"Notes\" (hidden)"), "{file}: {}", ended.stderr);
        let done: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
        let counts = ["created", "updated", "unchanged", "rejected"].map(|name| done[name].as_u64().unwrap());
        assert_eq!(counts, [0, 0, 12, 0], "{file}: {done}");

        let alone = Place::new();
        put(&alone, file, bytes);
        assert_eq!(alone.json(&["import", "activities", file])["created"], 12, "{file}");
        assert_eq!(alone.json(&["report"])["uncategorizedCO2e"], total, "{file}");
    }
}
