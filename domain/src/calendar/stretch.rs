//! Stretches of the calendar that sums are broken down by: days, months, quarters and years.

use std::fmt;

use crate::calendar::day::{Day, DayError, Period};

/// What sort of stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stretch {
    /// A calendar day.
    Day,
    /// A calendar month.
    Month,
    /// Three months, counted from the start of the year.
    Quarter,
    /// A year, from its start to the day before the next.
    Year,
}

/// The day of the calendar that years begin on: 1 January unless a company's fiscal year begins on another.
///
/// ```
/// # use tonne_domain::{Day, Stretch, YearStart};
/// let day = Day::parse("2025-03-31")?;
/// assert_eq!(YearStart::default().name(Stretch::Quarter, day), "2025-Q1");
/// assert_eq!(YearStart::parse("04-01")?.name(Stretch::Quarter, day), "2024/2025-Q4");
/// # Ok::<(), tonne_domain::DayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct YearStart {
    month: u8,
    day: u8,
}

impl Default for YearStart {
    fn default() -> Self {
        Self { month: 1, day: 1 }
    }
}

impl fmt::Display for YearStart {
    /// Writes `MM-DD`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}-{:02}", self.month, self.day)
    }
}

impl YearStart {
    /// Reads `MM-DD`: a day that every month has, 01 to 28, so that quarters begin on it too.
    pub fn parse(text: &str) -> Result<Self, DayError> {
        if text.len() != 5 {
            return Err(DayError::Malformed);
        }
        let (_, month, day) = Day::parse(&format!("2001-{text}"))?.calendar();
        if day > 28 { Err(DayError::NoSuchDay) } else { Ok(Self { month, day }) }
    }

    /// The first day behind the stretch that the day lies in; `None` behind the last day there is.
    #[must_use]
    pub fn next(self, stretch: Stretch, day: Day) -> Option<Day> {
        let months = match stretch {
            Stretch::Day => return (day != Day::MAX).then(|| day.next()),
            Stretch::Month => {
                let (year, month, _) = day.calendar();
                return from_months(year * 12 + i32::from(month), 1);
            }
            Stretch::Quarter => 3,
            Stretch::Year => 12,
        };
        let since = self.months_since(day).rem_euclid(months);
        from_months(self.started_month(day) - since + months, self.day)
    }

    /// The name of the stretch that the day lies in: `2025-01-31`, `2025-01`, `2025-Q1`, `2025`; of a year that begins on
    /// another day than 1 January `2024/2025`, and its quarters `2024/2025-Q4`.
    #[must_use]
    pub fn name(self, stretch: Stretch, day: Day) -> String {
        let months = self.months_since(day);
        let year = match months.div_euclid(12) {
            year if self == Self::default() => format!("{year:04}"),
            year => format!("{year:04}/{:04}", year + 1),
        };
        match stretch {
            Stretch::Day => day.to_string(),
            Stretch::Month => day.to_string()[..7].to_owned(),
            Stretch::Quarter => format!("{year}-Q{}", months.rem_euclid(12) / 3 + 1),
            Stretch::Year => year,
        }
    }

    /// The month, counted from year 0, whose stretch that begins on the day of the month of the year's start holds the day.
    fn started_month(self, day: Day) -> i32 {
        let (year, month, of_month) = day.calendar();
        year * 12 + i32::from(month) - 1 - i32::from(of_month < self.day)
    }

    /// How many whole months lie between the start of the year 0 and the day.
    fn months_since(self, day: Day) -> i32 {
        self.started_month(day) - i32::from(self.month - 1)
    }

    /// The days of a period, divided wherever one of the stretches ends; `None` where those are more than `most`.
    #[must_use]
    pub fn divide(self, first: Day, last: Day, stretches: &[Stretch], most: usize) -> Option<Vec<Period>> {
        let (mut parts, mut from) = (Vec::new(), first);
        while from <= last {
            if parts.len() == most {
                return None;
            }
            let next = stretches.iter().filter_map(|stretch| self.next(*stretch, from)).min();
            let until = next.map_or(last, |next| next.previous().min(last));
            parts.extend(Period::new(Some(from), Some(until)));
            match next {
                Some(next) => from = next,
                None => break,
            }
        }
        Some(parts)
    }
}

/// That day of the month, counted from year 0.
fn from_months(months: i32, day: u8) -> Option<Day> {
    let year = u16::try_from(months.div_euclid(12)).ok()?;
    let month = u16::try_from(months.rem_euclid(12) + 1).ok()?;
    Day::from_calendar(year, month, day.into()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Stretch; 4] = [Stretch::Day, Stretch::Month, Stretch::Quarter, Stretch::Year];

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    fn names(start: &str, stretch: Stretch, first: &str, last: &str) -> Vec<String> {
        let start = YearStart::parse(start).unwrap();
        let parts = start.divide(day(first), day(last), &[stretch], 100).unwrap();
        parts.iter().map(|part| start.name(stretch, part.first().unwrap())).collect()
    }

    #[test]
    fn a_fiscal_year_and_its_quarters_begin_on_its_day() {
        assert_eq!(names("04-06", Stretch::Year, "2024-04-05", "2024-04-06"), ["2023/2024", "2024/2025"]);
        let quarters = names("04-06", Stretch::Quarter, "2024-04-06", "2025-04-05");
        assert_eq!(quarters, ["2024/2025-Q1", "2024/2025-Q2", "2024/2025-Q3", "2024/2025-Q4"]);
        assert_eq!(names("01-01", Stretch::Month, "2023-11-30", "2024-02-01").len(), 4);
        assert_eq!(names("01-01", Stretch::Year, "9999-12-31", "9999-12-31"), ["9999"]);
    }

    #[test]
    fn a_start_is_a_day_that_every_month_has() {
        for wrong in ["02-29", "01-31", "13-01", "1-1", "00-01", "01-00", ""] {
            assert!(YearStart::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(YearStart::parse("07-01").unwrap().to_string(), "07-01");
    }

    #[test]
    fn more_parts_than_allowed_are_refused() {
        let start = YearStart::default();
        assert_eq!(start.divide(day("2025-01-01"), day("2025-01-04"), &[Stretch::Day], 3), None);
        assert_eq!(start.divide(day("2025-01-01"), day("2025-01-03"), &[Stretch::Day], 3).unwrap().len(), 3);
    }

    proptest! {
        #[test]
        fn parts_follow_each_other_and_in_none_does_a_name_change(
            (from, days) in (1_721_426..5_373_484 - 900, 0..900),
            (month, of_month) in (1_u8..=12, 1_u8..=28),
            one in prop::sample::select(&ALL[..]),
            other in prop::sample::select(&ALL[..]),
        ) {
            let start = YearStart { month, day: of_month };
            let (first, last) = (Day::from_number(from).unwrap(), Day::from_number(from + days).unwrap());
            let parts = start.divide(first, last, &[one, other], 1_000).unwrap();
            let mut next = first;
            let mut before = None;
            for part in parts {
                let (a, b) = (part.first().unwrap(), part.last().unwrap());
                prop_assert_eq!(a, next);
                let names = (start.name(one, a), start.name(other, a));
                prop_assert_eq!(&names, &(start.name(one, b), start.name(other, b)));
                prop_assert_ne!(before.as_ref(), Some(&names));
                before = Some(names);
                next = b.next();
            }
            prop_assert_eq!(next, last.next());
        }
    }
}
