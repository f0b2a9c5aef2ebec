//! Rows of CSV whose columns are named as an activity's fields.

use std::io::BufReader;

use domain::Co2e;
use ports::inbound::{Field, Reference, RowDraft};
use proptest::prelude::*;
use tonne_files::{Cells, CsvRows, MAX_ROW_BYTES, Shares, activity_header, activity_rows};

use crate::activity::same_as_the_view;
use crate::support::{lines, view};

fn rows(text: &str) -> Vec<RowDraft> {
    CsvRows::new(text.as_bytes(), MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect()
}

fn refusal(text: &str) -> String {
    CsvRows::new(text.as_bytes(), MAX_ROW_BYTES).unwrap_err().to_string()
}

#[test]
fn columns_come_in_any_order_after_a_byte_order_mark() {
    let rows =
        rows("\u{feff}\"startDate\",name,quantity,unit,org\r\n2025-01-31,\"Gas, \"\"north\"\"\",1234.50,kWh,N-1\r\n");
    let draft = &rows[0].draft;
    assert!(draft.faults.is_empty(), "{}", draft.faults);
    assert_eq!(draft.name.given().unwrap().as_str(), "Gas, \"north\"");
    assert_eq!(draft.quantity.given().unwrap().to_string(), "1234.5");
    assert_eq!(draft.org, Field::Given(Reference::Word("N-1".to_owned())));
}

#[test]
fn a_column_that_is_not_there_is_absent_and_an_empty_cell_is_null() {
    let rows = rows("name,startDate,unit\na,2025-01-31,\n");
    assert_eq!(rows[0].draft.unit, Field::Null);
    assert_eq!(rows[0].draft.quantity, Field::Absent);
}

#[test]
fn rows_say_the_line_they_start_on() {
    let rows =
        rows("name,startDate,description\r\n\r\na,2025-01-31,\"two\r\nlines\"\r\nb,2025-01-31,\r\n\r\nc,2025-01-31,");
    let seen: Vec<_> = rows.iter().map(|row| row.line).collect();
    assert_eq!(seen, [3, 5, 7]);
    assert_eq!(rows[0].draft.description.given().unwrap().as_str(), "two\r\nlines");
}

#[test]
fn rows_that_are_wrong_are_rejected_one_by_one() {
    let rows = rows(concat!(
        "name,startDate,quantity\n",
        "a,2025-01-31\n",
        "b,2025-02-30,\"1,5\"\n",
        "c,2025-01-31,\"1\"5\n",
        "d,2025-01-31,1\n",
        "e,2025-01-31,\"1\n"
    ));
    let seen: Vec<_> = rows.iter().map(|row| lines(&row.draft.faults)).collect();
    assert_eq!(
        seen,
        [
            vec![": has 2 cells, but the header has 3; a comma or a quote is missing or too many"],
            vec![
                r#"/quantity: "1,5": not a decimal number such as 12.5"#,
                r#"/startDate: "2025-02-30": a day, a time or an offset that does not exist"#,
            ],
            vec![": has something behind the closing quote of cell 3; a quote inside a cell is doubled"],
            vec![],
            vec![": ends inside a quote; the file may be cut off"],
        ]
    );
}

#[test]
fn a_row_that_is_too_long_is_rejected_and_the_next_one_is_read() {
    let text = format!("name,startDate\n{},2025-01-31\nb,2025-01-31\n", "x".repeat(200));
    let rows: Vec<_> = CsvRows::new(text.as_bytes(), 100).unwrap().map(Result::unwrap).collect();
    assert_eq!(lines(&rows[0].draft.faults), [": is longer than 100 bytes; a quote may have been left open"]);
    assert!(rows[1].draft.faults.is_empty());
}

#[test]
fn bytes_that_are_no_utf_8_reject_their_row() {
    let bytes: &[u8] = b"name,startDate\n\xff,2025-01-31\nb,2025-01-31\n";
    let rows: Vec<_> = CsvRows::new(bytes, MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
    assert_eq!(lines(&rows[0].draft.faults), [": is not UTF-8 in cell 1"]);
    assert!(rows[1].draft.faults.is_empty());
}

#[test]
fn a_wrong_header_is_one_error_that_names_everything() {
    assert_eq!(
        refusal("nmae,name,name,quantity,\n"),
        "has a header that is wrong: column \"name\" stands twice; column 5 has no name"
    );
    assert_eq!(
        refusal("nmae,Quantity\n"),
        "has a header that is wrong: column \"nmae\" is not known; did you mean name?; \
         column \"Quantity\" is not known; did you mean quantity?; column \"name\" is missing; column \"startDate\" is missing"
    );
    assert!(refusal("name;startDate\n").contains("a mapping file can say so (table.delimiter)"));
    assert!(refusal("").contains("is missing"));
    assert!(CsvRows::new(&b"syncId,unit\n"[..], MAX_ROW_BYTES).is_ok());
}

#[test]
fn what_was_written_is_read_as_the_same_activity_in_any_unit() {
    for (shift, shares) in [(0, Shares::Hidden), (3, Shares::Shown), (-3, Shares::Hidden)] {
        let mut table = activity_header(shift, shares).unwrap();
        table.extend(
            activity_rows(&[(view(), Some(Co2e::ZERO)), (view(), None)], shift, shares, Cells::Verbatim).unwrap(),
        );
        let rows: Vec<_> = CsvRows::new(&table[..], MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        for row in &rows {
            same_as_the_view(&row.draft);
        }
    }
}

#[test]
fn the_columns_of_answers_stay_as_they_are() {
    assert_eq!(
        String::from_utf8(activity_header(0, Shares::Hidden).unwrap()).unwrap(),
        "syncId,name,description,quantity,unit,UpstreamCO2e,DownstreamCO2e,biogenicCO2,marketInstrument,marketFactor,marketReference,quality,evidence,supplied,product,scope,taxonomy,org,startDate,\
         endDate,productName,scopeName,scopePath,scopeSyncId,taxonomyName,taxonomyPath,taxonomySyncId,orgName,orgPath,orgSyncId,uuid,created,updated,CO2e,marketCO2e,incomplete,outdated\n"
    );
}

#[test]
fn a_cell_without_supplied_parts_says_none_and_an_empty_one_says_nothing() {
    let rows =
        rows("name,startDate,UpstreamCO2e,supplied\na,2025-01-31,5,none\nb,2025-01-31,5,\nc,2025-01-31,5,CO2e\n");
    assert_eq!(rows[0].draft.upstream, Field::Null);
    assert_eq!(rows[1].draft.upstream, Field::Given(Co2e::parse("5").unwrap()));
    assert_eq!(rows[2].draft.faults.as_slice().len(), 1);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>, most in 0_usize..60) {
        let table = [b"name,startDate,quantity\n", &bytes[..]].concat();
        let _ = CsvRows::new(&table[..], most.max(24)).unwrap().map(Result::unwrap).count();
        if let Ok(rows) = CsvRows::new(&bytes[..], most) {
            let _ = rows.count();
        }
    }

    #[test]
    fn texts_come_back_as_they_were_written_however_the_bytes_arrive(
        texts in proptest::collection::vec("[a-z\",\r\n; é]{1,12}", 1..6),
        chunk in 1_usize..9,
    ) {
        let mut writer = csv_text(&texts);
        writer.insert_str(0, "name,startDate,description\n");
        let source = BufReader::with_capacity(chunk, writer.as_bytes());
        let rows: Vec<_> = CsvRows::new(source, MAX_ROW_BYTES).unwrap().map(Result::unwrap).collect();
        let read: Vec<_> = rows.iter().map(|row| row.draft.description.given().unwrap().to_string()).collect();
        prop_assert_eq!(read, texts);
    }
}

fn csv_text(descriptions: &[String]) -> String {
    let line = |text: &String| format!("n,2025-01-31,\"{}\"\n", text.replace('"', "\"\""));
    descriptions.iter().map(line).collect()
}
