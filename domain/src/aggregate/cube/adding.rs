//! Sums under way: the numbers of columns added up, or taken away.

use super::column::{Amount, Narrow};
use crate::amount::total::Total;

/// Whether rows are added or taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    pub(super) const fn opposite(self) -> Self {
        match self {
            Self::Plus => Self::Minus,
            Self::Minus => Self::Plus,
        }
    }

    /// The sum with the count added, or taken away; no count of activities leaves 64 bits: see
    /// [`Magnitude`](crate::Magnitude).
    #[inline]
    pub(super) const fn apply(self, sum: i64, count: i64) -> i64 {
        match self {
            Self::Plus => sum.wrapping_add(count),
            Self::Minus => sum.wrapping_sub(count),
        }
    }
}

/// Adds what stands in columns of narrow sums, row by row for all columns at once, since sums that do not wait for each other are
/// added in a fraction of the time: of each row to the sums of its group, which begin at the group's number times `width`, each
/// column at its place behind that; or takes it away from them. The sums of fewer than 2^32 rows stay within 128 bits.
#[inline]
pub(super) fn add_narrow(
    sign: Sign,
    columns: &[(usize, &[Narrow])],
    group: impl Fn(usize) -> usize + Copy,
    sums: &mut [i128],
    width: usize,
) {
    for some in columns.chunks(6) {
        match some.len() {
            1 => add_columns::<1>(sign, some, group, sums, width),
            2 => add_columns::<2>(sign, some, group, sums, width),
            3 => add_columns::<3>(sign, some, group, sums, width),
            4 => add_columns::<4>(sign, some, group, sums, width),
            5 => add_columns::<5>(sign, some, group, sums, width),
            _ => add_columns::<6>(sign, some, group, sums, width),
        }
    }
}

#[inline]
fn add_columns<const N: usize>(
    sign: Sign,
    columns: &[(usize, &[Narrow])],
    group: impl Fn(usize) -> usize,
    sums: &mut [i128],
    width: usize,
) {
    match sign {
        Sign::Plus => combine::<N>(i128::wrapping_add, columns, group, sums, width),
        Sign::Minus => combine::<N>(i128::wrapping_sub, columns, group, sums, width),
    }
}

#[inline]
fn combine<const N: usize>(
    combine: impl Fn(i128, i128) -> i128,
    columns: &[(usize, &[Narrow])],
    group: impl Fn(usize) -> usize,
    sums: &mut [i128],
    width: usize,
) {
    let Ok(columns): Result<&[(usize, &[Narrow]); N], _> = columns.try_into() else { return };
    let rows = columns.first().map_or(0, |(_, column)| column.len());
    for at in 0..rows {
        let sums = &mut sums[group(at) * width..][..width];
        for (place, column) in columns {
            sums[*place] = combine(sums[*place], column[at].scaled());
        }
    }
}

/// A sum under way. Adding in 128 bits takes a fraction of the time; what they cannot hold is set aside.
#[derive(Clone, Copy)]
pub(super) struct Adding {
    near: i128,
    aside: Total,
}

impl Adding {
    pub(super) const ZERO: Self = Self { near: 0, aside: Total::ZERO };

    #[inline]
    pub(super) fn add(&mut self, scaled: i128) {
        match self.near.checked_add(scaled) {
            Some(sum) => self.near = sum,
            None => self.aside += Total::from_scaled(std::mem::replace(&mut self.near, scaled)),
        }
    }

    #[inline]
    pub(super) fn add_amount(&mut self, amount: Amount) {
        match amount {
            Amount::Near(scaled) => self.add(scaled),
            Amount::Far(total) => self.add_wide(total),
        }
    }

    /// Adds the amount, or takes it away.
    #[inline]
    pub(super) fn add_signed(&mut self, sign: Sign, amount: Amount) {
        match (sign, amount) {
            (Sign::Plus, amount) => self.add_amount(amount),
            (Sign::Minus, Amount::Near(scaled)) if scaled != i128::MIN => self.add(-scaled),
            (Sign::Minus, Amount::Near(scaled)) => self.add_wide(Total::ZERO - Total::from_scaled(scaled)),
            (Sign::Minus, Amount::Far(total)) => self.add_wide(Total::ZERO - total),
        }
    }

    #[inline]
    pub(super) fn add_wide(&mut self, sum: Total) {
        match sum.scaled() {
            Some(scaled) => self.add(scaled),
            None => self.aside += sum,
        }
    }

    pub(super) fn total(self) -> Total {
        self.aside + Total::from_scaled(self.near)
    }
}
