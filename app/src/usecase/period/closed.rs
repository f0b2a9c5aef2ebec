//! Which periods are closed, as a transaction sees them, and the refusal of what touches one.

use domain::{Activity, ClosedPeriod, ClosedPeriods, Forest, TreeNode as _};
use ports::repo::{Page, Query};
use ports::store::{Conflict, PeriodClosed, ReadTx, StoreError};

/// How many periods are read at once.
const PAGE: u32 = 100;

/// The closed periods of the transaction's snapshot.
pub(in crate::usecase) async fn closed_periods(tx: &mut dyn ReadTx) -> Result<ClosedPeriods, StoreError> {
    let mut periods: Vec<ClosedPeriod> = Vec::new();
    for number in 1.. {
        let page = Page { number, size: PAGE };
        let listing = tx.closed_periods().list(&Query::all(page)).await?;
        periods.extend(listing.data.into_iter().map(|stored| stored.value).filter(ClosedPeriod::is_closed));
        if page.offset() + u64::from(PAGE) >= listing.count {
            break;
        }
    }
    let orgs = if periods.iter().any(|period| period.org.is_some()) { tx.orgs().all().await? } else { Vec::new() };
    let orgs = Forest::new(orgs.iter().map(|org| (org.value.id(), org.value.parent())));
    Ok(ClosedPeriods::new(&periods, &orgs))
}

/// Refuses activities of which one touches a closed period.
pub(in crate::usecase) fn refuse<'a>(
    closed: &ClosedPeriods,
    activities: impl IntoIterator<Item = &'a Activity>,
) -> Result<(), StoreError> {
    match activities.into_iter().find_map(|activity| closed.touched(activity)) {
        Some(span) => Err(StoreError::Conflict(Conflict::Closed(PeriodClosed::of(span)))),
        None => Ok(()),
    }
}
