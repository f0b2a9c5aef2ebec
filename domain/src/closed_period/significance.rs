//! How large a change of the base year must be to ask for its recalculation.

use std::fmt;
use std::str::FromStr;

use crate::amount::decimal::Decimal;
use crate::amount::total::Total;

/// A share of the base year's figure in per cent, above which a change of it is significant: above 0, at most 100, with at
/// most two digits behind the point. 5 is usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Significance {
    hundredths: u16,
}

/// Why a text is no [`Significance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be above 0 and at most 100 per cent, with at most two digits behind the point")]
pub struct SignificanceError;

impl Significance {
    /// Reads a share in per cent, such as `5` or `2.5`.
    pub fn parse(text: &str) -> Result<Self, SignificanceError> {
        let percent = Decimal::parse(text).map_err(|_| SignificanceError)?.scaled();
        let unit = 10_i128.pow(16);
        let hundredths = u16::try_from(percent / unit).map_err(|_| SignificanceError)?;
        let is_within = (1..=10_000).contains(&hundredths) && percent % unit == 0;
        is_within.then_some(Self { hundredths }).ok_or(SignificanceError)
    }

    /// Whether a change is more than this share of the whole; signs do not count. Any change of nothing is.
    #[must_use]
    pub fn is_exceeded(self, change: Total, whole: Total) -> bool {
        magnitude(change).times(10_000) > magnitude(whole).times(i64::from(self.hundredths))
    }
}

fn magnitude(total: Total) -> Total {
    if total < Total::ZERO { -total } else { total }
}

impl fmt::Display for Significance {
    /// Writes the share in per cent without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        f.pad(&match (rest, rest % 10) {
            (0, _) => whole.to_string(),
            (_, 0) => format!("{whole}.{}", rest / 10),
            (_, _) => format!("{whole}.{rest:02}"),
        })
    }
}

impl FromStr for Significance {
    type Err = SignificanceError;

    fn from_str(text: &str) -> Result<Self, SignificanceError> {
        Self::parse(text)
    }
}
