//! From a body to an import.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::HttpResponse;
use domain::Digest;
use files::{FileError, counted};
use ports::inbound::{Import, ImportOptions, ImportPatience, Outcome};
use ports::{Caller, ImportId};

use super::BatchQuery;
use super::answer::{RESULT, Tally};
use super::broken::{Broken, unreadable};
use super::feed::{BodyReader, BulkBody, BulkForm, pipe};
use super::rows::RowStream;
use super::spool::Spool;
use crate::answer;
use crate::problem::{Kind, Problem};
use crate::service::Service;
use crate::stream_slots::StreamSlot;

/// What is asked of a body.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) service: Arc<Service>,
    pub(super) caller: Caller,
    pub(super) query: BatchQuery,
    /// The SHA-256 that the client says of the body.
    pub(super) digest: Option<Digest>,
    pub(super) form: BulkForm,
    /// Whether the credential was revoked, ran out or lost its permission meanwhile.
    pub(super) is_lost: Arc<AtomicBool>,
}

/// Imports a body. The import goes on to its end by itself, broken off where the body is, should the request be dropped; it
/// keeps the slot until then.
pub(super) async fn run(asked: Asked, slot: StreamSlot, body: BulkBody) -> Result<HttpResponse, Problem> {
    if let Some(digest) = asked.digest {
        asked.refuse_same(digest).await?;
    }
    let (outcome, (feed, reader)) = (asked.query.outcome, pipe(asked.form));
    // On a thread of its own: rows are built without a pause, and other connections do not wait for them.
    let runtime = tokio::runtime::Handle::current();
    let importing = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        runtime.block_on(async move {
            match asked.query.outcome {
                Outcome::AllOrNothing => asked.all_or_nothing(reader).await,
                Outcome::KeepGood | Outcome::Nothing => asked.in_turn(reader).await,
            }
        })
    });
    let fed = body.feed(feed).await;
    let imported = importing.await.map_err(Problem::internal)?;
    match (fed, imported) {
        (Ok(()), Ok(tally)) => answer::ok(&RESULT.show(&tally)),
        (Ok(()), Err(broken)) => Err(broken.told(outcome)),
        (Err(problem), Ok(tally)) => Err(Broken { problem, tally }.told(outcome)),
        (Err(problem), Err(broken)) => Err(Broken { problem, ..*broken }.told(outcome)),
    }
}

impl Asked {
    /// Refuses a body that was imported before, unless it is to be imported again.
    async fn refuse_same(&self, digest: Digest) -> Result<(), Problem> {
        if self.query.again || self.query.outcome == Outcome::Nothing {
            return Ok(());
        }
        let Some(earlier) = self.service.areas().imports.same_file(&self.caller, digest, None).await? else {
            return Ok(());
        };
        let detail = format!(
            "The same body was imported before, or is being imported, as {} since {}. Undo that import, or send it with \
             again=true to import it once more.",
            earlier.id, earlier.begun
        );
        Err(Problem::new(Kind::Conflict, detail).closing())
    }

    fn options(&self, outcome: Outcome, hash: Option<Digest>) -> ImportOptions {
        let name = self.query.name.clone().unwrap_or_else(|| "POST /v1/activity/batch".to_owned());
        let patience = match self.query.outcome {
            // The client has sent all, and hears nothing until it is written.
            Outcome::AllOrNothing => ImportPatience::Seconds,
            Outcome::KeepGood | Outcome::Nothing => ImportPatience::Minutes,
        };
        ImportOptions { outcome, repeats: self.query.repeats, name, hash, patience, ..ImportOptions::default() }
    }

    /// Writes rows as they come, or tries them.
    async fn in_turn(self, reader: BodyReader) -> Result<Tally, Box<Broken>> {
        let mut tally = Tally::default();
        match self.take_in_turn(reader, &mut tally).await {
            Ok(()) => Ok(tally),
            Err(problem) => Err(Box::new(Broken { problem, tally })),
        }
    }

    async fn take_in_turn(&self, reader: BodyReader, tally: &mut Tally) -> Result<(), Problem> {
        let options = self.options(self.query.outcome, self.digest);
        let mut import = self.service.areas().imports.begin(&self.caller, options)?;
        let mut rows = RowStream::begin(self.form.media, reader);
        let taken = self.take_all(import.as_mut(), &mut rows, tally, u64::MAX).await;
        let read = match (taken, rows.end().await) {
            (Err(problem), _) => Err(problem),
            (Ok(()), Err(error)) => Err(Problem::internal(error)),
            (Ok(()), Ok((Err(error), _))) => Err(unreadable(error)),
            (Ok(()), Ok((Ok(()), reader))) => digest(reader).await.and_then(|digest| self.check(digest)),
        };
        let read = read.and_then(|digest| self.goes_on().map(|()| digest));
        let ended = match &read {
            Ok(digest) => {
                // Behind its end it would be found itself.
                tally.same_as = self.earlier(*digest).await.filter(|id| Some(*id) != import.id());
                import.hashed(*digest);
                import.finish().await
            }
            Err(_) => import.break_off().await,
        };
        let ended = match ended {
            Ok(last) => {
                tally.add(last);
                Ok(())
            }
            Err(error) => {
                // What was written before is said all the same.
                if let Ok(last) = import.break_off().await {
                    tally.add(last);
                }
                Err(error)
            }
        };
        tally.import = import.id().filter(|_| tally.rows() > 0);
        drop(import);
        read?;
        ended?;
        tally.written = self.query.outcome == Outcome::KeepGood;
        Ok(())
    }

    /// Tries all rows, and writes them in one change unless one is rejected.
    async fn all_or_nothing(self, reader: BodyReader) -> Result<Tally, Box<Broken>> {
        self.take_all_or_nothing(reader).await.map_err(|problem| Box::new(Broken { problem, tally: Tally::default() }))
    }

    async fn take_all_or_nothing(&self, reader: BodyReader) -> Result<Tally, Problem> {
        let folder = self.service.settings().spool_dir.clone();
        let spooled = tokio::task::spawn_blocking(move || Spool::take(&folder, reader)).await;
        let spool = spooled.map_err(Problem::internal)?.map_err(|error| unreadable(FileError::Read(error)))?;
        self.check(spool.digest)?;
        self.refuse_same(spool.digest).await?;
        let tried = self.spooled(&spool, Outcome::Nothing, 0).await?;
        refuse_rejected(&tried)?;
        let written = self.spooled(&spool, Outcome::AllOrNothing, tried.sum.created + tried.sum.updated).await?;
        refuse_rejected(&written)?;
        Ok(written)
    }

    /// Imports a body; `writes` is how many of its rows are to be written.
    async fn spooled(&self, spool: &Spool, outcome: Outcome, writes: u64) -> Result<Tally, Problem> {
        let options = self.options(outcome, Some(spool.digest));
        let mut import = self.service.areas().imports.begin(&self.caller, options)?;
        import.check_room(writes).await?;
        let mut rows = RowStream::begin(self.form.media, spool.reader().map_err(Problem::internal)?);
        let mut tally = Tally::default();
        let most = self.service.limits().atomic_rows;
        let taken = self.take_all(import.as_mut(), &mut rows, &mut tally, most).await;
        let (read, _) = rows.end().await.map_err(Problem::internal)?;
        if let Err(problem) = taken.and_then(|()| read.map_err(unreadable)).and_then(|()| self.goes_on()) {
            drop(import.break_off().await);
            return Err(problem);
        }
        import.finish().await?;
        tally.written = outcome == Outcome::AllOrNothing && tally.sum.rejected == 0;
        tally.import = import.id().filter(|_| tally.written && tally.rows() > 0);
        tally.same_as = if tally.written { None } else { self.earlier(spool.digest).await };
        Ok(tally)
    }

    /// An earlier import of the same body; none where the store cannot say, as the rows are taken all the same.
    async fn earlier(&self, digest: Digest) -> Option<ImportId> {
        self.service.areas().imports.same_file(&self.caller, digest, None).await.ok().flatten().map(|batch| batch.id)
    }

    /// Breaks off where the credential is good no more.
    fn goes_on(&self) -> Result<(), Problem> {
        if self.is_lost.load(Ordering::Relaxed) { Err(super::lost_problem()) } else { Ok(()) }
    }

    /// Gives all rows to the import.
    async fn take_all<R: io::Read + Send + 'static>(
        &self,
        import: &mut dyn Import,
        rows: &mut RowStream<R>,
        tally: &mut Tally,
        most: u64,
    ) -> Result<(), Problem> {
        let mut count = 0;
        loop {
            let next = rows.next().await;
            if next.is_empty() {
                return Ok(());
            }
            count += next.len() as u64;
            if count > most {
                let detail = format!(
                    "At most {most} rows are imported all or none (limits.atomic_rows); divide them, or leave out atomic: \
                     such an import can be undone as a whole."
                );
                return Err(Problem::new(Kind::TooLarge, detail));
            }
            self.goes_on()?;
            tally.add(import.rows(next).await?);
        }
    }

    /// Refuses a body that is not the one that the client says it sent.
    fn check(&self, digest: Digest) -> Result<Digest, Problem> {
        if self.digest.is_some_and(|said| said != digest) {
            return Err(Problem::new(Kind::Malformed, "The body has another SHA-256 than Content-Digest says."));
        }
        Ok(digest)
    }
}

/// Refuses a body of all rows or none of which a row is rejected.
fn refuse_rejected(tally: &Tally) -> Result<(), Problem> {
    if tally.sum.rejected == 0 {
        return Ok(());
    }
    let detail = format!(
        "Nothing was written: of {}, {} rejected, and atomic=true takes all or none. Mend what errors names, line by line, or leave \
         out atomic.",
        counted(tally.rows(), "row", "rows"),
        counted(tally.sum.rejected, "is", "are")
    );
    Err(Problem::invalid(tally.faults()).with_detail(detail))
}

/// The SHA-256 of a body that was read.
async fn digest(reader: BodyReader) -> Result<Digest, Problem> {
    let read = tokio::task::spawn_blocking(move || reader.digest()).await.map_err(Problem::internal)?;
    read.map_err(|error| unreadable(FileError::Read(error)))
}
