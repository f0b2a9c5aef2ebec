//! Computing activities anew: those that a factor which came later completes, and those whose CO2e is outdated.
//!
//! Activities are looked up in steps, each in a snapshot of its own, and what changes of a step is one change of the chain:
//! no writer waits for more than that. What ends early can be done again.
//!
//! A preview computes every step of one snapshot and keeps their digests. Confirmed, each step must have the same digest
//! twice: when it is looked up, and in the transaction that writes it. The first that differs ends it.
//!
//! What stands in a closed period is left out, step by step as the periods are in it, and counted.
//!
//! All changes of one recalculation name it, and each says one cause: what is outdated for several is written cause by cause.

mod fills;
mod outdated;
mod preview;
mod progress;
mod selection;
mod step;
mod undo;

use std::mem;

use domain::{ActivityId, Digest, Period};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{Cause, Done, Error, Once, Recalculated, Recalculation, RecalculationOf, RecalculationStep};
use ports::repo::{ActivityWrite, Pending, Place};
use ports::store::{Conflict, Intent, Store};
use ports::{Caller, Grant, RecalculationId, Write, demand, permit};

use super::once;
use super::period::closed_periods;
use super::published::{Chooser, Choosing};
use super::suspects::Suspects;
pub(super) use fills::{fills, fills_of_all};
pub(super) use outdated::outdated_difference;
use preview::{Preview, preview};
use progress::Progress;
use selection::Selection;
use step::{Among, Planned, Step};
pub(super) use undo::undo;

/// How many activities a step looks at.
const STEP: u32 = 1_000;
/// How many activities that cannot be computed are named.
const NAMED: usize = 1_000;

/// What a recalculation works with.
pub(super) struct Work<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) clock: &'a dyn Clock,
    pub(super) ids: &'a dyn Ids,
    pub(super) grant: &'a Grant<Write>,
}

/// See [`ports::inbound::Activities::recalculate_once`].
pub(super) async fn recalculate(
    (store, clock, ids): (&dyn Store, &dyn Clock, &dyn Ids),
    chooser: &Chooser,
    caller: &Caller,
    asked: Recalculation,
    once: Option<Once<Recalculated>>,
) -> Result<Done<Recalculated>, Error> {
    let grant = permit(caller, demand::ACTIVITY_WRITE)?;
    let once = once.filter(|_| asked.step != RecalculationStep::Preview);
    let choosing = chooser.begin(grant.to_read());
    let work = Work { store, clock, ids, grant: &grant };
    let done = recalculate_in_steps(&work, choosing, asked, once.as_ref());
    once::once(store, clock, &grant, once::request(once.as_ref()), done).await
}

/// What of the pending activities is written for one cause.
struct Pass {
    cause: Cause,
    selection: Selection,
    /// The digests that its steps must have; `None` where nothing was previewed.
    confirmed: Option<Vec<Digest>>,
}

async fn recalculate_in_steps(
    work: &Work<'_>,
    mut choosing: Choosing,
    mut asked: Recalculation,
    once: Option<&Once<Recalculated>>,
) -> Result<Recalculated, Error> {
    let Work { store, grant, .. } = *work;
    let reading = grant.to_read();
    let mut faults = mem::take(&mut asked.faults);
    if asked.of == RecalculationOf::Outdated && asked.step == (RecalculationStep::Write { confirm: None }) {
        let detail =
            "is missing: figures that are there change only after a preview, whose answer says what to give here";
        faults.add("/confirm", detail);
    }
    let mut tx = store.read(&reading).await?;
    let selection = Selection::read(tx.as_mut(), &asked, &mut faults).await?;
    faults.into_result()?;
    let pending = match asked.of {
        RecalculationOf::Incomplete => Pending::Incomplete(None, Period::ALL),
        RecalculationOf::Outdated => Suspects::read(tx.as_mut()).await?.pending(),
    };
    drop(tx);
    let mut groups = Vec::new();
    let passes = match &asked.step {
        RecalculationStep::Write { confirm: None } => vec![Pass { cause: Cause::Factor, selection, confirmed: None }],
        RecalculationStep::Preview => {
            let mut tx = store.read(&reading).await?;
            return Ok(preview(tx.as_mut(), &mut choosing, (&pending, &selection)).await?.found);
        }
        RecalculationStep::Write { confirm: Some(confirm) } => {
            let mut tx = store.read(&reading).await?;
            let Preview { found, digests, causes } =
                preview(tx.as_mut(), &mut choosing, (&pending, &selection)).await?;
            if found.confirm.as_ref() != Some(confirm) {
                return Err(Conflict::Previewed { written: 0 }.into());
            }
            groups = found.groups;
            let mut causes = causes.into_iter();
            match (causes.next(), causes.len()) {
                (first, 0) => {
                    vec![Pass { cause: first.unwrap_or(Cause::Factor), selection, confirmed: Some(digests) }]
                }
                (first, _) => {
                    let mut passes = Vec::new();
                    for cause in first.into_iter().chain(causes) {
                        let selection = selection.of_cause(cause);
                        let preview = preview(tx.as_mut(), &mut choosing, (&pending, &selection)).await?;
                        passes.push(Pass { cause, selection, confirmed: Some(preview.digests) });
                    }
                    passes
                }
            }
        }
    };
    let mut run =
        Run { done: Recalculated { groups, ..Recalculated::default() }, progress: Progress::of(once), looked_at: 0 };
    let last = passes.len().saturating_sub(1);
    for (number, pass) in passes.into_iter().enumerate() {
        run.write(work, &mut choosing, &asked, (&pending, pass), (number == last, once)).await?;
    }
    Ok(run.progress.told(run.done, run.looked_at))
}

/// What is written of a recalculation so far.
struct Run {
    done: Recalculated,
    progress: Progress,
    looked_at: u64,
}

impl Run {
    /// Writes what changes for one cause, step by step.
    async fn write(
        &mut self,
        work: &Work<'_>,
        choosing: &mut Choosing,
        asked: &Recalculation,
        (pending, Pass { cause, selection, confirmed }): (&Pending, Pass),
        (is_last_pass, once): (bool, Option<&Once<Recalculated>>),
    ) -> Result<(), Error> {
        let Work { store, clock, grant, .. } = *work;
        let (mut after, mut digest) = (None, Digest::ZERO);
        for number in 0.. {
            let mut tx = store.read(&grant.to_read()).await?;
            let closed = closed_periods(tx.as_mut()).await?;
            let among = Among { pending, selection: &selection, closed: &closed };
            let mut seen = Step::behind(tx.as_mut(), choosing, among, after, digest).await?;
            drop(tx);
            let confirmed = confirmed.as_ref().map(|digests| digests.get(number));
            if confirmed.is_some_and(|confirmed| confirmed != Some(&seen.digest)) {
                return Err(Conflict::Previewed { written: self.progress.changed() }.into());
            }
            self.looked_at += seen.activities;
            self.done.closed += seen.closed;
            fail(&mut self.done, mem::take(&mut seen.failed));
            let is_last = is_last_pass && seen.last.is_none();
            // The answer is stored with what the last step writes, or alone where that is nothing.
            if !seen.changes.is_empty() || (is_last && once.is_some()) {
                let name = self.progress.name(work, !seen.changes.is_empty()).await?;
                let intent = Intent { at: clock.now(), cause: cause_of(asked, cause, name) };
                let now = intent.at;
                let mut tx = store.write(grant, intent).await?;
                let ids: Vec<_> = seen.changes.iter().map(|change| change.stored.value.id).collect();
                let mut found = tx.activities().find_all(&ids).await?;
                found.retain(|stored| pending.selects(&stored.value));
                found.sort_by_key(|stored| Place::of(&stored.value));
                // What another writer changed since the look-up is computed as it is here, unless it was confirmed otherwise.
                let closed = closed_periods(tx.as_mut()).await?;
                let among = Among { closed: &closed, ..among };
                let written = Step::of(tx.as_mut(), choosing, among, &found, digest).await?;
                if confirmed.is_some() && written.digest != seen.digest {
                    return Err(Conflict::Previewed { written: self.progress.changed() }.into());
                }
                let changes = written.changes.iter().map(|change| (&change.stored.value, &change.after));
                self.progress.add(tx.as_mut(), now, changes).await?;
                self.done.closed += written.closed;
                if self.progress.is_shared() {
                    let still = written.changes.len() as u64 + written.closed;
                    self.looked_at -= (seen.changes.len() as u64).saturating_sub(still);
                }
                for factor in written.factors {
                    tx.factors_mut().add(factor).await?;
                }
                let update = |change: Planned| ActivityWrite::Update(change.after, change.stored.version);
                tx.activities_mut().put_all(written.changes.into_iter().map(update).collect()).await?;
                self.done = self.progress.told(mem::take(&mut self.done), self.looked_at);
                if is_last {
                    once::keep(tx.as_mut(), once, &self.done).await?;
                } else {
                    self.progress.note(tx.as_mut()).await?;
                }
                tx.commit().await?;
            }
            (after, digest) = (seen.last, seen.digest);
            if after.is_none() {
                break;
            }
        }
        Ok(())
    }
}

/// What the changes of a recalculation were for: what it computes anew, why, and its name, by which it is undone.
fn cause_of(asked: &Recalculation, cause: Cause, name: Option<RecalculationId>) -> String {
    let mut words = format!("recalculate {} {}", asked.of.as_str(), cause.as_str());
    if let Some(name) = name {
        words += &[" ", &name.to_string()].concat();
    }
    if !asked.via.is_empty() {
        words += &[" (", &asked.via, ")"].concat();
    }
    words
}

fn fail(sum: &mut Recalculated, failed: Vec<(ActivityId, String)>) {
    sum.failures += failed.len() as u64;
    let room = NAMED.saturating_sub(sum.failed.len());
    sum.failed.extend(failed.into_iter().take(room));
}
