//! How well the figure of an activity is known.

use std::fmt;
use std::str::FromStr;

use crate::aggregate::measure::Measure;

/// The quality tier of an activity's data (GHG Protocol Scope 3 Standard, chapter 7: primary data, estimates, proxies). An
/// activity that states none is in no tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// Read from a meter, a bill or another record of the activity itself.
    Measured,
    /// Worked out from other data of the same activity, such as the last months of a meter.
    Estimated,
    /// Taken from something else that stands for it, such as a similar site or what was spent.
    Proxy,
}

/// A text that is the word of no quality tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be measured, estimated or proxy")]
pub struct UnknownQuality;

impl Quality {
    /// Every tier, the best first.
    pub const ALL: [Self; 3] = [Self::Measured, Self::Estimated, Self::Proxy];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Estimated => "estimated",
            Self::Proxy => "proxy",
        }
    }

    /// The tier of that word.
    pub fn parse(word: &str) -> Result<Self, UnknownQuality> {
        Self::ALL.into_iter().find(|quality| quality.word() == word).ok_or(UnknownQuality)
    }

    /// The measure of the CO2e that is of this quality.
    #[must_use]
    pub const fn measure(self) -> Measure {
        match self {
            Self::Measured => Measure::Co2eMeasured,
            Self::Estimated => Measure::Co2eEstimated,
            Self::Proxy => Measure::Co2eProxy,
        }
    }
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Quality {
    type Err = UnknownQuality;

    fn from_str(word: &str) -> Result<Self, UnknownQuality> {
        Self::parse(word)
    }
}
