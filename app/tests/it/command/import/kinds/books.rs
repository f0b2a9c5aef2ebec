//! Workbooks.

use rust_xlsxwriter::{Format, Formula};

use super::{Kind, POWER, book, row, sheet};

#[test]
fn dates_as_serials_and_as_texts_in_one_column() {
    let bytes = sheet(|sheet| {
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
        let day = Format::new().set_num_format("dd.mm.yyyy");
        for (at, site) in (1..).zip(["A", "B"]) {
            row(sheet, at, &[site, "", "", "kWh"]);
            sheet.write_with_format(at, 1, 45_687 + at, &day).unwrap();
            sheet.write(at, 2, 1.1 * f64::from(at)).unwrap();
        }
        row(sheet, 3, &["C", "2025-03-01", "", "kWh"]);
        sheet.write(3, 2, 5).unwrap();
    });
    Kind { file: "dates.xlsx", bytes, mends: &[POWER], created: 3, rejected: &[], skipped: 0, total: "3.32" }
        .goes_the_whole_way();
}

#[test]
fn a_merged_header_over_groups_of_columns() {
    let bytes = sheet(|sheet| {
        let plain = Format::new();
        sheet.merge_range(0, 0, 0, 5, "Energy 2025", &plain).unwrap();
        sheet.merge_range(1, 0, 2, 0, "Site", &plain).unwrap();
        sheet.merge_range(1, 1, 2, 1, "Date", &plain).unwrap();
        sheet.merge_range(1, 2, 1, 3, "Power", &plain).unwrap();
        sheet.merge_range(1, 4, 1, 5, "Gas", &plain).unwrap();
        row(sheet, 2, &["", "", "kWh", "EUR", "m3", "EUR"]);
        row(sheet, 3, &["A", "2025-01-31"]);
        for (column, number) in (2..).zip([10.5, 1.0, 20.25, 2.0]) {
            sheet.write(3, column, number).unwrap();
        }
    });
    Kind {
        file: "merged.xlsx",
        bytes,
        mends: &[
            ("name = \"{Site}: Power", "name = \"{Site}: Power\"\nproduct = \"power\""),
            ("name = \"{Site}: Gas", "name = \"{Site}: Gas\"\nproduct = \"gas\""),
        ],
        created: 2,
        rejected: &[],
        skipped: 0,
        total: "46.725",
    }
    .goes_the_whole_way();
}

#[test]
fn hidden_sheets() {
    let bytes = book(|book| {
        row(book.add_worksheet().set_name("Lists").unwrap().set_hidden(true), 0, &["kWh", "MWh"]);
        let sheet = book.add_worksheet().set_name("2025").unwrap();
        sheet.set_active(true);
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
        row(sheet, 1, &["A", "2025-01-31", "", "MWh"]);
        sheet.write(1, 2, 3).unwrap();
    });
    Kind { file: "hidden.xlsx", bytes, mends: &[POWER], created: 1, rejected: &[], skipped: 0, total: "1200" }
        .goes_the_whole_way();
}

#[test]
fn formulas_with_errors() {
    let bytes = sheet(|sheet| {
        row(sheet, 0, &["Site", "Date", "Usage", "Unit"]);
        for (at, result) in (1..).zip(["12.5", "#DIV/0!", "#REF!", "7"]) {
            row(sheet, at, &["A", "2025-01-31", "", "kWh"]);
            sheet.write_formula(at, 2, Formula::new("=B1/C1").set_result(result)).unwrap();
        }
    });
    Kind {
        file: "formulas.xlsx",
        bytes,
        mends: &[POWER],
        created: 2,
        rejected: &["line 3: the row has #DIV/0! in column \"Usage\"", "line 4: the row has #REF!"],
        skipped: 0,
        total: "7.8",
    }
    .goes_the_whole_way();
}

#[test]
fn duplicated_rows_are_warned_of() {
    let bytes = sheet(|sheet| {
        row(sheet, 0, &["Vehicle", "Fuel", "Refuelled on", "Quantity"]);
        for at in 1..3 {
            row(sheet, at, &["Van 7", "Diesel", "2025-01-31"]);
            sheet.write(at, 3, 40).unwrap();
        }
    });
    let answer = Kind {
        file: "fuel.xlsx",
        bytes,
        mends: &[
            ("product = ", "product = \"{Fuel}\""),
            ("quantity = ", "quantity = \"{Quantity}\""),
            ("unit = ", "unit = \"L\""),
        ],
        created: 2,
        rejected: &[],
        skipped: 0,
        total: "248",
    }
    .goes_the_whole_way();
    assert_eq!(answer["warnings"], 1, "{answer}");
    let detail = answer["warningDetails"][0]["detail"].as_str().unwrap();
    assert!(detail.starts_with("says the same as line 2"), "{detail}");
}
