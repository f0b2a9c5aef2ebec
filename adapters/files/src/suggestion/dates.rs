//! Forms of dates, and what is one.

use crate::map::{DateForm, Edge, SERIAL, moment};

/// Forms of dates that are tried. Those of which the first counts are in pairs.
pub(super) const FORMS: [&str; 32] = [
    "DD.MM.YYYY",
    "D.M.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "D/M/YYYY",
    "M/D/YYYY",
    "DD-MM-YYYY",
    "MM-DD-YYYY",
    "YYYY/MM/DD",
    "YYYYMMDD",
    "DD/MM/YY",
    "MM/DD/YY",
    "DD.MM.YY",
    "D-MMM-YY",
    "D-MMM-YYYY",
    "D MMM YYYY",
    "MMM YYYY",
    "MMM-YY",
    "Qq YYYY",
    "YYYY-Qq",
    "YYYYQq",
    "YYYY Qq",
    "YYYY-MM",
    "MM/YYYY",
    "MM.YYYY",
    "DD.MM.YYYY hh:mm",
    "D/M/YYYY h:mm",
    "M/D/YYYY h:mm",
    "YYYY-MM-DD hh:mm",
    "YYYY-MM-DD hh:mm:ss",
    "YYYY",
    SERIAL,
];

/// Whether a cell with marks is a date of one of the forms.
pub(super) fn is_dated(cell: &str) -> bool {
    let has_marks = cell.contains(|letter: char| !letter.is_ascii_digit());
    has_marks && likely(cell) && {
        let mut forms = FORMS.iter().filter_map(|form| DateForm::parse(form).ok());
        forms.any(|form| moment(cell, &[form], Edge::Start).is_ok())
    }
}

/// Whether a cell may be a day of that form: a number of a day alone is from 2000 to 2099.
pub(super) fn likely_by(form: &str, cell: &str) -> bool {
    if form == SERIAL { cell.parse().is_ok_and(|number: u32| (36_526..73_051).contains(&number)) } else { likely(cell) }
}

/// Whether a date has a year that somebody accounts for.
pub(super) fn likely(cell: &str) -> bool {
    let digits: Vec<u16> = cell
        .split(|letter: char| !letter.is_ascii_digit())
        .filter_map(|part| match part.len() {
            4 => part.parse().ok(),
            8 => part[..4].parse().ok(),
            _ => None,
        })
        .collect();
    digits.iter().any(|year| (1980..2100).contains(year)) || has_short_year(cell)
}

/// Whether a cell ends with a year of two digits, as `31/01/25` and `Jan-25` do.
fn has_short_year(cell: &str) -> bool {
    let parts: Vec<&str> = cell.split(['/', '.', '-', ' ']).collect();
    let is_number = |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_name = |part: &&str| part.len() >= 3 && part.chars().all(char::is_alphabetic);
    match parts.as_slice() {
        [day, month, year] => is_number(day) && (is_number(month) || is_name(month)) && year.len() == 2,
        [month, year] => is_name(month) && year.len() == 2 && is_number(year),
        _ => false,
    }
}
