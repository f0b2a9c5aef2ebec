//! Tables of the kinds that people have: each comes in by the map that is suggested for it, mended by hand where the test says
//! so, or is refused row by row.

mod apart;
mod books;
mod carbon;
mod dates;
mod hints;
mod keys;
mod numbers;
mod paths;
mod sound;
mod sums;
mod texts;

use std::io::Cursor;

use ports::inbound::RowDraft;
use rust_xlsxwriter::{Workbook as Writer, Worksheet};
use tonne_files::{MAX_ROW_BYTES, Map, TableSample, Workbook, suggest_map};

/// A table.
enum Table {
    Text(Vec<u8>),
    Book(Vec<u8>),
}

impl Table {
    fn text(text: &str) -> Self {
        Self::Text(text.as_bytes().to_vec())
    }

    /// A text in Windows-1252, whose letters have the numbers that they have in Unicode here.
    fn latin(text: &str) -> Self {
        Self::Text(text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect())
    }

    fn book(write: impl FnOnce(&mut Writer)) -> Self {
        let mut writer = Writer::new();
        write(&mut writer);
        Self::Book(writer.save_to_buffer().unwrap())
    }

    fn sheet(write: impl FnOnce(&mut Worksheet)) -> Self {
        Self::book(|book| write(book.add_worksheet()))
    }

    fn opened(bytes: &[u8]) -> Workbook {
        Workbook::open(Box::new(Cursor::new(bytes.to_vec()))).unwrap()
    }

    /// The map that is suggested, in which every guess has its reason.
    fn suggested(&self) -> String {
        let map = suggest_map(&match self {
            Self::Text(bytes) => TableSample::of_text(&bytes[..]).unwrap(),
            Self::Book(bytes) => TableSample::of_sheet(Self::opened(bytes), None).unwrap(),
        });
        let bare: Vec<_> = map.lines().filter(|line| is_guess(line) && !has_reason(line)).collect();
        assert_eq!(bare, Vec::<&str>::new(), "guesses without a reason in\n{map}");
        map
    }

    /// What a map makes of it: line, name, first and last day, quantity and unit of each activity, or what is wrong.
    fn read(&self, map: &str) -> Vec<String> {
        let map = Map::parse(map).unwrap_or_else(|error| panic!("{error}\n{map}"));
        let rows: Vec<RowDraft> = match self {
            Self::Text(bytes) => map.rows(&bytes[..], MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect(),
            Self::Book(bytes) => {
                map.workbook_rows(Self::opened(bytes), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect()
            }
        };
        rows.iter().map(told).collect()
    }
}

/// Whether a line of a map says a key, be it commented out or not.
fn is_guess(line: &str) -> bool {
    let key = line.trim_start_matches("# ").split_once(" = ").map_or("", |(key, _)| key);
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a line ends with a comment.
fn has_reason(line: &str) -> bool {
    line.rsplit_once("  # ").is_some_and(|(_, why)| !why.trim().is_empty())
}

fn told(row: &RowDraft) -> String {
    let draft = &row.draft;
    if !draft.faults.is_empty() {
        let faults: Vec<String> =
            draft.faults.as_slice().iter().map(|fault| format!("{} {}", fault.pointer, fault.detail)).collect();
        return format!("{} WRONG {}", row.line, faults.join("; "));
    }
    let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let day = |value: Option<String>| text(value).chars().take(10).collect::<String>();
    format!(
        "{} {} {}..{} {} {}",
        row.line,
        draft.name.given().map(ToString::to_string).unwrap_or_default(),
        day(draft.start.given().map(ToString::to_string)),
        day(draft.end.given().map(ToString::to_string)),
        text(draft.quantity.given().map(ToString::to_string)),
        text(draft.unit.given().map(|unit| unit.code().to_owned())),
    )
}

/// The map with a line that was commented out or is there put in another way.
fn mended(map: &str, key: &str, value: &str) -> String {
    let mut found = false;
    let line = |line: &str| {
        let bare = line.strip_prefix("# ").unwrap_or(line);
        if !found && bare.starts_with(&format!("{key} = ")) {
            found = true;
            return format!("{key} = {value}");
        }
        line.to_owned()
    };
    let lines: Vec<String> = map.lines().map(line).collect();
    assert!(found, "{key} is not in\n{map}");
    lines.join("\n")
}

fn has(map: &str, line: &str) {
    assert!(map.lines().any(|found| found.starts_with(line)), "{line} is not in\n{map}");
}
