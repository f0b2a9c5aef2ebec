//! What is closed of a statement's year, and the base year beside it.

use domain::{ClosedPart, ClosedPeriod, Day, FrozenReport, Period, ScopeKind};
use ports::ReadModel;
use ports::inbound::{Error, StatementBaseYear, StatementPeriod};
use ports::store::ReadTx;

use crate::usecase::period::{all_periods, base_year_period, frozen_report, live_report, view};

/// The scopes whose base-year figures are told.
const SCOPES: [ScopeKind; 3] = [ScopeKind::Scope1, ScopeKind::Scope2, ScopeKind::Scope3];

/// How much of the days is closed for the whole company, and the closed periods that have one of them.
pub(super) async fn of_year(
    tx: &mut dyn ReadTx,
    model: &ReadModel,
    (first, last): (Day, Day),
) -> Result<(ClosedPart, Vec<StatementPeriod>), Error> {
    let is_in = |period: &ClosedPeriod| period.is_closed() && period.first() <= last && first <= period.last();
    let (mut whole, mut found): (Vec<Period>, Vec<StatementPeriod>) = (Vec::new(), Vec::new());
    for stored in all_periods(tx).await?.into_iter().filter(|stored| is_in(&stored.value)) {
        if stored.value.org.is_none() {
            whole.push(stored.value.days());
        }
        let agrees = frozen_report(&stored)?.lines == live_report(model, &stored.value).lines;
        found.push(StatementPeriod { view: view(tx, stored).await?, agrees });
    }
    Ok((ClosedPart::of((first, last), &whole), found))
}

/// The base year, as it was frozen and as it is.
pub(super) async fn base_year(tx: &mut dyn ReadTx, model: &ReadModel) -> Result<Option<StatementBaseYear>, Error> {
    let Some((stored, significance)) = base_year_period(tx).await? else { return Ok(None) };
    let by_scope = |report: &FrozenReport| SCOPES.map(|kind| report.of_kind(kind));
    let (frozen, today) = (by_scope(&frozen_report(&stored)?), by_scope(&live_report(model, &stored.value)));
    Ok(Some(StatementBaseYear { view: view(tx, stored).await?, significance, frozen, today }))
}
