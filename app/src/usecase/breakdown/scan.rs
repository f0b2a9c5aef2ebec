//! Breaking down by what the cube does not know: one walk over the activities of the snapshot, in their order.

use std::collections::HashSet;

use domain::{Activity, Attribution, Catalog, Day, Filter, Totals, report};
use ports::ReadModel;
use ports::inbound::{Error, Whole};
use ports::store::ReadTx;

use super::question::Question;
use super::sums::{Sums, rows_of};
use crate::usecase::outdated::Outdated;

/// How many activities are read at once.
pub(super) const BATCH: u32 = 1_000;

/// What the activities that the filter and the question select come to, whole and row by row.
pub(super) async fn sums(
    tx: &mut dyn ReadTx,
    (read_model, outdated): (&ReadModel, &Outdated),
    question: &Question,
    filter: &Filter,
) -> Result<(Whole, Sums), Error> {
    let catalog = read_model.catalog();
    let bounds = report(read_model.cube(), filter, &|id| catalog.class(id));
    let mut whole = Whole { first: filter.period.first(), last: filter.period.last(), ..Whole::default() };
    let mut sums = Sums::new(question, filter.period, (bounds.first, bounds.last))?;
    let not_spread = match filter.attribution {
        Attribution::Daily => catalog.not_spread(),
        Attribution::Start => HashSet::new(),
    };
    let without_co2e = question.choice.without_co2e(read_model.cube(), filter);
    let mut after = None;
    loop {
        let selected = (filter, &not_spread, without_co2e.as_ref());
        let batch = question.choice.walk(tx, catalog, selected, after, BATCH).await?;
        for stored in &batch.activities {
            add(catalog, question, filter, &stored.value, (&mut whole, &mut sums))?;
            whole.outdated += u64::from(outdated.contains(stored.value.id));
        }
        if batch.next.is_none() {
            return Ok((whole, sums));
        }
        after = batch.next;
    }
}

/// Adds the activity to the whole and to each row that it counts in.
fn add(
    catalog: &Catalog,
    question: &Question,
    filter: &Filter,
    activity: &Activity,
    (whole, sums): (&mut Whole, &mut Sums),
) -> Result<(), Error> {
    let class = activity.scope.and_then(|id| catalog.class(id));
    let of = |period| Totals::of_activity(activity, class, filter.attribution, period, filter.scope2);
    let Some(totals) = of(filter.period) else { return Ok(()) };
    whole.totals += totals;
    let (first, last) = activity.counted_days(class, filter.attribution);
    if filter.period.first().is_none() {
        whole.first = Some(whole.first.map_or(first, |known: Day| known.min(first)));
    }
    if filter.period.last().is_none() {
        whole.last = Some(whole.last.map_or(last, |known: Day| known.max(last)));
    }
    let add = |sums: &mut Sums, number, part| {
        let rows = rows_of(catalog, question, activity, filter, part);
        rows.into_iter().try_for_each(|(records, totals)| sums.add((number, records), &totals))
    };
    if question.stretches().is_empty() {
        return add(sums, 0, filter.period);
    }
    let begin = sums.parts.partition_point(|part| part.last().is_some_and(|end| end < first));
    for number in begin..sums.parts.len() {
        let Some(part) = sums.parts.get(number).copied().filter(|part| of(*part).is_some()) else { break };
        add(sums, number, part)?;
    }
    Ok(())
}
