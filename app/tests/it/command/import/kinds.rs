//! Tables of the kinds that people have go the whole way: a map is suggested and mended by hand, checked and tried, the rows
//! are imported, and the report is what the table says, to the digit.

mod books;
mod old_books;
mod open_documents;
mod texts;

use rust_xlsxwriter::{Workbook, Worksheet};
use serde_json::Value;

use super::super::run::Place;

const CATALOG: &str = r#"
[[product]]
syncId = "power"
name = "Power"
unit = "kWh"
[[product]]
syncId = "gas"
name = "Gas"
unit = "m3"
[[product]]
syncId = "diesel"
name = "Diesel"
unit = "L"
[[factor]]
product = "power"
unit = "kWh"
downstream = "0.4"
validFrom = 2020-01-01
source = "Made up"
[[factor]]
product = "gas"
unit = "m3"
downstream = "2.1"
validFrom = 2020-01-01
source = "Made up"
[[factor]]
product = "diesel"
unit = "L"
upstream = "0.5"
downstream = "2.6"
validFrom = 2020-01-01
source = "Made up"
"#;

/// What the suggested map lacks where all rows are power.
const POWER: (&str, &str) = ("scope = ", "product = \"power\"");

/// A table, what is mended by hand in the map that is suggested for it, and what becomes of it.
struct Kind<'a> {
    file: &'a str,
    bytes: Vec<u8>,
    /// How lines of the map begin, commented out or not, and what is put in their place.
    mends: &'a [(&'a str, &'a str)],
    created: u64,
    /// A part of what is told of each rejected row.
    rejected: &'a [&'a str],
    /// How many rows the map leaves out.
    skipped: u64,
    /// kg CO2e that the report shows.
    total: &'a str,
}

impl Kind<'_> {
    /// What the import answers.
    fn goes_the_whole_way(self) -> Value {
        let place = Place::new();
        place.file("catalog.toml", CATALOG);
        place.ok(&["import", "catalog", "catalog.toml"]);
        std::fs::write(place.path().join(self.file), &self.bytes).unwrap();
        let map = self.mends.iter().fold(place.ok(&["map", "suggest", self.file]), |map, mend| mended(&map, mend));
        place.file("map.toml", &map);

        let checked = place.ok(&["map", "check", "map.toml", self.file]);
        assert!(checked.ends_with("map.toml: the map is sound\n"), "{checked}\n{map}");
        let command = ["import", "activities", self.file, "--map", "map.toml", "--json"];
        let mut answer = Value::Null;
        for dry_run in [true, false] {
            let flags: &[&str] = if dry_run { &["--dry-run"] } else { &[] };
            let ended = place.run(&[&command, flags].concat());
            let done: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|error| {
                panic!("{error}: {}\n{map}", ended.stderr);
            });
            let rejected = self.rejected.len() as u64;
            let counts = ["created", "updated", "rejected", "skipped"].map(|count| done[count].as_u64().unwrap());
            assert_eq!(counts, [self.created, 0, rejected, self.skipped], "{}\n{map}", ended.stderr);
            assert_eq!(ended.status, i32::from(rejected > 0), "{}", ended.stderr);
            for reason in self.rejected {
                assert!(ended.stderr.contains(reason), "{reason}: {}", ended.stderr);
            }
            let (count, total) = if dry_run { (0, "0") } else { (self.created, self.total) };
            let report = place.json(&["report"]);
            assert_eq!((&report["count"], &report["uncategorizedCO2e"]), (&count.into(), &total.into()), "{map}");
            answer = done;
        }
        let again = place.run(&command);
        assert!(again.stderr.contains("was imported before"), "{}", again.stderr);
        assert!(place.ok(&["verify"]).starts_with("OK"));
        answer
    }
}

/// The map with the first line that begins so put in another way.
fn mended(map: &str, (begins, line): &(&str, &str)) -> String {
    let is_it = |found: &&str| found.strip_prefix("# ").unwrap_or(found).starts_with(begins);
    let found = map.lines().find(is_it).unwrap_or_else(|| panic!("{begins} is not in\n{map}"));
    map.replacen(&format!("{found}\n"), &format!("{line}\n"), 1)
}

/// A workbook of one sheet.
fn sheet(write: impl FnOnce(&mut Worksheet)) -> Vec<u8> {
    book(|book| write(book.add_worksheet()))
}

fn book(write: impl FnOnce(&mut Workbook)) -> Vec<u8> {
    let mut book = Workbook::new();
    write(&mut book);
    book.save_to_buffer().unwrap()
}

/// Writes texts, and leaves cells free where they are empty.
fn row(sheet: &mut Worksheet, row: u32, texts: &[&str]) {
    for (column, text) in (0..).zip(texts) {
        if !text.is_empty() {
            sheet.write(row, column, *text).unwrap();
        }
    }
}
