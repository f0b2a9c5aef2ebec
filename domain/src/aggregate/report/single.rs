//! What one activity adds to a report: for what the cube does not know, such as products and names.

use super::Totals;
use crate::activity::Activity;
use crate::aggregate::cube::{Attribution, SeriesTotals};
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
    ) -> Option<Self> {
        let (first, last) = activity.counted_days(class, attribution);
        let touches = period.last().is_none_or(|end| first <= end) && period.first().is_none_or(|start| start <= last);
        if !touches {
            return None;
        }
        let co2e = if first == last { activity.co2e() } else { activity.posting().share_in(period) };
        let incomplete = i64::from(activity.co2e().is_none());
        let sums = SeriesTotals { count: 1, incomplete, co2e: co2e.map(Total::from).unwrap_or_default() };
        Some(Self::new(sums, class.map(ScopeClass::kind)))
    }
}

impl Activity {
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
