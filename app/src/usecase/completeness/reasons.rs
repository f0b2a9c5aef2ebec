//! Activities without CO2e, by the reason why.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use domain::{Filter, IncompleteToday};
use ports::inbound::{EXAMPLES, Error, IncompleteExample, IncompleteReason};
use ports::repo::Place;
use ports::store::ReadTx;

use crate::usecase::factors::Factors;

/// How many activities are read at a time.
const BATCH: u32 = 1_000;

/// The reasons of the activities without CO2e that the filter selects, of which there are so many; the most frequent first.
/// Activities are read in the order of their days until all are found, none where there is none.
pub(super) async fn reasons(
    tx: &mut dyn ReadTx,
    filter: &Filter,
    count: u64,
    may_name: bool,
) -> Result<Vec<IncompleteReason>, Error> {
    let mut found: BTreeMap<IncompleteToday, IncompleteReason> = BTreeMap::new();
    let (mut left, mut after, mut factors) = (count, None, Factors::default());
    while left > 0 {
        let batch = tx.activities().range(filter, &HashSet::new(), after, BATCH).await?;
        let activities = || batch.iter().map(|stored| &stored.value).filter(|activity| activity.co2e().is_none());
        factors.read(tx, activities()).await?;
        for activity in activities() {
            let Some(reason) = activity.incomplete(factors.product(activity), factors.of(activity)) else { continue };
            left = left.saturating_sub(1);
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
