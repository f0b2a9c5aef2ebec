//! Computing activities anew: those that a factor which came later completes, and those whose CO2e is outdated.
//!
//! Activities are looked up in steps, each in a snapshot of its own, and what changes of a step is one change of the chain:
//! no writer waits for more than that. What ends early can be done again.
//!
//! A preview computes every step of one snapshot and keeps their digests. Confirmed, each step must have the same digest
//! twice: when it is looked up, and in the transaction that writes it. The first that differs ends it.
//!
//! What stands in a closed period is left out, step by step as the periods are in it, and counted.

mod outdated;
mod preview;
mod progress;
mod step;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::mem;

use domain::{ActivityId, Day, Digest, FactorBasis, FactorData, FactorId, FactorRule, Period, Product};
use ports::clock::Clock;
use ports::inbound::{Done, Error, Once, Recalculated, Recalculation, RecalculationOf, RecalculationStep};
use ports::repo::{ActivityWrite, Page, Pending, Place, Query};
use ports::store::{Conflict, Intent, ReadTx, Store};
use ports::{Caller, Grant, Write, demand, permit};

use super::once;
use super::period::closed_periods;
use super::published::{Chooser, Choosing};
pub(super) use outdated::outdated_difference;
use preview::preview;
use progress::Progress;
use step::{Planned, Step};

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
    chooser: &Chooser,
    caller: &Caller,
    asked: Recalculation,
    once: Option<Once<Recalculated>>,
) -> Result<Done<Recalculated>, Error> {
    let grant = permit(caller, demand::ACTIVITY_WRITE)?;
    let once = once.filter(|_| asked.step != RecalculationStep::Preview);
    let choosing = chooser.begin(grant.to_read());
    let work = recalculate_in_steps(store, clock, choosing, &grant, asked, once.as_ref());
    once::once(store, clock, &grant, once::request(once.as_ref()), work).await
}

async fn recalculate_in_steps(
    store: &dyn Store,
    clock: &dyn Clock,
    mut choosing: Choosing,
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
        RecalculationOf::Outdated => Pending::ComputedFrom(suspects(store.read(&reading).await?.as_mut()).await?),
    };
    let mut groups = Vec::new();
    let confirmed = match step {
        RecalculationStep::Write { confirm: None } => None,
        RecalculationStep::Preview => {
            return Ok(preview(store.read(&reading).await?.as_mut(), &mut choosing, &pending).await?.0);
        }
        RecalculationStep::Write { confirm: Some(confirm) } => {
            let (preview, digests) = preview(store.read(&reading).await?.as_mut(), &mut choosing, &pending).await?;
            if preview.confirm.as_ref() != Some(&confirm) {
                return Err(Conflict::Previewed { written: 0 }.into());
            }
            groups = preview.groups;
            Some(digests)
        }
    };
    let (mut done, mut after, mut digest) = (Recalculated { groups, ..Recalculated::default() }, None, Digest::ZERO);
    let (mut progress, mut looked_at) = (Progress::of(once), 0);
    for number in 0.. {
        let mut tx = store.read(&reading).await?;
        let closed = closed_periods(tx.as_mut()).await?;
        let mut seen = Step::behind(tx.as_mut(), &mut choosing, (&pending, &closed), after, digest).await?;
        drop(tx);
        let confirmed = confirmed.as_ref().map(|digests| digests.get(number));
        if confirmed.is_some_and(|confirmed| confirmed != Some(&seen.digest)) {
            return Err(Conflict::Previewed { written: progress.changed() }.into());
        }
        looked_at += seen.activities;
        done.closed += seen.closed;
        fail(&mut done, mem::take(&mut seen.failed));
        let is_last = seen.last.is_none();
        // The answer is stored with what the last step writes, or alone where that is nothing.
        if !seen.changes.is_empty() || (is_last && once.is_some()) {
            let now = clock.now();
            let mut tx = store.write(grant, Intent { at: now, cause: cause.clone() }).await?;
            let ids: Vec<_> = seen.changes.iter().map(|change| change.stored.value.id).collect();
            let mut found = tx.activities().find_all(&ids).await?;
            found.retain(|stored| pending.selects(&stored.value));
            found.sort_by_key(|stored| Place::of(&stored.value));
            // What another writer changed since the look-up is computed as it is here, unless it was confirmed otherwise.
            let closed = closed_periods(tx.as_mut()).await?;
            let written = Step::of(tx.as_mut(), &mut choosing, (&pending, &closed), &found, digest).await?;
            if confirmed.is_some() && written.digest != seen.digest {
                return Err(Conflict::Previewed { written: progress.changed() }.into());
            }
            let changes = written.changes.iter().map(|change| (&change.stored.value, &change.after));
            progress.add(tx.as_mut(), now, changes).await?;
            done.closed += written.closed;
            if progress.is_shared() {
                let still = written.changes.len() as u64 + written.closed;
                looked_at -= (seen.changes.len() as u64).saturating_sub(still);
            }
            for factor in written.factors {
                tx.factors_mut().add(factor).await?;
            }
            let update = |change: Planned| ActivityWrite::Update(change.after, change.stored.version);
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

fn fail(sum: &mut Recalculated, failed: Vec<(ActivityId, String)>) {
    sum.failures += failed.len() as u64;
    let room = NAMED.saturating_sub(sum.failed.len());
    sum.failed.extend(failed.into_iter().take(room));
}

/// The factors from which something outdated may have been computed, with the first day of it: those that were corrected, those
/// that have an end, from there on, and those that a rule chose which is another by now or goes by the regions of orgs.
pub(super) async fn suspects(tx: &mut dyn ReadTx) -> Result<BTreeMap<FactorId, Day>, Error> {
    let (mut suspects, mut ended, mut products) = (BTreeMap::new(), BTreeMap::new(), HashMap::new());
    for number in 1.. {
        let page = Page { number, size: FACTORS };
        let listing = tx.factors().list(&Query::all(page)).await?;
        let factors = || listing.data.iter().map(|stored| &stored.value);
        suspects.extend(factors().filter_map(|factor| Some((factor.corrects()?, Day::MIN))));
        ended.extend(factors().filter_map(|factor| Some((factor.id(), factor.data().valid_to?))));
        for factor in factors().filter(|factor| factor.is_chosen()) {
            let id = factor.product();
            if let Entry::Vacant(unknown) = products.entry(id) {
                unknown.insert(tx.products().find(id).await?.and_then(|product| product.value.rule));
            }
            let rule = products.get(&id).and_then(Option::as_ref);
            let is_suspect = |rule: &FactorRule| {
                let (data, day) = (factor.data(), factor.data().valid_from);
                let region = data.choice.as_ref().and_then(|choice| choice.region.as_ref());
                rule.region.is_none() || rule.departure(data, region, day).is_some()
            };
            suspects.extend(rule.is_some_and(is_suspect).then(|| (factor.id(), Day::MIN)));
        }
        if page.offset() + u64::from(page.size) >= listing.count {
            break;
        }
    }
    ended.extend(suspects);
    Ok(ended)
}

/// How many activities without CO2e the factor could complete: those of the product with their first day among the factor's.
/// A residual mix completes none.
pub(super) async fn fills(tx: &mut dyn ReadTx, product: &Product, factor: &FactorData) -> Result<u64, Error> {
    if factor.basis == FactorBasis::ResidualMix {
        return Ok(0);
    }
    let period = factor.period();
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
