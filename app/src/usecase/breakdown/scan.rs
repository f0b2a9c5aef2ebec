//! Breaking down by what the cube does not know: one walk over the activities of the snapshot, in their order.

use std::collections::HashSet;

use domain::{Activity, Attribution, Catalog, Day, Filter, Totals, report};
use ports::inbound::{Error, State, Whole};
use ports::repo::Place;
use ports::store::ReadTx;
use ports::{ReadModel, Stored};

use super::question::Question;
use super::sums::{Sums, records_of};

/// How many activities are read at once.
const BATCH: u32 = 1_000;

/// What the activities that the filter and the question select come to, whole and row by row.
pub(super) async fn sums(
    tx: &mut dyn ReadTx,
    read_model: &ReadModel,
    question: &Question,
    filter: &Filter,
) -> Result<(Whole, Sums), Error> {
    let catalog = read_model.catalog();
    let bounds = report(read_model.cube(), filter, &|id| catalog.class(id));
    let mut whole = Whole { first: filter.period.first(), last: filter.period.last(), totals: Totals::default() };
    let mut sums = Sums::new(question, filter.period, (bounds.first, bounds.last))?;
    let not_spread = match filter.attribution {
        Attribution::Daily => catalog.not_spread(),
        Attribution::Start => HashSet::new(),
    };
    let mut after = None;
    loop {
        let batch = tx.activities().range(filter, &not_spread, after, BATCH).await?;
        for stored in batch.iter().filter(|stored| selects(catalog, question, stored)) {
            add(catalog, question, filter, &stored.value, (&mut whole, &mut sums))?;
        }
        match batch.last() {
            Some(last) if batch.len() == BATCH as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => return Ok((whole, sums)),
        }
    }
}

/// Whether the question is about the activity, of those that its filter selects.
fn selects(catalog: &Catalog, question: &Question, stored: &Stored<Activity>) -> bool {
    let activity = &stored.value;
    let in_state = |state: &State| match state {
        State::Incomplete => activity.co2e().is_none(),
        State::Uncategorized => activity.scope.and_then(|id| catalog.class(id)).is_none(),
    };
    let named = |text: &String| activity.name.as_str().to_lowercase().contains(text);
    question.product.is_none_or(|product| activity.product == Some(product))
        && question.name.as_ref().is_none_or(named)
        && question.updated_since.is_none_or(|since| stored.updated >= since)
        && question.states.iter().all(in_state)
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
    let of = |period| Totals::of_activity(activity, class, filter.attribution, period);
    let Some(totals) = of(filter.period) else { return Ok(()) };
    whole.totals += totals;
    let (first, last) = activity.counted_days(class, filter.attribution);
    if filter.period.first().is_none() {
        whole.first = Some(whole.first.map_or(first, |known: Day| known.min(first)));
    }
    if filter.period.last().is_none() {
        whole.last = Some(whole.last.map_or(last, |known: Day| known.max(last)));
    }
    let records = records_of(catalog, question, activity);
    if question.stretches().is_empty() {
        return sums.add((0, records), totals);
    }
    let begin = sums.parts.partition_point(|part| part.last().is_some_and(|end| end < first));
    for number in begin..sums.parts.len() {
        let Some(totals) = sums.parts.get(number).copied().and_then(of) else { break };
        sums.add((number, records), totals)?;
    }
    Ok(())
}
