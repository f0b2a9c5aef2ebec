//! The queue of a tenant's writers: one writes at a time, in the order in which they asked.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// Writers in line; the first has the turn.
#[derive(Default)]
pub(crate) struct WriterQueue(Mutex<Line>);

#[derive(Default)]
struct Line {
    next: u64,
    /// Everyone in line by their ticket, with what wakes them once they wait.
    waiting: BTreeMap<u64, Option<Waker>>,
}

/// A place in line. Dropping it leaves the line, whether or not it had come to the front.
pub(crate) struct Turn {
    queue: Arc<WriterQueue>,
    ticket: u64,
}

impl WriterQueue {
    /// Waits for the turn; `None` when more than `most` stand in line already.
    pub(crate) async fn take(self: &Arc<Self>, most: usize) -> Option<Turn> {
        let ticket = {
            let mut line = self.lock();
            if line.waiting.len() > most {
                return None;
            }
            let ticket = line.next;
            line.next += 1;
            line.waiting.insert(ticket, None);
            ticket
        };
        let turn = Turn { queue: Arc::clone(self), ticket };
        poll_fn(|cx| turn.poll(cx)).await;
        Some(turn)
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut line = self.queue.lock();
        if line.waiting.keys().next() == Some(&self.ticket) {
            return Poll::Ready(());
        }
        line.waiting.insert(self.ticket, Some(cx.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut line = self.queue.lock();
        line.waiting.remove(&self.ticket);
        let first = line.waiting.values_mut().next().and_then(Option::take);
        drop(line);
        if let Some(waker) = first {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_come_in_the_order_they_were_asked_for() {
        let queue = Arc::<WriterQueue>::default();
        let came = Arc::new(Mutex::new(Vec::new()));
        let held = queue.take(9).await;
        let mut waiting = tokio::task::JoinSet::new();
        for number in 0..5 {
            let (queue, came) = (Arc::clone(&queue), Arc::clone(&came));
            waiting.spawn(async move {
                let _turn = queue.take(9).await;
                came.lock().unwrap().push(number);
            });
            tokio::task::yield_now().await;
        }
        assert_eq!(queue.lock().waiting.len(), 6);
        drop(held);
        waiting.join_all().await;
        assert_eq!(*came.lock().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn who_leaves_the_line_holds_nobody_up() {
        let queue = Arc::<WriterQueue>::default();
        let held = queue.take(9).await;
        let spawn = |queue: Arc<WriterQueue>| tokio::spawn(async move { drop(queue.take(9).await) });
        let (gone, next) = (spawn(Arc::clone(&queue)), spawn(Arc::clone(&queue)));
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        drop(held);
        next.await.unwrap();
        assert!(queue.lock().waiting.is_empty());
    }
}
