//! The base year against what it is today, and whether that asks for its recalculation.

use domain::{ClassTotals, ClosedPeriod, Significance, Total};
use ports::inbound::{BaseYear, Error, Restatement};
use ports::store::{ReadTx, Store, StoreError};
use ports::{Grant, Read, Stored};

use super::closed::all_periods;
use super::restatement::{Counted, restatement_of};
use crate::usecase::published::Chooser;
use crate::usecase::read_model::ReadModels;
use crate::usecase::recalculation;
use crate::usecase::report::snapshot;

/// See [`ports::inbound::Periods::base_year`].
pub(super) async fn base_year(
    store: &dyn Store,
    read_models: &ReadModels,
    chooser: &Chooser,
    grant: &Grant<Read>,
) -> Result<BaseYear, Error> {
    let (mut tx, model) = snapshot(store, read_models, grant).await?;
    let (period, significance) = find(tx.as_mut()).await?.ok_or(Error::NotFound)?;
    let counted = Counted::new(tx.as_mut(), &model, &period.value).await?;
    let outdated = recalculation::outdated_difference(tx.as_mut(), chooser.begin(grant.clone()), |activity| {
        counted.share(activity).started
    })
    .await?;
    let restatement = restatement_of(tx.as_mut(), &model, period).await?;
    let asks_for_recalculation = asks(significance, &restatement, &outdated);
    let (outdated, market_outdated) = (outdated.co2e, outdated.market_co2e);
    Ok(BaseYear { significance, restatement, outdated, market_outdated, asks_for_recalculation })
}

/// The base year: of several periods that were closed as such the last.
pub(in crate::usecase) async fn find(
    tx: &mut dyn ReadTx,
) -> Result<Option<(Stored<ClosedPeriod>, Significance)>, StoreError> {
    let mut newest: Option<(Stored<ClosedPeriod>, Significance)> = None;
    for period in all_periods(tx).await? {
        let Some(significance) = period.value.base_year else { continue };
        if newest.as_ref().is_none_or(|(newest, _)| newest.created <= period.created) {
            newest = Some((period, significance));
        }
    }
    Ok(newest)
}

/// Whether the difference is significant, or that of one cause, which another may hide, or what is outdated: with scope 2
/// location-based or market-based.
fn asks(significance: Significance, restatement: &Restatement, outdated: &ClassTotals) -> bool {
    let asks_in = |of: fn(&ClassTotals) -> Total| {
        let frozen = of(&restatement.was.started);
        let causes = restatement.causes.iter().map(|cause| of(&cause.totals.started));
        let mut changes = causes.chain([of(&restatement.is.started) - frozen, of(outdated)]);
        changes.any(|change| significance.is_exceeded(change, frozen))
    };
    asks_in(|totals| totals.co2e) || asks_in(|totals| totals.market_co2e)
}
