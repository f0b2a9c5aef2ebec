//! Activities without CO2e, by the reason why.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::{Cube, Filter, IncompleteToday};
use ports::inbound::{EXAMPLES, Error, IncompleteExample, IncompleteReason};
use ports::repo::Place;
use ports::store::ReadTx;

use crate::usecase::factors::Factors;
use crate::usecase::without_co2e::WithoutCo2e;

/// How many activities are read at a time.
const BATCH: u32 = 1_000;

/// The reasons of the activities without CO2e that begin in the filter's period and that it selects; the most frequent first.
/// They alone are read.
pub(super) async fn reasons(
    tx: &mut dyn ReadTx,
    cube: &Cube,
    filter: &Filter,
    may_name: bool,
) -> Result<Vec<IncompleteReason>, Error> {
    let without_co2e = WithoutCo2e::of(cube, filter);
    let mut found: BTreeMap<IncompleteToday, IncompleteReason> = BTreeMap::new();
    let (mut after, mut factors) = (None, Factors::default());
    loop {
        let batch = without_co2e.behind(tx, after, BATCH).await?;
        let activities = || batch.iter().map(|stored| &stored.value);
        factors.read(tx, activities()).await?;
        for activity in activities() {
            let Some(reason) = activity.incomplete(factors.product(activity), factors.of(activity)) else { continue };
            let new = || IncompleteReason { reason, count: 0, examples: Vec::new() };
            let group = found.entry(reason).or_insert_with(new);
            group.count += 1;
            if may_name && group.examples.len() < EXAMPLES {
                let (id, name, day) = (activity.id, activity.name.clone(), activity.span.first());
                group.examples.push(IncompleteExample { id, name, day });
            }
        }
        match batch.last() {
            Some(last) if batch.len() == BATCH as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => break,
        }
    }
    let mut found: Vec<IncompleteReason> = found.into_values().collect();
    found.sort_by_key(|group| Reverse(group.count));
    Ok(found)
}
