//! Computing activities anew: those that a factor which came later completes, and those whose factor was corrected.
//!
//! Activities are looked up in steps, each in a snapshot of its own, and what changes of a step is one change of the chain:
//! no writer waits for more than that. What ends early can be done again.
//!
//! A preview computes every step of one snapshot and keeps their digests. Confirmed, each step must have the same digest
//! twice: when it is looked up, and in the transaction that writes it. The first that differs ends it.

mod progress;

use std::collections::{HashMap, HashSet};
use std::mem;

use domain::{
    Activity, ActivityId, Calculation, Canonical as _, Digest, FactorId, FactorLookup, Period, Product, Total,
};
use ports::clock::Clock;
use ports::inbound::{Done, Error, Once, Recalculated, Recalculation, RecalculationOf, RecalculationStep};
use ports::repo::{ActivityWrite, Page, Pending, Place, Query};
use ports::store::{Conflict, Intent, ReadTx, Store};
use ports::{Caller, Grant, Stored, Write, demand, permit};

use super::factors::Factors;
use super::once;
use progress::Progress;

/// How many activities a step looks at.
const STEP: u32 = 1_000;
/// How many activities that cannot be computed are named.
const NAMED: usize = 1_000;
/// How many factors are read at once.
const FACTORS: u32 = 1_000;

/// See [`ports::inbound::Activities::recalculate_once`].
pub(super) async fn recalculate(
    store: &dyn Store,
    clock: &dyn Clock,
    caller: &Caller,
    asked: Recalculation,
    once: Option<Once<Recalculated>>,
) -> Result<Done<Recalculated>, Error> {
    let grant = permit(caller, demand::ACTIVITY_WRITE)?;
    let once = once.filter(|_| asked.step != RecalculationStep::Preview);
    let work = recalculate_in_steps(store, clock, &grant, asked, once.as_ref());
    once::once(store, clock, &grant, once::request(once.as_ref()), work).await
}

async fn recalculate_in_steps(
    store: &dyn Store,
    clock: &dyn Clock,
    grant: &Grant<Write>,
    asked: Recalculation,
    once: Option<&Once<Recalculated>>,
) -> Result<Recalculated, Error> {
    let reading = grant.to_read();
    let Recalculation { of, step, cause, mut faults } = asked;
    if of == RecalculationOf::Outdated && step == (RecalculationStep::Write { confirm: None }) {
        let detail =
            "is missing: figures that are there change only after a preview, whose answer says what to give here";
        faults.add("/confirm", detail);
    }
    faults.into_result()?;
    let pending = match of {
        RecalculationOf::Incomplete => Pending::Incomplete(None, Period::ALL),
        RecalculationOf::Outdated => Pending::ComputedFrom(corrected(store.read(&reading).await?.as_mut()).await?),
    };
    let confirmed = match step {
        RecalculationStep::Write { confirm: None } => None,
        RecalculationStep::Preview => return Ok(preview(store.read(&reading).await?.as_mut(), &pending).await?.0),
        RecalculationStep::Write { confirm: Some(confirm) } => {
            let (preview, digests) = preview(store.read(&reading).await?.as_mut(), &pending).await?;
            if preview.confirm.as_ref() != Some(&confirm) {
                return Err(Conflict::Previewed { written: 0 }.into());
            }
            Some(digests)
        }
    };
    let (mut done, mut after, mut digest) = (Recalculated::default(), None, Digest::ZERO);
    let (mut progress, mut looked_at) = (Progress::of(once), 0);
    for number in 0.. {
        let mut seen = Step::behind(store.read(&reading).await?.as_mut(), &pending, after, digest).await?;
        let confirmed = confirmed.as_ref().map(|digests| digests.get(number));
        if confirmed.is_some_and(|confirmed| confirmed != Some(&seen.digest)) {
            return Err(Conflict::Previewed { written: progress.changed() }.into());
        }
        looked_at += seen.activities;
        fail(&mut done, mem::take(&mut seen.failed));
        let is_last = seen.last.is_none();
        // The answer is stored with what the last step writes, or alone where that is nothing.
        if !seen.changes.is_empty() || (is_last && once.is_some()) {
            let now = clock.now();
            let mut tx = store.write(grant, Intent { at: now, cause: cause.clone() }).await?;
            let ids: Vec<_> = seen.changes.iter().map(|(stored, _)| stored.value.id).collect();
            let mut found = tx.activities().find_all(&ids).await?;
            found.retain(|stored| pending.selects(&stored.value));
            found.sort_by_key(|stored| Place::of(&stored.value));
            // What another writer changed since the look-up is computed as it is here, unless it was confirmed otherwise.
            let written = Step::of(tx.as_mut(), &found, digest).await?;
            if confirmed.is_some() && written.digest != seen.digest {
                return Err(Conflict::Previewed { written: progress.changed() }.into());
            }
            let changes = written.changes.iter().map(|(stored, calculation)| (&stored.value, calculation));
            progress.add(tx.as_mut(), now, changes).await?;
            if progress.is_shared() {
                looked_at -= (seen.changes.len().saturating_sub(written.changes.len())) as u64;
            }
            let update = |(stored, calculation): (Stored<Activity>, Calculation)| {
                ActivityWrite::Update(stored.value.with_calculation(calculation), stored.version)
            };
            tx.activities_mut().put_all(written.changes.into_iter().map(update).collect()).await?;
            done = progress.told(done, looked_at);
            if is_last {
                once::keep(tx.as_mut(), once, &done).await?;
            } else {
                progress.note(tx.as_mut()).await?;
            }
            tx.commit().await?;
        }
        (after, digest) = (seen.last, seen.digest);
        if is_last {
            break;
        }
    }
    Ok(progress.told(done, looked_at))
}

/// What a recalculation would do, all of one snapshot, and the digest of each of its steps.
async fn preview(tx: &mut dyn ReadTx, pending: &Pending) -> Result<(Recalculated, Vec<Digest>), Error> {
    let (mut found, mut after, mut digest, mut digests) = (Recalculated::default(), None, Digest::ZERO, Vec::new());
    loop {
        let step = Step::behind(tx, pending, after, digest).await?;
        found.activities += step.activities;
        step.changes.iter().for_each(|(stored, calculation)| count(&mut found, &stored.value, calculation));
        fail(&mut found, step.failed);
        digests.push(step.digest);
        (after, digest) = (step.last, step.digest);
        if after.is_none() {
            return Ok((Recalculated { confirm: Some(digest.to_string()), ..found }, digests));
        }
    }
}

/// Activities that are looked up together, and what becomes of them.
struct Step {
    /// How many there are.
    activities: u64,
    /// Where the last of them stands; `None` where there are no more behind it.
    last: Option<Place>,
    /// Those that get another CO2e, in their order, and that CO2e.
    changes: Vec<(Stored<Activity>, Calculation)>,
    /// Those that cannot be computed, and why.
    failed: Vec<(ActivityId, String)>,
    /// The digest of everything that changes up to here: which activity, in which version, to what.
    digest: Digest,
}

impl Step {
    /// The next activities behind that place; `digest` is that of the steps before.
    async fn behind(
        tx: &mut dyn ReadTx,
        pending: &Pending,
        after: Option<Place>,
        digest: Digest,
    ) -> Result<Self, Error> {
        let found = tx.activities().pending(pending, after, STEP).await?;
        let step = Self::of(tx, &found, digest).await?;
        let last = found.last().filter(|_| found.len() == STEP as usize).map(|last| Place::of(&last.value));
        Ok(Self { last, ..step })
    }

    async fn of(tx: &mut dyn ReadTx, found: &[Stored<Activity>], before: Digest) -> Result<Self, Error> {
        let (activities, changes, failed) = (found.len() as u64, Vec::new(), Vec::new());
        let mut step = Self { activities, last: None, changes, failed, digest: before };
        for (stored, planned) in found.iter().zip(plan(tx, found).await?) {
            match planned {
                Ok(None) => {}
                Ok(Some(calculation)) => {
                    let after = stored.value.clone().with_calculation(calculation);
                    let line = format!("{} {} {} {}", step.digest, after.id, stored.version, after.digest());
                    step.digest = Digest::of(line.as_bytes());
                    step.changes.push((stored.clone(), calculation));
                }
                Err(detail) => step.failed.push((stored.value.id, detail)),
            }
        }
        Ok(step)
    }
}

fn count(sum: &mut Recalculated, activity: &Activity, calculation: &Calculation) {
    sum.changed += 1;
    sum.before += activity.co2e().map_or(Total::ZERO, Total::from);
    sum.after += calculation.co2e().map_or(Total::ZERO, Total::from);
}

fn fail(sum: &mut Recalculated, failed: Vec<(ActivityId, String)>) {
    sum.failures += failed.len() as u64;
    let room = NAMED.saturating_sub(sum.failed.len());
    sum.failed.extend(failed.into_iter().take(room));
}

/// What each activity comes to with the factors of today: `None` where that is what it has, or still nothing; an error
/// where it cannot be computed.
async fn plan(
    tx: &mut dyn ReadTx,
    activities: &[Stored<Activity>],
) -> Result<Vec<Result<Option<Calculation>, String>>, Error> {
    let mut factors = Factors::default();
    factors.read(tx, activities.iter().map(|stored| &stored.value)).await?;
    let ids: Vec<_> = activities.iter().filter_map(|stored| stored.value.product).collect();
    let products = tx.products().find_all(&ids).await?;
    let products: HashMap<_, Product> = products.into_iter().map(|product| (product.value.id, product.value)).collect();
    let one = |stored: &Stored<Activity>| {
        let activity = &stored.value;
        let lookup = activity.product.and_then(|id| products.get(&id)).map(|product| FactorLookup {
            product,
            factors: factors.of(activity),
            day: activity.span.first(),
        });
        let calculation = activity.recalculated(lookup).map_err(|error| error.to_string())?;
        Ok((calculation.co2e().is_some() && calculation != activity.calculation).then_some(calculation))
    };
    Ok(activities.iter().map(one).collect())
}

/// The factors that were corrected.
async fn corrected(tx: &mut dyn ReadTx) -> Result<HashSet<FactorId>, Error> {
    let mut corrected = HashSet::new();
    for number in 1.. {
        let page = Page { number, size: FACTORS };
        let listing = tx.factors().list(&Query::all(page)).await?;
        corrected.extend(listing.data.iter().filter_map(|factor| factor.value.corrects()));
        if page.offset() + u64::from(page.size) >= listing.count {
            break;
        }
    }
    Ok(corrected)
}

/// How many activities without CO2e those are, with their first day in the period: a factor of the product over that
/// period could complete them.
pub(super) async fn fills(tx: &mut dyn ReadTx, product: &Product, period: Period) -> Result<u64, Error> {
    let (pending, mut count, mut after) = (Pending::Incomplete(Some(product.id), period), 0, None);
    loop {
        let step = tx.activities().pending(&pending, after, STEP).await?;
        count += step.len() as u64;
        match step.last() {
            Some(last) if step.len() == STEP as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => return Ok(count),
        }
    }
}
