//! Activities without CO2e, by the reason why.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use domain::{Cube, Day, Filter, FirstDays, IncompleteToday, Period};
use ports::inbound::{EXAMPLES, Error, IncompleteExample, IncompleteReason};
use ports::repo::{Pending, Place};
use ports::store::ReadTx;

use crate::usecase::factors::Factors;

/// How many activities are read at a time.
const BATCH: u32 = 1_000;

/// The reasons of the activities without CO2e that begin in the filter's period and that it selects; the most frequent first.
/// Activities without CO2e alone are read, from the first day on which the cube has such of the filter to the last; none where
/// there is none.
pub(super) async fn reasons(
    tx: &mut dyn ReadTx,
    cube: &Cube,
    filter: &Filter,
    may_name: bool,
) -> Result<Vec<IncompleteReason>, Error> {
    let days = FirstDays::new(cube, filter).incomplete().days;
    let mut left: u64 = days.iter().map(|(_, count)| count).sum();
    let mut found: BTreeMap<IncompleteToday, IncompleteReason> = BTreeMap::new();
    let (mut after, mut factors) = (None, Factors::default());
    while let Some(period) = behind(&days, after)
        && left > 0
    {
        let batch = tx.activities().pending(&Pending::WithoutCo2e(period), after, BATCH).await?;
        let activities =
            || batch.iter().map(|stored| &stored.value).filter(|activity| filter.selects_series(&activity.series()));
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

/// From the first of the days that is not before the place to the last of them; `None` where there is none.
fn behind(days: &[(Day, u64)], after: Option<Place>) -> Option<Period> {
    let at = days.partition_point(|(day, _)| after.is_some_and(|after| *day < after.day));
    let ((first, _), (last, _)) = (days.get(at)?, days.last()?);
    Period::new(Some(*first), Some(*last))
}
