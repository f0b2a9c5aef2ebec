//! What a column says of a date of which other columns say the rest.

use super::words::{DAYS, MONTHS, QUARTERS, speaks_of};
use crate::month_names::named;

/// What all cells of a column say of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DatePart {
    /// Names of months, whole or cut: `Jan`.
    MonthName,
    /// 1 to 12.
    Month,
    /// `Q1` to `Q4`.
    Quarter,
    /// 1 to 4.
    QuarterNumber,
    /// 1 to 31.
    Day,
}

impl DatePart {
    /// What the cells of a column of this name are; `None` where one of them is something else.
    pub(super) fn of(name: &str, cells: &[&str]) -> Option<Self> {
        let all = |is: &dyn Fn(&str) -> bool| !cells.is_empty() && cells.iter().all(|cell| is(cell));
        let up_to = |most: u8| {
            move |cell: &str| {
                let short = (1..=2).contains(&cell.len()) && cell.bytes().all(|byte| byte.is_ascii_digit());
                short && cell.parse().is_ok_and(|number: u8| (1..=most).contains(&number))
            }
        };
        let is_quarter =
            |cell: &str| cell.strip_prefix('Q').is_some_and(|number| number.len() == 1 && up_to(4)(number));
        if all(&|cell| named(&cell.to_lowercase()).is_some()) {
            Some(Self::MonthName)
        } else if speaks_of(name, &MONTHS) && all(&up_to(12)) {
            Some(Self::Month)
        } else if all(&is_quarter) {
            Some(Self::Quarter)
        } else if speaks_of(name, &QUARTERS) && all(&|cell| cell.len() == 1 && up_to(4)(cell)) {
            Some(Self::QuarterNumber)
        } else if speaks_of(name, &DAYS) && all(&up_to(31)) {
            Some(Self::Day)
        } else {
            None
        }
    }
}
