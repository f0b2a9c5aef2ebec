//! What a recalculation would do, by cause and by scope and org.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{Co2e, Digest, OrgId, ScopeId, Total};
use ports::inbound::{Cause, Error, Named, Recalculated, RecalculatedGroup};
use ports::repo::Pending;
use ports::store::ReadTx;

use super::selection::Selection;
use super::step::Among;
use super::{Planned, Step, fail};
use crate::usecase::names::named;
use crate::usecase::period::closed_periods;
use crate::usecase::published::Choosing;

/// The activities of one scope and org that change for one cause.
type Place = (Cause, Option<ScopeId>, Option<OrgId>);

/// What they come to before and after.
#[derive(Clone, Copy, Default)]
struct Sum {
    changed: u64,
    located: (Total, Total),
    in_market: (Total, Total),
}

/// What a recalculation would do.
pub(super) struct Preview {
    pub(super) found: Recalculated,
    /// The digest of each of its steps.
    pub(super) digests: Vec<Digest>,
    /// Why activities are computed anew.
    pub(super) causes: BTreeSet<Cause>,
}

/// What a recalculation would do, all of one snapshot. What stands in a closed period is left out, as it is when it is written.
pub(super) async fn preview(
    tx: &mut dyn ReadTx,
    choosing: &mut Choosing,
    (pending, selection): (&Pending, &Selection),
) -> Result<Preview, Error> {
    let closed = closed_periods(tx).await?;
    let (mut found, mut after, mut digest, mut digests) = (Recalculated::default(), None, Digest::ZERO, Vec::new());
    let (mut sums, mut causes) = (BTreeMap::new(), BTreeSet::new());
    let among = Among { pending, selection, closed: &closed };
    loop {
        let step = Step::behind(tx, choosing, among, after, digest).await?;
        found.activities += step.activities;
        found.closed += step.closed;
        causes.extend(&step.causes);
        for change in &step.changes {
            count(&mut found, &mut sums, change);
        }
        fail(&mut found, step.failed);
        digests.push(step.digest);
        (after, digest) = (step.last, step.digest);
        if after.is_none() {
            break;
        }
    }
    let groups = groups(tx, sums).await?;
    let found = Recalculated { groups, confirm: Some(digest.to_string()), ..found };
    Ok(Preview { found, digests, causes })
}

fn count(found: &mut Recalculated, sums: &mut BTreeMap<Place, Sum>, change: &Planned) {
    let (before, after) = (&change.stored.value, &change.after);
    let place = (change.cause, before.scope, before.org);
    let total = |co2e: Option<Co2e>| co2e.map_or(Total::ZERO, Total::from);
    let located = (total(before.co2e()), total(after.co2e()));
    let in_market = (total(before.counted_in_market()), total(after.counted_in_market()));
    found.changed += 1;
    (found.before, found.after) = (found.before + located.0, found.after + located.1);
    (found.market_before, found.market_after) = (found.market_before + in_market.0, found.market_after + in_market.1);
    let sum = sums.entry(place).or_default();
    sum.changed += 1;
    sum.located = (sum.located.0 + located.0, sum.located.1 + located.1);
    sum.in_market = (sum.in_market.0 + in_market.0, sum.in_market.1 + in_market.1);
}

async fn groups(tx: &mut dyn ReadTx, sums: BTreeMap<Place, Sum>) -> Result<Vec<RecalculatedGroup>, Error> {
    let scopes: Vec<ScopeId> = sums.keys().filter_map(|(_, scope, _)| *scope).collect();
    let orgs: Vec<OrgId> = sums.keys().filter_map(|(_, _, org)| *org).collect();
    let scopes = tx.scopes().find_all(&scopes).await?;
    let scopes: HashMap<ScopeId, Named> = scopes.iter().map(|it| (it.value.id, named(&it.value))).collect();
    let orgs = tx.orgs().find_all(&orgs).await?;
    let orgs: HashMap<OrgId, Named> = orgs.iter().map(|it| (it.value.id, named(&it.value))).collect();
    let group = |((cause, scope, org), sum): (Place, Sum)| RecalculatedGroup {
        cause,
        scope: scope.and_then(|id| scopes.get(&id).cloned()),
        org: org.and_then(|id| orgs.get(&id).cloned()),
        changed: sum.changed,
        before: sum.located.0,
        after: sum.located.1,
        market_before: sum.in_market.0,
        market_after: sum.in_market.1,
    };
    Ok(sums.into_iter().map(group).collect())
}
