//! Columns of numbers, each of as few bytes as all of its numbers fit in: memory is what a large cube costs most of.

use crate::amount::total::Total;

/// A column of counts.
pub(super) enum Counts {
    Tiny(Box<[i8]>),
    Short(Box<[i32]>),
    Long(Box<[i64]>),
}

impl Counts {
    pub(super) fn new(counts: impl Iterator<Item = i64> + Clone) -> Self {
        if let Ok(tiny) = counts.clone().map(i8::try_from).collect() {
            return Self::Tiny(tiny);
        }
        let short: Result<Box<[i32]>, _> = counts.clone().map(i32::try_from).collect();
        short.map_or_else(|_| Self::Long(counts.collect()), Self::Short)
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Tiny(counts) => counts.len(),
            Self::Short(counts) => counts.len(),
            Self::Long(counts) => counts.len(),
        }
    }

    pub(super) fn get(&self, row: usize) -> i64 {
        match self {
            Self::Tiny(counts) => counts[row].into(),
            Self::Short(counts) => counts[row].into(),
            Self::Long(counts) => counts[row],
        }
    }
}

/// A column of sums.
#[derive(Default)]
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
#[derive(Clone, Copy)]
pub(super) struct Narrow([u32; 3]);

impl Narrow {
    fn new(scaled: i128) -> Option<Self> {
        let bytes = scaled.to_le_bytes();
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let narrow = Self([word(0), word(4), word(8)]);
        (narrow.scaled() == scaled).then_some(narrow)
    }

    fn scaled(self) -> i128 {
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
}
