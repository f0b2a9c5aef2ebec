//! A company's file: what is read to its end is written as the same bytes.

use domain::{Canonical as _, Digest};
use files::{TenantError, TenantHeader, TenantLine, TenantReader, TenantWriter};
use ports::contract::sample;
use ports::load::{AnyRecord, LoadEnd};

use super::check;

fn file() -> Vec<u8> {
    let header = TenantHeader { tenant: (&sample::tenant(7, "acme")).into(), credentials: true };
    let mut bytes = Vec::new();
    let mut writer = TenantWriter::new(&mut bytes, &header).unwrap();
    writer.series(sample::filled_activity(1).series()).unwrap();
    for text in super::canonical::samples() {
        record(&mut writer, &AnyRecord::from_canonical((), &String::from_utf8(text).unwrap()).unwrap());
    }
    writer.client(&sample::client(1, 7)).unwrap();
    writer.key(&sample::key(1, 7)).unwrap();
    writer.finish(LoadEnd { number: 1, digest: Digest::of(b"change"), catalog: 1, footprints: 99 }).unwrap();
    bytes
}

fn record(writer: &mut TenantWriter<&mut Vec<u8>>, record: &AnyRecord) {
    match record {
        AnyRecord::Scope(stored) => writer.record(stored),
        AnyRecord::Org(stored) => writer.record(stored),
        AnyRecord::Taxonomy(stored) => writer.record(stored),
        AnyRecord::Product(stored) => writer.record(stored),
        AnyRecord::Factor(stored) => writer.record(stored),
        AnyRecord::Model(stored) => writer.record(stored),
        AnyRecord::Input(stored) => writer.record(stored),
        AnyRecord::Switch(stored) => writer.record(stored),
        AnyRecord::Footprint(stored) => writer.record(stored),
        AnyRecord::ClosedPeriod(stored) => writer.record(stored),
        AnyRecord::Exclusion(stored) => writer.record(stored),
        AnyRecord::Partner(stored) => writer.record(stored),
        AnyRecord::Sharing(stored) => writer.record(stored),
        AnyRecord::Activity(stored) => writer.record(stored),
    }
    .unwrap();
}

fn read(bytes: &[u8]) -> Result<Vec<TenantLine>, TenantError> {
    let mut reader = TenantReader::new(bytes);
    let mut lines = Vec::new();
    while let Some(line) = reader.read()? {
        lines.push(line);
    }
    Ok(lines)
}

/// The same with the digest of its lines in the last one, as who changes a file on purpose would write it.
fn sealed(input: &[u8]) -> Vec<u8> {
    let Some(at) = input.strip_suffix(b"\n").and_then(|input| input.iter().rposition(|byte| *byte == b'\n')) else {
        return input.to_vec();
    };
    let (lines, seal) = input.split_at(at + 1);
    let (mut seal, digest) = (String::from_utf8_lossy(seal).into_owned(), Digest::of(lines).to_string());
    if let Some(at) = seal.find("\"sha256\":\"").map(|at| at + 10)
        && let Some(place) = seal.get(at..at + digest.len())
    {
        seal = seal.replacen(place, &digest, 1);
    }
    [lines, seal.as_bytes()].concat()
}

/// The bytes of those lines. Their counts are the writer's own, so lines that lie about them make other bytes.
fn written(lines: &[TenantLine]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (TenantLine::Header(header), TenantLine::End(end)) = (lines.first()?, lines.last()?) else { return None };
    let mut writer = TenantWriter::new(&mut bytes, header).unwrap();
    for line in &lines[1..lines.len() - 1] {
        match line {
            TenantLine::Header(_) | TenantLine::End(_) => return None,
            TenantLine::Series(_, key) => writer.series(*key).unwrap(),
            TenantLine::Record(canonized) => record(&mut writer, &canonized.record),
            TenantLine::Change(change) => writer.change(change).unwrap(),
            TenantLine::Items(place, items) => writer.items(*place, items).unwrap(),
            TenantLine::Postings(place, cells) => writer.postings(*place, cells).unwrap(),
            TenantLine::Lines(place, lines) => writer.lines(*place, lines).unwrap(),
            TenantLine::Import(import) => writer.import(import).unwrap(),
            TenantLine::Client(client) => writer.client(client).unwrap(),
            TenantLine::Key(key) => writer.key(key).unwrap(),
            TenantLine::User(user, password) => writer.user(user, password.as_ref()).unwrap(),
        }
    }
    let (counts, _) = writer.finish(end.end).unwrap();
    (counts == end.counts).then_some(bytes)
}

#[test]
fn a_file_that_was_changed_is_read_to_its_end_once_its_digest_was_made_anew() {
    let changed = String::from_utf8(file()).unwrap().replace("\"slug\":\"acme\"", "\"slug\":\"acne\"");
    assert!(read(changed.as_bytes()).is_err());
    assert!(read(&sealed(changed.as_bytes())).is_ok());
}

#[test]
fn a_file_that_is_read_to_its_end_is_written_as_the_same_bytes() {
    let words = [
        "\n",
        "{\"form\":1,\"kind\":\"",
        "change",
        "items",
        "postings",
        "lines",
        "import",
        "series",
        "\"lines\":{",
        "\"index\":0",
    ];
    let original = file();
    check("tenant", std::slice::from_ref(&original), &words, |input| {
        // Without its digest nothing but the file itself is read to its end.
        assert!(read(input).is_err() || input == original, "a changed file keeps its digest");
        let input = sealed(input);
        match read(&input) {
            Ok(lines) => {
                let series = lines.iter().filter_map(|line| match line {
                    TenantLine::Series(index, _) => Some(*index),
                    TenantLine::Header(_)
                    | TenantLine::Record(_)
                    | TenantLine::Change(_)
                    | TenantLine::Items(..)
                    | TenantLine::Postings(..)
                    | TenantLine::Lines(..)
                    | TenantLine::Import(_)
                    | TenantLine::Client(_)
                    | TenantLine::Key(_)
                    | TenantLine::User(..)
                    | TenantLine::End(_) => None,
                });
                // In which order lines are, and with which numbers, is for the one who loads them.
                let in_order = series.enumerate().all(|(at, index)| u32::try_from(at) == Ok(index));
                match written(&lines) {
                    Some(bytes) if in_order => assert_eq!(bytes, input),
                    _ => {}
                }
                format!("{} lines", lines.len())
            }
            Err(TenantError::Line { line, detail }) => {
                assert!(line > 0 && !detail.is_empty());
                detail
            }
            Err(error @ TenantError::Read(_)) => panic!("{error}"),
        }
    });
}
