//! The queue of the processes that write one file: first come, first served.
//!
//! SQLite's own lock is what keeps writers apart, but whoever waits for it polls, and a process that begins its next
//! transaction at once nearly always comes first. So each takes the turn before it begins. Two empty files beside the
//! database are locked for that: `-next` by the first in the queue, which waits for `-turn` and then makes room in `-next`.
//! A process that gives its turn back and wants another one finds `-next` locked by whoever waits, and stands behind it.
//!
//! The system releases the locks of a process that ends, however it ends. The turn is never needed for correctness: where
//! it does not come although nobody writes, such as beside a process that is stopped while it waits, or where the files
//! cannot be made, writers go on without.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

use crate::private;

/// One in so many parts of the time that a writer waits: when the turn did not come in it, the writer looks whether anybody
/// writes at all.
const PARTS: u32 = 10;

/// How long after the lock files could not be locked it is tried again.
const AGAIN: Duration = Duration::from_mins(1);

/// A writer's way into the queue of a file.
#[derive(Debug)]
pub(crate) struct Queue(Option<Arc<Locks>>);

/// The files that are locked, and how far this writer is.
#[derive(Debug)]
struct Locks {
    next: File,
    turn: File,
    place: Mutex<Place>,
    moved: Condvar,
}

/// Where a writer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Not in the queue.
    Outside,
    /// A thread waits for its turn. The thread gives it back at once when nobody wants it any more.
    Queued(Wanted),
    /// It has the turn.
    Turn,
    /// The system could not lock these files at that moment.
    Unable(Instant),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Yes,
    No,
}

/// What came of waiting.
enum Came {
    Turn,
    Nothing,
    /// There is no queue.
    Never,
}

/// How far an attempt came that waits for nobody.
enum Step {
    Turn,
    /// The first in the queue.
    Next,
    Behind,
}

impl Queue {
    /// The queue of that database file.
    pub(crate) fn of(path: &Path) -> Self {
        let locks = Locks::beside(path).inspect_err(|error| {
            let file = path.display();
            tracing::warn!(%error, %file, "processes that write this file do not take turns: its lock files cannot be used");
        });
        Self(locks.ok().map(Arc::new))
    }

    /// Begins to write, in turn, and waits about so long for it. The turn lasts until it is [ended](Self::end).
    pub(crate) fn begin(&self, conn: &Connection, wait: Duration) -> Result<(), rusqlite::Error> {
        let (until, part) = (Instant::now() + wait, wait / PARTS);
        // Where the turn did not come the time before, it may be a stopped process that has it.
        let mut patience = if self.is_queued() { Duration::ZERO } else { part };
        while let Came::Nothing = self.take(patience) {
            match begin_at_once(conn, wait) {
                Err(error) if is_busy(&error) && Instant::now() < until => patience = part,
                done => return done,
            }
        }
        conn.execute_batch("BEGIN IMMEDIATE")
    }

    /// Ends the turn, if this writer has it.
    pub(crate) fn end(&self) {
        let Some(locks) = &self.0 else { return };
        let mut place = locks.place();
        if *place == Place::Turn {
            *place = locks.give_back();
        }
    }

    /// What sees whether other processes wait.
    pub(crate) fn watch(&self) -> Watch {
        Watch(self.0.clone())
    }

    fn is_queued(&self) -> bool {
        self.0.as_ref().is_some_and(|locks| matches!(*locks.place(), Place::Queued(_)))
    }

    /// Waits for the turn. When it does not come in time, the place in the queue is kept for the next call.
    fn take(&self, patience: Duration) -> Came {
        let Some(locks) = &self.0 else { return Came::Never };
        let mut place = locks.place();
        if place.may_enter() {
            *place = locks.enter();
        }
        if let Place::Queued(wanted) = &mut *place {
            *wanted = Wanted::Yes;
        }
        let is_queued = |place: &mut Place| matches!(place, Place::Queued(_));
        let (mut place, _) =
            locks.moved.wait_timeout_while(place, patience, is_queued).unwrap_or_else(PoisonError::into_inner);
        match &mut *place {
            Place::Turn => Came::Turn,
            Place::Queued(wanted) => {
                *wanted = Wanted::No;
                Came::Nothing
            }
            Place::Outside | Place::Unable(_) => Came::Never,
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.end();
    }
}

/// Sees whether other processes wait for the turn of a writer.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Option<Arc<Locks>>);

impl Watch {
    /// Whether another process is the next in the queue, while this writer has the turn.
    pub(crate) fn others_wait(&self) -> bool {
        let Some(locks) = &self.0 else { return false };
        let place = locks.place();
        // Outside its turn this writer's own thread may stand in the queue, whose place must not be given away.
        *place == Place::Turn
            && match locks.next.try_lock() {
                Ok(()) => {
                    // Whoever came in this moment stands behind and is woken by it.
                    let _ = locks.next.unlock();
                    false
                }
                Err(TryLockError::WouldBlock) => true,
                Err(TryLockError::Error(_)) => false,
            }
    }
}

impl Locks {
    fn beside(path: &Path) -> io::Result<Self> {
        let open = |end| {
            let mut name = path.as_os_str().to_owned();
            name.push(end);
            private::open_or_make(Path::new(&name))
        };
        let (next, turn) = (open("-next")?, open("-turn")?);
        Ok(Self { next, turn, place: Mutex::new(Place::Outside), moved: Condvar::new() })
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the turn where nobody has it; else has a thread wait for it. The system wakes those who wait in the order in
    /// which they came, and has no such wait with an end: hence the thread.
    fn enter(self: &Arc<Self>) -> Place {
        let step = match self.try_step() {
            Ok(Step::Turn) => return Place::Turn,
            Ok(step) => step,
            Err(error) => return self.unable(&error),
        };
        let locks = Arc::clone(self);
        let waiting = thread::Builder::new().name("tonne-queue".to_owned()).spawn(move || {
            let came = locks.wait(&step);
            let mut place = locks.place();
            *place = match (came, *place) {
                (Err(error), _) => locks.unable(&error),
                (Ok(()), Place::Queued(Wanted::Yes)) => Place::Turn,
                (Ok(()), _) => locks.give_back(),
            };
            locks.moved.notify_all();
        });
        match waiting {
            Ok(_) => Place::Queued(Wanted::Yes),
            Err(error) => self.unable(&error),
        }
    }

    fn try_step(&self) -> io::Result<Step> {
        match self.next.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Step::Behind),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        match self.turn.try_lock() {
            Ok(()) => self.next.unlock().map(|()| Step::Turn),
            Err(TryLockError::WouldBlock) => Ok(Step::Next),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Waits for the turn, from that step on.
    fn wait(&self, from: &Step) -> io::Result<()> {
        match from {
            Step::Turn => return Ok(()),
            Step::Next => {}
            Step::Behind => lock(&self.next)?,
        }
        lock(&self.turn)?;
        self.next.unlock()
    }

    fn give_back(&self) -> Place {
        self.turn.unlock().map_or_else(|error| self.unable(&error), |()| Place::Outside)
    }

    /// Leaves the queue for a while.
    fn unable(&self, error: &io::Error) -> Place {
        tracing::warn!(%error, "processes that write a file do not take turns for a while: its lock files cannot be locked");
        // What was locked, if anything, stands in nobody's way.
        let _ = (self.next.unlock(), self.turn.unlock());
        Place::Unable(Instant::now())
    }
}

impl Place {
    /// Whether it may be tried to get into the queue.
    fn may_enter(self) -> bool {
        match self {
            Self::Outside => true,
            Self::Unable(since) => since.elapsed() >= AGAIN,
            Self::Queued(_) | Self::Turn => false,
        }
    }
}

/// Locks a file, also where a signal comes between.
fn lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Begins to write where nobody else does.
fn begin_at_once(conn: &Connection, wait: Duration) -> Result<(), rusqlite::Error> {
    conn.busy_timeout(Duration::ZERO)?;
    let begun = conn.execute_batch("BEGIN IMMEDIATE");
    conn.busy_timeout(wait)?;
    begun
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
