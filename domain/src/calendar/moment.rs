//! Moments as they were written, with their offset from UTC.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcOffset};

use crate::calendar::day::{Day, DayError};

/// Why a text is not a [`Moment`] or a [`Timestamp`](crate::Timestamp).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MomentError {
    /// The text is not RFC 3339.
    #[error("not a date-time such as 2025-01-31T09:30:00Z, nor a date such as 2025-01-31")]
    Malformed,
    /// No such calendar day, hour, minute or offset.
    #[error("a day, a time or an offset that does not exist")]
    NoSuchMoment,
    /// The seconds are 60, which this calendar does not have.
    #[error("a leap second; second 60 is not accepted")]
    LeapSecond,
    /// More than nine digits behind the second.
    #[error("more than 9 digits behind the second")]
    TooFine,
    /// In UTC, where a [`Timestamp`](crate::Timestamp) is, beyond the calendar.
    #[error("outside the years 1 to 9999 in UTC")]
    OutOfRange,
}

/// A moment as it was written: with its offset from UTC and the digits of its fraction. Two are equal when they are
/// written alike, so one instant in two offsets is two moments.
///
/// ```
/// # use tonne_domain::Moment;
/// let moment = Moment::parse("2025-01-01T00:30:00+13:00")?;
/// assert_eq!((moment.to_string(), moment.day().to_string()), ("2025-01-01T00:30:00+13:00".into(), "2025-01-01".into()));
/// assert_eq!(moment.to_utc().to_string(), "2024-12-31T11:30:00Z");
/// # Ok::<(), tonne_domain::MomentError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Moment {
    at: OffsetDateTime,
    digits: u8,
}

impl Moment {
    /// Reads RFC 3339; a `T`, `t` or blank between date and time, `Z` or `z`, fraction of up to 9 digits. Seconds that
    /// are left out are 0.
    pub fn parse(text: &str) -> Result<Self, MomentError> {
        if text.is_ascii() && text.len() >= 17 && matches!(text.as_bytes()[16], b'Z' | b'z' | b'+' | b'-') {
            return Self::parse(&format!("{}:00{}", &text[..16], &text[16..]));
        }
        let bytes = text.as_bytes();
        if !text.is_ascii() || bytes.len() < 20 || !matches!(bytes[10], b'T' | b't' | b' ') {
            return Err(MomentError::Malformed);
        }
        let day = Day::parse(&text[..10]).map_err(|error| match error {
            DayError::Malformed => MomentError::Malformed,
            DayError::NoSuchDay => MomentError::NoSuchMoment,
        })?;
        let clock: [u8; 3] = parse_clock(&text[11..19])?;
        let rest = &text[19..];
        let (fraction, zone) = match rest.strip_prefix('.') {
            Some(tail) => tail.split_at(tail.bytes().take_while(u8::is_ascii_digit).count()),
            None => ("", rest),
        };
        if rest.starts_with('.') && fraction.is_empty() {
            return Err(MomentError::Malformed);
        }
        if fraction.len() > 9 {
            return Err(MomentError::TooFine);
        }
        let nanos: u32 = format!("{fraction:0<9}").parse().map_err(|_| MomentError::Malformed)?;
        let offset = parse_offset(zone)?;
        if clock[2] == 60 {
            return Err(MomentError::LeapSecond);
        }
        let time = Time::from_hms_nano(clock[0], clock[1], clock[2], nanos).map_err(|_| MomentError::NoSuchMoment)?;
        let at = PrimitiveDateTime::new(day.date(), time).assume_offset(offset);
        Ok(Self { at, digits: u8::try_from(fraction.len()).map_err(|_| MomentError::TooFine)? })
    }

    /// Reads a start: RFC 3339, or a bare date as its first second in UTC.
    pub fn parse_start(text: &str) -> Result<Self, MomentError> {
        if text.len() == 10 { Self::of_day(text, Time::MIDNIGHT) } else { Self::parse(text) }
    }

    /// Reads an end: RFC 3339, or a bare date as its last second in UTC.
    pub fn parse_end(text: &str) -> Result<Self, MomentError> {
        if text.len() == 10 { Self::of_day(text, time::macros::time!(23:59:59)) } else { Self::parse(text) }
    }

    fn of_day(text: &str, time: Time) -> Result<Self, MomentError> {
        let day = Day::parse(text).map_err(|error| match error {
            DayError::Malformed => MomentError::Malformed,
            DayError::NoSuchDay => MomentError::NoSuchMoment,
        })?;
        Ok(Self { at: PrimitiveDateTime::new(day.date(), time).assume_utc(), digits: 0 })
    }

    /// The instant, with the offset it was written in.
    #[must_use]
    pub const fn instant(self) -> OffsetDateTime {
        self.at
    }

    /// The same moment in UTC; as it is where UTC leaves the years 1 to 9999.
    #[must_use]
    pub fn to_utc(self) -> Self {
        let utc = self.at.checked_to_offset(UtcOffset::UTC).filter(|utc| Day::from_date(utc.date()).is_some());
        Self { at: utc.unwrap_or(self.at), ..self }
    }

    /// The same moment with its milliseconds at least, so that of two in UTC the text of the later one sorts behind; but
    /// not where one has more digits than the other.
    #[must_use]
    pub fn with_millis(self) -> Self {
        Self { digits: self.digits.max(3), ..self }
    }

    /// The calendar day written in it, in its own offset.
    #[must_use]
    pub fn day(self) -> Day {
        Day::from_date(self.at.date()).unwrap_or(Day::MIN)
    }

    /// Whether it is exactly the first instant of its day.
    #[must_use]
    pub fn is_midnight(self) -> bool {
        self.at.time() == Time::MIDNIGHT
    }
}

impl Moment {
    /// The moment with that many digits of its fraction, at most 9.
    pub(super) const fn with_digits(at: OffsetDateTime, digits: u8) -> Self {
        Self { at, digits }
    }

    const fn written(&self) -> (PrimitiveDateTime, UtcOffset, u8) {
        (PrimitiveDateTime::new(self.at.date(), self.at.time()), self.at.offset(), self.digits)
    }
}

impl PartialEq for Moment {
    fn eq(&self, other: &Self) -> bool {
        self.written() == other.written()
    }
}

impl Eq for Moment {}

impl Hash for Moment {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.written().hash(state);
    }
}

impl fmt::Display for Moment {
    /// RFC 3339 with the offset and fraction it was written with, a zero offset as `Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time, digits) = (self.at.date(), self.at.time(), usize::from(self.digits));
        let mut text = *b"0000-00-00T00:00:00.000000000+00:00";
        Iso(date).write(&mut text);
        write_digits(&mut text[11..13], time.hour().into());
        write_digits(&mut text[14..16], time.minute().into());
        write_digits(&mut text[17..19], time.second().into());
        let mut length = 19;
        if digits > 0 {
            write_digits(&mut text[20..29], time.nanosecond());
            length = 20 + digits;
        }
        let minutes = self.at.offset().whole_minutes();
        if minutes == 0 {
            text[length] = b'Z';
            length += 1;
        } else {
            let mut offset = *b"+00:00";
            offset[0] = if minutes < 0 { b'-' } else { b'+' };
            write_digits(&mut offset[1..3], u32::from(minutes.unsigned_abs()) / 60);
            write_digits(&mut offset[4..6], u32::from(minutes.unsigned_abs()) % 60);
            text[length..length + 6].copy_from_slice(&offset);
            length += 6;
        }
        f.pad(std::str::from_utf8(&text[..length]).unwrap_or_default())
    }
}

impl fmt::Debug for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Moment({self})")
    }
}

impl FromStr for Moment {
    type Err = MomentError;

    fn from_str(text: &str) -> Result<Self, MomentError> {
        Self::parse(text)
    }
}

/// Writes a date as `YYYY-MM-DD`.
pub(super) struct Iso(pub(super) Date);

impl fmt::Display for Iso {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = *b"0000-00-00";
        self.write(&mut text);
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl Iso {
    /// Writes it into the first ten bytes, which have the dashes. The year is one of 1 to 9999.
    pub(super) fn write(&self, text: &mut [u8]) {
        write_digits(&mut text[..4], self.0.year().unsigned_abs());
        write_digits(&mut text[5..7], u8::from(self.0.month()).into());
        write_digits(&mut text[8..10], self.0.day().into());
    }
}

/// Fills the place with the last digits of a number: faster than the standard formatter, for texts that are written by the
/// million.
pub(super) fn write_digits(place: &mut [u8], mut number: u32) {
    for digit in place.iter_mut().rev() {
        *digit = b'0' + u8::try_from(number % 10).unwrap_or_default();
        number /= 10;
    }
}

fn two_digits(text: &str) -> Result<u8, MomentError> {
    if text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().map_err(|_| MomentError::Malformed)
    } else {
        Err(MomentError::Malformed)
    }
}

fn parse_clock(text: &str) -> Result<[u8; 3], MomentError> {
    let bytes = text.as_bytes();
    if bytes[2] != b':' || bytes[5] != b':' {
        return Err(MomentError::Malformed);
    }
    Ok([two_digits(&text[..2])?, two_digits(&text[3..5])?, two_digits(&text[6..8])?])
}

fn parse_offset(zone: &str) -> Result<UtcOffset, MomentError> {
    if matches!(zone, "Z" | "z") {
        return Ok(UtcOffset::UTC);
    }
    let bytes = zone.as_bytes();
    if bytes.len() != 6 || bytes[3] != b':' || !matches!(bytes[0], b'+' | b'-') {
        return Err(MomentError::Malformed);
    }
    let (hours, minutes) = (two_digits(&zone[1..3])?.cast_signed(), two_digits(&zone[4..6])?.cast_signed());
    if hours > 23 || minutes > 59 {
        return Err(MomentError::NoSuchMoment);
    }
    let sign = if bytes[0] == b'-' { -1 } else { 1 };
    UtcOffset::from_hms(sign * hours, sign * minutes, 0).map_err(|_| MomentError::NoSuchMoment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_comes_back_as_it_was_written() {
        for text in [
            "2025-01-01T00:30:00+13:00",
            "2025-01-01T00:30:00.500-08:30",
            "2025-12-31T23:59:59.123456789Z",
            "0001-01-01T00:00:00Z",
        ] {
            assert_eq!(Moment::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Moment::parse("2025-01-01t00:30:00-00:00").unwrap().to_string(), "2025-01-01T00:30:00Z");
        assert_eq!(Moment::parse("2025-01-01T00:30+13:00").unwrap().to_string(), "2025-01-01T00:30:00+13:00");
    }

    #[test]
    fn the_day_is_the_one_written_in_its_own_offset() {
        assert_eq!(Moment::parse("2025-01-01T00:30:00+13:00").unwrap().day().to_string(), "2025-01-01");
    }

    #[test]
    fn one_instant_in_two_offsets_is_two_moments() {
        assert_ne!(Moment::parse("2025-01-01T00:00:00Z"), Moment::parse("2025-01-01T01:00:00+01:00"));
        assert_ne!(Moment::parse("2025-01-01T00:00:00Z"), Moment::parse("2025-01-01T00:00:00.0Z"));
    }

    #[test]
    fn what_is_no_moment_says_why() {
        for (text, error) in [
            ("2025-01-01T10:00:60Z", MomentError::LeapSecond),
            ("2025-02-29T10:00:00Z", MomentError::NoSuchMoment),
            ("2025-02-28T24:00:00Z", MomentError::NoSuchMoment),
            ("2025-02-28T10:00:00", MomentError::Malformed),
            ("2025-02-28T10:00:00.Z", MomentError::Malformed),
            ("2025-02-28T10:00:00.1234567890Z", MomentError::TooFine),
            ("2025-02-28T10:00:00+25:00", MomentError::NoSuchMoment),
            ("2025-02-28", MomentError::Malformed),
            ("", MomentError::Malformed),
            ("2025-02-28T10:00", MomentError::Malformed),
            ("2025-02-28T10:6Z+00:00", MomentError::Malformed),
            ("2025-02-28Té0:00:00Zzz", MomentError::Malformed),
        ] {
            assert_eq!(Moment::parse(text), Err(error), "{text}");
        }
    }
}
