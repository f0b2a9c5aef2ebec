//! The map: which org or category has data in which month.

use std::collections::{BTreeMap, BTreeSet};

use domain::Totals;
use files::{Cell, Table};
use maud::{Markup, html};
use ports::inbound::{Breakdown, CompletenessView, GapView, Label};
use uuid::Uuid;

use super::super::question::{activities, short_time};
use crate::address::Address;
use crate::chart::{HeatRow, Square, heat};
use crate::component;
use crate::filter::{Dimension, Filter};
use crate::filter_bar::Choices;
use crate::here::Here;

/// So many rows are drawn; the table and the file have all.
const MOST_ROWS: usize = 40;
/// So many months are drawn, the last ones.
const MOST_MONTHS: usize = 36;

/// The map.
pub(super) struct Map {
    by: Dimension,
    months: Vec<String>,
    rows: Vec<Row>,
}

struct Row {
    label: Label,
    /// Whether others below it are rows of their own.
    is_own: bool,
    cells: BTreeMap<String, Totals>,
    /// The months that some of its series have no data in.
    missing: BTreeSet<String>,
}

impl Row {
    fn name(&self) -> String {
        let name = match &self.label {
            Label::Record { path, .. } => path.clone(),
            Label::Without => "none".to_owned(),
            other @ (Label::Time(_) | Label::Gas(_) | Label::Quality(_)) => other.key(),
        };
        if self.is_own { format!("{name}, directly") } else { name }
    }

    const fn id(&self) -> Option<Uuid> {
        match &self.label {
            Label::Record { id, .. } => Some(*id),
            Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => None,
        }
    }

    fn at(&self, month: &str) -> Totals {
        self.cells.get(month).copied().unwrap_or_default()
    }
}

impl Map {
    /// The rows of a report by nodes and months, with what is missing in them.
    pub(super) fn of(cells: &Breakdown, found: &CompletenessView, choices: &Choices, by: Dimension) -> Self {
        let mut rows: Vec<Row> = Vec::new();
        let mut months: BTreeSet<String> = found.gaps.iter().flat_map(|gap| gap.months.iter().cloned()).collect();
        for one in &cells.rows {
            let (Some(label), Some(Label::Time(month))) = (one.labels.first(), one.labels.get(1)) else { continue };
            months.insert(month.clone());
            let at = rows.iter().position(|row| row.label == *label).unwrap_or_else(|| {
                let (cells, missing) = (BTreeMap::new(), BTreeSet::new());
                rows.push(Row { label: label.clone(), is_own: false, cells, missing });
                rows.len() - 1
            });
            if let Some(row) = rows.get_mut(at) {
                *row.cells.entry(month.clone()).or_default() += one.totals;
            }
        }
        let parents: BTreeSet<Uuid> = rows.iter().flat_map(|row| above(&row.label)).collect();
        for row in &mut rows {
            row.is_own = row.id().is_some_and(|id| parents.contains(&id));
        }
        for gap in &found.gaps {
            let at = place(gap, &rows, choices, by);
            if let Some(row) = at.and_then(|at| rows.get_mut(at)) {
                row.missing.extend(gap.months.iter().cloned());
            }
        }
        Self { by, months: months.into_iter().collect(), rows }
    }

    /// The map as a table for machines: a line for each row and month.
    pub(super) fn table(&self) -> Table {
        let columns = [self.by.word(), "month", "activities", "not_computed", "without_data"];
        let rows = self.rows.iter().flat_map(|row| {
            self.months.iter().map(|month| {
                let totals = row.at(month);
                vec![
                    Cell::text(row.name()),
                    Cell::text(month),
                    Cell::Number(totals.count.to_string()),
                    Cell::Number(totals.incomplete.to_string()),
                    if row.missing.contains(month) { Cell::text("true") } else { Cell::Empty },
                ]
            })
        });
        Table {
            title: "Completeness".to_owned(),
            columns: columns.into_iter().map(str::to_owned).collect(),
            rows: rows.collect(),
            ..Table::default()
        }
    }

    pub(super) fn section(&self, here: &Here, filter: &Filter, depth: usize) -> Markup {
        if self.rows.is_empty() {
            return component::empty(
                "No activities in this selection",
                html! { p { "Nothing begins in these days. " a href=(here.link(&Address::to("/completeness"))) { "Show the newest year" } "." } },
            );
        }
        let shown = self.months.get(self.months.len().saturating_sub(MOST_MONTHS)..).unwrap_or_default();
        let columns: Vec<String> = shown.iter().map(|month| short_time(month)).collect();
        let rows: Vec<HeatRow> =
            self.rows.iter().take(MOST_ROWS).map(|row| self.drawn(here, filter, depth, row, shown)).collect();
        html! {
            figure {
                (heat("completeness", "Activities by month", &columns, &rows))
                figcaption {
                    "The stronger the color, the more activities. “!” is a month without data in a series that usually has some."
                    @if self.rows.len() > MOST_ROWS { " The first " (MOST_ROWS) " of " (here.numbers().count(self.rows.len())) " rows are drawn." }
                    @if self.months.len() > MOST_MONTHS { " The last " (MOST_MONTHS) " of " (here.numbers().count(self.months.len())) " months are drawn." }
                }
            }
            details.behind { summary { "The figures behind" } (self.behind(here, filter, depth)) }
        }
    }

    fn drawn(&self, here: &Here, filter: &Filter, depth: usize, row: &Row, months: &[String]) -> HeatRow {
        let name = row.name();
        let square = |month: &String| {
            let (totals, is_missing) = (row.at(month), row.missing.contains(month));
            let count = u64::try_from(totals.count).unwrap_or(0);
            let missing = if is_missing { ", a series has no data" } else { "" };
            let link = (count > 0 || is_missing).then(|| self.link(here, filter, depth, row, Some(month)));
            Square {
                says: format!("{name}, {month}: {}{missing}", here.numbers().counted(count, "activity", "activities")),
                count,
                is_missing,
                link,
            }
        };
        HeatRow { squares: months.iter().map(square).collect(), name }
    }

    /// The activities of a row in a month; of what a node has by itself, the line of the report.
    fn link(&self, here: &Here, filter: &Filter, depth: usize, row: &Row, month: Option<&str>) -> String {
        let dated = month.map_or_else(|| filter.clone(), |month| filter.dated(month, here.company.year_start));
        match row.id() {
            Some(id) if !row.is_own => here.link(&activities(&dated.at(self.by, id))),
            Some(_) | None => {
                let line = Address::to("/report/explanation").with("by", self.by.word());
                let line = line.with_some("depth", (depth > 1).then_some(depth)).with("line", row.label.key());
                here.link(&line.filtered(&dated))
            }
        }
    }

    fn behind(&self, here: &Here, filter: &Filter, depth: usize) -> Markup {
        let numbers = here.numbers();
        html! {
            div.scroll { table.pivot {
                caption { "Activities that begin in a month; “!” is a month without data in a series that usually has some" }
                thead { tr { th scope="col" { (self.by.title()) } @for month in &self.months { th.r scope="col" { (month) } } } }
                tbody { @for row in &self.rows { tr {
                    th scope="row" { a href=(self.link(here, filter, depth, row, None)) { (row.name()) } }
                    @for month in &self.months {
                        td.r {
                            @let count = row.at(month).count;
                            @if row.missing.contains(month) { span.tag.warn title="a series has no data" { "!" } " " }
                            @if count != 0 { a href=(self.link(here, filter, depth, row, Some(month))) { (numbers.count(count)) } }
                        }
                    }
                } } }
            } }
        }
    }
}

fn above(label: &Label) -> Vec<Uuid> {
    match label {
        Label::Record { above, .. } => above.iter().map(|one| one.id).collect(),
        Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => Vec::new(),
    }
}

/// The row of a series: that of its node, or of the nearest node above that has one.
fn place(gap: &GapView, rows: &[Row], choices: &Choices, by: Dimension) -> Option<usize> {
    let named = match by {
        Dimension::Org => gap.org.as_ref(),
        Dimension::Scope => gap.scope.as_ref(),
        Dimension::Taxonomy => gap.taxonomy.as_ref(),
    };
    let Some(named) = named else { return rows.iter().position(|row| row.label == Label::Without) };
    let nodes = [named.id].into_iter().chain(choices.above(by, named.id).iter().rev().copied());
    nodes.into_iter().find_map(|id| rows.iter().position(|row| row.id() == Some(id)))
}
