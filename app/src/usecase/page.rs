//! Pages of a report's activities by number, without reading the pages before.

use std::collections::HashSet;

use domain::{Activity, Attribution, Cube, Filter, Period, ScopeId, first_day_at};
use ports::Stored;
use ports::repo::{Page, Place};
use ports::store::{ReadTx, StoreError};

/// The page of the activities that the filter selects in the snapshot whose cube that is, and one more if there is one.
pub(super) async fn page(
    tx: &mut dyn ReadTx,
    cube: &Cube,
    filter: &Filter,
    not_spread: &HashSet<ScopeId>,
    page: Page,
) -> Result<Vec<Stored<Activity>>, StoreError> {
    if filter.attribution == Attribution::Daily && filter.period.first().is_some() {
        // Activities that began before the period are counted by the cube on their last days, not on their first.
        return tx.activities().page(filter, not_spread, page.offset(), page.size.saturating_add(1)).await;
    }
    let (offset, size) = (page.offset(), u64::from(page.size));
    let Some((first, earlier)) = first_day_at(cube, filter, offset) else { return Ok(Vec::new()) };
    let last = first_day_at(cube, filter, offset + size).map_or(filter.period.last(), |(last, _)| Some(last));
    let days = Period::new(Some(first), last).unwrap_or(filter.period);
    // From its first day on the selection is the same under either attribution, but for those that began before.
    let within = filter.clone().with_attribution(Attribution::Start).with_period(days);
    tx.activities().page(&within, not_spread, offset - earlier, page.size.saturating_add(1)).await
}

/// The first so many of the activities that were found; where there are more, the place of the last of them.
pub(super) fn cut(mut found: Vec<Stored<Activity>>, most: u32, next: &mut Option<Place>) -> Vec<Stored<Activity>> {
    if found.len() > most as usize {
        found.truncate(most as usize);
        *next = found.last().map(|last| Place::of(&last.value));
    }
    found
}
