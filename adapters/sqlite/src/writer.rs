//! The thread that owns a file's writing connection and grants it to one transaction at a time.
//!
//! Each transaction is a savepoint in a running SQLite transaction. When nobody waits, or the group is full or old, the
//! thread commits, and only then answers the group's members: they share one write to the disk.

mod turn;

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use ports::ChainHead;
use ports::store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use crate::error::{Meaning as _, busy, failed, of_sqlite};
use crate::options::Options;
use crate::owner::Owner;
use crate::session::{HeadRow, Origin, Session, read_head};

pub(crate) use turn::Turn;
use turn::{After, Call};

/// The way to a file's writing thread. Dropping it ends the thread, as [`close`](Self::close) does.
#[derive(Debug)]
pub(crate) struct Writer {
    running: Mutex<Option<Running>>,
    options: Options,
}

/// A thread that takes on transactions, until the sender is dropped.
#[derive(Debug)]
struct Running {
    asks: Sender<Ask>,
    thread: JoinHandle<()>,
}

/// A transaction that waits for its turn.
struct Ask {
    origin: Arc<Origin>,
    turn: oneshot::Sender<Result<Turn, StoreError>>,
}

/// A transaction that was closed and waits for the group's commit.
struct Closed {
    answer: oneshot::Sender<Result<ChainHead, StoreError>>,
    head: ChainHead,
}

impl Writer {
    /// Starts the thread, on the file of that owner.
    pub(crate) fn start(conn: Connection, owner: Owner, options: Options) -> Result<Self, StoreError> {
        let (asks, waiting) = channel();
        let limits = options.clone();
        let thread = thread::Builder::new()
            .name("tonne-writer".to_owned())
            .spawn(move || {
                while let Ok(first) = waiting.recv() {
                    run_group(&conn, &owner, first, &waiting, &limits);
                }
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

    /// Waits for a turn, as long as the options say.
    pub(crate) async fn turn(&self, origin: Origin) -> Result<Turn, StoreError> {
        let (turn, granted) = oneshot::channel();
        self.ask(Ask { origin: Arc::new(origin), turn })?;
        match tokio::time::timeout(self.options.wait, granted).await {
            Ok(Ok(granted)) => granted,
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

/// Serves one transaction after another in one SQLite transaction and commits it.
fn run_group(conn: &Connection, owner: &Owner, first: Ask, waiting: &Receiver<Ask>, options: &Options) {
    if let Err(error) = conn.execute_batch("BEGIN IMMEDIATE") {
        // Who gave up waiting needs no answer.
        let _ = first.turn.send(Err(of_sqlite(error)));
        return;
    }
    let started = Instant::now();
    let (mut closed, mut members, mut next) = (Vec::new(), 0, Some(first));
    while let Some(ask) = next.take() {
        closed.extend(serve(conn, owner, ask, options));
        if conn.is_autocommit() {
            return fail_all(closed, "SQLite undid the transaction that this one shared a commit with");
        }
        members += 1;
        if members < options.group && started.elapsed() < options.group_time {
            next = waiting.try_recv().ok();
        }
    }
    match conn.execute_batch("COMMIT") {
        Ok(()) => {
            for Closed { answer, head } in closed {
                let _ = answer.send(Ok(head));
            }
        }
        Err(error) => {
            roll_back(conn);
            fail_all(closed, &format!("the commit failed: {error}"));
        }
    }
}

fn fail_all(closed: Vec<Closed>, reason: &str) {
    tracing::error!(reason, members = closed.len(), "a group of write transactions failed");
    for Closed { answer, .. } in closed {
        let _ = answer.send(Err(failed(reason)));
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

/// Serves one transaction to its end. `None` when it left nothing behind.
fn serve(conn: &Connection, owner: &Owner, ask: Ask, options: &Options) -> Option<Closed> {
    if ask.turn.is_closed() {
        return None;
    }
    let begun = conn.execute_batch("SAVEPOINT member").meant().and_then(|()| read_head(conn));
    match begun.and_then(|before| owner.check(&before).map(|()| before).map_err(StoreError::from)) {
        Ok(before) => {
            let closed = hold(conn, before, ask, options);
            if closed.is_none() {
                undo_member(conn);
            }
            closed
        }
        Err(error) => {
            undo_member(conn);
            let _ = ask.turn.send(Err(error));
            None
        }
    }
}

/// Does what the holder of the turn asks for, until it commits, is dropped, fails or falls silent.
fn hold(conn: &Connection, before: HeadRow, ask: Ask, options: &Options) -> Option<Closed> {
    let mut session = Session::new(before, ask.origin);
    let (calls, inbox) = channel();
    ask.turn.send(Ok(Turn::new(calls, before.head))).ok()?;
    loop {
        match inbox.recv_timeout(options.hold).ok()? {
            Call::Run(job) => match job(conn, &mut session) {
                After::GoOn => {}
                After::End => return None,
            },
            Call::Commit(answer) => {
                let head =
                    session.close(conn).and_then(|head| conn.execute_batch("RELEASE member").meant().map(|()| head));
                return match head {
                    Ok(head) => Some(Closed { answer, head }),
                    Err(error) => {
                        let _ = answer.send(Err(error));
                        None
                    }
                };
            }
        }
    }
}

/// Takes back what a member wrote; the members before it stay. Where that is impossible the whole group goes.
fn undo_member(conn: &Connection) {
    if !conn.is_autocommit() && conn.execute_batch("ROLLBACK TO member; RELEASE member").is_err() {
        roll_back(conn);
    }
}
