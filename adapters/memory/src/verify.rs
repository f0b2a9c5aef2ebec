//! Verification: digests, the chain, and a recount of the activities against the cells.

use std::collections::{BTreeMap, HashMap};

use domain::{
    Activity, Canonical, Cell, ClosedPeriod, Day, Digest, Exclusion, Factor, Footprint, Input, Model, Org, Partner,
    Postings, Product, Scope, SeriesKey, Sharing, Switch, Taxonomy,
};
use ports::RecordKind;
use ports::ledger::{ChainWalk, LineCheck};
use ports::store::{Finding, Verification};
use uuid::Uuid;

use crate::record::Record;
use crate::state::State;

/// What the chain says of each record that is there: the digest it was left with.
type Expected = HashMap<(RecordKind, Uuid), Digest>;

pub(crate) fn verify(state: &State) -> Verification {
    let mut found = Verification::default();
    let mut expected = changes(state, &mut found);
    records::<Activity>(state, &mut expected, &mut found);
    records::<Scope>(state, &mut expected, &mut found);
    records::<Org>(state, &mut expected, &mut found);
    records::<Taxonomy>(state, &mut expected, &mut found);
    records::<Product>(state, &mut expected, &mut found);
    records::<Factor>(state, &mut expected, &mut found);
    records::<Model>(state, &mut expected, &mut found);
    records::<Input>(state, &mut expected, &mut found);
    records::<Switch>(state, &mut expected, &mut found);
    records::<Footprint>(state, &mut expected, &mut found);
    records::<ClosedPeriod>(state, &mut expected, &mut found);
    records::<Exclusion>(state, &mut expected, &mut found);
    records::<Partner>(state, &mut expected, &mut found);
    records::<Sharing>(state, &mut expected, &mut found);
    for (kind, id) in expected.into_keys() {
        find(&mut found, format!("{kind} {id}"), "was never removed, but is not there");
    }
    cells(state, &mut found);
    found
}

fn find(found: &mut Verification, subject: String, detail: &str) {
    found.findings.push(Finding { subject, detail: detail.into() });
}

/// Adds the chain up.
fn changes(state: &State, found: &mut Verification) -> Expected {
    let mut expected = Expected::new();
    let mut walk = ChainWalk::default();
    let mut parts = state.items.iter().peekable();
    let (mut line_check, mut lines) = (LineCheck::default(), state.lines.iter().peekable());
    for change in state.changes.iter() {
        walk.begin(change.clone(), found);
        line_check.begin(change.number);
        while let Some((_, part)) = parts.next_if(|(place, _)| place.change == change.number) {
            for item in part.items() {
                match item {
                    Ok(item) => {
                        let record = (item.kind, item.id);
                        line_check.item(&item);
                        walk.item(&item, expected.get(&record).copied(), found);
                        match item.left() {
                            Some(digest) => drop(expected.insert(record, digest)),
                            None if item.blanked().is_some() => {}
                            None => drop(expected.remove(&record)),
                        }
                    }
                    Err(error) => walk.damaged(&error, found),
                }
            }
        }
        walk.end(found);
        let mut checked = Ok(());
        while let Some((place, part)) = lines.next_if(|(place, _)| place.change == change.number) {
            checked = checked.and_then(|()| line_check.part(*place, part));
        }
        if let Err(wrong) = checked.and_then(|()| line_check.end()) {
            find(found, format!("change {}", change.number), &wrong);
        }
    }
    walk.head(&state.head, found);
    if let Some((place, _)) = parts.next() {
        find(found, format!("items of change {}", place.change), "belong to no change");
    }
    expected
}

fn records<T: Record>(state: &State, expected: &mut Expected, found: &mut Verification) {
    for stored in T::table(state).iter() {
        found.records += 1;
        let (kind, id) = (T::KIND, stored.value.id().into());
        if expected.remove(&(kind, id)) != Some(stored.digest()) {
            find(found, format!("{kind} {id}"), "its content does not have the digest that its last change gave it");
        }
        for to in stored.value.references().into_iter().filter(|to| !state.contains(to.kind, to.id)) {
            let detail = format!("its {} is the {} {}, which is not there", to.member, to.kind, to.id);
            find(found, format!("{kind} {id}"), &detail);
        }
    }
}

/// Compares the cells with a recount of the activities.
fn cells(state: &State, found: &mut Verification) {
    let mut sums: BTreeMap<SeriesKey, Postings> = BTreeMap::new();
    for activity in state.activities.iter().map(|stored| &stored.value) {
        sums.entry(activity.series()).or_default().add(0, &activity.posting());
    }
    let of = |(key, sum): (SeriesKey, Postings)| sum.into_iter().map(move |(_, day, cell)| ((day, key), cell));
    let mut recount: BTreeMap<(Day, SeriesKey), Cell> = sums.into_iter().flat_map(of).collect();
    for (series, day, stored) in stored_cells(state, found) {
        if stored.is_zero() {
            continue;
        }
        found.cells += 1;
        let key = state.series.keys.get(series as usize);
        if key.and_then(|key| recount.remove(&(day, *key))).unwrap_or_default() != stored {
            find(found, format!("cell of series {series} on {day}"), "is not what the activities add up to");
        }
    }
    for ((day, key), cell) in recount {
        if !cell.is_zero() {
            find(found, format!("cell of {key:?} on {day}"), "is missing");
        }
    }
}

/// What the checkpoint and the later postings add up to.
fn stored_cells(state: &State, found: &mut Verification) -> Postings {
    let (number, checkpoint) = state.checkpoint.as_ref().map_or((0, [].as_slice()), |(number, parts)| (*number, parts));
    let later = state.postings.iter().filter(|(place, _)| place.change > number);
    let mut sum = Postings::new();
    for cells in checkpoint.iter().chain(later.map(|(_, cells)| cells)) {
        for read in cells.cells() {
            match read {
                Ok((series, day, cell)) => {
                    if let Err(error) = sum.add_cell(series, day, cell) {
                        find(found, "postings".to_owned(), &error.to_string());
                    }
                }
                Err(error) => find(found, "postings".to_owned(), &error.to_string()),
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Name;
    use ports::Grant;
    use ports::contract::sample;
    use ports::ledger::PartPlace;
    use ports::store::Store;

    use super::*;
    use crate::store::MemoryStore;

    /// A state with a product, two activities and three changes.
    async fn sound() -> State {
        let store = MemoryStore::new(sample::SampleIds::shared());
        let grant = Grant::for_maintenance(sample::id(1), "cli:me");
        store.prepare(&grant).await.unwrap();
        for number in 1..=3 {
            let mut tx = store.write(&grant.to_write(), sample::intent()).await.unwrap();
            if number == 1 {
                tx.products_mut().add(sample::product(1)).await.unwrap();
            } else {
                tx.activities_mut().add(sample::activity(number)).await.unwrap();
            }
            tx.commit().await.unwrap();
        }
        store.newest(&grant).unwrap()
    }

    /// The subjects of what is found wrong after the damage.
    async fn after(damage: impl FnOnce(&mut State)) -> Vec<String> {
        let mut state = sound().await;
        assert_eq!(verify(&state).findings, []);
        damage(&mut state);
        verify(&state).findings.into_iter().map(|finding| finding.subject).collect()
    }

    #[tokio::test]
    async fn a_changed_record_is_named() {
        let found = after(|state| {
            let products = Arc::make_mut(&mut state.products);
            let mut changed = products.find(sample::uuid(1)).unwrap().as_ref().clone();
            changed.value.name = Name::parse("Forged").unwrap();
            products.put(changed);
        });
        assert_eq!(found.await, [format!("product {}", sample::uuid(1))]);
    }

    #[tokio::test]
    async fn a_lost_record_is_named() {
        let found = after(|state| Arc::make_mut(&mut state.products).remove(sample::uuid(1)));
        assert_eq!(found.await, [format!("product {}", sample::uuid(1))]);
    }

    #[tokio::test]
    async fn an_activity_whose_scope_is_not_there_is_named() {
        let store = MemoryStore::new(sample::SampleIds::shared());
        let grant = Grant::for_maintenance(sample::id(1), "cli:me");
        store.prepare(&grant).await.unwrap();
        let mut tx = store.write(&grant.to_write(), sample::intent()).await.unwrap();
        tx.scopes_mut().add(sample::scope(1)).await.unwrap();
        let scope = Some(sample::scope(1).id);
        tx.activities_mut().add(sample::activity(1).with_scope(scope)).await.unwrap();
        tx.commit().await.unwrap();
        let mut state = store.newest(&grant).unwrap();
        Arc::make_mut(&mut state.scopes).remove(sample::scope(1).id.uuid());
        let found = verify(&state).findings;
        let scope = sample::scope(1).id;
        let missing = format!("its scope is the scope {scope}, which is not there");
        assert!(found.iter().any(|finding| finding.detail == missing), "{found:?}");
        assert!(found.iter().any(|finding| finding.subject == format!("scope {scope}")), "{found:?}");
    }

    #[tokio::test]
    async fn a_changed_cell_is_named() {
        let found = after(|state| {
            let mut forged = Postings::new();
            for read in state.postings.iter().flat_map(|(_, cells)| cells.cells()) {
                let (series, day, cell) = read.unwrap();
                let starts = cell.starts + 1;
                forged.add_cell(series, day, cell.with_starts(starts)).unwrap();
            }
            let place = PartPlace { change: 3, part: 0 };
            state.postings = Arc::new(vec![(place, forged.pack().unwrap().remove(0))]);
        });
        assert_eq!(found.await, ["cell of series 0 on 2025-03-01"]);
    }

    #[tokio::test]
    async fn a_changed_cause_breaks_the_chain_there() {
        let found = after(|state| {
            Arc::make_mut(&mut state.changes)[1].cause = "forged".into();
        });
        assert_eq!(found.await, ["change 2"]);
    }

    #[tokio::test]
    async fn a_head_that_is_not_the_newest_change_is_found() {
        assert_eq!(after(|state| state.head.number = 2).await, ["head"]);
    }
}
