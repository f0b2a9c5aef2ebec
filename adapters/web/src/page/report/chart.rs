//! The report as a chart: columns over time, else ranked bars.

use maud::{Markup, html};
use ports::inbound::Label;

use super::super::question::short_time;
use super::Asked;
use super::drill::{Of, address};
use super::pivot::{self, Key, Pivot, Row};
use crate::chart::{Column, Columns, Ink, Part, bar, columns};
use crate::figure::Figures;
use crate::here::Here;

/// So many bars are drawn; the table behind has all.
const MOST: usize = 30;

pub(super) fn chart(here: &Here, asked: &Asked, pivot: &Pivot, figures: &Figures) -> Markup {
    let has_time = pivot.columns.iter().any(|column| matches!(column.label, Label::Time(_)));
    let rows_are_time = pivot.rows.iter().any(|row| matches!(row.label, Some(Label::Time(_))));
    let all: Vec<Column> = if has_time {
        pivot.columns.iter().map(|column| of_column(here, asked, pivot, column)).collect()
    } else if rows_are_time {
        pivot.rows.iter().map(|row| of_row(here, asked, row)).collect()
    } else {
        return bars(here, asked, pivot, figures);
    };
    let chart = Columns {
        id: "report",
        title: "CO₂e over time",
        description: "A column for each stretch of time.",
        columns: &all,
        figures,
    };
    html! { figure { (columns(&chart)) } }
}

fn of_column(here: &Here, asked: &Asked, pivot: &Pivot, column: &pivot::Column) -> Column {
    let sum = pivot.sums.get(&Key::of(&column.label)).copied().unwrap_or_default();
    let link = here.link(&address(here, asked, None, Some(column)));
    one(super::pivot::name(&column.label), &sum, link)
}

fn of_row(here: &Here, asked: &Asked, row: &Row) -> Column {
    one(row.name.clone(), &row.all, here.link(&address(here, asked, Some(Of::All(&row.key)), None)))
}

fn one(name: String, cell: &super::pivot::Cell, link: String) -> Column {
    let compared = cell.compared.filter(|totals| totals.count > 0).map(|totals| totals.co2e);
    let parts = vec![Part { ink: Ink::Accent, name: "CO₂e", amount: cell.totals.co2e }];
    Column { label: short_time(&name), name, parts, compared, link: Some(link) }
}

fn bars(here: &Here, asked: &Asked, pivot: &Pivot, figures: &Figures) -> Markup {
    let amount = |row: &Row| row.all.totals.co2e;
    let mut rows: Vec<&Row> = pivot.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(amount(row)));
    let longest = rows.first().map(|row| amount(row)).unwrap_or_default();
    html! {
        div.scroll { table {
            caption { "In " (figures.heading()) ", the largest first" }
            tbody {
                @for row in rows.into_iter().take(MOST) {
                    tr {
                        th scope="row" { (row.name) }
                        td { (bar(amount(row), longest, Ink::Accent)) }
                        td.r { a href=(here.link(&address(here, asked, Some(Of::All(&row.key)), None))) { (figures.amount(amount(row))) } }
                    }
                }
            }
        } }
    }
}
