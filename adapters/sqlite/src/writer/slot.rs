//! The slot of a write transaction: how its holder has work done on the writing thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;

use async_trait::async_trait;
use domain::Timestamp;
use ports::ChainHead;
use ports::store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::others::Others;
use super::room::refused;
use crate::error::{StoreErr as _, busy, failed};
use crate::run::Run;
use crate::session::Session;

/// What the holder of a slot asks for.
pub(super) enum Call {
    /// To do some work.
    Run(Job),
    /// To close the transaction, and to answer when it is on the disk.
    Commit(oneshot::Sender<Result<ChainHead, StoreError>>),
}

/// Work that answers its caller itself.
pub(super) type Job = Box<dyn FnOnce(&Connection, &mut Session) -> After + Send>;

/// What becomes of the transaction after some work.
pub(super) enum After {
    /// The transaction stays open.
    GoOn,
    /// Nothing more can be done with it.
    End,
}

/// The slot of a write transaction: while it is held, no other writes. Dropping it undoes the transaction.
#[derive(Debug)]
pub(crate) struct WriteSlot {
    calls: Sender<Call>,
    before: ChainHead,
    at: Timestamp,
    /// What is told where there is no room for many rows.
    shortage: Option<String>,
    others: Others,
}

impl WriteSlot {
    pub(super) const fn new(
        calls: Sender<Call>,
        before: ChainHead,
        at: Timestamp,
        shortage: Option<String>,
        others: Others,
    ) -> Self {
        Self { calls, before, at, shortage, others }
    }

    /// Whether others wait to write.
    pub(crate) fn others_wait(&self) -> bool {
        self.others.wait()
    }

    /// That there is room for many rows.
    pub(crate) fn demand_room(&self) -> Result<(), StoreError> {
        self.shortage.clone().map_or(Ok(()), |told| Err(refused(told)))
    }

    /// The moment that the transaction's records get.
    pub(crate) const fn at(&self) -> Timestamp {
        self.at
    }

    /// Runs work that writes. It leaves the transaction as it was when it fails.
    pub(crate) async fn write<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Connection, &mut Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.call(move |conn, session| {
            execute(conn, "SAVEPOINT call")?;
            let result = work(conn, session)
                .and_then(|value| session.write_usage(conn).map(|()| value))
                .and_then(|value| execute(conn, "RELEASE call").map(|()| value))
                .and_then(|value| session.keep(conn).map(|()| value));
            if result.is_err() {
                session.undo();
                if !conn.is_autocommit() {
                    execute(conn, "ROLLBACK TO call")?;
                    execute(conn, "RELEASE call")?;
                }
            }
            result
        })
        .await
    }

    /// Closes the transaction; the answer comes when it is on the disk.
    pub(crate) async fn commit(self) -> Result<ChainHead, StoreError> {
        let (answer, done) = oneshot::channel();
        self.calls.send(Call::Commit(answer)).map_err(|_| lost())?;
        done.await.unwrap_or_else(|_| Err(lost()))
    }

    async fn call<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Connection, &mut Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, done) = oneshot::channel();
        let job = Box::new(move |conn: &Connection, session: &mut Session| {
            let result = catch_unwind(AssertUnwindSafe(|| work(conn, session)))
                .unwrap_or_else(|_| Err(failed("a statement's work ended in a panic")));
            // Without a transaction under way nothing more may be written.
            let after = if conn.is_autocommit() { After::End } else { fate(&result) };
            // A caller that does not wait for the answer drops the slot next.
            let _ = answer.send(result);
            after
        });
        self.calls.send(Call::Run(job)).map_err(|_| lost())?;
        done.await.unwrap_or_else(|_| Err(lost()))
    }
}

/// The thread serves another by now: this transaction fell silent, or failed before.
fn lost() -> StoreError {
    busy("the transaction was undone before, since it took too long between two calls or one of them failed")
}

fn execute(conn: &Connection, statement: &str) -> Result<(), StoreError> {
    conn.prepare_cached(statement).and_then(|mut statement| statement.execute([])).map(|_| ()).store_err()
}

fn fate<T>(result: &Result<T, StoreError>) -> After {
    match result {
        Ok(_) | Err(StoreError::Conflict(_) | StoreError::Stale | StoreError::Corrupt { .. }) => After::GoOn,
        Err(StoreError::Busy(_) | StoreError::Unknown(_) | StoreError::Failed(_)) => After::End,
    }
}

#[async_trait]
impl Run for WriteSlot {
    fn head(&self) -> ChainHead {
        self.before
    }

    async fn run<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.call(move |conn, _| work(conn)).await
    }

    async fn run_long<T: Send + 'static>(
        &mut self,
        work: impl for<'c> FnOnce(&'c Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run(work).await
    }
}
