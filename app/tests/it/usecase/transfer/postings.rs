//! The postings of a file: they are those of what each change wrote, and a file of others is refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::{Cell, Day, PackedCells, Postings};
use ports::RecordKind;
use ports::contract::sample;
use ports::ledger::texts;
use tonne::usecase::transfer::Credentials;

use super::forged::forged;
use super::site::{Site, filled};

/// The line of postings with those cells more in it.
fn with_cells(line: &str, more: &Postings) -> String {
    let (start, packed) = line.trim_end_matches("\"}").rsplit_once('"').unwrap();
    let mut cells = more.clone();
    for cell in PackedCells::from_stored(STANDARD.decode(packed).unwrap()).cells() {
        let (series, day, cell) = cell.unwrap();
        cells.add_cell(series, day, cell).unwrap();
    }
    let [packed] = <[PackedCells; 1]>::try_from(cells.pack().unwrap()).unwrap();
    format!("{start}\"{}\"}}", STANDARD.encode(packed.as_bytes()))
}

#[tokio::test]
async fn postings_that_were_moved_from_one_change_to_another_are_refused() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("\"postings\",")).collect();
    let [third, fourth] = lines.try_into().unwrap();
    let (mut here, mut there) = (Postings::new(), Postings::new());
    here.add(1, &sample::activity(5).posting());
    there.take(1, &sample::activity(5).posting());
    let moved = forged(&forged(&bytes, third, &with_cells(third, &here)), fourth, &with_cells(fourth, &there));
    let target = Site::in_memory().await;
    let refused = target.import(moved, Credentials::LeftOut).await.unwrap_err().to_string();
    let detail = "which ends postings that are not, change by change, those of what the changes wrote";
    assert!(refused.ends_with(detail), "{refused}");
    assert!(target.is_empty().await);
}

#[tokio::test]
async fn postings_of_more_activities_than_64_bits_count_are_refused_with_their_line() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let (at, third) = text.lines().enumerate().find(|(_, line)| line.contains("\"postings\",")).unwrap();
    let most = (1 << 47) - 1;
    let cell = Cell::ZERO.with_starts(most).with_ends(most).with_incomplete_starts(most).with_incomplete_ends(most);
    let days = std::iter::successors(Some(Day::MIN), |day| Some(day.next())).take(4_096);
    let packed = STANDARD.encode(PackedCells::pack(days.map(|day| (0, day, &cell))).unwrap().as_bytes());
    let start = "{\"form\":1,\"kind\":\"postings\",\"change\":3,\"part\"";
    let more: Vec<String> = (1..=3).map(|part| format!("\n{start}:{part},\"postings\":\"{packed}\"}}")).collect();
    let forged = forged(&bytes, third, &format!("{third}{}", more.concat()));
    let target = Site::in_memory().await;
    let refused = target.import(forged, Credentials::LeftOut).await.unwrap_err().to_string();
    let line = at + 4;
    assert_eq!(refused, format!("is refused at line {line}, which has postings of more activities than 64 bits count"));
    assert!(target.is_empty().await);
}

#[tokio::test]
async fn an_activity_whose_version_was_blanked_goes_along() {
    let source = filled().await;
    let id = sample::uuid(2);
    source
        .change(async |tx| {
            let places = texts(tx.ledger(), RecordKind::Activity, id).await.unwrap().unwrap();
            assert_eq!(places.len(), 1);
            tx.ledger_mut().blank(&places[0]).await.unwrap();
        })
        .await;
    let file = source.export(Credentials::LeftOut).await;
    let target = Site::in_memory().await;
    target.import(file.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(target.export(Credentials::LeftOut).await, file);
    let verified = target.store.verify(&target.grant()).await.unwrap();
    assert_eq!((verified.findings, verified.blanked), (Vec::new(), 1));
}
