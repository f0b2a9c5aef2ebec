//! Rows of NDJSON.

use ports::inbound::{Field, RowDraft};
use proptest::prelude::*;
use tonne_files::{MAX_ROW_BYTES, NdjsonRows};

use crate::activity::same_as_the_view;
use crate::support::{lines, view, written};

fn rows(bytes: &[u8], most: usize) -> Vec<RowDraft> {
    NdjsonRows::new(bytes, most).map(Result::unwrap).collect()
}

#[test]
fn a_bad_line_is_a_row_with_faults_and_later_lines_go_on() {
    let text =
        "\u{feff}{\"name\": \"a\"}\r\n\r\n{\"name\": }\n[1]\n{\"name\": \"b\", \"name\": \"c\"}\n{\"name\": \"d\"}";
    let rows = rows(text.as_bytes(), MAX_ROW_BYTES);
    let seen: Vec<_> = rows.iter().map(|row| (row.line, lines(&row.draft.faults))).collect();
    let no_fault = Vec::<String>::new();
    assert_eq!(
        seen,
        [
            (1, no_fault.clone()),
            (3, vec![": is not JSON: expected value at column 10".to_owned()]),
            (4, vec![": must be an object, not an array".to_owned()]),
            (5, vec!["/name: stands twice in the same object".to_owned()]),
            (6, no_fault),
        ]
    );
    assert_eq!(rows[4].draft.name.given().unwrap().as_str(), "d");
    assert_eq!(rows[4].draft.sync_id, Field::Null, "a row is the whole record");
}

#[test]
fn a_row_that_is_too_long_is_rejected_and_not_kept() {
    let text = format!("{{\"name\": \"{}\"}}\n{{\"name\": \"b\"}}\n", "x".repeat(200));
    let rows = rows(text.as_bytes(), 100);
    assert_eq!(lines(&rows[0].draft.faults), [": is longer than 100 bytes"]);
    assert_eq!((rows[1].line, rows[1].draft.faults.is_empty()), (2, true));
}

#[test]
fn what_was_written_is_read_as_the_same_activity() {
    let line = written(&view(), 0, None);
    same_as_the_view(&rows(line.as_bytes(), MAX_ROW_BYTES)[0].draft);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_and_every_line_with_letters_is_a_row(bytes: Vec<u8>, most in 0_usize..40) {
        let count = rows(&bytes, most).len();
        prop_assert!(count <= bytes.split(|byte| *byte == b'\n').count());
    }
}
