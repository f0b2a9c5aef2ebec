//! From a body to an import.

use std::io;
use std::sync::Arc;

use actix_web::HttpResponse;
use domain::Digest;
use files::FileError;
use ports::Caller;
use ports::inbound::{Import, ImportOptions, Outcome};

use super::BatchQuery;
use super::answer::{RESULT, Tally};
use super::feed::{BodyReader, BulkBody, BulkForm, pipe};
use super::rows::RowStream;
use super::spool::Spool;
use crate::answer;
use crate::problem::{Kind, Problem};
use crate::service::Service;

/// What is asked of a body.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) service: Arc<Service>,
    pub(super) caller: Caller,
    pub(super) query: BatchQuery,
    /// The SHA-256 that the client says of the body.
    pub(super) digest: Option<Digest>,
    pub(super) form: BulkForm,
}

/// Imports a body. The import goes on to its end by itself, broken off where the body is, should the request be dropped.
pub(super) async fn run(asked: Asked, body: BulkBody) -> Result<HttpResponse, Problem> {
    if let Some(digest) = asked.digest {
        asked.refuse_same(digest).await?;
    }
    let (feed, reader) = pipe(asked.form);
    // On a thread of its own: rows are built without a pause, and other connections do not wait for them.
    let runtime = tokio::runtime::Handle::current();
    let importing = tokio::task::spawn_blocking(move || {
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
        (Ok(()), imported) => answer::ok(&RESULT.show(&imported?)),
        (Err(problem), Ok(_) | Err(_)) => Err(problem),
    }
}

impl Asked {
    /// Refuses a body that was imported before, unless it is to be imported again.
    async fn refuse_same(&self, digest: Digest) -> Result<(), Problem> {
        if self.query.again || self.query.outcome == Outcome::Nothing {
            return Ok(());
        }
        let Some(earlier) = self.service.areas().imports.same_file(&self.caller, digest).await? else { return Ok(()) };
        let detail = format!(
            "The same body was imported before, as {} at {}. Undo that import, or send it with again=true to import it once \
             more.",
            earlier.id, earlier.begun
        );
        Err(Problem::new(Kind::Conflict, detail).closing())
    }

    fn options(&self, outcome: Outcome, hash: Option<Digest>) -> ImportOptions {
        let name = self.query.name.clone().unwrap_or_else(|| "POST /v1/activity/batch".to_owned());
        ImportOptions { outcome, repeats: self.query.repeats, name, hash }
    }

    /// Writes rows as they come, or tries them.
    async fn in_turn(self, reader: BodyReader) -> Result<Tally, Problem> {
        let options = self.options(self.query.outcome, self.digest);
        let mut import = self.service.areas().imports.begin(&self.caller, options)?;
        let mut rows = RowStream::begin(self.form.media, reader);
        let mut tally = Tally::default();
        let taken = take_all(import.as_mut(), &mut rows, &mut tally, u64::MAX).await;
        let (read, reader) = rows.end().await.map_err(Problem::internal)?;
        let digest = match (&taken, read) {
            (Err(_), _) => None,
            (Ok(()), Ok(())) => Some(digest(reader).await.and_then(|digest| self.check(digest))),
            (Ok(()), Err(error)) => Some(Err(unreadable(error))),
        };
        let ended = match &digest {
            Some(Ok(digest)) => {
                tally.same_as = self.earlier(*digest).await?;
                import.hashed(*digest);
                import.finish().await
            }
            Some(Err(_)) | None => import.break_off().await,
        };
        let import_id = import.id();
        drop(import);
        taken.map_err(|problem| told(problem, &tally))?;
        tally.add(ended?);
        if let Some(Err(problem)) = digest {
            return Err(told(problem, &tally));
        }
        tally.written = self.query.outcome == Outcome::KeepGood;
        tally.import = import_id.filter(|_| tally.rows() > 0);
        Ok(tally)
    }

    /// Tries all rows, and writes them in one change unless one is rejected.
    async fn all_or_nothing(self, reader: BodyReader) -> Result<Tally, Problem> {
        let folder = self.service.settings().spool_dir.clone();
        let spooled = tokio::task::spawn_blocking(move || Spool::take(&folder, reader)).await;
        let spool = spooled.map_err(Problem::internal)?.map_err(|error| unreadable(FileError::Read(error)))?;
        self.check(spool.digest)?;
        self.refuse_same(spool.digest).await?;
        let tried = self.spooled(&spool, Outcome::Nothing).await?;
        if tried.sum.rejected > 0 {
            return Ok(tried);
        }
        self.spooled(&spool, Outcome::AllOrNothing).await
    }

    async fn spooled(&self, spool: &Spool, outcome: Outcome) -> Result<Tally, Problem> {
        let options = self.options(outcome, Some(spool.digest));
        let mut import = self.service.areas().imports.begin(&self.caller, options)?;
        let mut rows = RowStream::begin(self.form.media, spool.reader().map_err(Problem::internal)?);
        let mut tally = Tally::default();
        let most = self.service.limits().atomic_rows;
        let taken = take_all(import.as_mut(), &mut rows, &mut tally, most).await;
        let (read, _) = rows.end().await.map_err(Problem::internal)?;
        if let Err(problem) = taken.and_then(|()| read.map_err(unreadable)) {
            drop(import.break_off().await);
            return Err(problem);
        }
        import.finish().await?;
        tally.written = outcome == Outcome::AllOrNothing && tally.sum.rejected == 0;
        tally.import = import.id().filter(|_| tally.written && tally.rows() > 0);
        tally.same_as = if tally.written { None } else { self.earlier(spool.digest).await? };
        Ok(tally)
    }

    /// An earlier import of the same body.
    async fn earlier(&self, digest: Digest) -> Result<Option<ports::ImportId>, Problem> {
        Ok(self.service.areas().imports.same_file(&self.caller, digest).await?.map(|batch| batch.id))
    }

    /// Refuses a body that is not the one that the client says it sent.
    fn check(&self, digest: Digest) -> Result<Digest, Problem> {
        if self.digest.is_some_and(|said| said != digest) {
            return Err(Problem::new(Kind::Malformed, "The body has another SHA-256 than Content-Digest says."));
        }
        Ok(digest)
    }
}

/// Gives all rows to the import.
async fn take_all<R: io::Read + Send + 'static>(
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
                "At most {most} rows are imported all or none (limits.atomic_rows); divide them, or leave \
                                  out atomic: such an import can be undone as a whole."
            );
            return Err(Problem::new(Kind::TooLarge, detail));
        }
        tally.add(import.rows(next).await?);
    }
}

/// The SHA-256 of a body that was read.
async fn digest(reader: BodyReader) -> Result<Digest, Problem> {
    let read = tokio::task::spawn_blocking(move || reader.digest()).await.map_err(Problem::internal)?;
    read.map_err(|error| unreadable(FileError::Read(error)))
}

/// The problem, with what was written before it.
fn told(problem: Problem, tally: &Tally) -> Problem {
    let rows = tally.rows();
    problem.adding(&format!(
        "{rows} rows before were taken and stay; the import is listed under /v1/import as broken off, and the same body can \
         be sent again where rows have a syncId."
    ))
}

fn unreadable(error: FileError) -> Problem {
    match error {
        FileError::Header(faults) | FileError::Map(faults) | FileError::Catalog(faults) => Problem::invalid(faults),
        FileError::Read(error) => unread(error),
        FileError::Workbook(detail) | FileError::Sheet(detail) => Problem::new(Kind::Malformed, detail),
    }
}

fn unread(error: io::Error) -> Problem {
    let kind = error.kind();
    if kind == io::ErrorKind::FileTooLarge {
        return Problem::new(Kind::TooLarge, "The body inflates to far more than it has bytes.");
    }
    if kind == io::ErrorKind::StorageFull {
        return Problem::busy(error);
    }
    if kind == io::ErrorKind::ConnectionAborted {
        return Problem::new(Kind::Malformed, "The body broke off.");
    }
    let is_damaged =
        matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof);
    if is_damaged { Problem::new(Kind::Malformed, "The body is no sound gzip.") } else { Problem::internal(error) }
}
