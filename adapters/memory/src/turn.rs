//! Turns: one holder at a time, in the order in which they asked.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// A queue whose first in line has the turn.
#[derive(Default)]
pub(crate) struct Turns(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    next: u64,
    /// Everyone in line by their ticket, with what wakes them once they wait.
    line: BTreeMap<u64, Option<Waker>>,
}

/// A place in line. Dropping it leaves the line, whether or not it had come to the front.
pub(crate) struct Turn {
    turns: Arc<Turns>,
    ticket: u64,
}

impl Turns {
    /// Waits for the turn; `None` when more than `most` stand in line already.
    pub(crate) async fn take(self: &Arc<Self>, most: usize) -> Option<Turn> {
        let ticket = {
            let mut queue = self.queue();
            if queue.line.len() > most {
                return None;
            }
            let ticket = queue.next;
            queue.next += 1;
            queue.line.insert(ticket, None);
            ticket
        };
        let turn = Turn { turns: Arc::clone(self), ticket };
        poll_fn(|cx| turn.poll(cx)).await;
        Some(turn)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    fn poll(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut queue = self.turns.queue();
        if queue.line.keys().next() == Some(&self.ticket) {
            return Poll::Ready(());
        }
        queue.line.insert(self.ticket, Some(cx.waker().clone()));
        Poll::Pending
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut queue = self.turns.queue();
        queue.line.remove(&self.ticket);
        let first = queue.line.values_mut().next().and_then(Option::take);
        drop(queue);
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
        let turns = Arc::<Turns>::default();
        let came = Arc::new(Mutex::new(Vec::new()));
        let held = turns.take(9).await;
        let mut waiting = tokio::task::JoinSet::new();
        for number in 0..5 {
            let (turns, came) = (Arc::clone(&turns), Arc::clone(&came));
            waiting.spawn(async move {
                let _turn = turns.take(9).await;
                came.lock().unwrap().push(number);
            });
            tokio::task::yield_now().await;
        }
        assert_eq!(turns.queue().line.len(), 6);
        drop(held);
        waiting.join_all().await;
        assert_eq!(*came.lock().unwrap(), [0, 1, 2, 3, 4]);
    }

    #[tokio::test]
    async fn who_leaves_the_line_holds_nobody_up() {
        let turns = Arc::<Turns>::default();
        let held = turns.take(9).await;
        let spawn = |turns: Arc<Turns>| tokio::spawn(async move { drop(turns.take(9).await) });
        let (gone, next) = (spawn(Arc::clone(&turns)), spawn(Arc::clone(&turns)));
        tokio::task::yield_now().await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        drop(held);
        next.await.unwrap();
        assert!(turns.queue().line.is_empty());
    }
}
