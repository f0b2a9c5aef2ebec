//! What is refused: files that are cut off or changed, and lines that are wrong.

use ports::contract::sample;
use tonne_files::TenantError;

use super::{file, file_with, read};

/// The same, shorter, for tests that read it very often.
fn short_file() -> Vec<u8> {
    file_with(sample::footprint(1), None)
}

/// The line and the reason of a refusal.
fn refusal(bytes: &[u8]) -> (u64, String) {
    match read(bytes).unwrap_err() {
        TenantError::Line { line, detail } => (line, detail),
        error @ TenantError::Read(_) => panic!("{error}"),
    }
}

/// The file with a piece of its text in another's place.
fn with(piece: &str, other: &str) -> Vec<u8> {
    let text = String::from_utf8(file()).unwrap();
    assert!(text.contains(piece), "{piece}");
    text.replacen(piece, other, 1).into_bytes()
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let file = short_file();
    let mut lines = 1;
    for length in 0..file.len() {
        let (line, detail) = refusal(&file[..length]);
        assert_eq!((line, detail.ends_with("the file is cut off")), (lines, true), "{length}: {detail}");
        lines += u64::from(file[length] == b'\n');
    }
}

#[test]
fn a_changed_byte_anywhere_is_refused() {
    let file = short_file();
    for at in 0..file.len() {
        let mut changed = file.clone();
        changed[at] ^= [1, 0x20, 0x80][at % 3];
        assert!(read(&changed).is_err(), "byte {at} of {:?}", String::from_utf8_lossy(&file));
    }
}

#[test]
fn a_text_of_the_history_that_not_every_store_can_keep_is_refused() {
    for name in ["actor", "cause"] {
        let start = format!(r#""{name}":""#);
        let (line, detail) = refusal(&with(&start, &format!(r"{start}\u0000")));
        assert_eq!((line, detail), (14, format!("has a fault at /{name}: it must not contain U+0000")));
    }
}

#[test]
fn a_line_left_out_or_doubled_is_refused() {
    let file = file();
    let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
    for at in 0..lines.len() {
        let without: Vec<u8> = [&lines[..at], &lines[at + 1..]].concat().concat();
        assert!(read(&without).is_err(), "line {at} left out");
        let doubled: Vec<u8> = [&lines[..=at], &lines[at..]].concat().concat();
        assert!(read(&doubled).is_err(), "line {at} doubled");
    }
}

#[test]
fn what_is_wrong_with_a_line_is_said() {
    let spelling = "is not written in the canonical form";
    let cases = [
        (
            with("\"form\":1", "\"form\":2"),
            1,
            "has form 2, and this version of Tonne reads form 1: use the version that wrote it".to_owned(),
        ),
        (
            with("\"id\":\"0190", "\"id\":\"0x90"),
            1,
            "has a fault at /tenant/id: it is refused: not a UUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
                .to_owned(),
        ),
        (with("\"export\"", "\"other\""), 1, "is not the header of a company's export".to_owned()),
        (with("\"kind\":\"scope\"", "\"kind\":\"Scope\""), 4, "is of a kind that is not known, \"Scope\"".to_owned()),
        (
            with("\"name\":\"Product 1\"", "\"Name\":\"Product 1\""),
            7,
            "has a fault at /content/name: it is missing or stands elsewhere".to_owned(),
        ),
        (with("\"name\":\"Product 1\"", "\"name\":7"), 7, "has a fault at /content/name: it is not a text".to_owned()),
        (
            with("\"name\":\"Product 1\"", "\"name\": \"Product 1\""),
            7,
            "has a fault at /content/name: it is not a text".to_owned(),
        ),
        (
            with("Product 1\",\"unit\":\"kg\"", "Product 1\",\"unit\":\"kilogram\""),
            7,
            format!("has a fault at /content/unit: it {spelling}, which is \"kg\""),
        ),
        (
            with("\"items\":\"AQI", "\"items\":\"AQ-"),
            15,
            "has a fault at /items: it is refused: not base64 (RFC 4648)".to_owned(),
        ),
        (
            with("\"postings\":\"AQ", "\"postings\":\"A="),
            17,
            "has a fault at /postings: it is refused: not base64 (RFC 4648)".to_owned(),
        ),
        (
            with("\"factor\":1,\"model\":1", "\"factor\":0,\"model\":1"),
            26,
            "has a fault at /lines: it says that there is no factor, which is then left out".to_owned(),
        ),
        (
            with("\"version\":0", "\"version\":3"),
            22,
            "has version 3, and credentials in a file have none: 0".to_owned(),
        ),
        (
            with(
                &format!("\"content\":{{\"tenant\":\"{}\"", sample::tenant(7, "a").id),
                &format!("\"content\":{{\"tenant\":\"{}\"", sample::tenant(8, "a").id),
            ),
            22,
            "is a credential of another company than the header's".to_owned(),
        ),
        (
            with("Product 1", "Product 2"),
            27,
            "does not have the digest of the lines before it: the file was changed".to_owned(),
        ),
    ];
    for (bytes, line, detail) in cases {
        assert_eq!(refusal(&bytes), (line, detail));
    }
    let mut behind = file();
    behind.extend_from_slice(b"\n");
    assert_eq!(refusal(&behind), (28, "stands behind the end".to_owned()));
    assert_eq!(refusal(b"PK\x03\x04\n"), (1, "is not the header of a company's export".to_owned()));
}

#[test]
fn a_json_text_of_a_footprint_must_be_json() {
    let wrong = with(r#"{ \"a\": 1.50"#, r#"{ \"a\"; 1.50"#);
    let (line, detail) = refusal(&wrong);
    assert_eq!(line, 12);
    assert!(detail.contains("is not JSON: "), "{detail}");
}
