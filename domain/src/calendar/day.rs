//! Calendar days and spans of them.

use std::fmt;
use std::str::FromStr;

use time::{Date, Month};

/// A calendar day of the proleptic Gregorian calendar, 0001-01-01 to 9999-12-31.
///
/// ```
/// # use tonne_domain::Day;
/// let day = Day::parse("2024-02-28")?;
/// assert_eq!((day.next().to_string(), day.next().next().calendar()), ("2024-02-29".to_owned(), (2024, 3, 1)));
/// assert_eq!(Day::parse("2025-02-29").unwrap_err().to_string(), "not a day of the calendar");
/// # Ok::<(), tonne_domain::DayError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

/// Why a text is not a [`Day`] or a period of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DayError {
    /// Not of the form.
    #[error("not a date of the form YYYY-MM-DD")]
    Malformed,
    /// Of the form, but no such day exists.
    #[error("not a day of the calendar")]
    NoSuchDay,
}

impl Day {
    /// The first day there is.
    pub const MIN: Self = Self(1_721_426);
    /// The last day there is.
    pub const MAX: Self = Self(5_373_484);

    /// Reads `YYYY-MM-DD`, in ASCII digits.
    pub fn parse(text: &str) -> Result<Self, DayError> {
        let bytes = text.as_bytes();
        let shaped = bytes.len() == 10
            && bytes.iter().enumerate().all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() });
        if !shaped {
            return Err(DayError::Malformed);
        }
        let part = |range: std::ops::Range<usize>| text[range].parse::<u16>().map_err(|_| DayError::Malformed);
        Self::from_calendar(part(0..4)?, part(5..7)?, part(8..10)?)
    }

    /// The day of that date, or an error when the calendar has none such.
    pub fn from_calendar(year: u16, month: u16, day: u16) -> Result<Self, DayError> {
        let small = |value: u16| u8::try_from(value).map_err(|_| DayError::NoSuchDay);
        let month = Month::try_from(small(month)?).map_err(|_| DayError::NoSuchDay)?;
        let date = Date::from_calendar_date(i32::from(year), month, small(day)?).map_err(|_| DayError::NoSuchDay)?;
        Self::from_date(date).ok_or(DayError::NoSuchDay)
    }

    /// The day of that date; `None` outside the years 1 to 9999.
    #[must_use]
    pub fn from_date(date: Date) -> Option<Self> {
        let day = Self(date.to_julian_day());
        (Self::MIN..=Self::MAX).contains(&day).then_some(day)
    }

    /// The date of the day.
    #[must_use]
    pub fn date(self) -> Date {
        Date::from_julian_day(self.0).unwrap_or(Date::MIN)
    }

    /// The Julian day number: days are counted without gaps, so differences are numbers of days.
    #[must_use]
    pub const fn number(self) -> i32 {
        self.0
    }

    /// The day of a Julian day number; `None` outside the years 1 to 9999.
    #[must_use]
    pub fn from_number(number: i32) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&number).then_some(Self(number))
    }

    /// The day before; the first day stays.
    #[must_use]
    pub fn previous(self) -> Self {
        Self((self.0 - 1).max(Self::MIN.0))
    }

    /// The day after; the last day stays.
    #[must_use]
    pub fn next(self) -> Self {
        Self((self.0 + 1).min(Self::MAX.0))
    }

    /// Year, month (1-12) and day of the month.
    #[must_use]
    pub fn calendar(self) -> (i32, u8, u8) {
        let date = self.date();
        (date.year(), date.month().into(), date.day())
    }
}

impl fmt::Display for Day {
    /// Writes `YYYY-MM-DD`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.calendar();
        f.pad(&format!("{year:04}-{month:02}-{day:02}"))
    }
}

impl fmt::Debug for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Day({self})")
    }
}

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        Self::parse(text)
    }
}

/// A span of days, first and last included; either end may be open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    first: Option<Day>,
    last: Option<Day>,
}

impl Period {
    /// No bound at either end.
    pub const ALL: Self = Self { first: None, last: None };

    /// From `first` to `last`, both included; `None` when `first` lies after `last`.
    #[must_use]
    pub fn new(first: Option<Day>, last: Option<Day>) -> Option<Self> {
        match (first, last) {
            (Some(a), Some(b)) if a > b => None,
            _ => Some(Self { first, last }),
        }
    }

    /// Reads `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: that year, month or day.
    pub fn parse(text: &str) -> Result<Self, DayError> {
        let (first, last) = match text.len() {
            4 => (Day::parse(&format!("{text}-01-01"))?, Day::parse(&format!("{text}-12-31"))?),
            7 => {
                let first = Day::parse(&format!("{text}-01"))?;
                let length = first.date().month().length(first.date().year());
                (first, Day(first.0 + i32::from(length) - 1))
            }
            10 => (Day::parse(text)?, Day::parse(text)?),
            _ => return Err(DayError::Malformed),
        };
        Ok(Self { first: Some(first), last: Some(last) })
    }

    /// The first day, or `None` when the start is open.
    #[must_use]
    pub const fn first(self) -> Option<Day> {
        self.first
    }

    /// The last day, or `None` when the end is open.
    #[must_use]
    pub const fn last(self) -> Option<Day> {
        self.last
    }

    /// Whether the day lies in the period.
    #[must_use]
    pub fn contains(self, day: Day) -> bool {
        self.first.is_none_or(|first| first <= day) && self.last.is_none_or(|last| day <= last)
    }
}

impl FromStr for Period {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        Self::parse(text)
    }
}

impl fmt::Display for Period {
    /// First and last day, `2025-01-01 to 2025-01-31`; an open end is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match (self.first, self.last) {
            (Some(first), Some(last)) if first == last => first.to_string(),
            (Some(first), Some(last)) => format!("{first} to {last}"),
            (Some(first), None) => format!("from {first}"),
            (None, Some(last)) => format!("to {last}"),
            (None, None) => "all days".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_the_first_and_last_day_of_the_calendar() {
        assert_eq!(Day::MIN.to_string(), "0001-01-01");
        assert_eq!(Day::MAX.to_string(), "9999-12-31");
    }

    #[test]
    fn a_period_is_a_day_a_month_or_a_year() {
        let show =
            |text: &str| Period::parse(text).map(|p| (p.first().unwrap().to_string(), p.last().unwrap().to_string()));
        assert_eq!(show("2024-02"), Ok(("2024-02-01".into(), "2024-02-29".into())));
        assert_eq!(show("2023"), Ok(("2023-01-01".into(), "2023-12-31".into())));
        assert_eq!(show("2023-07-09"), Ok(("2023-07-09".into(), "2023-07-09".into())));
        for bad in ["", "23", "2023-1", "2023-02-30", "2023-13", "0000", "２０２３", "2023/01/01", "+023"] {
            assert!(Period::parse(bad).is_err(), "{bad}");
        }
    }
}
