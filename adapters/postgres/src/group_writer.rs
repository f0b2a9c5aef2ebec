//! Changes of activities that wait for their turn on this node: those of a tenant that wait at the same time share one
//! transaction, and so one write to the disk. Each stays a change of its own.

mod queue;

use std::sync::Arc;

use ports::store::StoreError;
use ports::{ChainHead, TenantId, metric};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::activity::{Change, MemberResult, write_group};
use crate::conn::TenantConn;
use crate::database::Database;
use crate::error::{SharedError, Trouble};
use crate::head::{self, Lock};
use crate::known_references::ReferenceCache;
use crate::options::Options;

use queue::{Claim, Queues, Waiting};

/// How many changes share a transaction at most.
const GROUP: usize = 64;
/// From so many activities on no further change joins a group.
const ACTIVITIES: usize = 500;

/// Writes the changes that wait, of all tenants.
#[derive(Debug)]
pub(crate) struct GroupWriter {
    database: Arc<Database>,
    references: Arc<ReferenceCache>,
    queues: Queues,
}

/// How a change in a group ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// It is on the disk, or will not be written.
    Done(Result<ChainHead, StoreError>),
    /// Nothing of its group is written, for a reason that is not known to be another's: it has to be tried again alone.
    Retry(Change),
}

impl GroupWriter {
    /// No changes wait yet.
    pub(crate) fn new(database: Arc<Database>, references: Arc<ReferenceCache>) -> Self {
        Self { database, references, queues: Queues::default() }
    }

    /// Has a change written with the others that wait, and waits for how it ends.
    pub(crate) async fn write(self: &Arc<Self>, tenant: TenantId, change: Change) -> Ending {
        let (ending, mut ended) = oneshot::channel();
        let claim = Claim::default();
        let waiting = Waiting { change, claim: claim.clone(), ending };
        if self.queues.push(tenant, waiting) {
            let task = Task { writer: Arc::clone(self), tenant, has_ended: false };
            // Nobody's change depends on whoever came first: not on that caller, nor on the thread that serves them.
            self.database.runtime().spawn(task.run());
        }
        // As long as other writers wait: for their turn, and then for a connection.
        let Options { turn, wait, .. } = self.database.options();
        let waited = timeout(*turn + *wait, &mut ended).await;
        if waited.is_err() && claim.take() {
            return Ending::Done(Err(StoreError::Busy(None)));
        }
        // Its turn has come, if it did not end already.
        let ending = match waited {
            Ok(ending) => ending,
            Err(_) => ended.await,
        };
        ending.unwrap_or_else(|_| Ending::Done(Err(broken_off(&claim))))
    }
}

/// The error where the task ended without an answer.
fn broken_off(claim: &Claim) -> StoreError {
    if claim.take() {
        return StoreError::Busy(None);
    }
    StoreError::Unknown(Box::new(Trouble("the task that writes ended before it answered".to_owned())))
}

/// The task that writes a tenant's changes for as long as some wait.
struct Task {
    writer: Arc<GroupWriter>,
    tenant: TenantId,
    has_ended: bool,
}

impl Task {
    async fn run(mut self) {
        while let Some(count) = self.writer.queues.count_or_end(self.tenant) {
            match self.writer.database.write(self.tenant).await {
                Ok(conn) => self.write(conn).await,
                Err(error) => {
                    // Those who came later may wait as long as these did.
                    let waiting = self.writer.queues.claim(self.tenant, count, usize::MAX);
                    let error = SharedError::of(error);
                    answer(waiting.into_iter().map(|one| (one.ending, Ending::Done(Err(error.again())))));
                }
            }
        }
        self.has_ended = true;
    }

    /// Writes those that wait by now in that transaction, and answers them.
    async fn write(&self, conn: TenantConn) {
        let group = self.writer.queues.claim(self.tenant, GROUP, ACTIVITIES);
        if group.is_empty() {
            return;
        }
        let (changes, endings): (Vec<_>, Vec<_>) = group.into_iter().map(|one| (one.change, one.ending)).unzip();
        let (results, committed) = match self.commit(conn, &changes).await {
            Ok(done) => done,
            Err(error @ StoreError::Busy(_)) => {
                let error = SharedError::of(error);
                return answer(endings.into_iter().map(|one| (one, Ending::Done(Err(error.again())))));
            }
            // Whose fault it is shows when each is tried alone.
            Err(_) => return answer(endings.into_iter().zip(changes.into_iter().map(Ending::Retry))),
        };
        let committed = committed.map_err(SharedError::of);
        let (mut answers, mut next) = (Vec::new(), Vec::new());
        for ((result, change), ending) in results.into_iter().zip(changes).zip(endings) {
            match result {
                MemberResult::Written(head) => {
                    let done = committed.as_ref().map(|()| head).map_err(SharedError::again);
                    answers.push((ending, Ending::Done(done)));
                }
                MemberResult::Refused(error) => answers.push((ending, Ending::Done(Err(error)))),
                MemberResult::NextGroup => next.push(Waiting { change, claim: Claim::default(), ending }),
            }
        }
        self.writer.queues.put_back(self.tenant, next);
        answer(answers.into_iter());
    }

    /// Writes a group. Gives the result of each change, which holds if the transaction was committed, and whether it was.
    async fn commit(
        &self,
        mut conn: TenantConn,
        changes: &[Change],
    ) -> Result<(Vec<MemberResult>, Result<(), StoreError>), StoreError> {
        let before = head::read(&mut conn, Lock::Write).await?;
        let mut references = self.writer.references.take(self.tenant, before.head);
        let (results, after) = write_group(&mut conn, before, &mut references, changes).await?;
        let committed = conn.commit().await;
        if committed.is_ok() {
            let written = results.iter().filter(|result| matches!(result, MemberResult::Written(_))).count();
            let size = u32::try_from(written).unwrap_or(u32::MAX);
            if size > 0 {
                metrics::histogram!(metric::GROUP_SIZE.name).record(size);
            }
            self.writer.references.keep(self.tenant, after, references);
        }
        Ok((results, committed))
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if !self.has_ended {
            // It was broken off: those who wait learn it, and the next one starts a task.
            self.writer.queues.remove(self.tenant);
        }
    }
}

fn answer(endings: impl Iterator<Item = (oneshot::Sender<Ending>, Ending)>) {
    for (waiting, ending) in endings {
        // Who left needs no answer.
        drop(waiting.send(ending));
    }
}
