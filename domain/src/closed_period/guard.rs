//! Which writes touch a closed period: those that could alter a figure of its frozen report.

use std::collections::HashSet;

use super::{PeriodSpan, Signature};
use crate::activity::Activity;
use crate::calendar::day::{Day, Period};
use crate::id::{ClosedPeriodId, OrgId};
use crate::tree::forest::Forest;

/// The closed periods of a tenant, without their reports, as its org tree is at one moment.
#[derive(Clone, Debug, Default)]
pub struct ClosedPeriods(Vec<ClosedSpan>);

/// A period that is closed, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClosedSpan {
    /// The closed period.
    pub id: ClosedPeriodId,
    /// The org that it is closed for, with all below it; `None` is the whole company.
    pub org: Option<OrgId>,
    /// Its first day.
    pub first: Day,
    /// Its last day, included.
    pub last: Day,
    /// Who closed it, when and why.
    pub closed: Signature,
    /// The orgs that it is closed for; `None` is all, and activities without one.
    pub orgs: Option<HashSet<OrgId>>,
}

impl ClosedSpan {
    /// What a closed period covers under that org tree.
    #[must_use]
    pub fn of(period: PeriodSpan, orgs: &Forest<OrgId>) -> Self {
        let PeriodSpan { id, org, first, last, closed } = period;
        Self { id, org, first, last, closed, orgs: org.map(|org| orgs.subtree(org)) }
    }

    /// Its days.
    #[must_use]
    pub fn days(&self) -> Period {
        Period::new(Some(self.first), Some(self.last)).unwrap_or(Period::ALL)
    }

    /// Whether it is closed for activities of that org; `None` is those without one.
    #[must_use]
    pub fn covers(&self, org: Option<OrgId>) -> bool {
        self.orgs.as_ref().is_none_or(|orgs| org.is_some_and(|org| orgs.contains(&org)))
    }

    /// Whether the activity touches it: any of its days lies in it, and it is closed for its org.
    #[must_use]
    pub fn touches(&self, activity: &Activity) -> bool {
        self.first <= activity.span.last() && activity.span.first() <= self.last && self.covers(activity.org)
    }
}

impl ClosedPeriods {
    /// Those periods, under that org tree.
    #[must_use]
    pub fn new(periods: impl IntoIterator<Item = PeriodSpan>, orgs: &Forest<OrgId>) -> Self {
        Self(periods.into_iter().map(|period| ClosedSpan::of(period, orgs)).collect())
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The periods that are closed.
    pub fn iter(&self) -> impl Iterator<Item = &ClosedSpan> {
        self.0.iter()
    }

    /// A closed period that the activity [touches](ClosedSpan::touches). A write is refused where what the activity was
    /// before it touches one, or what it is after it.
    #[must_use]
    pub fn touched(&self, activity: &Activity) -> Option<&ClosedSpan> {
        self.0.iter().find(|span| span.touches(activity))
    }

    /// The closed periods that a move of an org may alter, if activities of the org, or of those below it, touch them:
    /// those of the whole company, and those that it leaves, comes to or is moved within. One that is closed for the org
    /// itself, or for one below it, keeps what it has, wherever the org is.
    pub fn moved_org(&self, org: OrgId, to: Option<OrgId>) -> impl Iterator<Item = &ClosedSpan> {
        let concerned = move |span: &&ClosedSpan| match &span.orgs {
            None => true,
            Some(orgs) => (orgs.contains(&org) && span.org != Some(org)) || to.is_some_and(|to| orgs.contains(&to)),
        };
        self.0.iter().filter(concerned)
    }
}
