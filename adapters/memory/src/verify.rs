//! Verification: digests, the chain, and a recount of the activities against the cells.

use std::collections::{BTreeMap, HashMap};

use domain::{Canonical, Cell, Chain, Day, Digest, Entity, RecordKind, SeriesKey, Verb};
use ports::store::{Finding, Verification};
use uuid::Uuid;

use crate::state::State;
use crate::table::Table;

/// What the chain says of each record that is there: the digest it was left with.
type Expected = HashMap<(RecordKind, Uuid), Digest>;

pub(crate) fn verify(state: &State) -> Verification {
    let mut found = Verification::default();
    let mut expected = changes(state, &mut found);
    records(&state.activities, &mut expected, &mut found);
    records(&state.nodes, &mut expected, &mut found);
    records(&state.products, &mut expected, &mut found);
    records(&state.factors, &mut expected, &mut found);
    records(&state.models, &mut expected, &mut found);
    records(&state.inputs, &mut expected, &mut found);
    records(&state.switches, &mut expected, &mut found);
    records(&state.footprints, &mut expected, &mut found);
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
    let mut previous = Digest::ZERO;
    for (number, (change, items)) in (1..).zip(state.changes.iter().map(AsRef::as_ref)) {
        found.changes += 1;
        let mut chain = Chain::new(previous, number, change.at, &change.actor, &change.cause);
        for item in items {
            chain.item(item);
            let record = (item.kind, item.id);
            let before = match item.verb {
                Verb::Added | Verb::Updated => expected.insert(record, item.digest),
                Verb::Removed => expected.remove(&record),
            };
            let replaced = item.replaced.as_ref().map(|text| Digest::of(text.as_bytes()));
            if before != replaced {
                let subject = format!("{} {} in change {number}", item.kind, item.id);
                find(found, subject, "does not replace what the changes before left");
            }
        }
        if (change.number, change.digest) != (number, chain.finish()) {
            find(found, format!("change {number}"), "its digest is not that of its items and the changes before");
        }
        previous = change.digest;
    }
    if (state.head.number, state.head.digest) != (found.changes, previous) {
        find(found, "head".into(), "is not the newest change");
    }
    expected
}

fn records<T: Entity>(table: &Table<T>, expected: &mut Expected, found: &mut Verification) {
    for stored in table.iter() {
        found.records += 1;
        let (kind, id) = (stored.value.kind(), stored.value.id().into());
        if expected.remove(&(kind, id)) != Some(stored.digest()) {
            find(found, format!("{kind} {id}"), "its content does not have the digest that its last change gave it");
        }
    }
}

/// Recounts the activities.
fn cells(state: &State, found: &mut Verification) {
    let mut recount: BTreeMap<(Day, SeriesKey), Cell> = BTreeMap::new();
    for activity in state.activities.iter().map(|stored| &stored.value) {
        for (day, cell) in activity.booking().cells() {
            *recount.entry((day, activity.series())).or_default() += cell;
        }
    }
    for (&(day, series), stamped) in state.cells.iter() {
        found.cells += 1;
        let key = state.series.keys.get(series as usize);
        let counted = key.and_then(|key| recount.remove(&(day, *key))).unwrap_or_default();
        if counted != stamped.cell {
            find(found, format!("cell of series {series} on {day}"), "is not what the activities add up to");
        }
    }
    for ((day, key), cell) in recount {
        if !cell.is_zero() {
            find(found, format!("cell of {key:?} on {day}"), "is missing");
        }
    }
}
