//! Computing activities anew: those that a factor which came later completes, and those whose factor was corrected.
//!
//! Activities are looked up in steps, each in a snapshot of its own, and what changes of a step is one change of the chain:
//! no writer waits for more than that. What ends early can be done again.

use std::collections::{HashMap, HashSet};

use domain::{Activity, Calculation, Canonical as _, Digest, FactorId, FactorLookup, Period, Product, Total};
use ports::inbound::{Error, Recalculated, Recalculation, RecalculationOf, RecalculationStep};
use ports::repo::{ActivityWrite, Page, Pending, Place, Query};
use ports::store::{Intent, ReadTx, Store};
use ports::world::Clock;
use ports::{Caller, Stored, demand, permit};

use super::factors::Factors;

/// How many activities a step looks at.
const STEP: u32 = 1_000;
/// How many activities that cannot be computed are named.
const NAMED: usize = 1_000;
/// How many factors are read at once.
const FACTORS: u32 = 1_000;

/// See [`ports::inbound::Activities::recalculate`].
pub(super) async fn recalculate(
    store: &dyn Store,
    clock: &dyn Clock,
    caller: &Caller,
    asked: Recalculation,
) -> Result<Recalculated, Error> {
    let grant = permit(caller, demand::ACTIVITY_WRITE)?;
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
    let confirm = match step {
        RecalculationStep::Preview => None,
        RecalculationStep::Write { confirm } => Some(confirm),
    };
    if !matches!(confirm, Some(None)) {
        let preview = preview(store.read(&reading).await?.as_mut(), &pending).await?;
        match confirm.flatten() {
            None => return Ok(preview),
            Some(confirm) if preview.confirm.as_ref() == Some(&confirm) => {}
            Some(_) => {
                let detail = "is not what the preview of today says: something changed since; look at a preview again";
                return Err(Error::Conflict { pointer: "/confirm".to_owned(), detail: detail.to_owned() });
            }
        }
    }
    let (mut done, mut after) = (Recalculated::default(), None);
    loop {
        let (found, planned) = {
            let mut tx = store.read(&reading).await?;
            let found = tx.activities().pending(&pending, after, STEP).await?;
            let planned = plan(tx.as_mut(), &found).await?;
            (found, planned)
        };
        done.activities += found.len() as u64;
        let mut changing = Vec::new();
        for (stored, planned) in found.iter().zip(planned) {
            match planned {
                Ok(None) => {}
                Ok(Some(_)) => changing.push(stored.value.id),
                Err(detail) => fail(&mut done, &stored.value, detail),
            }
        }
        if !changing.is_empty() {
            let mut tx = store.write(&grant, Intent { at: clock.now(), cause: cause.clone() }).await?;
            // What another writer changed since is looked at as it is now.
            let mut found = tx.activities().find_all(&changing).await?;
            found.retain(|stored| pending.selects(&stored.value));
            let planned = plan(tx.as_mut(), &found).await?;
            let mut writes = Vec::with_capacity(found.len());
            for (stored, planned) in found.into_iter().zip(planned) {
                if let Ok(Some(calculation)) = planned {
                    count(&mut done, &stored.value, &calculation);
                    writes.push(ActivityWrite::Update(Activity { calculation, ..stored.value }, stored.version));
                }
            }
            tx.activities_mut().put_all(writes).await?;
            tx.commit().await?;
        }
        match found.last() {
            Some(last) if found.len() == STEP as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => return Ok(done),
        }
    }
}

/// What a recalculation would do, all of one snapshot.
async fn preview(tx: &mut dyn ReadTx, pending: &Pending) -> Result<Recalculated, Error> {
    let (mut found, mut after, mut digest) = (Recalculated::default(), None, Digest::ZERO);
    loop {
        let step = tx.activities().pending(pending, after, STEP).await?;
        found.activities += step.len() as u64;
        for (stored, planned) in step.iter().zip(plan(tx, &step).await?) {
            let activity = &stored.value;
            match planned {
                Ok(None) => {}
                Ok(Some(calculation)) => {
                    count(&mut found, activity, &calculation);
                    let after = Activity { calculation, ..activity.clone() };
                    let line = format!("{digest} {} {} {}", activity.id, stored.version, after.digest());
                    digest = Digest::of(line.as_bytes());
                }
                Err(detail) => fail(&mut found, activity, detail),
            }
        }
        match step.last() {
            Some(last) if step.len() == STEP as usize => after = Some(Place::of(&last.value)),
            Some(_) | None => break,
        }
    }
    Ok(Recalculated { confirm: Some(digest.to_string()), ..found })
}

fn count(sum: &mut Recalculated, activity: &Activity, calculation: &Calculation) {
    sum.changed += 1;
    sum.before += activity.co2e().map_or(Total::ZERO, Total::from);
    sum.after += calculation.co2e().map_or(Total::ZERO, Total::from);
}

fn fail(sum: &mut Recalculated, activity: &Activity, detail: String) {
    sum.failures += 1;
    if sum.failed.len() < NAMED {
        sum.failed.push((activity.id, detail));
    }
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
