//! Periods by their names: years and quarters as a company counts them, months and days of the calendar.

use crate::calendar::day::{Day, DayError, Period};
use crate::calendar::stretch::{Stretch, YearStart};

impl YearStart {
    /// Reads the name of a period: each that [`name`](Self::name) writes, and `YYYY` or `YYYY-Q1`, which is the year that
    /// *ends* in that calendar year, or its quarter. Months and days are those of the calendar.
    ///
    /// ```
    /// # use tonne_domain::YearStart;
    /// let fiscal = YearStart::parse("04-01")?;
    /// for name in ["2025", "2024/2025", "2024/25"] {
    ///     assert_eq!(fiscal.period(name)?.to_string(), "2024-04-01 to 2025-03-31");
    /// }
    /// assert_eq!(fiscal.period("2025-Q1")?.to_string(), "2024-04-01 to 2024-06-30");
    /// assert_eq!(YearStart::default().period("2025-Q1")?.to_string(), "2025-01-01 to 2025-03-31");
    /// # Ok::<(), tonne_domain::DayError>(())
    /// ```
    pub fn period(self, text: &str) -> Result<Period, DayError> {
        let (year, quarter) = match text.split_once("-Q") {
            Some((year, quarter)) => (year, Some(quarter)),
            None if text.len() == 4 || text.contains('/') => (text, None),
            None => return Period::parse(text),
        };
        let first = self.first_of(year)?;
        let (first, stretch) = match quarter {
            None => (first, Stretch::Year),
            Some(number) => (self.quarter_of(first, number)?, Stretch::Quarter),
        };
        let last = self.next(stretch, first).map_or(Day::MAX, Day::previous);
        Period::new(Some(first), Some(last)).ok_or(DayError::NoSuchDay)
    }

    /// Reads the name of a period that says itself whose years it is of: `FY2025`, `FY2025-Q2`, `2024/2025` and `2024/2025-Q1` are
    /// of years that begin on this day; `2025`, `2025-Q1`, `2025-02` and `2025-02-03` of the calendar.
    pub fn period_by_name(self, text: &str) -> Result<Period, DayError> {
        match text.strip_prefix("FY") {
            Some(name) if name.len() == 4 || name.contains("-Q") => self.period(name),
            Some(_) => Err(DayError::Malformed),
            None if text.contains('/') => self.period(text),
            None => Self::default().period(text),
        }
    }

    /// Reads what [`period`](Self::period) reads, or the first and the last day with a slash between them.
    pub fn span(self, text: &str) -> Result<Period, DayError> {
        match text.split_once('/') {
            Some((first, last)) if first.len() == 10 => {
                Period::new(Some(Day::parse(first)?), Some(Day::parse(last)?)).ok_or(DayError::NoSuchDay)
            }
            Some(_) | None => self.period(text),
        }
    }

    /// The first day of the year of that name.
    fn first_of(self, name: &str) -> Result<Day, DayError> {
        let begins = match name.split_once('/') {
            Some((begins, ends)) => {
                let begins = number(begins, 4)?;
                let follows = match ends.len() {
                    2 => number(ends, 2)? == (begins + 1) % 100,
                    _ => number(ends, 4)? == begins + 1,
                };
                if self == Self::default() || !follows {
                    return Err(DayError::NoSuchDay);
                }
                begins
            }
            None if self == Self::default() => number(name, 4)?,
            None => number(name, 4)?.checked_sub(1).ok_or(DayError::NoSuchDay)?,
        };
        Day::parse(&format!("{begins:04}-{self}"))
    }

    /// The first day of a quarter of the year that begins on that day.
    fn quarter_of(self, first: Day, name: &str) -> Result<Day, DayError> {
        let quarter = number(name, 1)?;
        if !(1..=4).contains(&quarter) {
            return Err(DayError::NoSuchDay);
        }
        (1..quarter).try_fold(first, |day, _| self.next(Stretch::Quarter, day)).ok_or(DayError::NoSuchDay)
    }
}

/// So many ASCII digits.
fn number(text: &str, digits: usize) -> Result<u16, DayError> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number).ok_or(DayError::Malformed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn start(text: &str) -> YearStart {
        YearStart::parse(text).unwrap()
    }

    #[test]
    fn a_year_has_the_name_of_the_calendar_year_that_it_ends_in() {
        let show = |year: &str, text: &str| start(year).period(text).map(|period| period.to_string());
        assert_eq!(show("10-01", "2025"), Ok("2024-10-01 to 2025-09-30".to_owned()));
        assert_eq!(show("10-01", "1999/00"), Ok("1999-10-01 to 2000-09-30".to_owned()));
        assert_eq!(show("04-06", "2024/2025-Q4"), Ok("2025-01-06 to 2025-04-05".to_owned()));
        assert_eq!(show("01-01", "2025"), Ok("2025-01-01 to 2025-12-31".to_owned()));
        assert_eq!(show("04-06", "2025-02"), Ok("2025-02-01 to 2025-02-28".to_owned()));
        assert_eq!(show("04-06", "2025-02-03"), Ok("2025-02-03".to_owned()));
        assert_eq!(show("04-06", "9998/9999-Q4"), Ok("9999-01-06 to 9999-04-05".to_owned()));
        let span = start("04-06").span("2025-02-03/2025-02-05").unwrap();
        assert_eq!(span.to_string(), "2025-02-03 to 2025-02-05");
    }

    #[test]
    fn a_name_says_whether_its_years_are_those_of_the_calendar() {
        let show = |text: &str| start("04-01").period_by_name(text).map(|period| period.to_string());
        for (name, days) in [
            ("FY2025", "2024-04-01 to 2025-03-31"),
            ("2024/2025", "2024-04-01 to 2025-03-31"),
            ("FY2025-Q2", "2024-07-01 to 2024-09-30"),
            ("2024/25-Q2", "2024-07-01 to 2024-09-30"),
            ("2025", "2025-01-01 to 2025-12-31"),
            ("2025-Q2", "2025-04-01 to 2025-06-30"),
            ("2025-02", "2025-02-01 to 2025-02-28"),
            ("2025-02-03", "2025-02-03"),
        ] {
            assert_eq!(show(name).as_deref(), Ok(days), "{name}");
        }
        for name in ["FY", "FY25", "FY2025-02", "FYFY2025", "fy2025", "FY2025-Q5", "FY2025-02-Q1", "2025-Q0"] {
            assert!(show(name).is_err(), "{name}");
        }
        let calendar = YearStart::default().period_by_name("FY2025").map(|period| period.to_string());
        assert_eq!(
            calendar.as_deref(),
            Ok("2025-01-01 to 2025-12-31"),
            "a company whose years are those of the calendar"
        );
        assert!(YearStart::default().period_by_name("2024/2025").is_err());
    }

    #[test]
    fn what_names_no_period_is_refused() {
        for (year, text) in [
            ("04-01", "2024/2026"),
            ("04-01", "2024/24"),
            ("01-01", "2024/2025"),
            ("04-01", "0001"),
            ("04-01", "0000"),
            ("04-01", "2025-Q5"),
            ("04-01", "2025-Q0"),
            ("04-01", "2025-Q"),
            ("04-01", "2025-02-Q1"),
            ("04-01", "+025"),
            ("04-01", "２０２５"),
            ("04-01", "/"),
            ("04-01", "2024/"),
            ("04-01", ""),
        ] {
            assert!(start(year).span(text).is_err(), "{year} {text}");
        }
    }

    proptest! {
        #[test]
        fn the_name_of_a_days_stretch_is_read_as_the_stretch(
            number in 1_721_426 + 366..5_373_484 - 366,
            (month, of_month) in (1_u8..=12, 1_u8..=28),
            stretch in prop::sample::select(&[Stretch::Day, Stretch::Month, Stretch::Quarter, Stretch::Year][..]),
        ) {
            let (start, day) = (start(&format!("{month:02}-{of_month:02}")), Day::from_number(number).unwrap());
            let period = start.period(&start.name(stretch, day)).unwrap();
            prop_assert!(period.contains(day));
            prop_assert_eq!(start.next(stretch, day), period.last().map(Day::next));
            prop_assert_eq!(start.next(stretch, period.first().unwrap().previous()), period.first());
        }
    }
}
