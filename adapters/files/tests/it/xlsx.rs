use std::io::Cursor;

use calamine::{Data, Reader as _, Xlsx};
use tonne_files::{Cell, Table, WorkbookError, table_xlsx};

fn table(rows: Vec<Vec<Cell>>) -> Table {
    Table {
        title: "Report".to_owned(),
        columns: vec!["name".to_owned(), "CO2e".to_owned()],
        rows,
        total: Some(vec![Cell::text("total"), Cell::Number("3.5".to_owned())]),
        about: vec![("period".to_owned(), "2025".to_owned())],
    }
}

fn number(digits: &str) -> Cell {
    Cell::Number(digits.to_owned())
}

#[test]
fn a_workbook_has_numbers_where_they_are_exact_and_texts_elsewhere() {
    let rows = vec![
        vec![Cell::text("=1+1"), number("1.25")],
        vec![Cell::text("00123"), number("1007.250000000000000001")],
        vec![Cell::Empty, number("-0.000000000000000001")],
    ];
    let bytes = table_xlsx(&table(rows)).unwrap();
    let mut book = Xlsx::new(Cursor::new(bytes)).unwrap();
    assert_eq!(book.sheet_names(), ["Report", "About"]);
    let sheet = book.worksheet_range("Report").unwrap();
    let text = |text: &str| Data::String(text.to_owned());
    let found: Vec<Vec<Data>> = sheet.rows().map(<[Data]>::to_vec).collect();
    let expected = [
        [text("name"), text("CO2e")],
        [text("=1+1"), Data::Float(1.25)],
        [text("00123"), text("1007.250000000000000001")],
        [Data::Empty, Data::Float(-1e-18)],
        [text("total"), Data::Float(3.5)],
    ];
    assert_eq!(found, expected);
    assert!(book.worksheet_formula("Report").unwrap().is_empty(), "no text is a formula");
    let about = book.worksheet_range("About").unwrap();
    let note = about.rows().next_back().unwrap()[1].to_string();
    assert!(note.starts_with("1 amounts have more than 15 significant digits"), "{note}");
}

#[test]
fn a_text_that_no_cell_holds_is_refused_with_its_place() {
    let error = table_xlsx(&table(vec![vec![Cell::text("a".repeat(32_768)), Cell::Empty]])).unwrap_err();
    assert!(matches!(&error, WorkbookError::TooLong { row: 1, column } if column == "name"), "{error}");
}
