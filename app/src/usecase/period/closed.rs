//! Which periods are closed, as a transaction sees them, and the refusal of what touches one.

use domain::{Activity, ClosedPeriod, ClosedPeriods, Forest, TreeNode as _};
use ports::Stored;
use ports::repo::{Page, Query};
use ports::store::{Conflict, PeriodClosed, ReadTx, StoreError};

/// How many periods are read at once.
const PAGE: u32 = 100;

/// Every period of the transaction's snapshot that is closed or was, the first closed first.
pub(in crate::usecase) async fn all_periods(tx: &mut dyn ReadTx) -> Result<Vec<Stored<ClosedPeriod>>, StoreError> {
    let mut periods = Vec::new();
    for number in 1.. {
        let page = Page { number, size: PAGE };
        let listing = tx.closed_periods().list(&Query::all(page)).await?;
        periods.extend(listing.data);
        if page.offset() + u64::from(PAGE) >= listing.count {
            break;
        }
    }
    Ok(periods)
}

/// The closed periods of the transaction's snapshot.
pub(in crate::usecase) async fn closed_periods(tx: &mut dyn ReadTx) -> Result<ClosedPeriods, StoreError> {
    let periods = tx.closed_periods().closed().await?;
    let orgs = if periods.iter().any(|period| period.org.is_some()) { tx.orgs().all().await? } else { Vec::new() };
    let orgs = Forest::new(orgs.iter().map(|org| (org.value.id(), org.value.parent())));
    Ok(ClosedPeriods::new(periods, &orgs))
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
