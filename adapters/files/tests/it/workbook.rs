//! Sheets of workbooks as tables.

use std::io::Cursor;

use ports::inbound::RowDraft;
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook as Writer, Worksheet};
use tonne_files::{CsvRows, MAX_ROW_BYTES, Map, Visibility, Workbook};

use crate::support::lines;

const MAP: &str = r#"
[table]
decimal = ","
dates = ["DD.MM.YYYY"]
[[activity]]
name = "{Site}"
startDate = "{Date}"
quantity = "{kWh}"
unit = "kWh"
"#;

fn workbook(write: impl FnOnce(&mut Writer)) -> Workbook {
    let mut writer = Writer::new();
    write(&mut writer);
    Workbook::open(Box::new(Cursor::new(writer.save_to_buffer().unwrap()))).unwrap()
}

fn one_sheet(write: impl FnOnce(&mut Worksheet)) -> Workbook {
    workbook(|book| write(book.add_worksheet()))
}

fn header(sheet: &mut Worksheet, row: u32) {
    for (column, name) in (0..).zip(["Site", "Date", "kWh"]) {
        sheet.write(row, column, name).unwrap();
    }
}

fn rows(map: &str, workbook: Workbook) -> Vec<RowDraft> {
    let map = Map::parse(map).unwrap_or_else(|error| panic!("{error}"));
    map.workbook_rows(workbook, MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect()
}

/// Quantity and start of a row without faults.
fn told(row: &RowDraft) -> (String, String) {
    assert!(row.draft.faults.is_empty(), "{}", row.draft.faults);
    (row.draft.quantity.given().unwrap().to_string(), row.draft.start.given().unwrap().to_string())
}

#[test]
fn number_cells_are_decimals_of_15_digits_and_texts_have_the_marks_of_the_map() {
    let day = Format::new().set_num_format("dd/mm/yyyy");
    let rows = rows(
        MAP,
        one_sheet(|sheet| {
            header(sheet, 0);
            sheet.write(1, 0, "A").unwrap();
            sheet.write_with_format(1, 1, 45_688, &day).unwrap();
            sheet.write(1, 2, 0.1 + 0.2).unwrap();
            sheet.write(2, 0, "B").unwrap();
            sheet.write(2, 1, "31.01.2025").unwrap();
            sheet.write(2, 2, "12,5").unwrap();
            sheet.write(4, 0, "C").unwrap();
            sheet.write_with_format(4, 1, ExcelDateTime::parse_from_str("2025-01-31 13:00:00").unwrap(), &day).unwrap();
            sheet.write(4, 2, 1234.5).unwrap();
            // A note beside the table.
            sheet.write(4, 7, "checked").unwrap();
        }),
    );
    let told: Vec<_> = rows.iter().map(|row| (row.line, told(row))).collect();
    let row = |line, quantity: &str, start: &str| (line, (quantity.to_owned(), start.to_owned()));
    assert_eq!(
        told,
        [
            row(2, "0.3", "2025-01-31T00:00:00Z"),
            row(3, "12.5", "2025-01-31T00:00:00Z"),
            row(5, "1234.5", "2025-01-31T13:00:00Z")
        ]
    );
}

#[test]
fn a_formula_that_failed_rejects_its_row_where_the_map_reads_it() {
    let rows = rows(
        MAP,
        one_sheet(|sheet| {
            header(sheet, 0);
            for (row, kwh) in [(1, "#DIV/0!"), (2, "7"), (3, "#N/A")] {
                sheet.write(row, 0, "A").unwrap();
                sheet.write(row, 1, "2025-01-31").unwrap();
                sheet.write_formula(row, 2, Formula::new("=1/0").set_result(kwh)).unwrap();
                // The map does not read this one.
                sheet.write_formula(row, 3, Formula::new("=1/0").set_result("#REF!")).unwrap();
            }
        }),
    );
    let faults: Vec<_> = rows.iter().map(|row| lines(&row.draft.faults)).collect();
    assert_eq!(faults[0], [": has #DIV/0! in column \"kWh\": mend the formula, or what it refers to"]);
    assert_eq!(told(&rows[1]).0, "7");
    assert!(faults[2][0].contains("#N/A"));
}

#[test]
fn the_only_sheet_that_is_shown_is_read_and_others_by_their_name() {
    let two = |hidden: bool| {
        workbook(|book| {
            for (name, kwh) in [("Old", 1), ("New", 2)] {
                let sheet = book.add_worksheet();
                sheet.set_name(name).unwrap();
                header(sheet, 0);
                sheet.write(1, 0, "A").unwrap();
                sheet.write(1, 1, "2025-01-31").unwrap();
                sheet.write(1, 2, kwh).unwrap();
                if hidden && name == "Old" {
                    sheet.set_hidden(true);
                } else {
                    sheet.set_active(true);
                }
            }
        })
    };
    assert_eq!(two(true).sheets()[0].visibility, Visibility::Hidden);
    assert_eq!(told(&rows(MAP, two(true))[0]).0, "2");
    let by_name = MAP.replace("[table]", "[table]\nsheet = \"Old\"");
    assert_eq!(told(&rows(&by_name, two(true))[0]).0, "1");
    let map = Map::parse(MAP).unwrap();
    let several = map.workbook_rows(two(false), MAX_ROW_BYTES).unwrap_err().to_string();
    assert_eq!(several, "has several sheets: say which one to read; it has \"Old\", \"New\"");
    let unknown = map.with_sheet(Some("Sheet1")).workbook_rows(two(true), MAX_ROW_BYTES).unwrap_err().to_string();
    assert_eq!(unknown, "has no sheet \"Sheet1\"; it has \"Old\" (hidden), \"New\"");
}

#[test]
fn two_rows_of_a_header_give_names_together() {
    let map = r#"
        table.header = [3, 4]
        [common]
        name = "{Site}"
        startDate = "{Date}"
        unit = "kWh"
        [[activity]]
        quantity = "{Electricity kWh}"
        [[activity]]
        quantity = "{Gas kWh}"
        "#;
    let book = one_sheet(|sheet| {
        sheet.write(0, 0, "Energy 2025").unwrap();
        let plain = Format::new();
        sheet.merge_range(2, 0, 3, 0, "Site", &plain).unwrap();
        sheet.write(2, 1, "Date").unwrap();
        sheet.merge_range(2, 2, 2, 3, "Electricity", &plain).unwrap();
        sheet.merge_range(2, 4, 2, 5, "Gas", &plain).unwrap();
        for (column, name) in (2..).zip(["kWh", "EUR", "kWh", "EUR"]) {
            sheet.write(3, column, name).unwrap();
        }
        sheet.write(4, 0, "A").unwrap();
        sheet.write(4, 1, "2025-01-31").unwrap();
        for (column, number) in (2..).zip([10, 20, 30, 40]) {
            sheet.write(4, column, number).unwrap();
        }
    });
    let quantities: Vec<_> = rows(map, book).iter().map(|row| told(row).0).collect();
    assert_eq!(quantities, ["10", "30"]);
}

#[test]
fn a_column_that_stands_twice_is_a_fault_only_where_the_map_names_it() {
    let book = || {
        one_sheet(|sheet| {
            header(sheet, 0);
            sheet.write(0, 3, "Site").unwrap();
            sheet.write(1, 0, "A").unwrap();
        })
    };
    let map = Map::parse(MAP).unwrap();
    let error = map.workbook_rows(book(), MAX_ROW_BYTES).unwrap_err().to_string();
    assert!(error.contains("column \"Site\", which the map names, stands twice"), "{error}");
    let map = Map::parse(&MAP.replace("{Site}", "a")).unwrap();
    assert!(map.workbook_rows(book(), MAX_ROW_BYTES).is_ok());
}

#[test]
fn a_sheet_whose_columns_are_an_activitys_needs_no_map() {
    let book = one_sheet(|sheet| {
        for (column, (name, cell)) in (0..).zip([("name", "A"), ("startDate", "2025-01-31"), ("unit", "kWh")]) {
            sheet.write(0, column, name).unwrap();
            sheet.write(1, column, cell).unwrap();
        }
        sheet.write(0, 3, "quantity").unwrap();
        sheet.write(1, 3, 1.5).unwrap();
    });
    let rows: Vec<_> = CsvRows::of_sheet(book, None, MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
    assert_eq!(told(&rows[0]).0, "1.5");
}

#[test]
fn what_is_no_workbook_or_a_damaged_one_is_refused() {
    let open = |bytes: &[u8]| Workbook::open(Box::new(Cursor::new(bytes.to_vec()))).map(|_| ());
    let whole = Writer::new().save_to_buffer().unwrap();
    for bytes in [
        &b"a,b\n1,2\n"[..],
        &whole[..whole.len() / 2],
        b"PK\x03\x04",
        &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    ] {
        let error = open(bytes).unwrap_err().to_string();
        assert!(error.starts_with("is no workbook that can be read: "), "{error}");
    }
}

#[test]
fn a_row_that_is_too_long_is_rejected_and_the_next_is_read() {
    let book = one_sheet(|sheet| {
        header(sheet, 0);
        sheet.write(1, 0, "A".repeat(2_000)).unwrap();
        sheet.write(2, 0, "B").unwrap();
        sheet.write(2, 1, "2025-01-31").unwrap();
        sheet.write(2, 2, 3).unwrap();
    });
    let map = Map::parse(MAP).unwrap();
    let rows: Vec<_> = map.workbook_rows(book, 1_000).unwrap().map(Result::unwrap).collect();
    assert_eq!(lines(&rows[0].draft.faults), [": is longer than 1000 bytes"]);
    assert_eq!(told(&rows[1]).0, "3");
}
