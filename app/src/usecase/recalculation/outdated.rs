//! What the recalculation of outdated activities would change of a figure.

use domain::{Activity, ClosedPeriods, Digest, Total};
use ports::inbound::Error;
use ports::repo::Pending;
use ports::store::ReadTx;

use super::selection::Selection;
use super::step::Among;
use super::{Step, suspects};
use crate::usecase::published::Choosing;

/// By how much the recalculation of all that is outdated, in closed periods too, would change the sum of what `share` says
/// of each activity.
pub(in crate::usecase) async fn outdated_difference(
    tx: &mut dyn ReadTx,
    mut choosing: Choosing,
    share: impl Fn(&Activity) -> Total + Send + Sync,
) -> Result<Total, Error> {
    let pending = Pending::ComputedFrom(suspects(tx).await?);
    let (none_closed, selection) = (ClosedPeriods::default(), Selection::default());
    let among = Among { pending: &pending, selection: &selection, closed: &none_closed };
    let (mut after, mut digest, mut difference) = (None, Digest::ZERO, Total::ZERO);
    loop {
        let step = Step::behind(tx, &mut choosing, among, after, digest).await?;
        for change in &step.changes {
            difference += share(&change.after) - share(&change.stored.value);
        }
        (after, digest) = (step.last, step.digest);
        if after.is_none() {
            return Ok(difference);
        }
    }
}
