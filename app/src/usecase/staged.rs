//! Importing a file step by step: it waits in the spool, is read and mapped, checked as a whole, and imported in the background.
//!
//! Check and run are the same pass over the same rows, on the way of [`Imports`]; only what is written differs.

mod kept;
mod opened;
mod pass;
mod reader;
mod rejected;
mod sniff;
mod sweep;
mod upload;
mod years;

use std::sync::Arc;

use async_trait::async_trait;
use domain::{Faults, Name};
use ports::clock::Clock;
use ports::id_source::Ids;
use ports::inbound::{
    Error, Imports, RejectedRows, RunOptions, RunRows, SniffedTable, StagedImports, TriedRows, Upload,
};
use ports::spool::{Added, Spool};
use ports::staged_import::{MOST_STAGED, StagedImport, StagedReading, StagedState};
use ports::store::Store;
use ports::{Caller, Grant, StagedId, Write, demand, permit};
use tokio::runtime::Handle;

use super::checkpoint::Checkpoints;
use super::read_model::ReadModels;
use crate::counted::counted;
use kept::Kept;
use opened::Opened;
use pass::{Pass, What};
use upload::Receiving;

/// Imports files step by step.
#[derive(Clone)]
pub struct StagedService {
    /// Where files wait.
    pub spool: Arc<dyn Spool>,
    /// What rows are tried and imported by.
    pub imports: Arc<dyn Imports>,
    /// What the amounts of years are read from.
    pub store: Arc<dyn Store>,
    /// The same.
    pub read_models: Arc<ReadModels>,
    /// Written behind an import.
    pub checkpoints: Arc<Checkpoints>,
    /// Says what time it is.
    pub clock: Arc<dyn Clock>,
    /// Gives staged imports their ids.
    pub ids: Arc<dyn Ids>,
    /// The most rows that are imported all or none.
    pub atomic_rows: u64,
    /// Rows that are tried or imported at once; how many says nothing about what becomes of them.
    pub batch_rows: usize,
    /// Where checks and imports go on while nobody waits for them.
    pub runtime: Handle,
}

#[async_trait]
impl StagedImports for StagedService {
    async fn receive(&self, caller: &Caller, name: &str) -> Result<Box<dyn Upload>, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let now = self.clock.now();
        let id = StagedId::new(self.ids.next(now));
        let staged = StagedImport::begin(id, file_name(name), caller.actor.clone(), now);
        let kept = match Kept::add(self, grant, staged).await? {
            (kept, Added::Added) => kept,
            (_, Added::Full) => {
                let detail = format!(
                    "{MOST_STAGED} files wait to be imported already; import or discard some of them, or wait: each goes a day \
                     after its last step"
                );
                return Err(conflict(detail));
            }
        };
        Ok(Box::new(Receiving::new(self.clone(), kept)))
    }

    async fn list(&self, caller: &Caller) -> Result<Vec<StagedImport>, Error> {
        let grant = permit(caller, demand::ACTIVITY_WRITE)?;
        let entries = self.spool.list(&grant.to_read()).await?;
        entries.iter().map(|entry| kept::read(entry).map(|staged| self.as_seen(staged))).collect()
    }

    async fn find(&self, caller: &Caller, id: StagedId) -> Result<StagedImport, Error> {
        Ok(self.as_seen(self.kept(caller, id).await?.staged))
    }

    async fn sniff(&self, caller: &Caller, id: StagedId, reading: &StagedReading) -> Result<SniffedTable, Error> {
        let kept = self.received(caller, id).await?;
        let (opened, reading) = (Opened::of(self, &kept), reading.clone());
        self.apart(move || sniff::sniff(&opened, &reading)).await
    }

    async fn try_reading(&self, caller: &Caller, id: StagedId, reading: &StagedReading) -> Result<TriedRows, Error> {
        let kept = self.received(caller, id).await?;
        let (opened, reading) = (Opened::of(self, &kept), reading.clone());
        self.apart(move || sniff::try_reading(&opened, &reading)).await
    }

    async fn read_as(&self, caller: &Caller, id: StagedId, reading: StagedReading) -> Result<StagedImport, Error> {
        let mut kept = self.received(caller, id).await?;
        self.refuse_under_way(&kept.staged)?;
        let (opened, tried) = (Opened::of(self, &kept), reading.clone());
        self.apart(move || sniff::check_reading(&opened, &tried)).await?;
        let staged = &mut kept.staged;
        staged.reading = Some(reading);
        // What a run wrote is taken back, or found again, by the next one.
        staged.begin_anew(StagedState::Received);
        staged.checked = None;
        kept.save().await?;
        Ok(kept.staged)
    }

    async fn check(&self, caller: &Caller, id: StagedId) -> Result<StagedImport, Error> {
        let mut kept = self.received(caller, id).await?;
        self.refuse_under_way(&kept.staged)?;
        if kept.staged.reading.is_none() {
            return Err(conflict("it is not decided yet how the file is read: look at its columns first".to_owned()));
        }
        kept.staged.begin_anew(StagedState::Checking);
        kept.staged.checked = None;
        kept.save().await?;
        Ok(self.begin(Pass::new(self.clone(), caller.clone(), kept, What::Check)))
    }

    async fn run(&self, caller: &Caller, id: StagedId, how: RunOptions) -> Result<StagedImport, Error> {
        let mut kept = self.received(caller, id).await?;
        self.refuse_under_way(&kept.staged)?;
        let staged = &mut kept.staged;
        let Some(checked) = &staged.checked else {
            return Err(conflict("the rows were not checked yet as they are read now: check them first".to_owned()));
        };
        let counts = checked.counts;
        let all = counts.created + counts.updated + counts.unchanged + counts.rejected;
        if how.rows == RunRows::AllOrNone && counts.rejected > 0 {
            let rejected = counted(counts.rejected, "row is rejected", "rows are rejected");
            return Err(conflict(format!("{rejected}: all or none would be none")));
        }
        if how.rows == RunRows::AllOrNone && all > self.atomic_rows {
            let detail =
                format!("all or none takes at most {} rows (limits.atomic_rows); divide the file", self.atomic_rows);
            return Err(conflict(detail));
        }
        if how.again == ports::inbound::Again::No {
            pass::refuse_same(self.imports.as_ref(), caller, staged).await?;
        }
        staged.begin_anew(StagedState::Running);
        staged.outcome = None;
        kept.save().await?;
        Ok(self.begin(Pass::new(self.clone(), caller.clone(), kept, What::Run(how))))
    }

    async fn rejected(&self, caller: &Caller, id: StagedId) -> Result<Box<dyn RejectedRows>, Error> {
        let kept = self.received(caller, id).await?;
        rejected::begin(self, &kept)
    }

    async fn discard(&self, caller: &Caller, id: StagedId) -> Result<(), Error> {
        let kept = self.kept(caller, id).await?;
        if is_under_way(kept.staged.state_at(self.clock.now())) {
            return Err(under_way());
        }
        Ok(self.spool.remove(&kept.grant, id).await?)
    }
}

impl StagedService {
    async fn kept(&self, caller: &Caller, id: StagedId) -> Result<Kept, Error> {
        let grant: Grant<Write> = permit(caller, demand::ACTIVITY_WRITE)?;
        Kept::find(self, grant, id).await
    }

    /// The same of one whose file is there.
    async fn received(&self, caller: &Caller, id: StagedId) -> Result<Kept, Error> {
        let kept = self.kept(caller, id).await?;
        if kept.staged.state == StagedState::Receiving {
            return Err(conflict("the file is not there yet, or its sending was broken off".to_owned()));
        }
        Ok(kept)
    }

    fn refuse_under_way(&self, staged: &StagedImport) -> Result<(), Error> {
        let state = staged.state_at(self.clock.now());
        if is_under_way(state) {
            return Err(under_way());
        }
        if state == StagedState::Done {
            return Err(conflict("it is imported; begin anew with the file to import it again".to_owned()));
        }
        Ok(())
    }

    /// The staged import with the state that it has by now.
    fn as_seen(&self, staged: StagedImport) -> StagedImport {
        StagedImport { state: staged.state_at(self.clock.now()), ..staged }
    }

    /// Reads on a thread that may wait.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.runtime.spawn_blocking(work).await.map_err(|error| Error::Failed(Box::new(error)))?
    }

    /// Has a pass go on by itself.
    fn begin(&self, pass: Pass) -> StagedImport {
        let (staged, runtime) = (pass.staged().clone(), self.runtime.clone());
        // On a thread of its own: rows are built without a pause.
        drop(self.runtime.spawn_blocking(move || runtime.block_on(pass.run())));
        staged
    }
}

impl std::fmt::Debug for StagedService {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StagedService").finish_non_exhaustive()
    }
}

const fn is_under_way(state: StagedState) -> bool {
    matches!(state, StagedState::Checking | StagedState::Running)
}

fn under_way() -> Error {
    conflict("it is being checked or imported; wait for the end".to_owned())
}

fn conflict(detail: String) -> Error {
    Error::Conflict { pointer: String::new(), detail }
}

fn invalid(pointer: &str, detail: impl Into<String>) -> Error {
    Error::Invalid(Faults::one(pointer, detail.into()))
}

/// What a file is called: the last part of what may be a path, since some browsers send one, as a name.
fn file_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    Name::parse(plain.trim()).map_or_else(|_| "file".to_owned(), |name| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_files_name_is_never_a_path() {
        for (given, name) in [
            ("a.csv", "a.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\ann\\b.xlsx", "b.xlsx"),
            ("a\r\nb.csv", "ab.csv"),
            ("", "file"),
            ("x/", "file"),
        ] {
            assert_eq!(file_name(given), name);
        }
    }
}
