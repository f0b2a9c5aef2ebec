//! Workbooks that are made up byte by byte.

use super::*;
use crate::workbook::Workbook;

const MOST: MostCells = MostCells { cells: 1_000, texts: 10_000 };

fn record(kind: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).unwrap();
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), data].concat()
}

fn begin() -> Vec<u8> {
    record(kind::BEGIN, &[0x00, 0x06, 0x10, 0x00, 0, 0, 0, 0])
}

fn number(row: u16, column: u16, value: f64) -> Vec<u8> {
    let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
    record(0x0203, &[&place[..], &value.to_le_bytes()].concat())
}

fn shared(row: u16, column: u16, index: u32) -> Vec<u8> {
    let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
    record(kind::SHARED_TEXT, &[&place[..], &index.to_le_bytes()].concat())
}

/// A text of the table of shared ones.
fn text(text: &str) -> Vec<u8> {
    [&u16::try_from(text.len()).unwrap().to_le_bytes()[..], &[0], text.as_bytes()].concat()
}

/// A stream of those records of the whole and those of each sheet; `places` says which sheet each entry leads to.
fn workbook(globals: &[u8], sheets: &[Vec<u8>], places: &[usize]) -> Vec<u8> {
    let entry = |place: usize, number: usize| {
        let name = format!("S{number}");
        let head = [&u32::try_from(place).unwrap().to_le_bytes()[..], &[0, 0, 2, 0]].concat();
        record(kind::SHEET, &[&head[..], name.as_bytes()].concat())
    };
    let length = [&begin()[..], globals, &record(kind::END, &[])].concat().len() + places.len() * entry(0, 1).len();
    let starts: Vec<usize> = sheets
        .iter()
        .scan(length, |at, sheet| {
            let start = *at;
            *at += sheet.len();
            Some(start)
        })
        .collect();
    let entries: Vec<u8> = places.iter().zip(1..).flat_map(|(place, number)| entry(starts[*place], number)).collect();
    [begin(), globals.to_vec(), entries, record(kind::END, &[]), sheets.concat()].concat()
}

fn sheet(records: &[Vec<u8>]) -> Vec<u8> {
    [begin(), records.concat(), record(kind::END, &[])].concat()
}

fn refusal(stream: Vec<u8>) -> String {
    check(stream, MOST).expect_err("is too much")
}

fn strings(texts: &[Vec<u8>]) -> Vec<u8> {
    record(kind::STRINGS, &[&[0; 8][..], &texts.concat()].concat())
}

#[test]
fn a_workbook_of_a_usual_size_is_read() {
    let globals = [strings(&[text("Site"), text("A")]), record(kind::DEFINED_NAME, &[0; 40])].concat();
    let area = record(kind::DIMENSIONS, &[&u32::MAX.to_le_bytes()[..], &[0xff; 10]].concat());
    let cells = sheet(&[area, shared(0, 0, 0), shared(1, 0, 1), number(1, 1, 1.5)]);
    let bytes = rewritten(&workbook(&globals, &[cells], &[0])).unwrap();
    let book = Workbook::open(bytes).unwrap();
    assert_eq!(book.sheets()[0].name, "S1");
    let mut rows = book.into_rows(None, 1_000).unwrap();
    let mut next = || {
        let cells = rows.next_record().unwrap().unwrap().cells.unwrap();
        cells.iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!((next(), next()), (vec!["Site".to_owned()], vec!["A".to_owned(), "1.5".to_owned()]));
}

#[test]
fn files_are_read_whichever_version_their_container_has_and_however_long_they_are() {
    for version in [Version::V3, Version::V4] {
        for count in [1, 1_000] {
            let cells: Vec<_> = (0..count).map(|row| number(row, 0, 1.5)).collect();
            let mut file = CompoundFile::create_with_version(version, Cursor::new(Vec::new())).unwrap();
            let stream = workbook(&[], &[sheet(&cells)], &[0]);
            file.create_stream("/Workbook").unwrap().write_all(&stream).unwrap();
            let bytes = Cursor::new(file.into_inner().into_inner());
            let book = Workbook::open(Box::new(bytes)).unwrap();
            let mut rows = book.into_rows(None, 10_000).unwrap();
            let mut read = 0;
            while let Some(row) = rows.next_record().unwrap() {
                assert_eq!(row.cells.unwrap().iter().collect::<Vec<_>>(), ["1.5"]);
                read += 1;
            }
            assert_eq!(read, count, "{version:?}");
        }
    }
}

#[test]
fn cells_far_from_each_other_are_refused() {
    let far = sheet(&[number(0, 0, 1.0), number(u16::MAX, 0xff, 1.0)]);
    assert!(refusal(workbook(&[], std::slice::from_ref(&far), &[0])).contains("more than 1000 cells"));
    let sheets = workbook(&[], &vec![far; 9], &[0, 1, 2, 3, 4, 5, 6, 7, 8]);
    assert!(check(sheets, MostCells::default()).unwrap_err().contains("more than 20000000 cells"));
    let several = [&[1, 0, 0, 0][..], &[0; 6], &[0xff, 0xff]].concat();
    let wide = sheet(&[record(kind::SEVERAL_NUMBERS, &several)]);
    assert!(refusal(workbook(&[], &[wide], &[0])).contains("cells"));
}

#[test]
fn sheets_that_share_their_records_are_refused() {
    let cells = sheet(&[number(0, 0, 1.0)]);
    assert!(refusal(workbook(&[], &[cells], &[0, 0])).contains("stand in each other"));
}

#[test]
fn one_long_text_in_many_cells_is_refused() {
    let globals = strings(&[text(&"x".repeat(1_000))]);
    let cells: Vec<Vec<u8>> = (0..100).map(|row| shared(row, 0, 0)).collect();
    assert!(refusal(workbook(&globals, &[sheet(&cells)], &[0])).contains("texts"));
}

#[test]
fn texts_go_on_in_later_pieces() {
    let start = [&[0; 8][..], &8_u16.to_le_bytes(), &[0], b"abc"].concat();
    let rest = [&[1][..], &[0; 10], &text("next")].concat();
    let globals = [record(kind::STRINGS, &start), record(0x003c, &rest)].concat();
    let mut records = Records::new(&globals, 0);
    let found = records.next_record().unwrap().unwrap();
    assert_eq!(strings::lengths(&found), Ok(vec![48, 24]));
}

#[test]
fn a_record_of_very_many_pieces_and_one_that_is_cut_are_refused() {
    let pieces = [strings(&[]), record(0x003c, &[]).repeat(20_001)].concat();
    assert!(refusal(workbook(&pieces, &[], &[])).contains("pieces"));
    let whole = workbook(&[], &[sheet(&[number(0, 0, 1.0)])], &[0]);
    assert!(refusal(whole[..whole.len() - 8].to_vec()).contains("cut short"));
}

/// A cell with that expression and the number 2.5, which it came to.
fn formula(row: u16, column: u16, expression: &[u8]) -> Vec<u8> {
    let place = [row.to_le_bytes(), column.to_le_bytes(), [0, 0]].concat();
    let length = u16::try_from(expression.len()).unwrap().to_le_bytes();
    record(kind::FORMULA, &[&place[..], &2.5_f64.to_le_bytes(), &[0; 6], &length, expression].concat())
}

#[test]
fn of_a_formula_its_value_is_read_and_its_expression_is_not() {
    let expression = [0x1e, 7, 0].repeat(100);
    let cells = sheet(&[number(0, 0, 1.5), formula(0, 1, &expression), number(1, 0, 1.0), formula(1, 1, &expression)]);
    let stream = check(workbook(&[], &[cells], &[0]), MOST).unwrap();
    let mut records = Records::new(&stream, 0);
    let mut lengths = Vec::new();
    while let Some(found) = records.next_record().unwrap() {
        if found.kind == kind::FORMULA {
            lengths.push(found.short_at(20).unwrap());
        }
    }
    assert_eq!(lengths, [0, 0]);
    let mut rows = Workbook::open(rewritten(&stream).unwrap()).unwrap().into_rows(None, 1_000).unwrap();
    let heading = rows.next_record().unwrap().unwrap().cells.unwrap();
    assert_eq!(heading.iter().collect::<Vec<_>>(), ["1.5", "2.5"]);
}

#[test]
fn a_formula_without_its_length_is_refused() {
    let cut = record(kind::FORMULA, &[0; 20]);
    assert!(refusal(workbook(&[], &[sheet(&[cut])], &[0])).contains("cut short"));
}
