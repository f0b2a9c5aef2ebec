//! Columns of numbers, each of as few bytes as all of its numbers fit in: memory is what a large cube costs most of.

use std::ops::Range;

use crate::amount::total::Total;

/// A column of counts.
#[derive(PartialEq, Eq)]
pub(super) enum Counts {
    /// All of them zero.
    Zero,
    Tiny(Box<[i8]>),
    Short(Box<[i16]>),
    Middle(Box<[i32]>),
    Long(Box<[i64]>),
}

impl Counts {
    pub(super) fn new(counts: impl Iterator<Item = i64> + Clone) -> Self {
        let (least, most) = counts.clone().fold((0, 0), |(least, most), count| (count.min(least), count.max(most)));
        if least == 0 && most == 0 {
            return Self::Zero;
        }
        if let Some(tiny) = all(counts.clone(), least, most) {
            return Self::Tiny(tiny);
        }
        if let Some(short) = all(counts.clone(), least, most) {
            return Self::Short(short);
        }
        all(counts.clone(), least, most).map_or_else(|| Self::Long(counts.collect()), Self::Middle)
    }

    /// Whether all of them are zero.
    pub(super) const fn is_zero(&self) -> bool {
        matches!(self, Self::Zero)
    }

    pub(super) fn get(&self, row: usize) -> i64 {
        match self {
            Self::Zero => 0,
            Self::Tiny(counts) => counts[row].into(),
            Self::Short(counts) => counts[row].into(),
            Self::Middle(counts) => counts[row].into(),
            Self::Long(counts) => counts[row],
        }
    }

    /// Hands over the counts of those rows in their order; none where all are zero.
    #[inline]
    pub(super) fn visit(&self, rows: Range<usize>, visit: impl FnMut(i64)) {
        match self {
            Self::Zero => {}
            Self::Tiny(counts) => counts[rows].iter().copied().map(i64::from).for_each(visit),
            Self::Short(counts) => counts[rows].iter().copied().map(i64::from).for_each(visit),
            Self::Middle(counts) => counts[rows].iter().copied().map(i64::from).for_each(visit),
            Self::Long(counts) => counts[rows].iter().copied().for_each(visit),
        }
    }
}

/// The counts as shorter numbers, where the least and the most of them are.
fn all<T: TryFrom<i64>>(counts: impl Iterator<Item = i64>, least: i64, most: i64) -> Option<Box<[T]>> {
    T::try_from(least).ok().and(T::try_from(most).ok())?;
    counts.map(|count| T::try_from(count).ok()).collect()
}

/// A column of sums.
#[derive(Default, PartialEq, Eq)]
pub(super) enum Sums {
    /// All of them zero.
    #[default]
    Zero,
    /// Up to about 39 billion: nearly all sums of a series.
    Narrow(Box<[Narrow]>),
    Middle(Box<[i128]>),
    Wide(Box<[Total]>),
}

/// The lower 96 bits of a scaled sum that fits in them, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Narrow([u32; 3]);

impl Narrow {
    fn new(scaled: i128) -> Option<Self> {
        let bytes = scaled.to_le_bytes();
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let narrow = Self([word(0), word(4), word(8)]);
        (narrow.scaled() == scaled).then_some(narrow)
    }

    #[inline]
    pub(super) fn scaled(self) -> i128 {
        let Self([low, middle, high]) = self;
        let low = u64::from(low) | u64::from(middle) << 32;
        i128::from(high.cast_signed()) << 64 | i128::from(low)
    }
}

impl Sums {
    pub(super) fn new(sums: impl Iterator<Item = Total> + Clone) -> Self {
        if sums.clone().all(Total::is_zero) {
            return Self::Zero;
        }
        if let Some(narrow) = sums.clone().map(|sum| Narrow::new(sum.scaled()?)).collect() {
            return Self::Narrow(narrow);
        }
        let middle: Option<Box<[i128]>> = sums.clone().map(Total::scaled).collect();
        middle.map_or_else(|| Self::Wide(sums.collect()), Self::Middle)
    }

    pub(super) fn get(&self, row: usize) -> Total {
        match self {
            Self::Zero => Total::ZERO,
            Self::Narrow(sums) => Total::from_scaled(sums[row].scaled()),
            Self::Middle(sums) => Total::from_scaled(sums[row]),
            Self::Wide(sums) => sums[row],
        }
    }

    /// What stands in those rows where the column is narrow.
    pub(super) fn narrow(&self, rows: Range<usize>) -> Option<&[Narrow]> {
        if let Self::Narrow(sums) = self { Some(&sums[rows]) } else { None }
    }

    /// Hands over what stands in those rows, counted from the first of them; nothing where all are zero.
    #[inline]
    pub(super) fn visit(&self, rows: Range<usize>, mut visit: impl FnMut(usize, Amount)) {
        match self {
            Self::Zero => {}
            Self::Narrow(sums) => {
                sums[rows].iter().enumerate().for_each(|(at, sum)| visit(at, Amount::Near(sum.scaled())));
            }
            Self::Middle(sums) => sums[rows].iter().enumerate().for_each(|(at, sum)| visit(at, Amount::Near(*sum))),
            Self::Wide(sums) => sums[rows].iter().enumerate().for_each(|(at, sum)| visit(at, Amount::Far(*sum))),
        }
    }
}

/// One of the sums of a column.
#[derive(Clone, Copy)]
pub(super) enum Amount {
    /// Scaled.
    Near(i128),
    Far(Total),
}

impl Amount {
    /// So many times as much.
    #[inline]
    pub(super) fn times(self, count: i64) -> Self {
        match self {
            Self::Near(scaled) => {
                let product = scaled.checked_mul(count.into());
                product.map_or_else(|| Self::Far(Total::from_scaled(scaled).times(count)), Self::Near)
            }
            Self::Far(total) => Self::Far(total.times(count)),
        }
    }
}
