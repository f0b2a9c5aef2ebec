//! Lines of the history that a later version, which knows a member more, finds valid as they are.

use domain::{Canonical, Digest, Name, PackedCells, Postings, SeriesKey};
use ports::contract::later::Later;
use ports::contract::sample;
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::{Change, ChangeItem, ImportId, RecordKind};

use super::{ChangeLine, ImportLine, ItemsLine, LinesLine, PostingsLine, SeriesLine};

/// A later version writes the line as it stands, and one with the member that came is read back by it alone.
fn grows<T: Canonical<Known = ()>>(line: &str) {
    let mut later = Later::<T>::from_canonical((), line).unwrap();
    assert_eq!((later.canonical().as_str(), &later.note), (line, &None));
    later.note = Some(Name::parse("later").unwrap());
    let grown = later.canonical();
    assert_eq!(grown, line.strip_suffix('}').unwrap().to_owned() + r#","note":"later"}"#);
    assert_eq!(Later::<T>::from_canonical((), &grown).unwrap().note, later.note);
    match T::from_canonical((), &grown) {
        Err(refused) => assert_eq!(refused.path(), "/note"),
        Ok(_) => panic!("{grown} is read without its note"),
    }
}

#[test]
fn a_later_version_finds_series_as_they_were() {
    for key in [SeriesKey::default(), sample::filled_activity(1).series()] {
        grows::<SeriesLine>(&SeriesLine(3, key).canonical());
    }
}

#[test]
fn a_later_version_finds_changes_as_they_were() {
    let (actor, cause, digest) = ("key:1".to_owned(), "\"ü\" \\ \u{1}".to_owned(), Digest::of(b"change"));
    grows::<ChangeLine>(&ChangeLine::text(&Change { number: 1, at: sample::at(9), actor, cause, digest }));
}

#[test]
fn a_later_version_finds_parts_of_items_as_they_were() {
    let product = sample::product(1);
    let item = ChangeItem {
        kind: RecordKind::Product,
        id: product.id.uuid(),
        action: ports::Action::Added(Digest::of(product.canonical().as_bytes())),
    };
    let packed: Vec<PackedItems> = PackedItems::pack([&item]).into_iter().collect();
    assert_eq!(packed.len(), 1);
    grows::<ItemsLine>(&ItemsLine::text(PartPlace { change: 1, part: 0 }, &packed[0]));
}

#[test]
fn a_later_version_finds_parts_of_postings_as_they_were() {
    let mut postings = Postings::new();
    postings.add(1, &sample::filled_activity(1).posting());
    let packed: Vec<PackedCells> = postings.pack().unwrap();
    grows::<PostingsLine>(&PostingsLine::text(PartPlace { change: 1, part: 0 }, &packed[0]));
}

#[test]
fn a_later_version_finds_parts_of_lines_and_imports_as_they_were() {
    let packed = PackedLines::pack(&[2, 3]).remove(0);
    grows::<LinesLine>(&LinesLine::text(PartPlace { change: 1, part: 0 }, &packed));
    let import =
        ImportBatch::begin(ImportId::new(sample::id(1)), "a.csv".to_owned(), "key:1".to_owned(), sample::at(1), None);
    grows::<ImportLine>(&ImportLine::text(&import));
}
