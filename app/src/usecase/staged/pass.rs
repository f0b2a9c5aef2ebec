//! A pass over all rows of a staged file, in the background: to try them, or to import them.

mod earlier;
mod tally;

use std::pin::pin;
use std::time::Duration;

use ports::Caller;
use ports::import_batch::ImportState;
use ports::inbound::{
    Again, BatchOutcome, Error, Import, ImportOptions, Imports, Outcome, RowDraft, RunOptions, RunRows, SameFile,
};
use ports::spool::SpoolPart;
use ports::staged_import::{StagedImport, StagedReading, StagedState};
use ports::store::NoRoom;
use tokio::sync::mpsc::{Receiver, channel};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::kept::Kept;
use super::opened::{Batch, Noticed, Opened};
use super::{StagedService, conflict};
use crate::counted::counted;
use crate::table_source::reading;
use tally::Tally;

/// How often it is said that a pass goes on, while rows wait to be written.
const HEARD: Duration = Duration::from_secs(10);
/// Batches of rows that are read ahead.
const AHEAD: usize = 2;

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Nothing is written.
    Check,
    /// Rows are imported.
    Run(RunOptions),
}

/// A pass that begins.
pub(super) struct Pass {
    service: StagedService,
    caller: Caller,
    kept: Kept,
    what: What,
}

impl Pass {
    pub(super) fn new(service: StagedService, caller: Caller, kept: Kept, what: What) -> Self {
        Self { service, caller, kept, what }
    }

    pub(super) const fn staged(&self) -> &StagedImport {
        &self.kept.staged
    }

    /// Runs to its end, and stores how that was.
    pub(super) async fn run(mut self) {
        let done = match self.what {
            What::Check => self.check().await,
            What::Run(how) => self.import(how).await,
        };
        if let Err(error) = done {
            self.fail(&error);
        }
        if let Err(error) = self.kept.save().await {
            let (error, id): (&dyn std::error::Error, _) = (&error, self.kept.staged.id);
            tracing::warn!(error, staged = %id, "how a check or an import of a file ended is not kept: it reads as interrupted");
        }
    }

    fn fail(&mut self, error: &Error) {
        let staged = &mut self.kept.staged;
        staged.state = if self.what == What::Check { StagedState::CheckFailed } else { StagedState::RunFailed };
        if let Error::Failed(_) = error {
            let cause: &dyn std::error::Error = error;
            tracing::error!(error = cause, staged = %staged.id, "a check or an import of a file failed");
        }
        staged.failure = Some(sentence(error));
    }

    async fn check(&mut self) -> Result<(), Error> {
        self.service.spool.clear(&self.kept.grant, self.kept.staged.id, SpoolPart::Rejected).await?;
        let options = self.options(Outcome::Nothing, SameFile::Taken);
        let mut import = self.service.imports.begin(&self.caller, options)?;
        let (mut tally, noticed) = self.rows(import.as_mut(), Keeping::Reasons).await?;
        tally.add(import.finish().await?)?;
        tally.store_all(&self.service.spool, &self.kept).await?;
        let years = self.service.effects(&self.kept.grant.to_read(), &tally.sum.years).await?;
        self.kept.staged.checked = Some(tally.preview(years, noticed));
        self.kept.staged.state = StagedState::Checked;
        Ok(())
    }

    async fn import(&mut self, how: RunOptions) -> Result<(), Error> {
        self.take_back().await?;
        let outcome = match how.rows {
            RunRows::Good => Outcome::KeepGood,
            RunRows::AllOrNone => Outcome::AllOrNothing,
        };
        let same_file = if how.again == Again::Yes { SameFile::Taken } else { SameFile::Refused };
        let mut import = self.service.imports.begin(&self.caller, self.options(outcome, same_file))?;
        let counts = self.kept.staged.checked.as_ref().map(|checked| checked.counts);
        import.check_room(counts.map_or(0, |counts| counts.created + counts.updated)).await?;
        // Before a row is written: whoever goes on where this one ends finds what it wrote.
        self.kept.staged.import = import.id();
        self.kept.save().await?;
        let read = self.rows(import.as_mut(), Keeping::Counts).await;
        let mut tally = match read {
            Ok((tally, _)) => tally,
            Err(error) => {
                drop(import.break_off().await);
                self.forget_unwritten().await;
                return Err(error);
            }
        };
        tally.add(import.finish().await?)?;
        drop(import);
        let counts = tally.counts();
        if how.rows == RunRows::AllOrNone && counts.rejected > 0 {
            self.kept.staged.import = None;
            let rejected = counted(counts.rejected, "row is rejected", "rows are rejected");
            return Err(conflict(format!("nothing was imported: {rejected} by now; check the rows again")));
        }
        self.kept.staged.outcome = Some(counts);
        self.kept.staged.state = StagedState::Done;
        self.kept.save().await?;
        self.service.checkpoints.after_import(self.caller.tenant).await;
        Ok(())
    }

    fn options(&self, outcome: Outcome, same_file: SameFile) -> ImportOptions {
        let StagedImport { name, hash, reading, .. } = &self.kept.staged;
        let reading = reading.as_ref().and_then(digest);
        ImportOptions { outcome, name: name.clone(), hash: *hash, reading, same_file, ..ImportOptions::default() }
    }

    /// Hands all rows to an import, and keeps how far it is.
    async fn rows(&mut self, import: &mut dyn Import, keeping: Keeping) -> Result<(Tally, Noticed), Error> {
        self.kept.staged.started = Some(self.service.clock.now());
        let (mut batches, reading) = self.read();
        let mut tally = Tally::new(keeping);
        while let Some(Batch { rows, read }) = batches.recv().await {
            let count = rows.len() as u64;
            let outcome = self.heard(import, rows).await?;
            tally.add(outcome)?;
            tally.store(&self.service.spool, &self.kept).await?;
            self.kept.staged.rows += count;
            self.kept.staged.read = read;
            self.kept.save().await?;
        }
        let noticed = reading.await.map_err(|error| Error::Failed(Box::new(error)))??;
        Ok((tally, noticed))
    }

    /// Hands rows to an import, and says meanwhile that it goes on: an import waits long for a store that is busy.
    async fn heard(&mut self, import: &mut dyn Import, batch: Vec<RowDraft>) -> Result<BatchOutcome, Error> {
        let mut taking = pin!(import.rows(batch));
        let mut ticks = ticks();
        loop {
            tokio::select! {
                taken = &mut taking => return taken,
                _ = ticks.tick() => self.kept.save().await?,
            }
        }
    }

    fn read(&self) -> (Receiver<Batch>, JoinHandle<Result<Noticed, Error>>) {
        let (give, batches) = channel(AHEAD);
        let opened = Opened::of(&self.service, &self.kept);
        let reading = self.kept.staged.reading.clone().unwrap_or_default();
        (batches, self.service.runtime.spawn_blocking(move || opened.feed(&reading, &give)))
    }
}

/// What a pass keeps of rejected rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keeping {
    /// Why each was rejected, for a copy of them.
    Reasons,
    /// How many there are.
    Counts,
}

/// Refuses a file that was imported before in the same way and not undone, or is being imported.
pub(super) async fn refuse_same(imports: &dyn Imports, caller: &Caller, staged: &StagedImport) -> Result<(), Error> {
    let Some(hash) = staged.hash else { return Ok(()) };
    let reading = staged.reading.as_ref().and_then(digest);
    let Some(earlier) = imports.same_file(caller, hash, reading).await? else { return Ok(()) };
    if Some(earlier.id) == staged.import && earlier.state == ImportState::BrokenOff {
        return Ok(());
    }
    let detail = format!(
        "the same file was imported before, or is being imported, as import {} ({}) since {}; undo that import, or say that it \
         is to be imported once more",
        earlier.id, earlier.name, earlier.begun
    );
    Err(conflict(detail))
}

fn digest(way: &StagedReading) -> Option<domain::Digest> {
    reading(way.sheet.as_deref(), way.map.as_deref())
}

fn ticks() -> tokio::time::Interval {
    let mut ticks = tokio::time::interval_at(tokio::time::Instant::now() + HEARD, HEARD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Why a pass ended early, for whoever looks at it.
fn sentence(error: &Error) -> String {
    if let Some(no_room) = NoRoom::among_causes(error) {
        return no_room.to_string();
    }
    match error {
        Error::Invalid(faults) | Error::Parameters(faults) => {
            let one = |fault: &domain::Fault| {
                let place = fault.pointer.trim_start_matches('/');
                if place.is_empty() { fault.detail.clone() } else { format!("{place} {}", fault.detail) }
            };
            faults.as_slice().iter().take(5).map(one).collect::<Vec<_>>().join("; ")
        }
        Error::Stale => "it was changed or discarded meanwhile".to_owned(),
        Error::Denied(_)
        | Error::Refused(_)
        | Error::NotFound
        | Error::Conflict { .. }
        | Error::PeriodClosed(_)
        | Error::Gone(_)
        | Error::KeyReused
        | Error::Busy(_)
        | Error::Unknown(_)
        | Error::Failed(_) => error.to_string(),
    }
}
