//! Changes of activities that wait for their turn on this node: those of a tenant that wait at the same time share one
//! transaction, and so one write to the disk. Each stays a change of its own.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ports::store::StoreError;
use ports::{ChainHead, TenantId};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::activity::{Change, Fate, write_group};
use crate::conn::TenantConn;
use crate::database::Database;
use crate::error::failed;
use crate::head::{self, Lock};
use crate::references::ReferenceCache;

/// How many changes share a transaction at most.
const GROUP: usize = 64;
/// Tenants that are remembered while none of their changes waits.
const IDLE: usize = 1_000;

/// The changes that wait, of all tenants.
pub(crate) struct SharedTurns {
    database: Arc<Database>,
    references: Arc<ReferenceCache>,
    tenants: Mutex<HashMap<TenantId, Queue>>,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// Whether a task is at work that writes them.
    is_served: bool,
}

/// A change that waits to be written.
struct Waiting {
    change: Change,
    claim: Claim,
    answer: oneshot::Sender<Outcome>,
}

/// What a group does with a change.
pub(crate) enum Outcome {
    /// It is written, or will not be.
    Done(Result<ChainHead, StoreError>),
    /// Nothing of the group is written, since something stood in the way of one of them: it has to be tried alone.
    Alone(Change),
}

/// What the task that writes a change and the caller who gives it up both try to take: one of them gets it.
#[derive(Clone, Debug, Default)]
struct Claim(Arc<AtomicBool>);

impl Claim {
    fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

impl fmt::Debug for SharedTurns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedTurns").field("tenants", &self.lock().len()).finish()
    }
}

impl SharedTurns {
    /// No changes wait yet.
    pub(crate) fn new(database: Arc<Database>, references: Arc<ReferenceCache>) -> Self {
        Self { database, references, tenants: Mutex::default() }
    }

    /// Has a change written with the others that wait, and waits until it is on the disk.
    pub(crate) async fn write(self: &Arc<Self>, tenant: TenantId, change: Change) -> Outcome {
        let (answer, mut done) = oneshot::channel();
        let claim = Claim::default();
        if self.push(tenant, Waiting { change, claim: claim.clone(), answer }) {
            let service = Service { turns: Arc::clone(self), tenant, has_ended: false };
            // A task of its own: whoever leaves takes nobody else's change away.
            tokio::spawn(service.run());
        }
        let outcome = match timeout(self.database.options().turn, &mut done).await {
            Ok(outcome) => outcome,
            Err(_) if claim.take() => return Outcome::Done(Err(StoreError::Busy(None))),
            // Its turn has come.
            Err(_) => done.await,
        };
        outcome.unwrap_or_else(|_| Outcome::Done(Err(failed("the task that writes has ended"))))
    }

    /// Puts a change at the end of the queue; says whether a task has to be started that writes it.
    fn push(&self, tenant: TenantId, waiting: Waiting) -> bool {
        let mut tenants = self.lock();
        if tenants.len() > IDLE {
            tenants.retain(|_, queue| queue.is_served);
        }
        let queue = tenants.entry(tenant).or_default();
        queue.waiting.push_back(waiting);
        !std::mem::replace(&mut queue.is_served, true)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TenantId, Queue>> {
        // Nothing that holds the lock can fail half-way.
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The task that writes a tenant's changes for as long as some wait.
struct Service {
    turns: Arc<SharedTurns>,
    tenant: TenantId,
    has_ended: bool,
}

impl Service {
    async fn run(mut self) {
        while self.goes_on() {
            match self.turns.database.write(self.tenant).await {
                Ok(conn) => self.write(conn).await,
                Err(error) => {
                    answer(
                        self.take(usize::MAX).into_iter().map(|one| (one.answer, Outcome::Done(Err(repeated(&error))))),
                    );
                }
            }
        }
    }

    /// Whether some wait. Where none does, the next one has to start a task.
    fn goes_on(&mut self) -> bool {
        let mut tenants = self.turns.lock();
        let queue = tenants.entry(self.tenant).or_default();
        queue.is_served = !queue.waiting.is_empty();
        self.has_ended = !queue.is_served;
        queue.is_served
    }

    /// The first that wait and were not given up, at most so many.
    fn take(&self, most: usize) -> Vec<Waiting> {
        let mut tenants = self.turns.lock();
        let Some(queue) = tenants.get_mut(&self.tenant) else { return Vec::new() };
        let mut taken = Vec::new();
        while taken.len() < most
            && let Some(waiting) = queue.waiting.pop_front()
        {
            if !waiting.answer.is_closed() && waiting.claim.take() {
                taken.push(waiting);
            }
        }
        taken
    }

    /// Writes those that wait by now in that transaction, and answers them.
    async fn write(&self, conn: TenantConn) {
        let group = self.take(GROUP);
        if group.is_empty() {
            return;
        }
        let (changes, answers): (Vec<_>, Vec<_>) = group.into_iter().map(|one| (one.change, one.answer)).unzip();
        let (fates, committed) = match self.commit(conn, &changes).await {
            Ok(done) => done,
            Err(StoreError::Busy(_)) => {
                return answer(answers.into_iter().map(|one| (one, Outcome::Done(Err(StoreError::Busy(None))))));
            }
            // Whose fault it is shows when each is tried alone.
            Err(_) => return answer(answers.into_iter().zip(changes.into_iter().map(Outcome::Alone))),
        };
        let (mut outcomes, mut later) = (Vec::new(), Vec::new());
        for ((fate, change), answer) in fates.into_iter().zip(changes).zip(answers) {
            match fate {
                Fate::Written(head) => {
                    let outcome = committed.as_ref().map(|()| head).map_err(repeated);
                    outcomes.push((answer, Outcome::Done(outcome)));
                }
                Fate::Refused(error) => outcomes.push((answer, Outcome::Done(Err(error)))),
                Fate::Later => later.push(Waiting { change, claim: Claim::default(), answer }),
            }
        }
        self.put_back(later);
        answer(outcomes.into_iter());
    }

    /// Writes a group. Says what becomes of each change if the transaction was committed, and whether it was.
    async fn commit(
        &self,
        mut conn: TenantConn,
        changes: &[Change],
    ) -> Result<(Vec<Fate>, Result<(), StoreError>), StoreError> {
        let before = head::read(&mut conn, Lock::Write).await?;
        let mut references = self.turns.references.take(self.tenant, before.head);
        let (fates, after) = write_group(&mut conn, before, &mut references, changes).await?;
        let committed = conn.commit().await;
        if committed.is_ok() {
            self.turns.references.keep(self.tenant, after, references);
        }
        Ok((fates, committed))
    }

    /// Puts changes at the head of the queue.
    fn put_back(&self, changes: Vec<Waiting>) {
        let mut tenants = self.turns.lock();
        let queue = tenants.entry(self.tenant).or_default();
        for change in changes.into_iter().rev() {
            queue.waiting.push_front(change);
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if !self.has_ended {
            // It was broken off: those who wait learn it, and the next one starts a task.
            self.turns.lock().remove(&self.tenant);
        }
    }
}

fn answer(outcomes: impl Iterator<Item = (oneshot::Sender<Outcome>, Outcome)>) {
    for (answer, outcome) in outcomes {
        // Who left needs no answer.
        drop(answer.send(outcome));
    }
}

/// The same error for one more caller.
fn repeated(error: &StoreError) -> StoreError {
    match error {
        StoreError::Busy(_) => StoreError::Busy(None),
        StoreError::Unknown(cause) => StoreError::Unknown(cause.to_string().into()),
        StoreError::Failed(cause) => failed(cause.to_string()),
        StoreError::Conflict(_) | StoreError::Stale | StoreError::Corrupt { .. } => failed(error.to_string()),
    }
}
