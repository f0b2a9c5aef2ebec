//! What reports came to, for as long as nothing is written: the totals, and the nodes that are found. Rows are never kept.
//!
//! An answer is found by the revision and by all that the totals depend on: the epoch and the number of a change stand
//! for one state of all records, names and trees among them, and neither the caller nor the clock has a part in totals.
//! Whether the caller may have them is checked before they are looked up, as for any report.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::{Attribution, Day, Period, Totals};
use ports::inbound::{Named, ReportQuery, TaxonomyView};
use ports::{Revision, TenantId};
use uuid::Uuid;

/// Answers that are kept of a tenant.
const OF_TENANT: usize = 256;
/// Bytes that all answers together may take, about.
const BYTES: usize = 40_000_000;
/// Bytes that a node with its name takes in an answer.
const NODE: usize = 100;
/// Bytes that an answer takes without nodes.
const ALONE: usize = 800;

/// What a report comes to without its rows.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) totals: Totals,
    pub(super) first: Option<Day>,
    pub(super) last: Option<Day>,
    pub(super) scopes: Arc<[Named]>,
    pub(super) orgs: Arc<[Named]>,
    pub(super) taxonomies: Arc<[TaxonomyView]>,
}

impl Answer {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        let nodes = self.scopes.len() + self.orgs.len() + self.taxonomies.len();
        let paths: usize = self.taxonomies.iter().map(|node| node.path.len()).sum();
        ALONE + nodes * NODE + paths
    }
}

/// All that the totals of a report depend on beside the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Question {
    period: Period,
    attribution: Attribution,
    org: Option<Uuid>,
    scope: Option<Uuid>,
    taxonomy: Option<Uuid>,
}

impl Question {
    /// The question that a query asks; `None` where its answer is not kept: it asks for a single activity, or is faulty.
    pub(super) fn of(query: &ReportQuery) -> Option<Self> {
        let ReportQuery { period, attribution, org, scope, taxonomy, sync_id, rows: _, faults } = query;
        let (period, attribution, org, scope, taxonomy) = (*period, *attribution, *org, *scope, *taxonomy);
        (sync_id.is_none() && faults.is_empty()).then_some(Self { period, attribution, org, scope, taxonomy })
    }
}

/// The answers of all tenants, each at its newest revision.
#[derive(Debug, Default)]
pub(super) struct Answers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    tenants: HashMap<TenantId, OfRevision>,
    /// The sizes of all answers.
    size: usize,
}

#[derive(Debug)]
struct OfRevision {
    revision: Revision,
    answers: HashMap<Question, Arc<Answer>>,
    /// The questions, the oldest first.
    order: VecDeque<Question>,
}

impl OfRevision {
    fn size(&self) -> usize {
        self.answers.values().map(|answer| answer.size()).sum()
    }
}

impl Answers {
    /// The answer at that revision.
    pub(super) fn find(&self, tenant: TenantId, revision: Revision, question: &Question) -> Option<Arc<Answer>> {
        let state = self.state();
        let of = state.tenants.get(&tenant).filter(|of| of.revision == revision)?;
        of.answers.get(question).cloned()
    }

    /// Keeps the answer at that revision, and none of an earlier one or of another epoch. A tenant's oldest answers give way
    /// to its newer ones, and all answers of all tenants where there is no more room; one too large for half of it is not
    /// kept.
    pub(super) fn put(&self, tenant: TenantId, revision: Revision, question: Question, answer: Arc<Answer>) {
        let mut state = self.state();
        let State { tenants, size } = &mut *state;
        if answer.size() > BYTES / 2 {
            return;
        }
        match tenants.get(&tenant).map(|of| of.revision) {
            Some(kept) if kept.epoch == revision.epoch && kept.number > revision.number => return,
            Some(kept) if kept != revision => *size -= tenants.remove(&tenant).map_or(0, |of| of.size()),
            Some(_) | None => {}
        }
        if *size + answer.size() > BYTES {
            tenants.clear();
            *size = 0;
        }
        let of = tenants.entry(tenant).or_insert_with(|| OfRevision {
            revision,
            answers: HashMap::new(),
            order: VecDeque::new(),
        });
        if of.order.len() >= OF_TENANT
            && let Some(gone) = of.order.pop_front().and_then(|oldest| of.answers.remove(&oldest))
        {
            *size -= gone.size();
        }
        *size += answer.size();
        match of.answers.insert(question, answer) {
            Some(same) => *size -= same.size(),
            None => of.order.push_back(question),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing that holds the lock can fail half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use domain::Name;

    use super::*;

    fn tenant(number: u128) -> TenantId {
        Uuid::from_u128(number).into()
    }

    fn revision(number: u64) -> Revision {
        Revision { epoch: Uuid::from_u128(1), number }
    }

    fn question(org: u128) -> Question {
        let query = ReportQuery { org: Some(Uuid::from_u128(org)), ..ReportQuery::default() };
        Question::of(&query).unwrap()
    }

    fn answer(nodes: usize) -> Arc<Answer> {
        let node = Named { id: Uuid::nil(), name: Name::parse("Site").unwrap() };
        Arc::new(Answer {
            totals: Totals::default(),
            first: None,
            last: None,
            scopes: [].into(),
            orgs: vec![node; nodes].into(),
            taxonomies: [].into(),
        })
    }

    fn has(answers: &Answers, number: u64, org: u128) -> bool {
        answers.find(tenant(1), revision(number), &question(org)).is_some()
    }

    #[test]
    fn an_answer_is_that_of_its_tenant_revision_and_question() {
        let answers = Answers::default();
        answers.put(tenant(1), revision(7), question(1), answer(1));
        assert!(has(&answers, 7, 1));
        assert!(!has(&answers, 8, 1) && !has(&answers, 7, 2));
        assert!(answers.find(tenant(2), revision(7), &question(1)).is_none());
        let other_epoch = Revision { epoch: Uuid::from_u128(2), number: 7 };
        assert!(answers.find(tenant(1), other_epoch, &question(1)).is_none());
    }

    #[test]
    fn a_later_revision_drops_the_answers_of_earlier_ones_and_an_earlier_one_none() {
        let answers = Answers::default();
        answers.put(tenant(1), revision(7), question(1), answer(1));
        answers.put(tenant(1), revision(8), question(2), answer(1));
        answers.put(tenant(1), revision(7), question(1), answer(1));
        assert!(!has(&answers, 7, 1) && has(&answers, 8, 2));
    }

    #[test]
    fn the_oldest_answers_of_a_tenant_give_way() {
        let answers = Answers::default();
        for org in 0..=OF_TENANT as u128 {
            answers.put(tenant(1), revision(7), question(org), answer(0));
        }
        assert!(!has(&answers, 7, 0) && has(&answers, 7, 1) && has(&answers, 7, OF_TENANT as u128));
    }

    #[test]
    fn all_answers_together_take_no_more_than_there_is_room_for() {
        let answers = Answers::default();
        for number in 0..100 {
            answers.put(tenant(number), revision(7), question(1), answer(BYTES / NODE / 50));
            let state = answers.state();
            assert_eq!(state.size, state.tenants.values().map(OfRevision::size).sum::<usize>());
            assert!(state.size <= BYTES);
        }
        assert!(answers.find(tenant(99), revision(7), &question(1)).is_some());
    }

    #[test]
    fn a_question_for_one_activity_or_with_faults_is_not_kept() {
        let one = ReportQuery { sync_id: domain::SyncId::parse("a1").ok(), ..ReportQuery::default() };
        let faulty = ReportQuery { faults: domain::Faults::one("date", "is none"), ..ReportQuery::default() };
        assert_eq!((Question::of(&one), Question::of(&faulty)), (None, None));
    }
}
