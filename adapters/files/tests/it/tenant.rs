//! A tenant's file: what is written is read back as it was, and nothing else is read.

mod refused;
mod written;

use domain::{Digest, PackedCells, Postings, SeriesKey};
use ports::contract::sample;
use ports::import_batch::{ImportBatch, ImportCounts, ImportState};
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::load::LoadEnd;
use ports::{Action, Change, ChangeItem, ImportId, RecordKind, Replaced, Stored, Version};
use tonne_files::{TenantError, TenantHeader, TenantLine, TenantReader, TenantWriter};

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
