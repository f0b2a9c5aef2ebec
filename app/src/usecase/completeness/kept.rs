//! What was missing, for as long as nothing is written: a dashboard asks for it whenever it is opened.

use domain::Day;
use ports::inbound::{CompletenessQuery, CompletenessView, GapView};
use uuid::Uuid;

use crate::usecase::answers::{self, Answers, Limits};

/// Of a tenant a few years and orgs, and little memory beside that of read models.
const LIMITS: Limits = Limits { of_tenant: 64, bytes: 20_000_000 };
/// Bytes that a month of a gap takes.
const MONTH: usize = 40;
/// Bytes that a reason with its examples, or the line of a scope with its exclusions, takes, about.
const LINE: usize = 2_000;

/// What was missing.
pub(in crate::usecase) type CompletenessAnswers = Answers<Question, CompletenessView>;

/// Nothing yet.
pub(in crate::usecase) fn none() -> CompletenessAnswers {
    Answers::new(LIMITS)
}

impl answers::Answer for CompletenessView {
    fn size(&self) -> usize {
        let gaps: usize = self.gaps.iter().map(|gap| size_of::<GapView>() + gap.months.len() * MONTH).sum();
        size_of::<Self>() + gaps + (self.reasons.len() + self.coverage.len()) * LINE
    }
}

/// All that an answer depends on beside the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::usecase) struct Question {
    first: Option<Day>,
    last: Option<Day>,
    org: Option<Uuid>,
    without_reasons: bool,
    /// Whether single activities are named.
    may_name: bool,
    /// Which months are over.
    today: Day,
}

impl Question {
    /// The question that a query asks; `None` where its answer is not kept: it is faulty.
    pub(super) fn of(query: &CompletenessQuery, may_name: bool, today: Day) -> Option<Self> {
        let CompletenessQuery { first, last, org, without_reasons, faults } = query;
        let (first, last, org, without_reasons) = (*first, *last, *org, *without_reasons);
        faults.is_empty().then_some(Self { first, last, org, without_reasons, may_name, today })
    }
}
