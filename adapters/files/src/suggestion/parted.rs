//! Dates whose year, month and day stand in columns of their own.

use super::column::{Column, Content};
use super::date_part::DatePart;
use super::words::{YEARS, speaks_of};

/// A date in several columns.
#[derive(Debug)]
pub(super) struct PartedDate<'a> {
    /// `None` where no column says the year.
    pub(super) year: Option<&'a Column>,
    /// The month or quarter.
    pub(super) month: &'a Column,
    pub(super) day: Option<&'a Column>,
    part: DatePart,
}

impl<'a> PartedDate<'a> {
    /// The date that columns say together; `None` where no column has months or quarters.
    pub(super) fn of(columns: &[&'a Column]) -> Option<Self> {
        let with = |part: DatePart| columns.iter().copied().find(|column| column.part == Some(part));
        let parts = [DatePart::MonthName, DatePart::Month, DatePart::Quarter, DatePart::QuarterNumber];
        let (part, month) = parts.into_iter().find_map(|part| with(part).map(|column| (part, column)))?;
        let is_year = |column: &&Column| {
            let whole_year = Content::Dates(vec!["YYYY"]);
            column.content == whole_year && speaks_of(&column.name, &YEARS)
        };
        let year = columns.iter().copied().find(is_year);
        let day = with(DatePart::Day).filter(|_| matches!(part, DatePart::MonthName | DatePart::Month));
        Some(Self { year, month, day, part })
    }

    /// The template of the date.
    pub(super) fn template(&self) -> String {
        let year = self.year.map_or_else(|| "2025".to_owned(), |column| format!("{{{}}}", column.name));
        let quarter = if self.part == DatePart::QuarterNumber { "Q" } else { "" };
        let day = self.day.map(|column| format!("-{{{}}}", column.name)).unwrap_or_default();
        format!("{year}-{quarter}{{{}}}{day}", self.month.name)
    }

    /// The form of what the template makes.
    pub(super) fn form(&self) -> &'static str {
        match (self.part, self.day.is_some()) {
            (DatePart::MonthName, false) => "YYYY-MMM",
            (DatePart::MonthName, true) => "YYYY-MMM-D",
            (DatePart::Quarter | DatePart::QuarterNumber, _) => "YYYY-Qq",
            (DatePart::Month | DatePart::Day, false) => "YYYY-M",
            (DatePart::Month | DatePart::Day, true) => "YYYY-M-D",
        }
    }

    /// Whether its numbers may be those of the months of a fiscal year.
    pub(super) fn may_be_fiscal(&self) -> bool {
        matches!(self.part, DatePart::Month | DatePart::QuarterNumber)
            && speaks_of(&self.month.name, &["period", "fiscal"])
    }

    /// What tells one table of a period from the next one: its template, where all rows are of one period.
    pub(super) fn only_period(&self) -> Option<String> {
        let is_one = |column: &Column| column.examples.len() == 1;
        let columns = [Some(self.month), self.year, self.day];
        (self.year.is_some() && columns.into_iter().flatten().all(is_one)).then(|| self.template())
    }
}
