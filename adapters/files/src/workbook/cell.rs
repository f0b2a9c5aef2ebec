//! Cells of workbooks as texts.

use calamine::{Data, DataRef, ExcelDateTime};
use domain::Decimal;

use crate::delimited::CellKind;

/// What stands in the place of a formula whose result was not saved: a program wrote it, and no spreadsheet computed it.
pub(crate) const NO_RESULT: &str = "a formula without a saved result";

/// The first count of days that is no date: 10000-01-01.
const BEYOND_DATES: f64 = 2_958_466.0;
/// Whole numbers below have at most 15 digits.
const FIFTEEN_DIGITS: f64 = 1e15;

/// A cell as a text, and what it is; `None` for an empty one.
pub(super) fn cell(value: DataRef<'_>) -> Option<(String, CellKind)> {
    if let DataRef::SharedString(text) = value {
        return Some((text.to_owned(), CellKind::Text));
    }
    Some(match Data::from(value) {
        Data::Empty => return None,
        #[expect(clippy::cast_precision_loss, reason = "a number cell is a binary float by its format")]
        Data::Int(number) => (digits(number as f64), CellKind::Number),
        Data::Float(number) => (digits(number), CellKind::Number),
        Data::String(text) | Data::DurationIso(text) => (text, CellKind::Text),
        Data::Bool(flag) => ((if flag { "TRUE" } else { "FALSE" }).to_owned(), CellKind::Text),
        Data::DateTime(date) if date.is_duration() => (duration(date.as_f64()), CellKind::Text),
        Data::DateTime(date) => moment(date),
        Data::DateTimeIso(text) => (iso(&text), CellKind::Text),
        Data::Error(error) => (error.to_string(), CellKind::Error),
    })
}

/// A cell as it is kept verbatim: a number as the shortest decimal that is the same binary number.
pub(super) fn verbatim_cell(value: DataRef<'_>) -> Option<(String, CellKind)> {
    match value {
        DataRef::Float(number) => Some((number.to_string(), CellKind::Number)),
        DataRef::Int(number) => Some((number.to_string(), CellKind::Number)),
        DataRef::String(_)
        | DataRef::SharedString(_)
        | DataRef::Bool(_)
        | DataRef::DateTime(_)
        | DataRef::DateTimeIso(_)
        | DataRef::DurationIso(_)
        | DataRef::Error(_)
        | DataRef::Empty => cell(value),
    }
}

/// The same of an .ods, which has what a formula failed with as a text.
pub(super) fn verbatim_ods_cell(value: DataRef<'_>) -> Option<(String, CellKind)> {
    verbatim_cell(value).map(failed_text)
}

/// What a number that was read verbatim means: its decimal of 15 significant digits. Any other text stays as it is.
pub(crate) fn fifteen_digits(verbatim: &str) -> String {
    verbatim.parse().map_or_else(|_| verbatim.to_owned(), digits)
}

/// A cell of an .ods, which has what a formula failed with as a text.
pub(super) fn ods_cell(value: DataRef<'_>) -> Option<(String, CellKind)> {
    cell(value).map(failed_text)
}

fn failed_text((text, kind): (String, CellKind)) -> (String, CellKind) {
    let kind = if kind == CellKind::Text && (is_failure(&text) || text == NO_RESULT) { CellKind::Error } else { kind };
    (text, kind)
}

/// Whether a text is what a spreadsheet shows of a formula that failed: `#N/A`, `#DIV/0!`, `#NAME?`, `#WERT!`, `Err:502`.
pub(crate) fn is_failure(text: &str) -> bool {
    let is_of_name = |letter: char| letter.is_uppercase() || letter.is_ascii_digit() || letter == '/';
    if let Some(name) = text.strip_prefix('#') {
        let bare = name.strip_suffix(['!', '?']).filter(|bare| !bare.is_empty());
        return name == "N/A" || bare.is_some_and(|bare| bare.chars().all(is_of_name));
    }
    text.strip_prefix("Err:").is_some_and(|code| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A number as its decimal of 15 significant digits, which is what a spreadsheet shows and means.
fn digits(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < FIFTEEN_DIGITS {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 15 digits")]
        return (number as i64).to_string();
    }
    let scientific = format!("{number:.14e}");
    // What is no amount stays as it is, and whoever reads it as a number is told why it is none.
    Decimal::parse(&scientific).map_or(scientific, |decimal| decimal.to_string())
}

/// A date, and the time of day where it is not midnight. A count below one is a time alone.
fn moment(date: ExcelDateTime) -> (String, CellKind) {
    let value = date.as_f64();
    if !(0.0..BEYOND_DATES).contains(&value) {
        return (digits(value), CellKind::Number);
    }
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    let fraction = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
    let text = if value < 1.0 && year < 1904 {
        time
    } else if (hour, minute, second, milli) == (0, 0, 0, 0) {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!("{year:04}-{month:02}-{day:02}T{time}Z")
    };
    (text, CellKind::Text)
}

/// Hours, minutes and seconds.
fn duration(days: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "what is beyond is cut at the ends of the range")]
    let seconds = (days * 86_400.0).round() as i64;
    let sign = if seconds < 0 { "-" } else { "" };
    let seconds = seconds.unsigned_abs();
    format!("{sign}{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// A date of an .ods, whose times have no offset.
fn iso(text: &str) -> String {
    match text.split_once('T') {
        Some((date, time)) if time.trim_matches(['0', ':', '.']).is_empty() => date.to_owned(),
        Some((_, time)) if !time.contains(['Z', '+', '-']) => format!("{text}Z"),
        Some(_) | None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType;

    #[test]
    fn a_number_is_its_decimal_of_15_digits() {
        for (number, text) in [
            (1.742_96 + f64::EPSILON, "1.74296"),
            (0.1 + 0.2, "0.3"),
            (1234.5, "1234.5"),
            (-0.0, "0"),
            (-12.0, "-12"),
            (123_456_789_012_345.0, "123456789012345"),
            (1e20, "1.00000000000000e20"),
            (1e18, "1000000000000000000"),
            (1.234_567_890_123_45e-10, "1.23456789012345e-10"),
            (1.5e-10, "0.00000000015"),
        ] {
            assert_eq!(cell(DataRef::Float(number)), Some((text.to_owned(), CellKind::Number)));
        }
    }

    #[test]
    fn what_is_kept_verbatim_is_the_same_binary_number_and_means_its_15_digits() {
        for (number, text, means) in [
            (0.1 + 0.2, "0.30000000000000004", "0.3"),
            (1.742_96 + f64::EPSILON, "1.7429600000000003", "1.74296"),
            (2e-6, "0.000002", "0.000002"),
            (1_300.0, "1300", "1300"),
            (0.003_520_538_495_466_667_4, "0.0035205384954666674", "0.00352053849546667"),
        ] {
            assert_eq!(verbatim_cell(DataRef::Float(number)), Some((text.to_owned(), CellKind::Number)));
            assert_eq!(text.parse(), Ok(number));
            assert_eq!(fifteen_digits(text), means);
        }
    }

    #[test]
    fn a_failed_formula_of_an_open_document_is_told_by_its_text() {
        for text in ["#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#WERT!", "#BEZUG!", "Err:502"]
        {
            assert_eq!(ods_cell(DataRef::SharedString(text)), Some((text.to_owned(), CellKind::Error)));
            assert_eq!(cell(DataRef::SharedString(text)), Some((text.to_owned(), CellKind::Text)));
        }
        for text in ["#", "#!", "#1", "#A12", "#hash!", "N/A", "Err:", "Err:5021", "Err:abc", ""] {
            assert_eq!(ods_cell(DataRef::SharedString(text)), Some((text.to_owned(), CellKind::Text)), "{text}");
        }
        assert_eq!(ods_cell(DataRef::Float(1.5)), Some(("1.5".to_owned(), CellKind::Number)));
    }

    #[test]
    fn dates_are_told_by_the_type_of_the_cell_in_both_systems() {
        let text = |value, is_1904| {
            let date = ExcelDateTime::new(value, ExcelDateTimeType::DateTime, is_1904);
            cell(DataRef::DateTime(date)).unwrap().0
        };
        assert_eq!(text(45_688.0, false), "2025-01-31");
        assert_eq!(text(44_226.0, true), "2025-01-31");
        assert_eq!(text(45_688.5, false), "2025-01-31T12:00:00Z");
        assert_eq!(text(45_688.541_666_666_664, false), "2025-01-31T13:00:00Z");
        assert_eq!(text(1.0, false), "1900-01-01");
        assert_eq!(text(61.0, false), "1900-03-01");
        assert_eq!(text(0.25, false), "06:00:00");
        assert_eq!(text(-1.0, false), "-1");
        let hours = ExcelDateTime::new(1.5, ExcelDateTimeType::TimeDelta, false);
        assert_eq!(cell(DataRef::DateTime(hours)).unwrap().0, "36:00:00");
    }

    #[test]
    fn dates_of_open_documents_are_the_same() {
        for (found, text) in [
            ("2025-01-31", "2025-01-31"),
            ("2025-01-31T00:00:00", "2025-01-31"),
            ("2025-01-31T13:00:00", "2025-01-31T13:00:00Z"),
        ] {
            assert_eq!(cell(DataRef::DateTimeIso(found.to_owned())).unwrap().0, text);
        }
    }
}
