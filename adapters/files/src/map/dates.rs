//! Dates as a table writes them.

use domain::{Day, DayError, Moment, MomentError};

use crate::month_names::{english_month, named};

/// A form of dates, such as `DD.MM.YYYY` or `YYYY-MM`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DateForm {
    text: String,
    tokens: Vec<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A part of the date, of so many digits.
    Part(Part, usize, usize),
    /// The last two digits of a year from 1970 to 2069.
    ShortYear,
    /// The name of a month, whole or cut.
    MonthName,
    /// This very letter.
    Letter(char),
    /// The number by which spreadsheets count days.
    Serial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Quarter,
}

/// Which end of a span a date is: a date without a day is the first or the last one of its month or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Start,
    End,
}

/// How many digits a part is written with that may have one or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Digits {
    Fewest,
    Most,
}

/// Why a text is no date of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DateError {
    #[error("is a date of none of the forms that the map says")]
    NoForm,
    #[error("is one day as {0} and another as {1}; keep one of the two forms in the map")]
    Ambiguous(String, String),
    #[error("is no day of the calendar")]
    NoSuchDay,
    #[error(transparent)]
    Moment(MomentError),
}

/// The form of dates that are numbers of days, as spreadsheets count them: 45658 is 2025-01-01.
pub(crate) const SERIAL: &str = "serial";

const WORDS: [(&str, Part, usize, usize); 10] = [
    ("YYYY", Part::Year, 4, 4),
    ("q", Part::Quarter, 1, 1),
    ("MM", Part::Month, 2, 2),
    ("DD", Part::Day, 2, 2),
    ("hh", Part::Hour, 2, 2),
    ("mm", Part::Minute, 2, 2),
    ("ss", Part::Second, 2, 2),
    ("M", Part::Month, 1, 2),
    ("D", Part::Day, 1, 2),
    ("h", Part::Hour, 1, 2),
];

impl DateForm {
    /// Reads a form: `YYYY` or `YY`, `MM`, `M` or `MMM` for a name, `q` for the number of a quarter, `DD` or `D`, `hh` or `h`,
    /// `mm`, `ss`, and marks between them; the letters `T` and `Q` stand for themselves. Or [`SERIAL`].
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        if text == SERIAL {
            return Ok(Self { text: text.to_owned(), tokens: vec![Token::Serial] });
        }
        let mut tokens = Vec::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let word = WORDS.into_iter().find(|(word, ..)| rest.starts_with(word));
            match word {
                _ if rest.starts_with("MMM") => {
                    tokens.push(Token::MonthName);
                    rest = &rest[3..];
                }
                None if rest.starts_with("YY") => {
                    tokens.push(Token::ShortYear);
                    rest = &rest[2..];
                }
                Some((word, part, least, most)) => {
                    tokens.push(Token::Part(part, least, most));
                    rest = &rest[word.len()..];
                }
                None if letter.is_alphabetic() && !matches!(letter, 'T' | 'Q') => {
                    return Err(
                        "may be serial, or have YYYY, YY, MMM, MM, M, q, DD, D, hh, h, mm, ss, the letters T and Q, and marks between \
                                them, nothing else",
                    );
                }
                None => {
                    tokens.push(Token::Letter(letter));
                    rest = &rest[letter.len_utf8()..];
                }
            }
        }
        let count = |wanted: Part| {
            let is_it = |token: &&Token| match token {
                Token::Part(part, ..) => *part == wanted,
                Token::ShortYear => wanted == Part::Year,
                Token::MonthName => wanted == Part::Month,
                Token::Letter(_) | Token::Serial => false,
            };
            tokens.iter().filter(is_it).count()
        };
        let parts = [Part::Year, Part::Month, Part::Day, Part::Hour, Part::Minute, Part::Second].map(count);
        let quarters = count(Part::Quarter);
        if parts[0] != 1 || parts.iter().chain([&quarters]).any(|count| *count > 1) {
            return Err("must have the year once, YYYY or YY, and no other part twice");
        }
        if quarters == 1 && parts[1] == 1 {
            return Err("has a quarter and a month; one of them says enough");
        }
        // A part without the next larger one says nothing.
        if parts.windows(2).any(|pair| pair[0] < pair[1]) || (parts[3] == 1 && parts[4] == 0) {
            return Err("must have the month for a day, the day for a time, and the minutes for hours");
        }
        Ok(Self { text: text.to_owned(), tokens })
    }

    /// A day as this form writes it, where it leaves that open with the fewest digits or the most.
    pub(crate) fn written(&self, day: Day, digits: Digits) -> String {
        let (year, month, number) = day.calendar();
        let part = |part: Part| match part {
            Part::Year => year,
            Part::Month => i32::from(month),
            Part::Day => i32::from(number),
            Part::Quarter => (i32::from(month) + 2) / 3,
            Part::Hour | Part::Minute | Part::Second => 0,
        };
        self.tokens.iter().fold(String::new(), |text, token| match token {
            Token::Part(of, least, most) => {
                let width = if digits == Digits::Fewest { *least } else { *most };
                format!("{text}{:0width$}", part(*of))
            }
            Token::ShortYear => format!("{text}{:02}", year % 100),
            Token::MonthName => format!("{text}{}", english_month(month)),
            Token::Letter(letter) => format!("{text}{letter}"),
            Token::Serial => format!("{text}{}", serial_of(day).unwrap_or_default()),
        })
    }

    /// The parts of a text of this form.
    fn read(&self, text: &str) -> Option<[Option<u16>; 7]> {
        let mut parts = [None; 7];
        let mut rest = text;
        for token in &self.tokens {
            match token {
                Token::Serial => {
                    let (year, month, day) = of_serial(rest)?;
                    (parts[Part::Year as usize], parts[Part::Month as usize]) = (Some(year), Some(month));
                    parts[Part::Day as usize] = Some(day);
                    rest = "";
                }
                Token::Letter(letter) => rest = rest.strip_prefix(*letter)?,
                Token::MonthName => {
                    let end = rest.find(|letter: char| !letter.is_alphabetic()).unwrap_or(rest.len());
                    let month = named(&rest[..end].to_lowercase())?;
                    parts[Part::Month as usize] = u16::try_from(month).ok();
                    rest = &rest[end..];
                }
                Token::ShortYear => {
                    let (digits, behind) = rest.split_at_checked(2)?;
                    let year: u16 = digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())??;
                    parts[Part::Year as usize] = Some(if year < 70 { 2_000 + year } else { 1_900 + year });
                    rest = behind;
                }
                Token::Part(part, least, most) => {
                    let digits = rest.bytes().take(*most).take_while(u8::is_ascii_digit).count();
                    if digits < *least {
                        return None;
                    }
                    parts[*part as usize] = rest[..digits].parse().ok();
                    rest = &rest[digits..];
                }
            }
        }
        rest.is_empty().then_some(parts)
    }
}

/// Year, month and day of a serial number of a spreadsheet, whose day 25569 is 1970-01-01: of five digits, which are the days from
/// 1927 on.
fn of_serial(text: &str) -> Option<(u16, u16, u16)> {
    let is_number = text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    let number: i32 = is_number.then(|| text.parse().ok())??;
    let epoch = Day::from_calendar(1970, 1, 1).ok()?.number();
    let (year, month, day) = Day::from_number(epoch + number - 25_569)?.calendar();
    Some((u16::try_from(year).ok()?, month.into(), day.into()))
}

/// The number by which spreadsheets count a day.
fn serial_of(day: Day) -> Option<i32> {
    Some(day.number() - Day::from_calendar(1970, 1, 1).ok()?.number() + 25_569)
}

/// Reads RFC 3339, a date such as 2025-01-31, or one of the forms. Times without an offset are UTC.
pub(crate) fn moment(text: &str, forms: &[DateForm], edge: Edge) -> Result<Moment, DateError> {
    let plain = |text: &str| match edge {
        Edge::Start => Moment::parse_start(text),
        Edge::End => Moment::parse_end(text),
    };
    match plain(text) {
        Ok(moment) => return Ok(moment),
        Err(MomentError::Malformed) => {}
        Err(error) => return Err(DateError::Moment(error)),
    }
    let mut found: Option<(&DateForm, Moment)> = None;
    let mut wrong = DateError::NoForm;
    for form in forms {
        let Some(parts) = form.read(text) else { continue };
        match iso(parts, edge).and_then(|text| plain(&text).map_err(DateError::Moment)) {
            Ok(moment) => match found {
                Some((other, first)) if first != moment => {
                    return Err(DateError::Ambiguous(other.text.clone(), form.text.clone()));
                }
                Some(_) => {}
                None => found = Some((form, moment)),
            },
            Err(error) => wrong = error,
        }
    }
    found.map(|(_, moment)| moment).ok_or(wrong)
}

fn iso(parts: [Option<u16>; 7], edge: Edge) -> Result<String, DateError> {
    let [year, month, day, hour, minute, second, quarter] = parts;
    let year = year.unwrap_or(0);
    let quarter = quarter.unwrap_or(if edge == Edge::Start { 1 } else { 4 });
    let of_quarter = if edge == Edge::Start { (3 * quarter).saturating_sub(2) } else { 3 * quarter };
    let month = month.unwrap_or(of_quarter);
    let day = match (day, edge) {
        (Some(day), _) => Day::from_calendar(year, month, day),
        (None, Edge::Start) => Day::from_calendar(year, month, 1),
        (None, Edge::End) => {
            let last = (28..=31).rev().find_map(|day| Day::from_calendar(year, month, day).ok());
            last.ok_or(DayError::NoSuchDay)
        }
    };
    let day = day.map_err(|_| DateError::NoSuchDay)?;
    Ok(match (hour, minute) {
        (Some(hour), Some(minute)) => format!("{day}T{hour:02}:{minute:02}:{:02}Z", second.unwrap_or(0)),
        _ => day.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, forms: &[&str], edge: Edge) -> Result<String, DateError> {
        let forms: Vec<_> = forms.iter().map(|form| DateForm::parse(form).unwrap()).collect();
        moment(text, &forms, edge).map(|moment| moment.to_string())
    }

    #[test]
    fn dates_are_read_by_their_form() {
        for (text, form, start, end) in [
            ("45658", "serial", "2025-01-01T00:00:00Z", "2025-01-01T23:59:59Z"),
            ("10000", "serial", "1927-05-18T00:00:00Z", "1927-05-18T23:59:59Z"),
            ("60000", "serial", "2064-04-08T00:00:00Z", "2064-04-08T23:59:59Z"),
            ("31.01.2025", "DD.MM.YYYY", "2025-01-31T00:00:00Z", "2025-01-31T23:59:59Z"),
            ("1/31/2025 9:05", "M/D/YYYY h:mm", "2025-01-31T09:05:00Z", "2025-01-31T09:05:00Z"),
            ("2024-02", "YYYY-MM", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"),
            ("2015", "YYYY", "2015-01-01T00:00:00Z", "2015-12-31T23:59:59Z"),
            ("31-Jan-25", "DD-MMM-YY", "2025-01-31T00:00:00Z", "2025-01-31T23:59:59Z"),
            ("1 M\u{e4}rz 2025", "D MMM YYYY", "2025-03-01T00:00:00Z", "2025-03-01T23:59:59Z"),
            ("31/01/25", "DD/MM/YY", "2025-01-31T00:00:00Z", "2025-01-31T23:59:59Z"),
            ("31/01/70", "DD/MM/YY", "1970-01-31T00:00:00Z", "1970-01-31T23:59:59Z"),
            ("Feb 2024", "MMM YYYY", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"),
            ("Q1 2025", "Qq YYYY", "2025-01-01T00:00:00Z", "2025-03-31T23:59:59Z"),
            ("2025-Q4", "YYYY-Qq", "2025-10-01T00:00:00Z", "2025-12-31T23:59:59Z"),
            ("20250131", "YYYYMMDD", "2025-01-31T00:00:00Z", "2025-01-31T23:59:59Z"),
            ("2025-01-31T10:00:00+02:00", "YYYY", "2025-01-31T10:00:00+02:00", "2025-01-31T10:00:00+02:00"),
        ] {
            assert_eq!(read(text, &[form], Edge::Start).as_deref(), Ok(start), "{text}");
            assert_eq!(read(text, &[form], Edge::End).as_deref(), Ok(end), "{text}");
        }
    }

    #[test]
    fn a_day_that_a_form_writes_reads_as_that_day() {
        let day = Day::from_calendar(2025, 3, 4).unwrap();
        for (form, fewest, most) in [
            ("serial", "45720", "45720"),
            ("D/M/YYYY h:mm", "4/3/2025 0:00", "04/03/2025 00:00"),
            ("MM-DD-YY", "03-04-25", "03-04-25"),
            ("D MMM YYYY", "4 March 2025", "04 March 2025"),
            ("YYYYMMDD", "20250304", "20250304"),
        ] {
            for (digits, written) in [(Digits::Fewest, fewest), (Digits::Most, most)] {
                assert_eq!(DateForm::parse(form).unwrap().written(day, digits), written);
                assert!(read(written, &[form], Edge::Start).unwrap().starts_with("2025-03-04"), "{form}");
            }
        }
    }

    #[test]
    fn a_date_that_two_forms_read_differently_is_refused() {
        let forms = ["DD/MM/YYYY", "MM/DD/YYYY"];
        assert_eq!(read("31/01/2025", &forms, Edge::Start).as_deref(), Ok("2025-01-31T00:00:00Z"));
        assert!(matches!(read("03/04/2025", &forms, Edge::Start), Err(DateError::Ambiguous(..))));
        assert_eq!(read("32/01/2025", &["DD/MM/YYYY"], Edge::Start), Err(DateError::NoSuchDay));
        assert_eq!(read("Jan 25", &forms, Edge::Start), Err(DateError::NoForm));
        let short = ["DD/MM/YY", "MM/DD/YY"];
        assert!(matches!(read("03/04/25", &short, Edge::Start), Err(DateError::Ambiguous(..))));
        assert_eq!(read("03/04/2025", &short, Edge::Start), Err(DateError::NoForm));
        for (text, form) in [("Q5 2025", "Qq YYYY"), ("Q0 2025", "Qq YYYY"), ("31-Foo-25", "DD-MMM-YY")] {
            assert!(read(text, &[form], Edge::Start).is_err(), "{text}");
        }
    }

    #[test]
    fn a_form_that_says_too_little_or_too_much_is_refused() {
        for form in [
            "",
            "MM",
            "DD.YYYY",
            "YYYY YYYY",
            "YYYY-MM-DD hh",
            "YYYY-MMMM",
            "yyyy",
            "YY YYYY",
            "YYYY-q-MM",
            "YYYY-q-DD",
            "q",
        ] {
            assert!(DateForm::parse(form).is_err(), "{form}");
        }
    }
}
