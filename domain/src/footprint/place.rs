//! Where a footprint stands in the lists of partners: by creation, then by number, so that it never moves.

use crate::calendar::moment::Moment;
use crate::footprint::Footprint;

/// The place of a footprint in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FootprintPlace {
    /// When it was created, in whole microseconds since 1970, rounded down.
    pub created_us: i64,
    /// Its number.
    pub number: u64,
}

impl FootprintPlace {
    /// The place before all others, where no footprint stands.
    pub const START: Self = Self { created_us: i64::MIN, number: 0 };

    /// The place of that footprint.
    #[must_use]
    pub fn of(footprint: &Footprint) -> Self {
        Self { created_us: micros(footprint.created()), number: footprint.number }
    }
}

/// Every moment of the years 1 to 9999 fits.
fn micros(moment: Moment) -> i64 {
    let micros = moment.instant().unix_timestamp_nanos().div_euclid(1000);
    i64::try_from(micros).unwrap_or(if micros < 0 { i64::MIN } else { i64::MAX })
}
