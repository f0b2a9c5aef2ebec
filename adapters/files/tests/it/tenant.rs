//! A tenant's file: what is written is read back as it was, and nothing else is read.

use domain::{Canonical, Digest, PackedCells, Postings, SeriesKey};
use ports::contract::later::{Later, LaterProduct};
use ports::contract::sample;
use ports::directory::{Client, Key, Versioned};
use ports::import_batch::{ImportBatch, ImportCounts, ImportState};
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::load::{AnyRecord, LoadEnd};
use ports::{Action, Change, ChangeItem, ImportId, RecordKind, Replaced, Stored, Version};
use tonne_files::{
    Canonized, TenantCounts, TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader, TenantWriter,
};

fn header() -> TenantHeader {
    TenantHeader { tenant: (&sample::tenant(7, "acme")).into(), credentials: true }
}

fn stored<T>(value: T) -> Stored<T> {
    Stored { value, created: sample::at(-3), updated: sample::at(5), version: Version(12) }
}

fn series() -> [SeriesKey; 2] {
    [SeriesKey::default(), sample::filled_activity(1).series()]
}

fn change() -> Change {
    Change {
        number: 1,
        at: sample::at(9),
        actor: "key:1".to_owned(),
        cause: "POST /v1/product \"ü\" \\ \u{1}".to_owned(),
        digest: Digest::of(b"change"),
    }
}

/// An item of each verb, in two parts.
fn items() -> [(PartPlace, PackedItems); 2] {
    let (digest, text) = (Digest::of(b"item"), Some("{\"ü\":\"\\n\"}".to_owned()));
    let replaced = Replaced { version: Version(1), digest, text };
    let item = |action| ChangeItem { kind: RecordKind::Product, id: sample::uuid(3), action };
    let first = [item(Action::Added(digest)), item(Action::Updated { digest, replaced: replaced.clone() })];
    let second = [item(Action::Removed(replaced.blanked()))];
    let packed = |part, items: &[ChangeItem]| {
        let [packed] = <[PackedItems; 1]>::try_from(PackedItems::pack(items)).unwrap();
        (PartPlace { change: 1, part }, packed)
    };
    [packed(0, &first), packed(1, &second)]
}

/// The postings of an activity, and less of them.
fn postings() -> [(PartPlace, PackedCells); 2] {
    let (mut added, mut taken) = (Postings::new(), Postings::new());
    added.add(1, &sample::filled_activity(1).posting());
    taken.take(0, &sample::activity(2).posting());
    [(0, added), (1, taken)].map(|(part, postings)| (PartPlace { change: 1, part }, postings.pack().unwrap().remove(0)))
}

fn lines() -> (PartPlace, PackedLines) {
    (PartPlace { change: 1, part: 0 }, PackedLines::pack(&[2, 90, 17]).remove(0))
}

/// An import that begins, and one of which all is known.
fn imports() -> [ImportBatch; 2] {
    let begun = |number, name: &str| {
        ImportBatch::begin(ImportId::new(sample::id(number)), name.to_owned(), "key:1".to_owned(), sample::at(1), None)
    };
    let known = ImportBatch {
        hash: Some(Digest::of(b"file")),
        reading: Some(Digest::of(b"map")),
        state: ImportState::Undoing,
        counts: ImportCounts { created: 3, updated: 4, unchanged: 5, rejected: 6, warnings: 7 },
        changes: Some((1, 1)),
        left: Some(PartPlace { change: 1, part: 2 }),
        undone_by: Some("user:2".to_owned()),
        ..begun(9, "b.csv")
    };
    [begun(8, "a \"ü\".csv"), known]
}

fn end() -> LoadEnd {
    LoadEnd { number: 1, digest: Digest::of(b"change"), catalog: 1, footprints: 99 }
}

/// A file with a line of each kind but closed periods, exclusions, partners and what is shared.
fn file() -> Vec<u8> {
    file_with(sample::filled_footprint(1), None)
}

/// The same, shorter, for tests that read it very often.
fn short_file() -> Vec<u8> {
    file_with(sample::footprint(1), None)
}

fn file_with(footprint: domain::Footprint, period: Option<domain::ClosedPeriod>) -> Vec<u8> {
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
    if let Some(period) = period {
        writer.record(&stored(period)).unwrap();
        writer.record(&stored(sample::exclusion(1))).unwrap();
        writer.record(&stored(sample::partner(1))).unwrap();
        writer.record(&stored(sample::sharing(1))).unwrap();
    }
    writer.record(&stored(sample::filled_activity(1))).unwrap();
    writer.change(&change()).unwrap();
    items().iter().try_for_each(|(place, items)| writer.items(*place, items)).unwrap();
    postings().iter().try_for_each(|(place, cells)| writer.postings(*place, cells)).unwrap();
    let (place, packed) = lines();
    writer.lines(place, &packed).unwrap();
    imports().iter().try_for_each(|import| writer.import(import)).unwrap();
    writer.client(&sample::client(1, 7)).unwrap();
    writer.key(&sample::key(1, 7)).unwrap();
    writer.user(&sample::user(1, 7), Some(&sample::password(1))).unwrap();
    writer.user(&sample::filled_user(2, 7), Some(&sample::password(2))).unwrap();
    let (_, length) = writer.finish(end()).unwrap();
    assert_eq!(length, bytes.len() as u64);
    bytes
}

/// A file with a line of each kind, one with a product alone, and one without any record.
pub(crate) fn files() -> [Vec<u8>; 3] {
    let without_history = |records: &[Stored<domain::Product>]| {
        let mut bytes = Vec::new();
        let mut writer = TenantWriter::new(&mut bytes, &header()).unwrap();
        records.iter().try_for_each(|record| writer.record(record)).unwrap();
        writer.finish(end()).unwrap();
        bytes
    };
    let whole = file_with(sample::filled_footprint(1), Some(sample::closed_period(1)));
    [whole, without_history(&[stored(sample::product(1))]), without_history(&[])]
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
    let record = |record: AnyRecord| {
        let digest = Digest::of(record.canonical().as_bytes());
        TenantLine::Record(Box::new(Canonized { record, digest }))
    };
    assert_eq!(lines[0], TenantLine::Header(header()));
    assert_eq!(lines[1..3], [TenantLine::Series(0, series()[0]), TenantLine::Series(1, series()[1])]);
    assert_eq!(lines[11], record(AnyRecord::Footprint(stored(sample::filled_footprint(1)))));
    assert_eq!(lines[12], record(AnyRecord::Activity(stored(sample::filled_activity(1)))));
    assert_eq!(lines[13], TenantLine::Change(change()));
    assert_eq!(lines[14..16], items().map(|(place, items)| TenantLine::Items(place, items)));
    assert_eq!(lines[16..18], postings().map(|(place, cells)| TenantLine::Postings(place, cells)));
    assert_eq!(lines[18], TenantLine::Lines(self::lines().0, self::lines().1));
    assert_eq!(lines[19..21], imports().map(|import| TenantLine::Import(Box::new(import))));
    // When a credential was last used does not go along.
    let (client, key) = (sample::client(1, 7), sample::key(1, 7));
    assert_eq!(lines[21], TenantLine::Client(ports::directory::Client { last_used: None, ..client }));
    assert_eq!(lines[22], TenantLine::Key(ports::directory::Key { last_used: None, ..key }));
    // Nor when a user was last seen.
    let filled = ports::people::User { last_seen: None, ..sample::filled_user(2, 7) };
    assert_eq!(lines[23], TenantLine::User(Box::new(sample::user(1, 7)), Some(sample::password(1))));
    assert_eq!(lines[24], TenantLine::User(Box::new(filled), Some(sample::password(2))));
    let mut records = [1; RecordKind::ALL.len()];
    // None of these is in the file.
    for kind in [RecordKind::ClosedPeriod, RecordKind::Exclusion, RecordKind::Partner, RecordKind::Sharing] {
        records[usize::from(kind.code())] = 0;
    }
    let counts = TenantCounts {
        series: 2,
        records,
        changes: 1,
        items: 2,
        postings: 2,
        lines: 1,
        imports: 2,
        clients: 1,
        keys: 1,
        users: 2,
    };
    assert_eq!(lines[25..], [TenantLine::End(TenantEnd { end: end(), counts })]);
}

#[test]
fn a_record_stands_in_a_line_as_its_canonical_text() {
    let text = String::from_utf8(file()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[7], stored(sample::factor(1, &sample::product(1), "2025-01-01")).canonical());
    assert_eq!(lines[12], stored(sample::filled_activity(1)).canonical());
}

#[test]
fn the_other_lines_are_these() {
    let text = String::from_utf8(file()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // Without the epoch, which an import begins anew.
    let content = r#"{"slug":"acme","name":"Tenant 7 “Ü”"}"#;
    let tenant =
        r#"{"form":1,"kind":"tenant","id":"01900000-0000-7000-8000-000000000007","created":"2025-01-01T00:00:01.000Z""#;
    let tenant = format!(r#"{tenant},"content":{content}}}"#);
    assert_eq!(lines[0], format!(r#"{{"form":1,"kind":"export","tenant":{tenant},"credentials":true}}"#));
    assert_eq!(lines[1], r#"{"form":1,"kind":"series","index":0}"#);
    let digest = Digest::of(b"change");
    assert_eq!(
        lines[13],
        r#"{"form":1,"kind":"change","number":1,"at":"2025-01-01T00:00:09.000Z","actor":"key:1","#.to_owned()
            + r#""cause":"POST /v1/product \"ü\" \\ \u0001","digest":""#
            + &format!(r#"{digest}"}}"#)
    );
    assert!(lines[14].starts_with(r#"{"form":1,"kind":"items","change":1,"part":0,"items":"AQI"#), "{}", lines[14]);
    assert!(
        lines[16].starts_with(r#"{"form":1,"kind":"postings","change":1,"part":0,"postings":"AQL"#),
        "{}",
        lines[16]
    );
    assert_eq!(lines[18], r#"{"form":1,"kind":"lines","change":1,"part":0,"lines":"AQMEsAGRAQ=="}"#);
    let begun = r#"{"form":1,"kind":"import","content":{"form":1,"id":"01900000-0000-7000-8000-000000000008","name":"a \"ü\".csv","#;
    assert!(lines[19].starts_with(begun) && lines[20].ends_with(r#""undoneBy":"user:2"}}"#), "{}", lines[19]);
    assert!(lines[21].contains(r#""kind":"client""#) && lines[21].contains(r#""version":0,"#), "{}", lines[21]);
    assert!(
        lines[23].contains(r#""kind":"user""#) && lines[23].ends_with(r#","passwordHash":"$argon2id$1"}"#),
        "{}",
        lines[23]
    );
    assert_eq!(
        lines[25],
        format!(r#"{{"form":1,"kind":"end","number":1,"digest":"{digest}","catalog":1,"footprints":99,"#)
            + r#""lines":{"series":2,"activity":1,"scope":1,"org":1,"taxonomy":1,"product":1,"factor":1,"model":1,"#
            + r#""input":1,"switch":1,"footprint":1,"change":1,"items":2,"postings":2,"lines":1,"import":2,"client":1,"key":1,"user":2}}"#
    );
    let before: usize = lines[..26].iter().map(|line| line.len() + 1).sum();
    let digest = Digest::of(&text.as_bytes()[..before]);
    assert_eq!(lines[26..], [format!(r#"{{"form":1,"kind":"seal","sha256":"{digest}"}}"#)]);
}

#[test]
fn a_file_without_lines_of_a_kind_says_nothing_of_it_as_before_the_kind_came() {
    let mut bytes = Vec::new();
    let mut writer = TenantWriter::new(&mut bytes, &header()).unwrap();
    writer.record(&stored(sample::product(1))).unwrap();
    writer.finish(end()).unwrap();
    let lines: Vec<String> = String::from_utf8(bytes.clone()).unwrap().lines().map(str::to_owned).collect();
    assert!(lines[2].ends_with(r#""footprints":99,"lines":{"product":1}}"#), "{}", lines[2]);
    let mut records = [0; RecordKind::ALL.len()];
    records[4] = 1;
    let counts = TenantCounts { records, ..TenantCounts::default() };
    assert_eq!(counts.of(RecordKind::Product), 1);
    assert_eq!(read(&bytes).unwrap()[2], TenantLine::End(TenantEnd { end: end(), counts }));
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

#[test]
fn a_later_version_finds_every_line_of_a_file_and_its_seal_as_they_were() {
    fn again<T: Canonical<Known = ()>>(line: &str) -> String {
        Later::<T>::from_canonical((), line).unwrap().canonical() + "\n"
    }
    let (file, mut later) = (String::from_utf8(file()).unwrap(), String::new());
    for line in file.lines() {
        let again = match line.split('"').nth(5).unwrap() {
            "export" => again::<TenantHeader>(line),
            "product" => again::<Stored<LaterProduct>>(line),
            kind if RecordKind::parse(kind).is_some() => again::<AnyRecord>(line),
            "client" => again::<Versioned<Client>>(line),
            "key" => again::<Versioned<Key>>(line),
            "end" => again::<TenantEnd>(line),
            // A user's line has its password behind the entry. The types of the others are not public:
            // `src/tenant/ledger/tests.rs` tries them in the same manner.
            "user" | "series" | "change" | "items" | "postings" | "lines" | "import" => format!("{line}\n"),
            "seal" => format!("{{\"form\":1,\"kind\":\"seal\",\"sha256\":\"{}\"}}\n", Digest::of(later.as_bytes())),
            other => panic!("{other}"),
        };
        later.push_str(&again);
    }
    assert_eq!(later, file);
}
