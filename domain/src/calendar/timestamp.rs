//! The service's own timestamps.

use std::fmt;
use std::str::FromStr;

use time::{OffsetDateTime, UtcOffset};

use crate::calendar::day::Day;
use crate::calendar::moment::{Iso, Moment, MomentError, write_digits};

/// A moment of the service's own clock: UTC, to the millisecond.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(OffsetDateTime);

impl Timestamp {
    /// The moment in UTC, cut to the millisecond; an error outside the years 1 to 9999.
    pub fn new(at: OffsetDateTime) -> Result<Self, MomentError> {
        let utc = at.checked_to_offset(UtcOffset::UTC).filter(|utc| Day::from_date(utc.date()).is_some());
        let utc = utc.ok_or(MomentError::OutOfRange)?;
        Ok(Self(utc.replace_millisecond(utc.millisecond()).unwrap_or(utc)))
    }

    /// Reads RFC 3339 in any offset, as [`Moment::parse`] does, cut to the millisecond.
    pub fn parse(text: &str) -> Result<Self, MomentError> {
        Moment::parse(text).and_then(|moment| Self::new(moment.instant()))
    }

    /// The moment of that many milliseconds since 1970; `None` outside the years 1 to 9999.
    #[must_use]
    pub fn from_millis(millis: i64) -> Option<Self> {
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok()?;
        Day::from_date(at.date()).map(|_| Self(at))
    }

    /// The last one there is, a millisecond before the year 10000.
    pub const MAX: Self = Self(time::macros::datetime!(9999-12-31 23:59:59.999 UTC));

    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.0.unix_timestamp() * 1000 + i64::from(self.0.millisecond())
    }

    /// The instant, in UTC.
    #[must_use]
    pub const fn instant(self) -> OffsetDateTime {
        self.0
    }

    /// The UTC day it lies in.
    #[must_use]
    pub fn day(self) -> Day {
        Day::from_date(self.0.date()).unwrap_or(Day::MIN)
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339, UTC, milliseconds, `Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hour, minute, second, millisecond) = self.0.time().as_hms_milli();
        let mut text = *b"0000-00-00T00:00:00.000Z";
        Iso(self.0.date()).write(&mut text);
        write_digits(&mut text[11..13], hour.into());
        write_digits(&mut text[14..16], minute.into());
        write_digits(&mut text[17..19], second.into());
        write_digits(&mut text[20..23], millisecond.into());
        f.pad(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

impl FromStr for Timestamp {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, MomentError> {
        Self::parse(text)
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Self {
        Self::with_digits(timestamp.0, 3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_beyond_the_calendar_in_utc_is_refused_and_never_moved() {
        for beyond in ["9999-12-31T23:59:59-10:00", "0001-01-01T00:00:00+10:00"] {
            assert_eq!(Timestamp::parse(beyond), Err(MomentError::OutOfRange), "{beyond}");
            assert!(Moment::parse(beyond).is_ok(), "{beyond}");
        }
        let last = Timestamp::parse("9999-12-31T13:59:59.9999-10:00").unwrap();
        assert_eq!((last, last.to_string().as_str()), (Timestamp::MAX, "9999-12-31T23:59:59.999Z"));
    }
}
