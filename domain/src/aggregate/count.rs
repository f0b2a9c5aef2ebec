//! Numbers of activities: a sum of them that would leave 64 bits is an error, found before anything is added up.

/// More activities than 64 bits count, which no records come near: cells that were damaged or forged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more activities than 64 bits count")]
pub struct TooMany;

/// How large the numbers of activities of some cells are together, without their signs. No sum of those cells or of parts
/// of them is larger, nor is the difference of two such sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Magnitude(u64);

impl Magnitude {
    /// Half of what 64 bits with a sign count: single activities that come on top never make up the other half.
    const MOST: u64 = 1 << 62;

    /// The same with the numbers of one cell more; [`TooMany`] beyond 2^62.
    pub fn with(self, counts: [i64; 4]) -> Result<Self, TooMany> {
        let sum = counts.iter().try_fold(self.0, |sum, count| sum.checked_add(count.unsigned_abs()));
        sum.filter(|sum| *sum <= Self::MOST).map(Self).ok_or(TooMany)
    }

    /// The same with all of the other's cells; [`TooMany`] beyond 2^62.
    pub(super) fn and(self, other: Self) -> Result<Self, TooMany> {
        self.0.checked_add(other.0).filter(|sum| *sum <= Self::MOST).map(Self).ok_or(TooMany)
    }
}
