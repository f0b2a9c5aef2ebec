//! What the recalculation of outdated activities would change of a figure.

use std::ops::{Add, Sub};

use domain::{Activity, ClosedPeriods, Digest};
use ports::inbound::Error;
use ports::store::ReadTx;

use super::Step;
use super::selection::Selection;
use super::step::Among;
use crate::usecase::published::Choosing;
use crate::usecase::suspects::Suspects;

/// By how much the recalculation of all that is outdated, in closed periods too, would change the sum of what `share` says
/// of each activity.
pub(in crate::usecase) async fn outdated_difference<T: Default + Add<Output = T> + Sub<Output = T> + Send>(
    tx: &mut dyn ReadTx,
    mut choosing: Choosing,
    share: impl Fn(&Activity) -> T + Send + Sync,
) -> Result<T, Error> {
    let pending = Suspects::read(tx).await?.pending();
    let (none_closed, selection) = (ClosedPeriods::default(), Selection::default());
    let among = Among { pending: &pending, selection: &selection, closed: &none_closed };
    let (mut after, mut digest, mut difference) = (None, Digest::ZERO, T::default());
    loop {
        let step = Step::behind(tx, &mut choosing, among, after, digest).await?;
        for change in &step.changes {
            difference = difference + (share(&change.after) - share(&change.stored.value));
        }
        (after, digest) = (step.last, step.digest);
        if after.is_none() {
            return Ok(difference);
        }
    }
}
