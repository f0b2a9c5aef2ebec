//! What a period is closed for, without its report: what the guard of closed periods needs of it.

use super::{ClosedPeriod, Signature};
use crate::calendar::day::Day;
use crate::id::{ClosedPeriodId, OrgId};

/// For which org and which days a period is closed, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeriodSpan {
    /// The closed period.
    pub id: ClosedPeriodId,
    /// The org that it is closed for, with all below it; `None` is the whole company.
    pub org: Option<OrgId>,
    /// Its first day.
    pub first: Day,
    /// Its last day, included; never before the first.
    pub last: Day,
    /// Who closed it, when and why.
    pub closed: Signature,
}

impl PeriodSpan {
    /// Of that org and those days; `None` when `first` lies after `last`.
    pub(crate) fn new(
        id: ClosedPeriodId,
        org: Option<OrgId>,
        (first, last): (Day, Day),
        closed: Signature,
    ) -> Option<Self> {
        (first <= last).then_some(Self { id, org, first, last, closed })
    }
}

impl ClosedPeriod {
    /// What it is closed for; `None` once it was opened again.
    #[must_use]
    pub fn span(&self) -> Option<PeriodSpan> {
        let (id, org, closed) = (self.id, self.org, self.closed.clone());
        self.is_closed().then_some(PeriodSpan { id, org, first: self.first(), last: self.last(), closed })
    }
}
