//! A file that is cut off, changed or does not fit is refused, and nothing of it is left behind.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::{Canonical as _, Cell, Day, Digest, PackedCells, Total};
use ports::contract::sample;
use ports::ledger::PackedLines;
use ports::{Action, ChangeItem, RecordKind, Replaced, Stored, Version};
use tonne::usecase::transfer::{Credentials, ImportError};

use super::forged::{forged, sealed, with_items};
use super::site::{Site, filled};

#[tokio::test]
async fn a_tenant_with_a_history_is_not_filled() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let target = filled().await;
    let before = target.export(Credentials::Carried).await;
    let refused = target.import(bytes, Credentials::LeftOut).await.unwrap_err();
    assert!(matches!(refused, ImportError::NotEmpty), "{refused}");
    assert_eq!(target.export(Credentials::Carried).await, before);
}

#[tokio::test]
async fn a_file_cut_off_behind_any_line_leaves_nothing() {
    let bytes = filled().await.export(Credentials::Carried).await;
    let target = Site::on_disk().await;
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for (end, line) in ends.filter(|end| *end < bytes.len()).zip(2..) {
        let refused = target.import(bytes[..end].to_vec(), Credentials::Carried).await.unwrap_err();
        let expected = format!("is refused at line {line}, which is missing: the file is cut off");
        assert_eq!(refused.to_string(), expected);
        assert!(target.is_empty().await);
    }
    target.import(bytes, Credentials::Carried).await.unwrap();
}

#[tokio::test]
async fn a_changed_byte_leaves_nothing() {
    let bytes = filled().await.export(Credentials::Carried).await;
    let target = Site::in_memory().await;
    for at in (0..bytes.len()).step_by(11) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let refused = target.import(changed, Credentials::Carried).await.unwrap_err();
        assert!(matches!(refused, ImportError::File(_)), "byte {at}: {refused}");
        assert!(target.is_empty().await, "byte {at}");
    }
}

#[tokio::test]
async fn an_edited_file_with_a_digest_of_its_own_is_refused_by_what_does_not_fit() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let line = |start: &str| {
        let start = format!("{{\"form\":1,\"kind\":\"{start}");
        format!("{}\n", text.lines().find(|line| line.starts_with(&start)).unwrap())
    };
    let (activity, footprint, change) = (line("activity"), line("footprint"), line("change"));
    let (items, series) = (line("items"), line("series\",\"index\":1"));
    let second = line("change\",\"number\":2");
    let broken = "shows that the history is broken";
    let cases = [
        (
            forged(&bytes, "\"name\":\"Switch 1\"", "\"name\":\"Switch 2\""),
            "ends records that are not those that the changes left".to_owned(),
        ),
        (forged(&bytes, &activity, ""), "counts other lines than there are".to_owned()),
        (
            forged(&bytes, &footprint, &format!("{footprint}{footprint}")),
            "counts other lines than there are".to_owned(),
        ),
        (
            forged(&bytes, &activity, &format!("{activity}{footprint}")),
            "does not stand in its place: lines of another kind go before it".to_owned(),
        ),
        (forged(&bytes, &series, ""), "is series 2 where series 1 belongs".to_owned()),
        (
            forged(&bytes, &change, &change.replace("\"cause\":\"contract\"", "\"cause\":\"contrast\"")),
            format!("{broken}: change 1: does not have the digest stored with it"),
        ),
        (
            forged(&bytes, &change, &change.replace("\"number\":1", "\"number\":2")),
            format!("{broken}: change 2: stands where change 1 is expected"),
        ),
        (forged(&bytes, &items, ""), format!("{broken}: change 1: has no items")),
        (
            forged(&bytes, &items, &format!("{items}{items}")),
            "does not stand where part 1 of the items of change 1 belongs".to_owned(),
        ),
        (
            forged(&bytes, &items, &format!("{items}{}", items.replace("\"part\":0", "\"part\":1"))),
            format!("{broken}: change 1: does not have the digest stored with it"),
        ),
        (forged(&bytes, &second, ""), "does not stand where part 1 of the items of change 1 belongs".to_owned()),
        (
            forged(&bytes, "\"footprints\":2", "\"footprints\":1"),
            "counts 1 footprints ever; there was number 2".to_owned(),
        ),
        (
            forged(&bytes, "\"catalog\":4", "\"catalog\":3"),
            format!("{broken}: head: says that change 3 was the last of the catalog, but 4 was"),
        ),
    ];
    for (forged, detail) in cases {
        let target = Site::in_memory().await;
        let refused = target.import(forged, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!(", which {detail}")), "{refused}\nis not: {detail}");
        assert!(target.is_empty().await, "{detail}");
    }
}

#[tokio::test]
async fn postings_that_are_not_those_of_the_activities_are_refused() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<String> = text.lines().filter(|line| line.contains("\"postings\",")).map(str::to_owned).collect();
    let [third, fourth] = lines.try_into().unwrap();
    let start = "{\"form\":1,\"kind\":\"postings\",\"change\":3,\"part\":0,\"postings\":\"";
    let packed = STANDARD.decode(third.strip_prefix(start).unwrap().trim_end_matches("\"}")).unwrap();
    let cells: Vec<_> = PackedCells::from_stored(packed).cells().collect::<Result<_, _>>().unwrap();
    let with = |change: &dyn Fn(&mut (u32, Day, Cell))| {
        let mut cells = cells.clone();
        change(cells.last_mut().unwrap());
        let packed = PackedCells::pack(cells.iter().map(|(series, day, cell)| (*series, *day, cell))).unwrap();
        forged(&bytes, &third, &format!("{start}{}\"}}", STANDARD.encode(packed.as_bytes())))
    };
    let (series, day, _) = cells.last().unwrap().clone();
    let wrong =
        format!("ends postings that do not add up to the activities: first on {day}, and first in series {series}");
    let without = forged(&bytes, &format!("{fourth}\n"), "");
    let cases = [
        (with(&|(.., cell)| cell.starts += 1), wrong.clone()),
        (with(&|(.., cell)| cell.co2e.step += Total::parse("0.000000000000000001").unwrap()), wrong),
        (with(&|(series, ..)| *series = 77), "has postings of series 77, which is not there".to_owned()),
        (without.clone(), "counts other lines than there are".to_owned()),
        (
            forged(&without, "\"postings\":2", "\"postings\":1"),
            "ends postings that do not add up to the activities: first on 2025-03-01, and first in series 1".to_owned(),
        ),
        (
            forged(&bytes, &third, &format!("{third}\n{third}")),
            "does not stand where part 1 of the postings of change 3 belongs".to_owned(),
        ),
        (forged(&bytes, &third, &format!("{start}AQA=\"}}")), "has no postings".to_owned()),
        (
            forged(&bytes, &third, &format!("{start}AgA=\"}}")),
            "has postings that do not read: the packed cells have the form 2, which is unknown".to_owned(),
        ),
    ];
    for (forged, detail) in cases {
        let target = Site::in_memory().await;
        let refused = target.import(forged, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!(", which {detail}")), "{refused}\nis not: {detail}");
        assert!(target.is_empty().await, "{detail}");
    }
}

#[tokio::test]
async fn what_changes_say_that_they_replaced_is_compared_with_what_was_there() {
    let (product, at) = (sample::product(1), sample::at(0));
    let first = Stored { value: product.clone(), created: at, updated: at, version: Version(1) };
    let second = Stored { version: Version(2), ..first.clone() };
    let (there, back) = (ChangeItem::updated(&second, &first), ChangeItem::updated(&first, &second));
    let replaced = Replaced::new(&first);
    let change = |replaced: Replaced| ChangeItem {
        kind: RecordKind::Product,
        id: product.id.uuid(),
        action: Action::Updated { digest: second.digest(), replaced },
    };
    let with_text = |text: &str| {
        change(Replaced { text: Some(text.to_owned()), digest: Digest::of(text.as_bytes()), ..replaced.clone() })
    };
    let other = Stored { value: sample::product(2), ..first.clone() }.canonical();
    let id = product.id;
    let cases = [
        (vec![there, back], "ends records that are not those that the changes left".to_owned()),
        (
            vec![change(replaced.clone().blanked())],
            format!(
                "shows that the history is broken: product {id}: the text of its version 1 is gone, and no change says that \
                 it was blanked"
            ),
        ),
        (
            vec![change(Replaced { version: Version(3), ..replaced.clone() })],
            format!("has an item that replaced version 3 of product {id}, which came later"),
        ),
        (
            vec![change(Replaced { text: Some(other.clone()), ..replaced.clone() })],
            format!(
                "has an item that replaced what is no product {id}: product {} of version 1",
                sample::product(2).id
            ),
        ),
        (
            vec![with_text(&first.canonical().replace("\"kg\"", "\"kilogram\""))],
            format!(
                "has an item that replaced what is no product {id}: /content/unit is not written in the canonical form, which is \"kg\""
            ),
        ),
        (
            vec![change(Replaced { digest: Digest::of(b"other"), ..replaced.clone() })],
            format!(
                "shows that the history is broken: change 2: what it replaced of product {id} is not what stood there"
            ),
        ),
    ];
    for (items, detail) in cases {
        let target = Site::in_memory().await;
        let refused = target.import(with_items(&items).await, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!(", which {detail}")), "{refused}\nis not: {detail}");
        assert!(target.is_empty().await, "{detail}");
    }
}

#[tokio::test]
async fn what_the_store_refuses_leaves_nothing() {
    // Two scopes in one another's place: each refers to one that comes later.
    let source = filled().await;
    let bytes = source.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let parent = lines.iter().position(|line| line.contains(&sample::org(9).id.to_string())).unwrap();
    let mut swapped = lines.clone();
    swapped.swap(parent, parent + 1);
    let target = Site::on_disk().await;
    let refused = target.import(sealed(&(swapped.join("\n") + "\n")), Credentials::LeftOut).await.unwrap_err();
    assert!(matches!(refused, ImportError::Refused(ports::store::Conflict::Missing { .. })), "{refused}");
    assert!(target.is_empty().await);
}

#[tokio::test]
async fn lines_and_imports_that_do_not_fit_the_changes_are_refused() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let line = |kind: &str| {
        let start = format!("{{\"form\":1,\"kind\":\"{kind}\"");
        format!("{}\n", text.lines().find(|line| line.starts_with(&start)).unwrap())
    };
    let (lines, import) = (line("lines"), line("import"));
    let packed = |lines: &[u64]| STANDARD.encode(PackedLines::pack(lines)[0].as_bytes());
    let (four, five) = (packed(&[5, 2, 3, 9]), packed(&[5, 2, 3, 9, 10]));
    assert!(lines.contains(&four), "{lines}");
    let broken = "shows that the lines of change 3 are broken: ";
    for (file, wrong) in [
        (forged(&bytes, &four, &five), format!("{broken}has 5 lines of its file, but 4 items that left an activity")),
        (forged(&bytes, &four, "AgQ="), format!("{broken}part 0 of its lines: the packed lines do not read")),
        (
            forged(&bytes, &lines, &lines.replace("\"part\":0", "\"part\":1")),
            format!("{broken}part 1 of its lines stands where part 0 is expected"),
        ),
        (
            forged(&bytes, &import, &import.repeat(2)),
            "is an import for the second time, or does not stand in the order of identifiers".to_owned(),
        ),
        (
            forged(&bytes, "\"changes\":{\"first\":3,\"last\":3}", "\"changes\":{\"first\":3,\"last\":9}"),
            "is an import that names changes which are not there".to_owned(),
        ),
    ] {
        let target = Site::in_memory().await;
        let refused = target.import(file, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&wrong), "{wrong:?} in {refused:?}");
        assert!(target.is_empty().await);
    }
}
