//! What one activity adds to a report: for what the cube does not know, such as products and names.

use super::{Scope2, Totals, measures};
use crate::activity::Activity;
use crate::aggregate::cell::Posting;
use crate::aggregate::cube::{Attribution, SeriesTotals};
use crate::amount::Co2e;
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};
use crate::tree::scope_kind::ScopeClass;

impl Totals {
    /// What the activity adds to the totals of the period; `None` where it does not count in it. `class` is that of its
    /// scope. Those of all activities add up to what [`breakdown`](super::breakdown) finds, to the digit.
    #[must_use]
    pub fn of_activity(
        activity: &Activity,
        class: Option<ScopeClass>,
        attribution: Attribution,
        period: Period,
        scope2: Scope2,
    ) -> Option<Self> {
        let share = activity.share_of(class, attribution, period)?;
        let kind = class.map(ScopeClass::kind);
        let co2e = activity.co2e().map(&share);
        let incomplete = i64::from(activity.co2e().is_none());
        let sums = SeriesTotals { count: 1, incomplete, co2e: co2e.map(Total::from).unwrap_or_default() };
        let mut totals = Self::new(sums, kind);
        for &measure in measures::reported(scope2) {
            if let Some(amount) = activity.measures.get(measure) {
                totals.add_measure(measure, share(*amount).into(), kind, scope2);
            }
        }
        Some(totals)
    }
}

impl Activity {
    /// What of an amount of it counts in the period; `None` where it does not count in it. `class` is that of its scope.
    pub(crate) fn share_of(
        &self,
        class: Option<ScopeClass>,
        attribution: Attribution,
        period: Period,
    ) -> Option<impl Fn(Co2e) -> Co2e> {
        let (first, last) = self.counted_days(class, attribution);
        let touches = period.last().is_none_or(|end| first <= end) && period.first().is_none_or(|start| start <= last);
        let posting = Posting::new(self.span.first(), self.span.last(), None);
        touches.then_some(move |amount| if first == last { amount } else { posting.share_of(amount, period) })
    }

    /// The first and the last of the days on which it counts; `class` is that of its scope.
    #[must_use]
    pub fn counted_days(&self, class: Option<ScopeClass>, attribution: Attribution) -> (Day, Day) {
        let (first, last) = (self.span.first(), self.span.last());
        match attribution {
            Attribution::Daily if !class.is_some_and(ScopeClass::never_spread) => (first, last),
            Attribution::Start | Attribution::Daily => (first, first),
        }
    }
}
