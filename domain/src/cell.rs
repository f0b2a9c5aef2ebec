//! How activities add up: what one of them books, and what all of one series come to on one day.
//! Cells form a commutative group, so adding an activity is `+`, removing it `-`, and nothing is ever recomputed.

use std::ops::{Add, AddAssign, Neg, Sub};

use crate::amount::Co2e;
use crate::day::{Day, Period};
use crate::decimal::Decimal;
use crate::id::{OrgId, ScopeId, TaxonomyId};
use crate::total::Total;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Posting {
    /// The first day, which is "the day" of the activity.
    pub first: Day,
    /// The last day, included. One before `first` counts as `first`.
    pub last: Day,
    /// The amount; `None` is an incomplete activity, which is counted and adds nothing.
    pub co2e: Option<Co2e>,
}

impl Posting {
    /// What the activity adds, and where: on its first day and, if that is another, on its last.
    pub fn cells(&self) -> impl Iterator<Item = (Day, Cell)> + use<> {
        let incomplete = i64::from(self.co2e.is_none());
        let amount = scaled(self.co2e.unwrap_or_default());
        let rate = self.rate();
        let start =
            Cell { starts: 1, incomplete_starts: incomplete, co2e: total(amount), slope: total(rate), ..Cell::ZERO };
        let end = Cell {
            ends: 1,
            incomplete_ends: incomplete,
            slope: -total(rate),
            step: total(amount - rate * (self.days() - 1)),
            ..Cell::ZERO
        };
        let (start, end) = if self.days() == 1 { (start + end, None) } else { (start, Some((self.last, end))) };
        std::iter::once((self.first, start)).chain(end)
    }

    /// The activity's share in the period, every day it covers bearing the same, truncated towards zero at the 18th
    /// fractional digit, and the last day the rest; `None` when incomplete. The shares in the parts of a period add
    /// up to the share in the whole.
    #[must_use]
    pub fn share_in(&self, period: Period) -> Option<Co2e> {
        let amount = self.co2e?;
        let through = period.last().map_or(scaled(amount), |last| self.share_through(amount, last.number()));
        let before = period.first().map_or(0, |first| self.share_through(amount, first.number() - 1));
        // Both lie between zero and the amount, so the difference is within its magnitude.
        Decimal::from_scaled(through - before).map(Co2e::new)
    }

    /// The share, scaled, of all days up to and including the one of that number.
    fn share_through(&self, amount: Co2e, day: i32) -> i128 {
        let elapsed = i128::from(day) - i128::from(self.first.number()) + 1;
        if elapsed >= self.days() { scaled(amount) } else { self.rate() * elapsed.max(0) }
    }

    fn days(&self) -> i128 {
        i128::from(self.last.number().saturating_sub(self.first.number()).max(0)) + 1
    }

    /// The scaled amount of a day but the last.
    fn rate(&self) -> i128 {
        scaled(self.co2e.unwrap_or_default()) / self.days()
    }
}

fn scaled(amount: Co2e) -> i128 {
    amount.decimal().scaled()
}

/// A scaled amount of magnitude at most [`Decimal::MAX`] as a total.
fn total(scaled: i128) -> Total {
    Decimal::from_scaled(scaled).unwrap_or_default().into()
}

/// What the activities of one series add up to on one day. All zero is the same as absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cell {
    /// How many activities have this as their first day.
    pub starts: i64,
    /// How many activities have this as their last day.
    pub ends: i64,
    /// How many of `starts` are incomplete.
    pub incomplete_starts: i64,
    /// How many of `ends` are incomplete.
    pub incomplete_ends: i64,
    /// Kilograms of CO2 equivalent of the activities that start on this day, whole.
    pub co2e: Total,
    /// By how much the kilograms of CO2 equivalent borne per day change, in force from this day on, this day included.
    pub slope: Total,
    /// Kilograms of CO2 equivalent borne on this day beside the slope: what the even shares leave to last days.
    pub step: Total,
}

impl Cell {
    /// Nothing.
    pub const ZERO: Self = Self {
        starts: 0,
        ends: 0,
        incomplete_starts: 0,
        incomplete_ends: 0,
        co2e: Total::ZERO,
        slope: Total::ZERO,
        step: Total::ZERO,
    };

    /// Whether it is nothing.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The same with `days` days of slope moved into the step.
    pub(crate) fn carried(self, days: i64) -> Self {
        if days == 0 || self.slope.is_zero() { self } else { Self { step: self.step + self.slope.times(days), ..self } }
    }
}

impl Add for Cell {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self {
            starts: self.starts + other.starts,
            ends: self.ends + other.ends,
            incomplete_starts: self.incomplete_starts + other.incomplete_starts,
            incomplete_ends: self.incomplete_ends + other.incomplete_ends,
            co2e: self.co2e + other.co2e,
            slope: self.slope + other.slope,
            step: self.step + other.step,
        }
    }
}

impl AddAssign for Cell {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for Cell {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            starts: -self.starts,
            ends: -self.ends,
            incomplete_starts: -self.incomplete_starts,
            incomplete_ends: -self.incomplete_ends,
            co2e: -self.co2e,
            slope: -self.slope,
            step: -self.step,
        }
    }
}

impl Sub for Cell {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
