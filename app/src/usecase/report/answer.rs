//! What reports came to, for as long as nothing is written: the totals, and the nodes that are found. Rows are never kept.

use std::sync::Arc;

use domain::{Attribution, Day, Period, Scope2, Totals};
use ports::inbound::{Named, ReportQuery, TaxonomyView};
use uuid::Uuid;

use crate::usecase::answers::{self, Answers, Limits};

/// Of a tenant as many as the pages of a dashboard ask for, and little memory beside that of read models.
const LIMITS: Limits = Limits { of_tenant: 256, bytes: 40_000_000 };
/// Bytes that a node with its name takes in an answer.
const NODE: usize = 100;
/// Bytes that an answer takes without nodes.
const ALONE: usize = 800;

/// What reports came to.
pub(in crate::usecase) type ReportAnswers = Answers<Question, Answer>;

/// No reports yet.
pub(in crate::usecase) fn none() -> ReportAnswers {
    Answers::new(LIMITS)
}

/// What a report comes to without its rows.
#[derive(Clone, Debug)]
pub(in crate::usecase) struct Answer {
    pub(super) totals: Totals,
    /// How many activities have a CO2e that is outdated.
    pub(super) outdated: u64,
    pub(super) first: Option<Day>,
    pub(super) last: Option<Day>,
    pub(super) scopes: Arc<[Named]>,
    pub(super) orgs: Arc<[Named]>,
    pub(super) taxonomies: Arc<[TaxonomyView]>,
}

impl answers::Answer for Answer {
    fn size(&self) -> usize {
        let nodes = self.scopes.len() + self.orgs.len() + self.taxonomies.len();
        let paths: usize = self.taxonomies.iter().map(|node| node.path.len()).sum();
        ALONE + nodes * NODE + paths
    }
}

/// All that the totals of a report depend on beside the records: neither the caller nor the clock has a part in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::usecase) struct Question {
    period: Period,
    attribution: Attribution,
    scope2: Scope2,
    org: Option<Uuid>,
    scope: Option<Uuid>,
    taxonomy: Option<Uuid>,
}

impl Question {
    /// The question that a query asks; `None` where its answer is not kept: it asks for single activities, or is
    /// faulty.
    pub(super) fn of(query: &ReportQuery) -> Option<Self> {
        let ReportQuery { period, attribution, scope2, org, scope, taxonomy, sync_id, only, rows: _, faults } = query;
        let (period, attribution, scope2) = (*period, *attribution, *scope2);
        let (org, scope, taxonomy) = (*org, *scope, *taxonomy);
        let is_kept = sync_id.is_none() && only.is_all() && faults.is_empty();
        is_kept.then_some(Self { period, attribution, scope2, org, scope, taxonomy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_one_activity_or_with_faults_is_not_kept() {
        let one = ReportQuery { sync_id: domain::SyncId::parse("a1").ok(), ..ReportQuery::default() };
        let faulty = ReportQuery { faults: domain::Faults::one("date", "is none"), ..ReportQuery::default() };
        assert_eq!((Question::of(&one), Question::of(&faulty)), (None, None));
    }

    #[test]
    fn questions_of_other_filters_are_others() {
        let of = |query: ReportQuery| Question::of(&query).unwrap();
        let (plain, id) = (ReportQuery::default(), Some(Uuid::from_u128(1)));
        let others = [
            ReportQuery { period: Period::parse("2025").unwrap(), ..plain.clone() },
            ReportQuery { attribution: Attribution::Daily, ..plain.clone() },
            ReportQuery { scope2: Scope2::Both, ..plain.clone() },
            ReportQuery { org: id, ..plain.clone() },
            ReportQuery { scope: id, ..plain.clone() },
            ReportQuery { taxonomy: id, ..plain.clone() },
        ];
        let all: std::collections::HashSet<Question> = others.into_iter().chain([plain]).map(of).collect();
        assert_eq!(all.len(), 7);
    }
}
