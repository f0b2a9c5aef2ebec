//! Showing a report: as a table whose rows add up to its last line, or as JSON.

use domain::{Total, Totals};
use files::Json;
use ports::inbound::{Breakdown, BreakdownRow};

use super::super::json::{array, members, optional, text};
use super::super::terminal_table::{Align, Table};
use super::{By, Spread, Unit};

/// A report to show.
pub(super) struct Shown<'a> {
    pub(super) found: &'a Breakdown,
    pub(super) by: By,
    pub(super) unit: Unit,
    pub(super) spread: Spread,
}

/// A column of amounts or counts.
struct Column {
    header: String,
    cell: Box<dyn Fn(&Totals) -> String>,
    /// Whether it is there though every cell is zero.
    always: bool,
}

impl Shown<'_> {
    /// The report as a table, with what has to be known about it below.
    pub(super) fn text(&self) -> String {
        let totals = &self.found.totals;
        let columns: Vec<Column> = self.columns().into_iter().filter(|column| self.needed(column)).collect();
        let header = [(self.subject(), Align::Left)];
        let header = header.into_iter().chain(columns.iter().map(|column| (column.header.as_str(), Align::Point)));
        let mut table = Table::new(header);
        let cells = |name: &str, figures: &Totals| {
            let cells = columns.iter().map(|column| (column.cell)(figures));
            [name.to_owned()].into_iter().chain(cells).collect::<Vec<_>>()
        };
        for row in &self.found.rows {
            let name = row.name.clone().unwrap_or_else(|| format!("(no {})", self.subject()));
            table.row(cells(&name, &row.totals));
        }
        table.rule();
        table.row(cells("total", totals));
        let days = match (self.found.first, self.found.last) {
            (Some(first), Some(last)) => format!("{first} to {last}"),
            _ => "no activities".to_owned(),
        };
        let mut lines = vec![days, table.render()];
        if matches!((self.by, self.spread), (By::Month, Spread::Daily)) {
            lines.push(
                "An activity is counted in each month that it touches; its CO2e is divided among them.".to_owned(),
            );
        }
        if totals.incomplete > 0 {
            lines.push("Without CO2e: neither amounts nor a product with a factor valid on the day.".to_owned());
        }
        if !totals.uncategorized.is_zero() {
            lines.push("Uncategorised: of activities without a scope; in none of the scopes' totals.".to_owned());
        }
        if ![totals.biogenic, totals.credits, totals.outside].into_iter().all(Total::is_zero) {
            lines.push(
                "Biogenic CO2, credits and outside are reported apart from the scopes and from each other.".to_owned(),
            );
        }
        lines.join("\n")
    }

    /// The report for machines: amounts as texts, exactly.
    pub(super) fn json(&self) -> Json {
        let row = |row: &BreakdownRow| {
            let named = match self.by {
                By::Month => members([("month", optional(row.name.as_ref()))]),
                By::Scope | By::Org | By::Taxonomy => {
                    members([("uuid", optional(row.node)), ("name", optional(row.name.as_ref()))])
                }
            };
            Json::Object(named.into_iter().chain(self.figures(&row.totals)).collect())
        };
        let head = members([
            ("startDate", optional(self.found.first)),
            ("endDate", optional(self.found.last)),
            ("attribution", text(self.attribution())),
            ("CO2eUnit", text(self.unit.code())),
        ]);
        let rows = members([("by", text(self.subject())), ("rows", array(self.found.rows.iter().map(row)))]);
        Json::Object(head.into_iter().chain(self.figures(&self.found.totals)).chain(rows).collect())
    }

    fn figures(&self, figures: &Totals) -> Vec<(String, Json)> {
        let amount = |total: Total| text(total.shifted(self.unit.places()));
        members([
            ("count", Json::Number(figures.count.to_string())),
            ("incompleteCount", Json::Number(figures.incomplete.to_string())),
            ("CO2e", amount(figures.co2e)),
            ("uncategorizedCO2e", amount(figures.uncategorized)),
            ("biogenicCO2", amount(figures.biogenic)),
            ("creditsCO2e", amount(figures.credits)),
            ("outsideCO2e", amount(figures.outside)),
        ])
    }

    fn columns(&self) -> [Column; 7] {
        let (places, unit) = (self.unit.places(), self.unit.code());
        let column = |header: String, always, cell: Box<dyn Fn(&Totals) -> String>| Column { header, cell, always };
        [
            column("activities".to_owned(), true, Box::new(|figures| figures.count.to_string())),
            column("without CO2e".to_owned(), false, Box::new(|figures| figures.incomplete.to_string())),
            column(format!("CO2e ({unit})"), true, Box::new(move |figures| figures.co2e.shifted(places))),
            column(
                format!("uncategorised ({unit})"),
                false,
                Box::new(move |figures| figures.uncategorized.shifted(places)),
            ),
            column(format!("biogenic CO2 ({unit})"), false, Box::new(move |figures| figures.biogenic.shifted(places))),
            column(format!("credits ({unit})"), false, Box::new(move |figures| figures.credits.shifted(places))),
            column(format!("outside ({unit})"), false, Box::new(move |figures| figures.outside.shifted(places))),
        ]
    }

    fn needed(&self, column: &Column) -> bool {
        column.always || self.found.rows.iter().any(|row| (column.cell)(&row.totals) != "0")
    }

    const fn subject(&self) -> &'static str {
        match self.by {
            By::Scope => "scope",
            By::Org => "org",
            By::Taxonomy => "taxonomy",
            By::Month => "month",
        }
    }

    const fn attribution(&self) -> &'static str {
        match self.spread {
            Spread::Start => "start",
            Spread::Daily => "daily",
        }
    }
}
