//! A step of a recalculation: activities that are looked up together, and what becomes of them.

use std::collections::BTreeSet;

use domain::{Activity, ActivityId, Canonical as _, ClosedPeriods, Digest, Factor, FactorLookup, Outdated};
use ports::Stored;
use ports::inbound::{Cause, Error};
use ports::repo::{Pending, Place};
use ports::store::ReadTx;

use super::STEP;
use super::selection::Selection;
use crate::usecase::activity::computed_measures;
use crate::usecase::published::Choosing;
use crate::usecase::resolve::Resolver;

/// Which activities a step is about.
#[derive(Clone, Copy)]
pub(super) struct Among<'a> {
    pub(super) pending: &'a Pending,
    pub(super) selection: &'a Selection,
    /// What stands in these is left out.
    pub(super) closed: &'a ClosedPeriods,
}

/// Activities that are looked up together, and what becomes of them.
pub(super) struct Step {
    /// How many there are.
    pub(super) activities: u64,
    /// Why they are computed anew.
    pub(super) causes: BTreeSet<Cause>,
    /// Where the last of them stands; `None` where there are no more behind it.
    pub(super) last: Option<Place>,
    /// Those that get another CO2e, in their order.
    pub(super) changes: Vec<Planned>,
    /// The factors that were chosen for them, and are not there yet.
    pub(super) factors: Vec<Factor>,
    /// Those that cannot be computed, and why.
    pub(super) failed: Vec<(ActivityId, String)>,
    /// How many would get another CO2e and keep the one that they have, since they stand in a closed period.
    pub(super) closed: u64,
    /// The digest of everything that changes up to here: which activity, in which version, to what.
    pub(super) digest: Digest,
}

/// An activity that gets another CO2e.
pub(super) struct Planned {
    /// Why.
    pub(super) cause: Cause,
    /// As it is.
    pub(super) stored: Stored<Activity>,
    /// As it will be.
    pub(super) after: Activity,
}

impl Step {
    /// The next activities behind that place, without those that stand in one of these closed periods; `digest` is that of the
    /// steps before.
    pub(super) async fn behind(
        tx: &mut dyn ReadTx,
        choosing: &mut Choosing,
        among: Among<'_>,
        after: Option<Place>,
        digest: Digest,
    ) -> Result<Self, Error> {
        let found = tx.activities().pending(among.pending, after, STEP).await?;
        let step = Self::of(tx, choosing, among, &found, digest).await?;
        let last = found.last().filter(|_| found.len() == STEP as usize).map(|last| Place::of(&last.value));
        Ok(Self { last, ..step })
    }

    /// The same of activities that were read.
    pub(super) async fn of(
        tx: &mut dyn ReadTx,
        choosing: &mut Choosing,
        Among { pending, selection, closed }: Among<'_>,
        found: &[Stored<Activity>],
        before: Digest,
    ) -> Result<Self, Error> {
        let (changes, failed) = (Vec::new(), Vec::new());
        let mut step = Self {
            activities: 0,
            causes: BTreeSet::new(),
            last: None,
            changes,
            factors: Vec::new(),
            failed,
            closed: 0,
            digest: before,
        };
        choosing.begin();
        let found: Vec<_> = found.iter().filter(|stored| selection.selects(&stored.value)).collect();
        for (stored, plan) in found.iter().zip(plan(tx, choosing, (pending, selection), &found).await?) {
            let Some((cause, planned)) = plan else { continue };
            step.activities += 1;
            step.causes.insert(cause);
            match planned {
                Ok(None) => {}
                Ok(Some(_)) if closed.touched(&stored.value).is_some() => step.closed += 1,
                Ok(Some(after)) => {
                    let line = format!("{} {} {} {}", step.digest, after.id, stored.version, after.digest());
                    step.digest = Digest::of(line.as_bytes());
                    step.factors.extend(choosing.take_made_for(&after));
                    step.changes.push(Planned { cause, stored: Stored::clone(stored), after });
                }
                Err(detail) => step.failed.push((stored.value.id, detail)),
            }
        }
        Ok(step)
    }
}

/// Why an activity is computed anew, and what it comes to with the factors of today: `None` where that is what it has, or
/// still nothing; an error where it cannot be computed.
type Plan = (Cause, Result<Option<Activity>, String>);

/// What becomes of each activity; `None` of those that are not outdated after all.
async fn plan(
    tx: &mut dyn ReadTx,
    choosing: &mut Choosing,
    (pending, selection): (&Pending, &Selection),
    activities: &[&Stored<Activity>],
) -> Result<Vec<Option<Plan>>, Error> {
    let (mut resolver, mut planned) = (Resolver::default(), Vec::with_capacity(activities.len()));
    for stored in activities {
        let activity = &stored.value;
        let found = match activity.product {
            Some(id) => resolver.product_with_factors(tx, id).await?,
            None => None,
        };
        let factors = found.as_ref().map(|found| found.factors.as_slice()).unwrap_or_default();
        let in_market = match &activity.stated.market {
            Some(market) => resolver.product_of_factor(tx, market.factor).await?,
            None => None,
        };
        let renewed = activity.renewed_market(in_market.as_ref().map_or(&[], |found| &found.factors));
        let (located, cause) = match pending {
            Pending::Incomplete(..) => (true, Cause::Factor),
            Pending::ComputedFrom(_) => {
                let product = found.as_ref().map(|found| &found.product);
                let region = match activity.org.filter(|_| activity.asks_for_region(product, factors)) {
                    Some(org) => choosing.region(tx, &resolver, org).await?,
                    None => None,
                };
                let located = activity.outdated(product, factors, &[], region.as_ref());
                let Some(outdated) = located.or_else(|| renewed.as_ref().map(|(_, outdated)| *outdated)) else {
                    planned.push(None);
                    continue;
                };
                (located.is_some(), cause(outdated))
            }
        };
        if !selection.takes(cause) {
            planned.push(None);
            continue;
        }
        let day = activity.span.first();
        let chosen = match found.as_ref().filter(|_| located) {
            Some(found) => choosing.choose(tx, &resolver, found, activity.org, day).await?,
            None => None,
        };
        let lookup = found.as_ref().map(|found| FactorLookup {
            product: &found.product,
            factors: &found.factors,
            day,
            chosen: chosen.as_deref(),
        });
        // What is outdated in the market alone keeps its location-based figure, whatever a rule would choose for it today.
        let calculation = if located { activity.recalculated(lookup) } else { Ok(activity.calculation) };
        let plan = match calculation {
            Err(error) => Err(error.to_string()),
            Ok(calculation) if calculation.co2e().is_none() && cause != Cause::Factor => {
                let reason = calculation.reason().map(|reason| reason.to_string()).unwrap_or_default();
                Err(format!("its CO2e is outdated and stays as it is: {reason}"))
            }
            Ok(calculation) => {
                let mut after = activity.clone().with_calculation(calculation);
                let in_market = in_market.as_ref().map_or(&[][..], |found| &found.factors);
                if let Some((market, _)) = after.renewed_market(in_market) {
                    after.stated.market = Some(market);
                }
                if after.co2e().is_none() || after == *activity {
                    Ok(None)
                } else {
                    let known = factors.iter().chain(chosen.as_deref());
                    let measures = computed_measures(tx, &mut resolver, &after, known).await?;
                    match (measures, choosing.check_place(tx, &mut resolver, factors, &after).await?) {
                        (Err(error), _) => Err(error.to_string()),
                        (_, Err(error)) => Err(error.to_string()),
                        (Ok(measures), Ok(_)) => {
                            after.measures = measures;
                            Ok(Some(after))
                        }
                    }
                }
            }
        };
        planned.push(Some((cause, plan)));
    }
    Ok(planned)
}

/// The cause that a recalculation of what is outdated has.
const fn cause(outdated: Outdated) -> Cause {
    match outdated {
        Outdated::Correction => Cause::Correction,
        Outdated::Factor => Cause::Factor,
        Outdated::Gwp => Cause::Gwp,
        Outdated::Rule => Cause::Rule,
        Outdated::Structure => Cause::Structure,
    }
}
