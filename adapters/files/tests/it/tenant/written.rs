//! What is written, line by line, and that it is read back as it was.

use domain::{Canonical, Digest};
use ports::contract::later::{Later, LaterProduct};
use ports::contract::sample;
use ports::directory::{Client, Key, Versioned};
use ports::load::AnyRecord;
use ports::{RecordKind, Stored};
use tonne_files::{Canonized, TenantCounts, TenantEnd, TenantHeader, TenantLine, TenantWriter};

use super::{change, end, file, header, imports, items, lines, postings, read, series, stored};

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
