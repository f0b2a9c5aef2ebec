//! A tenant's file: what is written is read back as it was, and nothing else is read.

use domain::{Canonical as _, Digest, SeriesKey};
use ports::contract::sample;
use ports::load::{AnyRecord, LoadEnd};
use ports::{Change, ChangeItem, RecordKind, Stored, Verb, Version};
use tonne_files::{
    Canonized, TenantCounts, TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader, TenantWriter,
};

fn header() -> TenantHeader {
    TenantHeader { tenant: sample::tenant(7, "acme"), credentials: true }
}

fn stored<T>(value: T) -> Stored<T> {
    Stored { value, created: sample::at(-3), updated: sample::at(5), version: Version(12) }
}

fn series() -> [SeriesKey; 2] {
    [SeriesKey::default(), sample::filled_activity(1).series()]
}

/// A change of an item of each verb.
fn change() -> (Change, Vec<ChangeItem>) {
    let change = Change {
        number: 1,
        at: sample::at(9),
        actor: "key:1".to_owned(),
        cause: "POST /v1/product \"ü\" \\ \u{1}".to_owned(),
        digest: Digest::of(b"change"),
    };
    let item = |verb, replaced: Option<&str>| ChangeItem {
        verb,
        kind: RecordKind::Product,
        id: sample::uuid(3),
        digest: Digest::of(b"item"),
        replaced: replaced.map(ToOwned::to_owned),
    };
    (change, vec![item(Verb::Added, None), item(Verb::Updated, Some("{\"ü\":\"\\n\"}")), item(Verb::Removed, Some(""))])
}

fn end() -> LoadEnd {
    LoadEnd { number: 1, digest: Digest::of(b"change"), catalog: 1, footprints: 99 }
}

/// A file with a line of each sort.
fn file() -> Vec<u8> {
    file_with(sample::filled_footprint(1))
}

/// The same, shorter, for tests that read it very often.
fn short_file() -> Vec<u8> {
    file_with(sample::footprint(1))
}

fn file_with(footprint: domain::Footprint) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = TenantWriter::new(&mut bytes, &header()).unwrap();
    series().into_iter().try_for_each(|key| writer.series(key)).unwrap();
    writer.record(&stored(sample::scope(1))).unwrap();
    writer.record(&stored(sample::org(1))).unwrap();
    writer.record(&stored(sample::taxonomy(1, "a"))).unwrap();
    let product = sample::product(1);
    let factor = sample::factor(1, &product, "2025-01-01");
    writer.record(&stored(product.clone())).unwrap();
    writer.record(&stored(factor.clone())).unwrap();
    let model = sample::filled_model(1);
    writer.record(&stored(model.clone())).unwrap();
    writer.record(&stored(sample::filled_input(1, &model, &product, &factor))).unwrap();
    writer.record(&stored(sample::switch(1, &[model.id]))).unwrap();
    writer.record(&stored(footprint)).unwrap();
    writer.record(&stored(sample::filled_activity(1))).unwrap();
    let (change, items) = change();
    writer.change(&change, &items).unwrap();
    writer.client(&sample::client(1, 7)).unwrap();
    writer.key(&sample::key(1, 7)).unwrap();
    let (_, length) = writer.finish(end()).unwrap();
    assert_eq!(length, bytes.len() as u64);
    bytes
}

fn read(mut bytes: &[u8]) -> Result<Vec<TenantLine>, TenantError> {
    let mut reader = TenantReader::new(&mut bytes);
    let mut lines = Vec::new();
    while let Some(line) = reader.read()? {
        lines.push(line);
    }
    Ok(lines)
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
fn every_line_is_read_as_it_was_written() {
    let lines = read(&file()).unwrap();
    let record = |record: AnyRecord, text: String| {
        TenantLine::Record(Box::new(Canonized { record, digest: Digest::of(text.as_bytes()) }))
    };
    let activity = stored(sample::filled_activity(1));
    let footprint = stored(sample::filled_footprint(1));
    assert_eq!(lines[0], TenantLine::Header(header()));
    assert_eq!(lines[1..3], [TenantLine::Series(0, series()[0]), TenantLine::Series(1, series()[1])]);
    assert_eq!(lines[11], record(AnyRecord::Footprint(footprint.clone()), footprint.canonical()));
    assert_eq!(lines[12], record(AnyRecord::Activity(activity.clone()), activity.canonical()));
    let (change, items) = change();
    assert_eq!(lines[13], TenantLine::Change(change, 3));
    assert_eq!(lines[14..17], items.map_to_lines());
    assert_eq!(lines[17], TenantLine::Client(sample::client(1, 7)));
    assert_eq!(lines[18], TenantLine::Key(sample::key(1, 7)));
    let counts = TenantCounts { series: 2, records: [1; 10], changes: 1, items: 3, clients: 1, keys: 1 };
    assert_eq!(lines[19..], [TenantLine::End(TenantEnd { end: end(), counts })]);
}

trait MapToLines {
    fn map_to_lines(self) -> Vec<TenantLine>;
}

impl MapToLines for Vec<ChangeItem> {
    fn map_to_lines(self) -> Vec<TenantLine> {
        self.into_iter().map(TenantLine::Item).collect()
    }
}

#[test]
fn the_first_and_the_last_lines_are_these() {
    let text = String::from_utf8(file()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"tonne-tenant":{"format":1,"uuid":"01900000-0000-7000-8000-000000000007","slug":"acme","#.to_owned()
            + r#""name":"Tenant 7 “Ü”","created":"2025-01-01T00:00:01.000Z","credentials":true}}"#
    );
    assert!(lines[19].starts_with(r#"{"end":{"number":"1","digest":""#), "{}", lines[19]);
    let before: usize = lines[..20].iter().map(|line| line.len() + 1).sum();
    let digest = Digest::of(&text.as_bytes()[..before]);
    assert_eq!(lines[20..], [format!(r#"{{"sha256":"{digest}"}}"#)]);
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
    for name in ["actor", "cause", "replaced"] {
        let start = format!(r#""{name}":""#);
        let (line, detail) = refusal(&with(&start, &format!(r"{start}\u0000")));
        assert!(line > 13 && detail == format!("{name}: must not contain U+0000"), "{line}: {detail}");
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
    let cases = [
        (
            with("\"format\":1", "\"format\":2"),
            1,
            "has format 2, and this version of Tonne reads format 1: use the version that wrote it",
        ),
        (
            with("\"uuid\":\"0190", "\"uuid\":\"0x90"),
            1,
            "uuid: not a UUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
        ),
        (with("\"tonne-tenant\"", "\"other\""), 1, "is not the header of a company's export"),
        (with("{\"scope\":{", "{\"Scope\":{"), 4, "is of a sort that is not known, \"Scope\""),
        (with("\"name\":\"Node 1000001\"", "\"Name\":\"Node 1000001\""), 4, "has \"Name\" where \"name\" is expected"),
        (with("\"name\":\"Product 1\"", "\"name\":7"), 7, "name: must be a text, not a number"),
        (with("\"name\":\"Product 1\"", "\"name\": \"Product 1\""), 7, "is not written in the canonical form"),
        (
            with("\"unit\":\"kg\",\"created\"", "\"unit\":\"kilogram\",\"created\""),
            7,
            "is not written in the canonical form",
        ),
        (with("Product 1", "Product 2"), 21, "does not have the digest of the lines before it: the file was changed"),
    ];
    for (bytes, line, detail) in cases {
        assert_eq!(refusal(&bytes), (line, detail.to_owned()));
    }
    let mut behind = file();
    behind.extend_from_slice(b"\n");
    assert_eq!(refusal(&behind), (22, "stands behind the end".to_owned()));
    assert_eq!(refusal(b"PK\x03\x04\n"), (1, "is not the header of a company's export".to_owned()));
}

#[test]
fn a_json_text_of_a_footprint_must_be_json() {
    let wrong = with(r#"{ \"a\": 1.50"#, r#"{ \"a\"; 1.50"#);
    let (line, detail) = refusal(&wrong);
    assert_eq!(line, 12);
    assert!(detail.contains("is not JSON: "), "{detail}");
}
