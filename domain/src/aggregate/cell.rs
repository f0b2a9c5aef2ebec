//! How activities add up: what one of them posts, and what all of one series come to on one day.
//! Cells form a commutative group, so adding an activity adds cells, removing it their negatives, and nothing is ever
//! recomputed.

use std::ops::{AddAssign, Neg};

use crate::aggregate::count::TooMany;
use crate::aggregate::measure::{ByMeasure, Measure, Measures};
use crate::amount::Co2e;
use crate::amount::decimal::Decimal;
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};
use crate::id::{OrgId, ScopeId, TaxonomyId};
use crate::setters::setters;

/// One combination of scope, org and taxonomy that activities carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeriesKey {
    /// The node of the scope tree; `None` is uncategorized.
    pub scope: Option<ScopeId>,
    /// The node of the org tree.
    pub org: Option<OrgId>,
    /// The node of the taxonomy tree.
    pub taxonomy: Option<TaxonomyId>,
}

/// What of an activity counts when activities are added up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Posting {
    /// The first day, which is "the day" of the activity.
    pub first: Day,
    /// The last day, included. One before `first` counts as `first`.
    pub last: Day,
    /// The amount; `None` is an incomplete activity, which is counted and adds nothing to CO2e.
    pub co2e: Option<Co2e>,
    /// What it has of other measures.
    pub measures: Measures,
}

impl Posting {
    /// What has that amount on those days, first and last included, and no other measure.
    #[must_use]
    pub const fn new(first: Day, last: Day, co2e: Option<Co2e>) -> Self {
        Self { first, last, co2e, measures: Measures::NONE }
    }

    /// What the activity adds, and where: on its first day and, if that is another, on its last.
    pub fn cells(&self) -> impl Iterator<Item = (Day, Cell)> + use<> {
        let incomplete = i64::from(self.co2e.is_none());
        let days = self.days();
        let (first, last) = ends(self.co2e.unwrap_or_default(), days);
        let mut start = Cell { starts: 1, incomplete_starts: incomplete, co2e: first, ..Cell::ZERO };
        let mut end = Cell { ends: 1, incomplete_ends: incomplete, co2e: last, ..Cell::ZERO };
        for (measure, amount) in self.measures.iter().filter(|(_, amount)| !amount.decimal().is_zero()) {
            let (first, last) = ends(*amount, days);
            start.put(measure, first);
            end.put(measure, last);
        }
        let end = if days == 1 {
            start.add_within(&end);
            None
        } else {
            Some((self.last, end))
        };
        std::iter::once((self.first, start)).chain(end)
    }

    /// The activity's share in the period, the same on every day it covers, truncated towards zero at the 18th
    /// fractional digit, and the rest on the last day; `None` when incomplete. The shares in the parts of a period add
    /// up to the share in the whole.
    #[must_use]
    pub fn share_in(&self, period: Period) -> Option<Co2e> {
        self.co2e.map(|amount| self.share_of(amount, period))
    }

    /// What of an amount that is spread over its days falls in the period, as for [`share_in`](Self::share_in).
    pub(crate) fn share_of(&self, amount: Co2e, period: Period) -> Co2e {
        let through = period.last().map_or(scaled(amount), |last| self.share_through(amount, last.number()));
        let before = period.first().map_or(0, |first| self.share_through(amount, first.number() - 1));
        // Both lie between zero and the amount, so the difference is within its magnitude.
        Decimal::from_scaled(through - before).map_or(Co2e::ZERO, Co2e::new)
    }

    /// The share, scaled, of all days up to and including the one of that number.
    fn share_through(&self, amount: Co2e, day: i32) -> i128 {
        let elapsed = i128::from(day) - i128::from(self.first.number()) + 1;
        let days = self.days();
        if elapsed >= days { scaled(amount) } else { scaled(amount) / days * elapsed.max(0) }
    }

    fn days(&self) -> i128 {
        i128::from(self.last.number().saturating_sub(self.first.number()).max(0)) + 1
    }
}

/// What an amount spread over so many days adds to the first and to the last of them.
fn ends(amount: Co2e, days: i128) -> (Amounts, Amounts) {
    let amount = scaled(amount);
    let each = amount / days;
    let first = Amounts { amount: total(amount), slope: total(each), step: Total::ZERO };
    let last = Amounts { amount: Total::ZERO, slope: -total(each), step: total(amount - each * (days - 1)) };
    (first, last)
}

fn scaled(amount: Co2e) -> i128 {
    amount.decimal().scaled()
}

/// A scaled amount of magnitude at most [`Decimal::MAX`] as a total.
fn total(scaled: i128) -> Total {
    Decimal::from_scaled(scaled).unwrap_or_default().into()
}

/// What a cell has of one measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Amounts {
    /// The whole amounts of the activities that start on this day.
    pub amount: Total,
    /// Change of the daily share from this day on, this day included.
    pub slope: Total,
    /// Amount counted on this day only: the rounding remainder that even shares leave to an activity's last day.
    pub step: Total,
}

impl Amounts {
    /// The sums of no activity: neutral in addition.
    pub const ZERO: Self = Self { amount: Total::ZERO, slope: Total::ZERO, step: Total::ZERO };

    /// Whether all three are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The same with `days` days of slope moved into the step.
    fn carry(&mut self, days: i64) {
        if days != 0 && !self.slope.is_zero() {
            self.step += self.slope.times(days);
        }
    }
}

impl AddAssign for Amounts {
    fn add_assign(&mut self, other: Self) {
        self.amount += other.amount;
        self.slope += other.slope;
        self.step += other.step;
    }
}

impl Neg for Amounts {
    type Output = Self;
    fn neg(self) -> Self {
        Self { amount: -self.amount, slope: -self.slope, step: -self.step }
    }
}

/// What the activities of one series add up to on one day. All zero is the same as absent.
///
/// Its numbers never wrap: where they would leave 64 bits, adding is refused, here as in [`Postings`](crate::Postings) and
/// a [`Cube`](crate::Cube). Its sums panic beyond what a [`Total`] holds, which no cells that can be read come near: those
/// have 192 bits of its 256.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Cell {
    /// How many activities have this as their first day.
    pub starts: i64,
    /// How many activities have this as their last day.
    pub ends: i64,
    /// How many of `starts` are incomplete.
    pub incomplete_starts: i64,
    /// How many of `ends` are incomplete.
    pub incomplete_ends: i64,
    /// What they have of CO2e.
    pub co2e: Amounts,
    /// What they have of other measures; none of them is zero.
    pub others: ByMeasure<Amounts>,
}

setters! {
    Cell {
        with_starts = starts: i64,
        with_ends = ends: i64,
        with_incomplete_starts = incomplete_starts: i64,
        with_incomplete_ends = incomplete_ends: i64,
        with_co2e = co2e: Amounts,
        with_others = others: ByMeasure<Amounts>,
    }
}

impl Cell {
    /// The cell of no activity, equal to an absent one.
    pub const ZERO: Self = Self {
        starts: 0,
        ends: 0,
        incomplete_starts: 0,
        incomplete_ends: 0,
        co2e: Amounts::ZERO,
        others: ByMeasure::NONE,
    };

    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Its numbers of activities: `starts`, `ends`, `incomplete_starts`, `incomplete_ends`.
    #[must_use]
    pub const fn counts(&self) -> [i64; 4] {
        [self.starts, self.ends, self.incomplete_starts, self.incomplete_ends]
    }

    /// What it has of a measure.
    #[must_use]
    pub fn amounts(&self, measure: Measure) -> Amounts {
        if measure == Measure::Co2e { self.co2e } else { self.others.get(measure).copied().unwrap_or_default() }
    }

    /// Adds to what it has of a measure.
    pub(crate) fn put(&mut self, measure: Measure, amounts: Amounts) {
        if measure == Measure::Co2e {
            self.co2e += amounts;
        } else if !amounts.is_zero() {
            *self.others.entry(measure) += amounts;
            self.others.retain(|amounts| !amounts.is_zero());
        }
    }

    /// The same with `days` days of slope moved into the step.
    pub(crate) fn carried(mut self, days: i64) -> Self {
        self.co2e.carry(days);
        if !self.others.is_empty() {
            self.others.values_mut().for_each(|amounts| amounts.carry(days));
            self.others.retain(|amounts| !amounts.is_zero());
        }
        self
    }
}

impl Cell {
    /// Both together; [`TooMany`] where a number of activities leaves 64 bits.
    pub fn checked_add(mut self, other: &Self) -> Result<Self, TooMany> {
        let plus = |count: i64, more: i64| count.checked_add(more).ok_or(TooMany);
        plus(self.starts, other.starts)?;
        plus(self.ends, other.ends)?;
        plus(self.incomplete_starts, other.incomplete_starts)?;
        plus(self.incomplete_ends, other.incomplete_ends)?;
        self.add_within(other);
        Ok(self)
    }

    /// Adds a cell of those whose magnitude together was checked: no number leaves 64 bits.
    pub(super) fn add_within(&mut self, other: &Self) {
        self.starts = self.starts.saturating_add(other.starts);
        self.ends = self.ends.saturating_add(other.ends);
        self.incomplete_starts = self.incomplete_starts.saturating_add(other.incomplete_starts);
        self.incomplete_ends = self.incomplete_ends.saturating_add(other.incomplete_ends);
        self.co2e += other.co2e;
        for (measure, amounts) in other.others.iter() {
            self.put(measure, *amounts);
        }
    }
}

impl Neg for Cell {
    type Output = Self;

    /// The same taken away. A number of -2^63, which no cell that was read has, becomes 2^63 - 1.
    fn neg(mut self) -> Self {
        self.others.values_mut().for_each(|amounts| *amounts = -*amounts);
        Self {
            starts: self.starts.saturating_neg(),
            ends: self.ends.saturating_neg(),
            incomplete_starts: self.incomplete_starts.saturating_neg(),
            incomplete_ends: self.incomplete_ends.saturating_neg(),
            co2e: -self.co2e,
            others: self.others,
        }
    }
}
