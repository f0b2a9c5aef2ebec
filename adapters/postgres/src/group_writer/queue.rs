//! The changes that wait, by tenant, and who has one: the task that writes it, or the caller who gives it up.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ports::TenantId;
use tokio::sync::oneshot;

use super::Ending;
use crate::activity::Change;

/// A change that waits to be written.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) change: Change,
    pub(super) claim: Claim,
    /// Where its end is waited for.
    pub(super) ending: oneshot::Sender<Ending>,
}

/// What the task that writes a change and the caller who gives it up both try to take: one of them gets it.
#[derive(Clone, Debug, Default)]
pub(super) struct Claim(Arc<AtomicBool>);

impl Claim {
    pub(super) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

/// The queues of those tenants whose changes a task writes.
#[derive(Debug, Default)]
pub(super) struct Queues(Mutex<HashMap<TenantId, VecDeque<Waiting>>>);

impl Queues {
    /// Puts a change at the end of its queue; says whether there was none, so that a task has to be started.
    pub(super) fn push(&self, tenant: TenantId, waiting: Waiting) -> bool {
        let mut queues = self.lock();
        let is_new = !queues.contains_key(&tenant);
        queues.entry(tenant).or_default().push_back(waiting);
        is_new
    }

    /// Puts changes at the head of their queue.
    pub(super) fn put_back(&self, tenant: TenantId, changes: Vec<Waiting>) {
        let mut queues = self.lock();
        let queue = queues.entry(tenant).or_default();
        changes.into_iter().rev().for_each(|change| queue.push_front(change));
    }

    /// How many wait. Where none does the queue is removed, and the task that served it has ended.
    pub(super) fn count_or_end(&self, tenant: TenantId) -> Option<usize> {
        let mut queues = self.lock();
        let count = queues.get(&tenant).map_or(0, VecDeque::len);
        if count == 0 {
            queues.remove(&tenant);
        }
        (count > 0).then_some(count)
    }

    /// The first that wait and were not given up: of at most so many, and until they have so many activities.
    pub(super) fn claim(&self, tenant: TenantId, most: usize, activities: usize) -> Vec<Waiting> {
        let mut queues = self.lock();
        let Some(queue) = queues.get_mut(&tenant) else { return Vec::new() };
        let (mut claimed, mut size) = (Vec::new(), 0);
        for _ in 0..most {
            if size >= activities {
                break;
            }
            let Some(waiting) = queue.pop_front() else { break };
            if !waiting.ending.is_closed() && waiting.claim.take() {
                size += waiting.change.writes.len();
                claimed.push(waiting);
            }
        }
        claimed
    }

    /// Removes a queue with all that wait in it.
    pub(super) fn remove(&self, tenant: TenantId) {
        self.lock().remove(&tenant);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TenantId, VecDeque<Waiting>>> {
        // Nothing that holds the lock can fail half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use domain::{Digest, Timestamp};
    use ports::ChainHead;
    use ports::store::Intent;
    use uuid::Uuid;

    use super::*;

    fn tenant() -> TenantId {
        TenantId::new(Uuid::from_u128(1))
    }

    /// A change of that cause, and where its end is waited for.
    fn waiting(cause: &str) -> (Waiting, oneshot::Receiver<Ending>) {
        let (ending, ended) = oneshot::channel();
        let intent = Intent { at: Timestamp::from_millis(0).unwrap(), cause: cause.to_owned() };
        let since = ChainHead { number: 0, digest: Digest::ZERO, epoch: Uuid::nil(), catalog: 0 };
        let change = Change { intent, actor: "me".to_owned(), since, writes: Vec::new() };
        (Waiting { change, claim: Claim::default(), ending }, ended)
    }

    fn causes(claimed: &[Waiting]) -> Vec<&str> {
        claimed.iter().map(|one| &*one.change.intent.cause).collect()
    }

    #[test]
    fn the_first_of_a_queue_starts_a_task_and_so_does_the_first_after_its_end() {
        let queues = Queues::default();
        let (one, _one) = waiting("1");
        let (two, _two) = waiting("2");
        assert!(queues.push(tenant(), one));
        assert!(!queues.push(tenant(), two));
        assert_eq!(queues.count_or_end(tenant()), Some(2));
        assert_eq!(causes(&queues.claim(tenant(), 9, 9)), ["1", "2"]);
        let (three, _three) = waiting("3");
        assert!(!queues.push(tenant(), three), "the task is still at work");
        drop(queues.claim(tenant(), 9, 9));
        assert_eq!(queues.count_or_end(tenant()), None);
        let (four, _four) = waiting("4");
        assert!(queues.push(tenant(), four));
    }

    #[test]
    fn what_was_given_up_is_not_claimed_and_what_is_put_back_comes_first() {
        let queues = Queues::default();
        let ((one, _one), (two, _two), (three, left), (four, _four)) =
            (waiting("1"), waiting("2"), waiting("3"), waiting("4"));
        assert!(two.claim.take());
        drop(left);
        for change in [one, two, three] {
            queues.push(tenant(), change);
        }
        let claimed = queues.claim(tenant(), 9, 9);
        assert_eq!(causes(&claimed), ["1"]);
        queues.push(tenant(), four);
        let back = claimed.into_iter().map(|one| Waiting { claim: Claim::default(), ..one }).collect();
        queues.put_back(tenant(), back);
        assert_eq!(causes(&queues.claim(tenant(), 1, 9)), ["1"]);
        assert_eq!(causes(&queues.claim(tenant(), 1, 9)), ["4"]);
    }
}
