//! Orgs that rows make on the way.

use std::sync::Arc;

use domain::Org;
use ports::inbound::{Field, NodeStep, Nodes, Outcome, Reference, RowDraft};
use ports::repo::Page;

use super::import::{begin, row, run};
use super::{World, given, name, world};

/// A row of that org, which is made where it is missing.
fn below(line: u64, sync_id: &str, names: &[&str]) -> RowDraft {
    let step = |text: &&str| NodeStep { sync_id: None, name: name(text) };
    let mut row = row(line, sync_id, None);
    row.draft.org = given(Reference::Path(names.iter().map(step).collect()));
    row
}

/// A row of the org that is called so.
fn of(line: u64, sync_id: &str, word: &str) -> RowDraft {
    let mut row = row(line, sync_id, None);
    row.draft.org = given(Reference::Word(word.to_owned()));
    row
}

fn wrong(mut row: RowDraft) -> RowDraft {
    row.draft.name = Field::Null;
    row
}

async fn orgs(world: &World) -> Vec<String> {
    let orgs = Nodes::<Org>::list_nodes(&world.catalog, &world.admin, None, Page::FIRST).await.unwrap();
    let mut names: Vec<String> = orgs.data.iter().map(|org| org.node.value.name.to_string()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn an_org_that_rejected_rows_alone_name_is_not_made() {
    for outcome in [Outcome::KeepGood, Outcome::Nothing] {
        let world = world().await;
        let mut import = begin(&world, Arc::clone(&world.store), outcome);
        let calls = vec![
            vec![
                below(2, "a", &["Group", "North"]),
                wrong(below(3, "b", &["Group", "South"])),
                wrong(below(4, "c", &["Ghost", "West"])),
                // Of an activity that an earlier row is about already.
                below(5, "a", &["Repeated"]),
                of(6, "d", "West"),
                of(7, "e", "North"),
            ],
            vec![of(8, "f", "Ghost"), below(9, "g", &["Group", "South"]), of(10, "h", "South")],
        ];
        let all = run(import.as_mut(), calls).await.unwrap();
        let rejected: Vec<u64> = all.faults.iter().map(|(line, _)| *line).collect();
        assert_eq!((all.created, rejected), (4, vec![3, 4, 5, 6, 8]), "{outcome:?}");
        let made: &[&str] = if outcome == Outcome::Nothing { &[] } else { &["Group", "North", "South"] };
        assert_eq!(orgs(&world).await, made);
    }
}

#[tokio::test]
async fn a_row_behind_a_rejected_one_makes_the_org_that_both_name() {
    let world = world().await;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::KeepGood);
    let rows = vec![wrong(below(2, "a", &["Group", "Plant"])), below(3, "b", &["Group", "Plant"])];
    let all = run(import.as_mut(), vec![rows]).await.unwrap();
    assert_eq!((all.created, all.rejected), (1, 1));
    assert_eq!(orgs(&world).await, ["Group", "Plant"]);
}

#[tokio::test]
async fn all_rows_or_none_make_their_orgs_with_them() {
    let world = world().await;
    let mut import = begin(&world, Arc::clone(&world.store), Outcome::AllOrNothing);
    let calls = vec![vec![below(2, "a", &["Group", "Plant"])], vec![of(3, "b", "Plant"), below(4, "c", &["Group"])]];
    let all = run(import.as_mut(), calls).await.unwrap();
    assert_eq!((all.created, all.rejected), (3, 0));
    assert_eq!(orgs(&world).await, ["Group", "Plant"]);
}
