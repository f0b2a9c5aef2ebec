//! What breakdowns came to, for as long as nothing is written: pages ask for the same ones again and again.

use domain::{Attribution, Period, Scope2, YearStart};
use ports::inbound::{Breakdown, BreakdownBy, BreakdownQuery, BreakdownRow, Label};

use crate::usecase::answers::{self, Answers, Limits};

/// Of a tenant as many as the pages of some viewers ask for, and little memory beside that of read models.
const LIMITS: Limits = Limits { of_tenant: 256, bytes: 40_000_000 };
/// Bytes that a node above another one takes in a label.
const NODE: usize = 100;

/// What breakdowns came to.
pub(in crate::usecase) type BreakdownAnswers = Answers<Question, Breakdown>;

/// No breakdowns yet.
pub(in crate::usecase) fn none() -> BreakdownAnswers {
    Answers::new(LIMITS)
}

impl answers::Answer for Breakdown {
    fn size(&self) -> usize {
        let label = |label: &Label| {
            let more = match label {
                Label::Record { name, path, above, .. } => name.len() + path.len() + above.len() * NODE,
                Label::Time(name) => name.len(),
                Label::Gas(_) | Label::Quality(_) | Label::Without => 0,
            };
            size_of::<Label>() + more
        };
        let row = |row: &BreakdownRow| size_of::<BreakdownRow>() + row.labels.iter().map(label).sum::<usize>();
        size_of::<Self>() + self.rows.iter().map(row).sum::<usize>()
    }
}

/// All that a breakdown depends on beside the records: neither the caller nor the clock has a part in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::usecase) struct Question {
    period: Period,
    attribution: Attribution,
    scope2: Scope2,
    org: Option<String>,
    scope: Option<String>,
    taxonomy: Option<String>,
    by: Vec<BreakdownBy>,
    depth: usize,
    year: YearStart,
    compare: Option<Period>,
}

impl Question {
    /// The question that a query asks; `None` where its answer is not kept: it asks for single activities, or is faulty.
    pub(super) fn of(query: &BreakdownQuery) -> Option<Self> {
        let BreakdownQuery {
            period,
            attribution,
            scope2,
            org,
            scope,
            taxonomy,
            only,
            by,
            depth,
            year,
            compare,
            faults,
        } = query;
        let is_kept = only.is_all() && faults.is_empty();
        is_kept.then(|| Self {
            period: *period,
            attribution: *attribution,
            scope2: *scope2,
            org: org.clone(),
            scope: scope.clone(),
            taxonomy: taxonomy.clone(),
            by: by.clone(),
            depth: *depth,
            year: *year,
            compare: *compare,
        })
    }
}

#[cfg(test)]
mod tests {
    use ports::inbound::Only;

    use super::*;

    #[test]
    fn a_question_for_single_activities_or_with_faults_is_not_kept() {
        let named = Only { name: Some("van".to_owned()), ..Only::default() };
        let single = BreakdownQuery { only: named, ..BreakdownQuery::default() };
        let faulty = BreakdownQuery { faults: domain::Faults::one("date", "is none"), ..BreakdownQuery::default() };
        assert_eq!((Question::of(&single), Question::of(&faulty)), (None, None));
    }

    #[test]
    fn questions_that_differ_in_anything_are_others() {
        let of = |query: BreakdownQuery| Question::of(&query).unwrap();
        let (plain, word) = (BreakdownQuery::default(), Some("a".to_owned()));
        let march = Period::parse("2025-03").unwrap();
        let others = [
            BreakdownQuery { period: march, ..plain.clone() },
            BreakdownQuery { attribution: Attribution::Daily, ..plain.clone() },
            BreakdownQuery { scope2: Scope2::Both, ..plain.clone() },
            BreakdownQuery { org: word.clone(), ..plain.clone() },
            BreakdownQuery { scope: word.clone(), ..plain.clone() },
            BreakdownQuery { taxonomy: word, ..plain.clone() },
            BreakdownQuery { by: vec![BreakdownBy::Org], ..plain.clone() },
            BreakdownQuery { depth: 2, ..plain.clone() },
            BreakdownQuery { compare: Some(march), ..plain.clone() },
        ];
        let all: std::collections::HashSet<Question> = others.into_iter().chain([plain]).map(of).collect();
        assert_eq!(all.len(), 10);
    }
}
