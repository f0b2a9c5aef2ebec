//! What waits for a file's writing thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SendError, Sender, channel};
use std::time::Duration;

use ports::ChainHead;
use ports::store::StoreError;
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::others::Others;
use super::slot::WriteSlot;
use crate::queue::Watch;
use crate::session::{Origin, Session};

/// What waits for the thread.
pub(super) enum Ask {
    /// A transaction that waits for its slot.
    Write {
        /// Who opened it, and what for.
        origin: Origin,
        /// Where the slot is waited for.
        slot: oneshot::Sender<Result<WriteSlot, StoreError>>,
    },
    /// A change that is written in one step.
    Change(Box<WaitingChange>),
    /// Short work that is no change.
    Step(Step),
}

/// A change that waits to be written.
pub(super) struct WaitingChange {
    /// Who makes it, and what for.
    pub(super) origin: Origin,
    /// Writes it.
    pub(super) work: ChangeWork,
    /// Whether it begins or is given up.
    pub(super) claim: Claim,
    /// Where the new head is waited for.
    pub(super) answer: oneshot::Sender<Result<ChainHead, StoreError>>,
}

pub(super) type ChangeWork = Box<dyn FnOnce(&Connection, &mut Session) -> Result<(), StoreError> + Send>;

/// What the thread that begins something and the caller who gives it up both try to take: one of them gets it.
#[derive(Clone, Debug, Default)]
pub(super) struct Claim(Arc<AtomicBool>);

impl Claim {
    pub(super) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

/// Work on the connection, or what stands in its way; says whether it succeeded, and how to answer its caller once that
/// is on the disk.
pub(super) type Step = Box<dyn FnOnce(Result<&Connection, StoreError>) -> (bool, Answer) + Send>;

/// Tells a member of a group whether the group was committed.
pub(super) type Answer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

impl Ask {
    /// Answers without having begun.
    pub(super) fn refuse(self, error: StoreError) {
        match self {
            // Who gave up waiting needs no answer.
            Self::Write { slot, .. } => drop(slot.send(Err(error))),
            Self::Change(change) => drop(change.answer.send(Err(error))),
            Self::Step(work) => work(Err(error)).1(Ok(())),
        }
    }
}

/// Where those come in who want to write, and how many of them wait.
pub(super) fn asks() -> (Asks, Waiting) {
    let (sender, receiver) = channel();
    let count = Arc::new(AtomicUsize::new(0));
    (Asks { sender, count: Arc::clone(&count) }, Waiting { receiver, count })
}

/// The way to the thread.
#[derive(Debug)]
pub(super) struct Asks {
    sender: Sender<Ask>,
    count: Arc<AtomicUsize>,
}

impl Asks {
    /// Stands behind those who wait; an error when the thread has ended.
    pub(super) fn send(&self, ask: Ask) -> Result<(), SendError<Ask>> {
        self.count.fetch_add(1, Ordering::AcqRel);
        self.sender.send(ask).inspect_err(|_| {
            self.count.fetch_sub(1, Ordering::AcqRel);
        })
    }
}

/// Those who wait, as the thread takes them on.
#[derive(Debug)]
pub(super) struct Waiting {
    receiver: Receiver<Ask>,
    count: Arc<AtomicUsize>,
}

impl Waiting {
    /// The next one, whenever it comes.
    pub(super) fn next(&self) -> Result<Ask, RecvTimeoutError> {
        self.receiver.recv().map(|ask| self.taken(ask)).map_err(|_| RecvTimeoutError::Disconnected)
    }

    /// The next one, if it comes within that time.
    pub(super) fn next_within(&self, patience: Duration) -> Result<Ask, RecvTimeoutError> {
        self.receiver.recv_timeout(patience).map(|ask| self.taken(ask))
    }

    /// The next one, if it is there.
    pub(super) fn next_now(&self) -> Option<Ask> {
        self.receiver.try_recv().ok().map(|ask| self.taken(ask))
    }

    fn taken(&self, ask: Ask) -> Ask {
        self.count.fetch_sub(1, Ordering::AcqRel);
        ask
    }

    /// What sees whether somebody waits, here or in another process.
    pub(super) fn others(&self, processes: Watch) -> Others {
        Others::new(Arc::clone(&self.count), processes)
    }
}
