//! What was computed from a tenant's records, kept for as long as they are the same.
//!
//! An answer is found by the revision and by the question: the epoch and the number of a change stand for one state of all
//! records, so that whatever an answer depends on beside the records is part of its question. Whether the caller may have
//! it is checked before it is looked up.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ports::{Revision, TenantId};

/// What is kept.
pub(super) trait Answer {
    /// About how many bytes it takes.
    fn size(&self) -> usize;
}

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Answers of a tenant.
    pub(super) of_tenant: usize,
    /// Bytes that all answers together may take, about.
    pub(super) bytes: usize,
}

/// The answers of all tenants, each tenant's at one revision.
#[derive(Debug)]
pub(super) struct Answers<Q, A> {
    limits: Limits,
    state: Mutex<State<Q, A>>,
}

#[derive(Debug)]
struct State<Q, A> {
    tenants: HashMap<TenantId, OfRevision<Q, A>>,
    /// The sizes of all answers.
    size: usize,
}

#[derive(Debug)]
struct OfRevision<Q, A> {
    revision: Revision,
    answers: HashMap<Q, Arc<A>>,
    /// The questions, the oldest first.
    order: VecDeque<Q>,
}

impl<Q, A: Answer> OfRevision<Q, A> {
    fn size(&self) -> usize {
        self.answers.values().map(|answer| answer.size()).sum()
    }
}

impl<Q: Clone + Eq + Hash, A: Answer> Answers<Q, A> {
    /// No answers yet.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, state: Mutex::new(State { tenants: HashMap::new(), size: 0 }) }
    }

    /// The revision that the tenant's answers are kept at, if there are any.
    pub(super) fn revision(&self, tenant: TenantId) -> Option<Revision> {
        self.state().tenants.get(&tenant).map(|of| of.revision)
    }

    /// The answer at that revision.
    pub(super) fn find(&self, tenant: TenantId, revision: Revision, question: &Q) -> Option<Arc<A>> {
        let state = self.state();
        let of = state.tenants.get(&tenant).filter(|of| of.revision == revision)?;
        of.answers.get(question).cloned()
    }

    /// Takes the answers at the revision `from` for those at `to`: nothing that they depend on was written in between.
    pub(super) fn advance(&self, tenant: TenantId, from: Revision, to: Revision) {
        if let Some(of) = self.state().tenants.get_mut(&tenant).filter(|of| of.revision == from) {
            of.revision = to;
        }
    }

    /// Keeps the answer at that revision, and none of an earlier one or of another epoch. A tenant's oldest answers give way
    /// to its newer ones, and all answers of all tenants where there is no more room; one too large for half of it is not
    /// kept.
    pub(super) fn put(&self, tenant: TenantId, revision: Revision, question: Q, answer: Arc<A>) {
        let mut state = self.state();
        let State { tenants, size } = &mut *state;
        if answer.size() > self.limits.bytes / 2 {
            return;
        }
        match tenants.get(&tenant).map(|of| of.revision) {
            Some(kept) if kept.epoch == revision.epoch && kept.number > revision.number => return,
            Some(kept) if kept != revision => *size -= tenants.remove(&tenant).map_or(0, |of| of.size()),
            Some(_) | None => {}
        }
        if *size + answer.size() > self.limits.bytes {
            tenants.clear();
            *size = 0;
        }
        let of = tenants.entry(tenant).or_insert_with(|| OfRevision {
            revision,
            answers: HashMap::new(),
            order: VecDeque::new(),
        });
        if of.order.len() >= self.limits.of_tenant
            && let Some(gone) = of.order.pop_front().and_then(|oldest| of.answers.remove(&oldest))
        {
            *size -= gone.size();
        }
        *size += answer.size();
        match of.answers.insert(question.clone(), answer) {
            Some(same) => *size -= same.size(),
            None => of.order.push_back(question),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<Q, A>> {
        // Nothing that holds the lock can fail half-way.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    const LIMITS: Limits = Limits { of_tenant: 8, bytes: 1_000 };

    struct OfSize(usize);

    impl Answer for OfSize {
        fn size(&self) -> usize {
            self.0
        }
    }

    type Sized = Answers<u32, OfSize>;

    fn tenant(number: u128) -> TenantId {
        Uuid::from_u128(number).into()
    }

    fn revision(number: u64) -> Revision {
        Revision { epoch: Uuid::from_u128(1), number }
    }

    fn put(answers: &Sized, number: u64, question: u32) {
        answers.put(tenant(1), revision(number), question, Arc::new(OfSize(1)));
    }

    fn has(answers: &Sized, number: u64, question: u32) -> bool {
        answers.find(tenant(1), revision(number), &question).is_some()
    }

    #[test]
    fn an_answer_is_that_of_its_tenant_revision_and_question() {
        let answers = Sized::new(LIMITS);
        put(&answers, 7, 1);
        assert!(has(&answers, 7, 1));
        assert!(!has(&answers, 8, 1) && !has(&answers, 7, 2));
        assert!(answers.find(tenant(2), revision(7), &1).is_none());
        let other_epoch = Revision { epoch: Uuid::from_u128(2), number: 7 };
        assert!(answers.find(tenant(1), other_epoch, &1).is_none());
    }

    #[test]
    fn a_later_revision_drops_the_answers_of_earlier_ones_and_an_earlier_one_none() {
        let answers = Sized::new(LIMITS);
        put(&answers, 7, 1);
        put(&answers, 8, 2);
        put(&answers, 7, 1);
        assert!(!has(&answers, 7, 1) && has(&answers, 8, 2));
    }

    #[test]
    fn answers_advance_from_the_revision_that_they_are_at_alone() {
        let answers = Sized::new(LIMITS);
        put(&answers, 7, 1);
        answers.advance(tenant(1), revision(6), revision(9));
        assert!(has(&answers, 7, 1) && !has(&answers, 9, 1));
        answers.advance(tenant(1), revision(7), revision(9));
        assert!(!has(&answers, 7, 1) && has(&answers, 9, 1));
        assert_eq!(answers.revision(tenant(1)), Some(revision(9)));
    }

    #[test]
    fn the_oldest_answers_of_a_tenant_give_way() {
        let answers = Sized::new(LIMITS);
        for question in 0..=8 {
            put(&answers, 7, question);
        }
        assert!(!has(&answers, 7, 0) && has(&answers, 7, 1) && has(&answers, 7, 8));
    }

    #[test]
    fn all_answers_together_take_no_more_than_there_is_room_for() {
        let answers = Sized::new(LIMITS);
        for number in 0..100 {
            answers.put(tenant(number), revision(7), 1, Arc::new(OfSize(300)));
            let state = answers.state();
            assert_eq!(state.size, state.tenants.values().map(OfRevision::size).sum::<usize>());
            assert!(state.size <= LIMITS.bytes);
        }
        assert!(answers.find(tenant(99), revision(7), &1).is_some());
        answers.put(tenant(99), revision(7), 2, Arc::new(OfSize(501)));
        assert!(answers.find(tenant(99), revision(7), &2).is_none(), "takes more than half of the room");
    }
}
