//! The thread that owns a file's writing connection and grants it to one transaction at a time.
//!
//! Each transaction is a savepoint in a running SQLite transaction. When nobody waits, or the group is full or old, the
//! thread commits, and only then answers the group's members: they share one write to the disk.

mod ask;
mod log;
mod others;
mod recovery;
mod room;
mod slot;

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use ports::ChainHead;
use ports::store::{DiskFailed, StoreError};
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{StoreErr as _, Trouble, busy, disk_failed, failed, of_commit};
use crate::identity::Identity;
use crate::keys::KnownKeys;
use crate::migration::TENANT;
use crate::options::Options;
use crate::owner::Owner;
use crate::pool::Pool;
use crate::queue::Queue;
use crate::session::{HeadRow, Origin, Session, read_head};

use ask::{Answer, Ask, Asks, Claim, Step, Waiting, WaitingChange, asks};
use log::Log;
use others::Others;
pub(crate) use slot::WriteSlot;
use slot::{After, Call};

/// The way to a file's writing thread. Dropping it ends the thread, as [`close`](Self::close) does.
#[derive(Debug)]
pub(crate) struct Writer {
    running: Mutex<Option<Running>>,
    options: Options,
}

/// A thread that takes on transactions, until the sender is dropped.
#[derive(Debug)]
struct Running {
    asks: Asks,
    thread: JoinHandle<()>,
}

impl Writer {
    /// Starts the thread, on the file of that owner, which that pool reads.
    pub(crate) fn start(
        conn: Connection,
        (owner, identity): (Owner, Identity),
        options: Options,
        pool: &Arc<Pool>,
    ) -> Result<Self, StoreError> {
        let (asks, waiting) = asks();
        let pool = Arc::downgrade(pool);
        let limits = options.clone();
        let log = Log::of(&conn, &limits).store_err()?;
        let queue = Queue::of(&owner.path);
        let thread = thread::Builder::new()
            .name("tonne-writer".to_owned())
            .spawn(move || {
                let keys = KnownKeys::default();
                let mut worker = Worker {
                    conn,
                    owner,
                    identity,
                    options: limits,
                    keys,
                    log,
                    pool,
                    is_suspended: false,
                    is_told: false,
                    tried: None,
                    others: waiting.others(queue.watch()),
                };
                while let Ok(first) = worker.next(&waiting) {
                    let is_usable = worker.recover(&queue);
                    let Some(first) = first else { continue };
                    if !is_usable {
                        first.refuse(worker.suspended());
                        continue;
                    }
                    if let Some(refusal) = worker.refusal() {
                        first.refuse(refusal);
                        continue;
                    }
                    match queue
                        .begin(&worker.conn, worker.options.wait)
                        .store_err()
                        .and_then(|()| worker.check_format())
                    {
                        Ok(()) => worker.run_group(first, &waiting),
                        Err(error) => {
                            roll_back(&worker.conn);
                            first.refuse(error);
                        }
                    }
                    if worker.is_suspended {
                        queue.end();
                        worker.recover(&queue);
                    } else {
                        // In the same turn: SQLite starts its log anew only while nobody writes.
                        worker.log.keep_short(&worker.conn);
                        queue.end();
                    }
                }
                // The file's last connection empties the log when it is closed.
                worker.log.join();
                drop(worker);
            })
            .map_err(|error| StoreError::Failed(Box::new(error)))?;
        Ok(Self { running: Mutex::new(Some(Running { asks, thread })), options })
    }

    /// Waits for the transactions that were asked for, and closes the connection: where no other has the file open,
    /// SQLite then copies its log into it.
    pub(crate) fn close(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Running { asks, thread }) = running else { return };
        drop(asks);
        if thread.join().is_err() {
            tracing::error!("the writing thread ended in a panic");
        }
    }

    /// Waits for a slot, as long as the options say.
    pub(crate) async fn slot(&self, origin: Origin) -> Result<WriteSlot, StoreError> {
        let (slot, granted) = oneshot::channel();
        self.ask(Ask::Write { origin, slot })?;
        self.wait(granted).await
    }

    /// Has a change written in one step, and waits until it is on the disk.
    pub(crate) async fn change(
        &self,
        origin: Origin,
        work: impl FnOnce(&Connection, &mut Session) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<ChainHead, StoreError> {
        let (answer, mut done) = oneshot::channel();
        let claim = Claim::default();
        self.ask(Ask::Change(Box::new(WaitingChange { origin, work: Box::new(work), claim: claim.clone(), answer })))?;
        let answer = match tokio::time::timeout(self.options.wait, &mut done).await {
            Ok(answer) => answer,
            Err(_) if claim.take() => return Err(busy("other writers were not done in time")),
            // Its turn has come.
            Err(_) => done.await,
        };
        answer.unwrap_or_else(|_| Err(failed("the writing thread has ended")))
    }

    /// Has short work done that makes no change of the chain, and waits until it is on the disk.
    pub(crate) async fn step<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, done) = oneshot::channel();
        self.ask(Ask::Step(Box::new(move |conn| {
            let result = conn.and_then(work);
            // Who does not wait any more needs no answer.
            (result.is_ok(), Box::new(move |group| drop(answer.send(group.and(result)))))
        })))?;
        self.wait(done).await
    }

    async fn wait<T>(&self, answer: oneshot::Receiver<Result<T, StoreError>>) -> Result<T, StoreError> {
        match tokio::time::timeout(self.options.wait, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(failed("the writing thread has ended")),
            Err(_) => Err(busy("other writers were not done in time")),
        }
    }

    fn ask(&self, ask: Ask) -> Result<(), StoreError> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Running { asks, .. }) = &*running else { return Err(failed("the store is closed")) };
        asks.send(ask).map_err(|_| failed("the writing thread has ended"))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.close();
    }
}

/// The thread's own.
struct Worker {
    conn: Connection,
    owner: Owner,
    identity: Identity,
    options: Options,
    /// The keys of what activities refer to, as the last transaction left them.
    keys: KnownKeys,
    log: Log,
    /// The connections that read the file, which are closed before this one.
    pool: Weak<Pool>,
    /// Whether the disk failed under a commit, and the log was not rewritten yet.
    is_suspended: bool,
    /// Whether the log was told that it cannot be rewritten, since the file was replaced.
    is_told: bool,
    /// When it was last tried to rewrite the log.
    tried: Option<Instant>,
    /// Sees who waits.
    others: Others,
}

impl Worker {
    /// Refuses a file that a later version has changed since it was opened. While the SQLite transaction lasts nobody does.
    fn check_format(&self) -> Result<(), StoreError> {
        Ok(TENANT.must_be_known(&self.conn, &self.owner.path)?)
    }

    /// Waits for who comes next; while the file answers nobody, only until it is time to try again.
    fn next(&self, waiting: &Waiting) -> Result<Option<Ask>, RecvTimeoutError> {
        if !self.is_suspended {
            return waiting.next().map(Some);
        }
        match waiting.next_within(recovery::AGAIN) {
            Err(RecvTimeoutError::Timeout) => Ok(None),
            ended => ended.map(Some),
        }
    }

    /// Serves one after another in the SQLite transaction that has begun, and commits it.
    fn run_group(&mut self, first: Ask, waiting: &Waiting) {
        let started = Instant::now();
        let (mut closed, mut changes, mut members, mut next) = (Vec::new(), 0_u32, 0, Some(first));
        while let Some(ask) = next.take() {
            let is_change = !matches!(ask, Ask::Step(_));
            let answer = self.serve(ask);
            changes += u32::from(is_change && answer.is_some());
            closed.extend(answer);
            if self.conn.is_autocommit() {
                return end_all(closed, "SQLite undid the transaction that others shared a commit with", again);
            }
            members += 1;
            if members < self.options.group && started.elapsed() < self.options.group_time {
                next = waiting.next_now();
            }
        }
        if let Err(error) = self.identity.check() {
            roll_back(&self.conn);
            return end_all(closed, &error.to_string(), |cause| StoreError::Failed(Box::new(cause)));
        }
        match recovery::commit(&self.conn, &self.options) {
            Ok(()) => {
                if changes > 0 {
                    metrics::histogram!(ports::metric::GROUP_SIZE.name).record(changes);
                }
                for answer in closed {
                    answer(Ok(()));
                }
            }
            Err(error) => {
                roll_back(&self.conn);
                let reason = format!("the commit failed: {error}");
                match of_commit(error) {
                    StoreError::Unknown(_) => {
                        // Before anyone is answered, so that nobody who looks is told what may not last.
                        self.suspend();
                        end_all(closed, &reason, |cause| StoreError::Unknown(Box::new(cause)));
                    }
                    error @ StoreError::Failed(_) if closed.len() == 1 => {
                        let is_of_disk = DiskFailed::is_cause_of(&error);
                        end_all(closed, &reason, if is_of_disk { of_disk } else { of_store });
                    }
                    // Whose fault it is shows when each comes again.
                    StoreError::Failed(_)
                    | StoreError::Busy(_)
                    | StoreError::Corrupt { .. }
                    | StoreError::Conflict(_)
                    | StoreError::Stale => end_all(closed, &reason, again),
                }
            }
        }
    }

    /// Serves one to its end, and gives how to answer it. `None` when it left nothing behind and was answered.
    fn serve(&mut self, ask: Ask) -> Option<Answer> {
        let is_given_up = match &ask {
            Ask::Write { slot, .. } => slot.is_closed(),
            Ask::Change(change) => change.answer.is_closed() || !change.claim.take(),
            Ask::Step(_) => false,
        };
        if is_given_up {
            return None;
        }
        let begun = self.conn.execute_batch("SAVEPOINT member").store_err().and_then(|()| read_head(&self.conn));
        let checked = begun.and_then(|before| self.owner.check(&before).map(|()| before).map_err(StoreError::from));
        let before = match checked {
            Ok(before) => before,
            Err(error) => {
                undo_member(&self.conn);
                ask.refuse(error);
                return None;
            }
        };
        let answer = match ask {
            Ask::Write { origin, slot } => self.hold(before, &origin, slot),
            Ask::Change(change) => self.change(before, *change),
            Ask::Step(work) => run_step(&self.conn, work),
        };
        if answer.is_none() {
            undo_member(&self.conn);
        }
        answer
    }

    /// Writes a change.
    fn change(&mut self, before: HeadRow, change: WaitingChange) -> Option<Answer> {
        let WaitingChange { origin, work, answer, .. } = change;
        let conn = &self.conn;
        let mut session = Session::new(before, &origin, mem::take(&mut self.keys));
        let written = catch_unwind(AssertUnwindSafe(|| {
            work(conn, &mut session)?;
            session.write_usage(conn)?;
            session.keep(conn)
        }));
        let written = written.unwrap_or_else(|_| Err(failed("the work of a change ended in a panic")));
        match written {
            Ok(()) => self.close(session, answer),
            Err(error) => {
                drop(answer.send(Err(error)));
                None
            }
        }
    }

    /// Closes a change, and gives how to answer it.
    fn close(&mut self, session: Session, answer: oneshot::Sender<Result<ChainHead, StoreError>>) -> Option<Answer> {
        let conn = &self.conn;
        let closed =
            session.close(conn).and_then(|closed| conn.execute_batch("RELEASE member").store_err().map(|()| closed));
        match closed {
            Ok((head, keys)) => {
                self.keys = keys;
                Some(Box::new(move |group| drop(answer.send(group.map(|()| head)))))
            }
            Err(error) => {
                drop(answer.send(Err(error)));
                None
            }
        }
    }

    /// Does what the holder of the slot asks for, until it commits, is dropped, fails or falls silent.
    fn hold(
        &mut self,
        before: HeadRow,
        origin: &Origin,
        slot: oneshot::Sender<Result<WriteSlot, StoreError>>,
    ) -> Option<Answer> {
        let mut session = Session::new(before, origin, mem::take(&mut self.keys));
        let (calls, inbox) = channel();
        let granted = WriteSlot::new(calls, before.head, origin.intent.at, self.shortage(), self.others.clone());
        slot.send(Ok(granted)).ok()?;
        loop {
            match inbox.recv_timeout(self.options.hold).ok()? {
                Call::Run(job) => match job(&self.conn, &mut session) {
                    After::GoOn => {}
                    After::End => return None,
                },
                Call::Commit(answer) => {
                    return self.close(session, answer);
                }
            }
        }
    }
}

/// The error of those of whom nothing is kept through no fault that is known to be theirs.
fn again(cause: Trouble) -> StoreError {
    StoreError::Busy(Some(Box::new(cause)))
}

fn of_disk(cause: Trouble) -> StoreError {
    disk_failed(cause.0)
}

fn of_store(cause: Trouble) -> StoreError {
    StoreError::Failed(Box::new(cause))
}

/// Tells every member of a group the same error.
fn end_all(closed: Vec<Answer>, reason: &str, error: fn(Trouble) -> StoreError) {
    tracing::error!(reason, members = closed.len(), "a group of write transactions failed");
    for answer in closed {
        answer(Err(error(Trouble(reason.to_owned()))));
    }
}

fn roll_back(conn: &Connection) {
    if conn.is_autocommit() {
        return;
    }
    if let Err(error) = conn.execute_batch("ROLLBACK") {
        tracing::error!(%error, "a write transaction could not be undone");
    }
}

/// Runs a step.
fn run_step(conn: &Connection, work: Step) -> Option<Answer> {
    let (is_done, answer) = work(Ok(conn));
    if !is_done {
        answer(Ok(()));
        return None;
    }
    match conn.execute_batch("RELEASE member").store_err() {
        Ok(()) => Some(answer),
        Err(error) => {
            answer(Err(error));
            None
        }
    }
}

/// Takes back what a member wrote; the members before it stay. Where that is impossible the whole group goes.
fn undo_member(conn: &Connection) {
    if !conn.is_autocommit() && conn.execute_batch("ROLLBACK TO member; RELEASE member").is_err() {
        roll_back(conn);
    }
}
