//! The report of a period as it is: the one that is frozen when the period is closed, and today's beside it.

use std::collections::HashSet;

use domain::{Catalog, ClosedPeriod, Cube, FrozenAbout, FrozenReport, NodeTree, OrgId, Period};
use ports::inbound::Error;
use ports::ledger;
use ports::store::{ReadTx, Store, StoreError};
use ports::{Grant, ReadModel, Revision, Write};

use super::Span;
use crate::usecase::read_model::ReadModels;
use crate::usecase::report::snapshot;

/// The report of the span, made from the newest read model, and the point of history that it is of.
pub(super) async fn of_snapshot(
    store: &dyn Store,
    read_models: &ReadModels,
    grant: &Grant<Write>,
    span: Span,
) -> Result<(Revision, FrozenReport), Error> {
    let (_, model) = snapshot(store, read_models, &grant.to_read()).await?;
    let period = days(span);
    let orgs = span.org.map(|org| model.catalog().orgs.forest().subtree(org));
    let report = of(model.cube(), model.catalog(), orgs.as_ref(), period);
    Ok((model.revision(), about(report, span, model.catalog(), orgs.as_ref())))
}

/// The report of the span as a transaction sees it, which holds up all other writers meanwhile.
pub(super) async fn of_tx(tx: &mut dyn ReadTx, span: Span) -> Result<FrozenReport, StoreError> {
    let cube = ledger::cells(tx.ledger()).await?.cube();
    let scopes = tx.scopes().all().await?.into_iter().map(|scope| scope.value).collect();
    let orgs = tx.orgs().all().await?.into_iter().map(|org| org.value).collect();
    let taxonomies = tx.taxonomies().all().await?.into_iter().map(|taxonomy| taxonomy.value).collect();
    let (scopes, orgs) = (NodeTree::new(scopes), NodeTree::new(orgs));
    let catalog = Catalog { scopes, orgs, taxonomies: NodeTree::new(taxonomies), ..Catalog::default() };
    let orgs = span.org.map(|org| catalog.orgs.forest().subtree(org));
    let report = of(&cube, &catalog, orgs.as_ref(), days(span));
    Ok(about(report, span, &catalog, orgs.as_ref()))
}

/// The report with what it is about.
fn about(report: FrozenReport, span: Span, catalog: &Catalog, orgs: Option<&HashSet<OrgId>>) -> FrozenReport {
    let about = FrozenAbout::of(days(span), (span.org, orgs), catalog, &report.lines);
    report.with_about(about)
}

/// The figures of a period as they are in a read model.
#[must_use]
pub fn live_report(model: &ReadModel, period: &ClosedPeriod) -> FrozenReport {
    of_model(model, period.org, period.days())
}

fn of_model(model: &ReadModel, org: Option<OrgId>, days: Period) -> FrozenReport {
    let orgs = org.map(|org| model.catalog().orgs.forest().subtree(org));
    of(model.cube(), model.catalog(), orgs.as_ref(), days)
}

fn of(cube: &Cube, catalog: &Catalog, orgs: Option<&HashSet<OrgId>>, days: Period) -> FrozenReport {
    FrozenReport::of(cube, days, orgs, &|scope| catalog.scopes.find(scope).map(|scope| scope.class))
}

fn days(span: Span) -> Period {
    Period::new(Some(span.first), Some(span.last)).unwrap_or(Period::ALL)
}
