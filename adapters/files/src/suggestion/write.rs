//! Writing the suggested map.

mod activities;
mod columns;
mod table;
mod unused;

use std::fmt::Write as _;

use super::Unsure;
use super::column::{Column, Content};
use super::header::Header;
use super::marks::GuessedMarks;
use super::parted::PartedDate;
use super::role::Roles;
use super::sample::{SampleRow, TableSample};
use super::totals::words_of_totals;
use crate::json::Json;
use crate::map::SERIAL;

/// What a map is written from.
pub(super) struct Writer<'a> {
    pub(super) sample: &'a TableSample,
    pub(super) header: &'a Header,
    pub(super) marks: &'a GuessedMarks,
    pub(super) columns: &'a [Column],
    pub(super) roles: &'a Roles<'a>,
    pub(super) unsure: Unsure,
}

/// A text of TOML on one line, which is written as in JSON.
fn quoted(text: &str) -> String {
    Json::Text(text.to_owned()).to_string()
}

fn template(column: &Column) -> String {
    quoted(&format!("{{{}}}", column.name))
}

impl Writer<'_> {
    pub(super) fn map(&self) -> String {
        let mut text = String::from(
            "# A first map, guessed from the table. Read each line; what was not sure is commented out.\n\
             # `tonne map check MAP FILE` says what is wrong with it and shows a row as it is read.\n\n",
        );
        self.table(&mut text);
        self.common(&mut text);
        self.activities(&mut text);
        self.unused(&mut text);
        text
    }

    fn common(&self, text: &mut String) {
        let roles = self.roles;
        text.push_str("[common]\n");
        if let Some(date) = &roles.parted {
            self.parted(text, date);
        } else if roles.months.is_empty() {
            self.dated(text);
        }
        if let Some(column) = roles.org {
            line(
                text,
                "org",
                &format!("[{}]", template(column)),
                &because(column, "names of places; each is found or made"),
            );
        }
        if let Some(column) = roles.taxonomy {
            line(
                text,
                "taxonomy",
                &format!("[{}]", template(column)),
                &because(column, "names that repeat; each is found or made"),
            );
        }
        if let Some(column) = roles.product {
            comment(
                text,
                "product",
                &template(column),
                &because(column, "must be syncIds or names of products that are there"),
            );
        }
        match roles.scope {
            Some(column) if column.examples.iter().all(|said| matches!(said.as_str(), "1" | "2" | "3")) => {
                let value = quoted(&format!("scope{{{}}}", column.name));
                comment(
                    text,
                    "scope",
                    &value,
                    &because(column, "syncIds of the standard catalog, where it was imported"),
                );
            }
            Some(column) => {
                comment(text, "scope", &template(column), &because(column, "must be syncIds or names of scopes"));
            }
            None => comment(text, "scope", "\"scope1\"", "which scope it belongs to is not in the table"),
        }
        if self.lacks_unit_of_months() {
            comment(text, "unit", "\"kWh\"", "no column has units: say the one they are all in");
        }
        let totals: Vec<String> = words_of_totals(self.rows(), self.columns)
            .into_iter()
            .map(|(index, words)| {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                format!("{} = [{}]", quoted(&self.columns[index].name), words.join(", "))
            })
            .collect();
        if !totals.is_empty() {
            let value = format!("{{ equals = {{ {} }} }}", totals.join(", "));
            line(
                text,
                "skip",
                &value,
                "rows of totals would count everything twice; add the words that other files have",
            );
        }
        text.push('\n');
    }

    /// The rows behind the header.
    fn rows(&self) -> &[SampleRow] {
        self.sample.rows_behind(self.header.last_line())
    }

    /// The days, of columns with whole dates.
    fn dated(&self, text: &mut String) {
        let roles = self.roles;
        match roles.start {
            Some(column) => guess(text, "startDate", column, "dates, and a name that speaks of the day"),
            None => {
                comment(text, "startDate", "\"2025-01-01\"", "required: no column has dates; say the day, or name one");
            }
        }
        if let Some(column) = roles.end {
            guess(text, "endDate", column, "dates, and a name that speaks of the end");
        } else if let Some(column) = roles.start
            && let Content::Dates(forms) = &column.content
            && !forms.is_empty()
            && forms.iter().all(|form| !form.contains('D') && *form != SERIAL)
        {
            guess(text, "endDate", column, "a month or a year ends on its last day");
        }
    }

    /// The days, of a date in several columns.
    fn parted(&self, text: &mut String, date: &PartedDate<'_>) {
        let value = quoted(&date.template());
        if date.year.is_none() {
            comment(text, "startDate", &value, "required: which year it is is not in the table");
            comment(text, "endDate", &value, "its last day");
            return;
        }
        if date.may_be_fiscal() {
            let why = "unsure: required; a period may be a month of a fiscal year, which begins on another day";
            comment(text, "startDate", &value, &because(date.month, why));
            comment(text, "endDate", &value, "its last day");
            return;
        }
        line(text, "startDate", &value, &because(date.month, "its year stands in a column of its own"));
        match self.roles.end {
            Some(column) => guess(text, "endDate", column, "dates, and a name that speaks of the end"),
            None if date.day.is_none() => line(text, "endDate", &value, "its last day"),
            None => {}
        }
    }

    /// Whether there are columns of months, and nothing says the unit of their numbers.
    fn lacks_unit_of_months(&self) -> bool {
        let months = &self.roles.months;
        !months.is_empty() && self.roles.unit.is_none() && months.iter().all(|column| column.unit.is_none())
    }
}

fn line(text: &mut String, key: &str, value: &str, why: &str) {
    let _ = writeln!(text, "{key} = {value}  # {}", why.replace('\n', " "));
}

fn comment(text: &mut String, key: &str, value: &str, why: &str) {
    let _ = writeln!(text, "# {key} = {value}  # {}", why.replace('\n', " "));
}

fn guess(text: &mut String, key: &str, column: &Column, why: &str) {
    line(text, key, &template(column), &because(column, why));
}

/// The reason, with what is in the column.
fn because(column: &Column, why: &str) -> String {
    if column.odd.is_empty() {
        return format!("{why}: {}", shown(column));
    }
    let is_bracketed = |cell: &String| {
        cell.strip_prefix('(').is_some_and(|rest| rest.strip_suffix(')').is_some_and(|inside| !inside.is_empty()))
    };
    let mend = match &column.content {
        Content::Numbers if column.odd.iter().all(is_bracketed) => {
            let inside = column.odd[0].trim_matches(['(', ')']);
            format!("where brackets mean below zero, write -{inside}")
        }
        Content::Dates(forms) if forms.len() > 1 => "choose the form of dates above, or mend those rows".to_owned(),
        Content::Dates(_) | Content::Numbers | Content::Units | Content::Texts | Content::Empty => {
            "mend those rows, or name the words in nulls".to_owned()
        }
    };
    let odd: Vec<String> = column.odd.iter().map(|cell| quoted(cell)).collect();
    format!("{why}: {}; but for {}: {mend}", shown(column), odd.join(", "))
}

fn shown(column: &Column) -> String {
    if column.examples.is_empty() {
        return "empty".to_owned();
    }
    column.examples.iter().map(|example| example.replace('\n', " ")).collect::<Vec<_>>().join(", ")
}
