//! Names of months, as columns of wide tables have them.

use crate::month_names::named;

/// A month that a column is about, and its year where that is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Month {
    pub(super) month: usize,
    pub(super) year: Option<u16>,
}

/// The month that a name is, such as `Jan`, `März`, `Jan 2025`, `2025-01`, `01/2025` or `2025-01-01`.
pub(super) fn month_of(name: &str) -> Option<Month> {
    let lower = name.trim().to_lowercase();
    let parts: Vec<&str> = lower.split([' ', '-', '/', '.', '_']).filter(|part| !part.is_empty()).collect();
    let year = |text: &str| match (text.len(), text.parse::<u16>()) {
        (4, Ok(year)) if (1990..2100).contains(&year) => Some(year),
        (2, Ok(year)) => Some(2000 + year),
        _ => None,
    };
    let long_year = |text: &str| year(text).filter(|_| text.len() == 4);
    let number = |text: &str| text.parse::<usize>().ok().filter(|month| text.len() == 2 && (1..=12).contains(month));
    match parts.as_slice() {
        [one] => named(one).map(|month| Month { month, year: None }),
        [one, other] => {
            if let (Some(month), Some(year)) = (named(one), year(other)) {
                return Some(Month { month, year: Some(year) });
            }
            if let (Some(year), Some(month)) = (long_year(one), number(other).or_else(|| named(other))) {
                return Some(Month { month, year: Some(year) });
            }
            let (month, year) = (number(one)?, long_year(other)?);
            Some(Month { month, year: Some(year) })
        }
        // A cell that is shown as a month is its first day.
        [one, month, "01"] => long_year(one).zip(number(month)).map(|(year, month)| Month { month, year: Some(year) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_told_from_other_names() {
        let month = |month, year| Some(Month { month, year });
        assert_eq!(month_of("Jan"), month(1, None));
        assert_eq!(month_of("M\u{e4}rz"), month(3, None));
        assert_eq!(month_of("Dez 2025"), month(12, Some(2025)));
        assert_eq!(month_of("2025-02"), month(2, Some(2025)));
        assert_eq!(month_of("02/2025"), month(2, Some(2025)));
        assert_eq!(month_of("Sep-25"), month(9, Some(2025)));
        assert_eq!(month_of("2025-03-01"), month(3, Some(2025)));
        for other in ["Market", "Site", "Gas", "13/2025", "2025-03-02", "General", "2025", "Decision"] {
            assert_eq!(month_of(other), None, "{other}");
        }
    }
}
