//! Numbers as a table writes them, with its decimal and thousands marks.

use domain::{Decimal, DecimalError};

/// The marks of a table's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Between the whole part and the fraction.
    pub(crate) decimal: char,
    /// Between groups of three digits of the whole part.
    pub(crate) thousands: Option<char>,
}

/// Why a cell is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NumberError {
    #[error("is not a number with {0:?} as decimal mark")]
    Decimal(char),
    #[error("has {0:?} elsewhere than between groups of three digits")]
    Groups(char),
    #[error(transparent)]
    Number(DecimalError),
}

impl Marks {
    /// Reads a number exactly. A thousands mark is between groups of three digits or nowhere.
    pub(crate) fn parse(self, cell: &str) -> Result<Decimal, NumberError> {
        let (whole, fraction) = match cell.split_once(self.decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (cell, None),
        };
        let whole = self.ungrouped(whole)?;
        let text = fraction.map_or_else(|| whole.clone(), |fraction| format!("{whole}.{fraction}"));
        // A point that is no mark of the table must not become one.
        if whole.contains('.') || fraction.is_some_and(|fraction| fraction.contains('.')) {
            return Err(NumberError::Decimal(self.decimal));
        }
        Decimal::parse(&text).map_err(|error| match error {
            DecimalError::Malformed => NumberError::Decimal(self.decimal),
            DecimalError::TooLong
            | DecimalError::Exponent
            | DecimalError::TooLarge
            | DecimalError::TotalTooLarge
            | DecimalError::TooFine => NumberError::Number(error),
        })
    }

    fn ungrouped(self, whole: &str) -> Result<String, NumberError> {
        let Some(mark) = self.thousands else { return Ok(whole.to_owned()) };
        let is_mark = |c: char| c == mark || (mark == ' ' && matches!(c, '\u{a0}' | '\u{202f}'));
        if !whole.contains(is_mark) {
            return Ok(whole.to_owned());
        }
        let sign = &whole[..whole.len() - whole.trim_start_matches(['+', '-']).len()];
        let groups: Vec<&str> = whole[sign.len()..].split(is_mark).collect();
        let digits = |group: &&str| group.bytes().all(|byte| byte.is_ascii_digit());
        let grouped = groups.iter().all(digits)
            && matches!(groups[0].len(), 1..=3)
            && groups[1..].iter().all(|group| group.len() == 3);
        if grouped { Ok(format!("{sign}{}", groups.concat())) } else { Err(NumberError::Groups(mark)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(decimal: char, thousands: Option<char>, cell: &str) -> Result<String, NumberError> {
        Marks { decimal, thousands }.parse(cell).map(|number| number.to_string())
    }

    #[test]
    fn marks_are_read_as_the_table_means_them() {
        for (decimal, thousands, cell, number) in [
            ('.', Some(','), "1,234,567.50", "1234567.5"),
            ('.', Some(','), "1234567.5", "1234567.5"),
            ('.', Some(','), "-1,234", "-1234"),
            (',', Some('.'), "1.234,5", "1234.5"),
            (',', None, "0,000000000000000001", "0.000000000000000001"),
            ('.', Some(' '), "1\u{202f}234\u{a0}567", "1234567"),
            ('.', None, "1.5E3", "1500"),
        ] {
            assert_eq!(read(decimal, thousands, cell).as_deref(), Ok(number), "{cell}");
        }
    }

    #[test]
    fn a_mark_in_the_wrong_place_is_refused_and_never_guessed() {
        for (decimal, thousands, cell) in [
            ('.', Some(','), "12,34"),
            ('.', Some(','), "1,23,456"),
            ('.', Some(','), ",123"),
            ('.', Some(','), "1,234.5,6"),
            ('.', None, "1,234"),
            (',', None, "1.5"),
            (',', None, "1.5,5"),
            (',', None, "1,5.5"),
            ('.', None, "1.2.3"),
            ('.', Some(','), "--1,234"),
            ('.', None, "n/a"),
        ] {
            assert!(read(decimal, thousands, cell).is_err(), "{cell}");
        }
    }
}
