//! The report as a table: rows that open, every figure a link to what it is made of.

use domain::Totals;
use maud::{Markup, html};
use ports::inbound::{Breakdown, BreakdownBy, Label};

use super::super::question::short_time;
use super::drill::{Of, address};
use super::pivot::{Cell, Column, Key, Pivot, Row, name};
use super::{Asked, names};
use crate::component::notice;
use crate::figure::Figures;
use crate::here::Here;

/// So many columns are shown; the file has all.
const MOST_COLUMNS: usize = 40;
/// So many rows are shown.
const MOST_ROWS: usize = 2_000;

/// How the table is shown.
struct Shown<'a> {
    here: &'a Here,
    asked: &'a Asked,
    columns: &'a [&'a Column],
    /// Which of what is apart has a column.
    apart: &'a [bool],
    figures: &'a Figures,
}

/// A row as it is shown.
struct Line<'a> {
    row: &'a Row,
    /// Whether it is what the node has by itself, below its sum.
    is_own: bool,
}

pub(super) fn table(here: &Here, asked: &Asked, found: &Breakdown, pivot: &Pivot, figures: &Figures) -> Markup {
    let columns: Vec<&Column> = pivot.columns.iter().take(MOST_COLUMNS).collect();
    let mut lines = Vec::new();
    open(asked, &pivot.rows, &mut lines);
    let shown_apart = names::apart_of(&found.whole.totals).map(|(_, amount)| !amount.is_zero());
    let table = Shown { here, asked, columns: &columns, apart: &shown_apart, figures };
    let whole = Cell { totals: found.whole.totals, compared: found.compared.map(|whole| whole.totals) };
    html! {
        @if pivot.columns.len() > MOST_COLUMNS {
            (notice("warn", html! { "The first " (MOST_COLUMNS) " of " (here.numbers().count(pivot.columns.len())) " columns. The CSV has all of them." }))
        }
        @if lines.len() > MOST_ROWS {
            (notice("warn", html! { "The first " (here.numbers().count(MOST_ROWS)) " of " (here.numbers().count(lines.len())) " rows. The CSV has all of them; a filter shows fewer." }))
        }
        div.scroll {
            table.pivot data-rows {
                caption { "In " (figures.heading()) ". Shown figures are rounded, each from its exact value; exact figures add up." }
                thead { (head(&table)) }
                tbody { @for line in lines.iter().take(MOST_ROWS) { (shown(&table, line)) } }
                tfoot { (foot(&table, &whole, pivot)) }
            }
        }
    }
}

/// The rows that are shown: of open nodes those below, and what the node has by itself.
fn open<'a>(asked: &Asked, rows: &'a [Row], lines: &mut Vec<Line<'a>>) {
    for row in rows {
        lines.push(Line { row, is_own: false });
        let is_open = matches!(row.key, Key::Record(id) if asked.is_open(id, row.level));
        if is_open && !row.below.is_empty() {
            open(asked, &row.below, lines);
            if row.own_all.is_some() {
                lines.push(Line { row, is_own: true });
            }
        }
    }
}

fn head(table: &Shown<'_>) -> Markup {
    let Shown { here, asked, columns, apart, .. } = *table;
    html! {
        tr {
            th scope="col" { (asked.by.first().map_or("", |by| names::title(*by))) }
            @for column in columns {
                th.r scope="col" title=(name(&column.label)) {
                    a href=(here.link(&address(here, asked, None, Some(column)))) { (column_name(asked, column)) }
                }
            }
            th.r scope="col" { "Total" }
            @for ((name, _), _) in names::apart_of(&Totals::default()).iter().zip(apart).filter(|(_, shown)| **shown) {
                th.r scope="col" title="apart from the total, never added to it" { (name) }
            }
            @if asked.compare.is_some() { th.r scope="col" { "Before" } th.r scope="col" { "Change" } }
            @if counts(asked) { th.r scope="col" { "Activities" } th.r scope="col" { "Not computed" } }
        }
    }
}

fn column_name(asked: &Asked, column: &Column) -> String {
    let is_one_year = asked.filter.days.period().first().zip(asked.filter.days.period().last());
    let is_one_year = is_one_year.is_some_and(|(first, last)| last.number() - first.number() < 366);
    if let (Label::Time(name), true) = (&column.label, is_one_year) { short_time(name) } else { name(&column.label) }
}

/// Whether activities are counted: of gases and qualities one is in several rows.
fn counts(asked: &Asked) -> bool {
    !asked.by.iter().any(|by| matches!(by, BreakdownBy::Gas | BreakdownBy::Quality))
}

fn shown(table: &Shown<'_>, line: &Line<'_>) -> Markup {
    let Shown { here, asked, columns, figures, .. } = *table;
    let Line { row, is_own } = *line;
    let indent = row.level.saturating_sub(1) + usize::from(is_own);
    let class = if indent == 0 { String::new() } else { format!("in{}", indent.min(5)) };
    let (cells, all) = if is_own { (&row.own, row.own_all.unwrap_or_default()) } else { (&row.cells, row.all) };
    let of = match (&row.label, is_own) {
        (Some(label), true) => Of::Own(label),
        (_, _) if row.below.is_empty() && row.key == Key::Without => Of::All(&row.key),
        (_, _) => Of::All(&row.key),
    };
    html! {
        tr data-row {
            th scope="row" class=(class) {
                @match row.key {
                    Key::Record(id) if !is_own && !row.below.is_empty() => {
                        @let is_open = asked.is_open(id, row.level);
                        a.twist href=(here.link(&asked.flip(id).address())) aria-expanded=(is_open.to_string())
                            aria-label=(if is_open { "Close" } else { "Open" }) { (if is_open { "▾" } else { "▸" }) }
                    },
                    _ => span.twist aria-hidden="true" {},
                }
                @if is_own { span.muted { (row.name) ", directly" } } @else { (row.name) }
            }
            @for column in columns {
                td.r { (cell(here, asked, cells.get(&Key::of(&column.label)), Some(of), Some(column), figures)) }
            }
            td.r.sub { (cell(here, asked, Some(&all), Some(of), None, figures)) }
            (apart(&all.totals, table.apart, figures))
            (compared(here, asked, &all, figures))
            (counted(here, asked, &all.totals, Some(of)))
        }
    }
}

fn foot(table: &Shown<'_>, whole: &Cell, pivot: &Pivot) -> Markup {
    let Shown { here, asked, columns, figures, .. } = *table;
    html! {
        tr {
            th scope="row" { span.twist aria-hidden="true" {} "Total" }
            @for column in columns {
                td.r { (cell(here, asked, pivot.sums.get(&Key::of(&column.label)), None, Some(column), figures)) }
            }
            td.r { (cell(here, asked, Some(whole), None, None, figures)) }
            (apart(&whole.totals, table.apart, figures))
            (compared(here, asked, whole, figures))
            (counted(here, asked, &whole.totals, None))
        }
    }
}

/// A figure, which leads to its activities. A cell without any is blank.
fn cell(
    here: &Here,
    asked: &Asked,
    cell: Option<&Cell>,
    row: Option<Of<'_>>,
    column: Option<&Column>,
    figures: &Figures,
) -> Markup {
    let Some(cell) = cell.filter(|cell| cell.totals != Totals::default()) else { return html! {} };
    let link = here.link(&address(here, asked, row, column));
    let amount = cell.totals.co2e;
    let unknown = counts(asked) && cell.totals.count > 0 && cell.totals.count == cell.totals.incomplete;
    html! {
        a href=(link) {
            @if unknown { span.muted title="none of its activities is computed" { "-" } } @else { (figures.amount(amount)) }
        }
    }
}

/// What is apart, in columns of its own where the report has some of it.
fn apart(totals: &Totals, shown: &[bool], figures: &Figures) -> Markup {
    html! {
        @for ((_, amount), _) in names::apart_of(totals).iter().zip(shown).filter(|(_, shown)| **shown) {
            td.r { @if !amount.is_zero() { (figures.amount(*amount)) } }
        }
    }
}

fn compared(here: &Here, asked: &Asked, cell: &Cell, figures: &Figures) -> Markup {
    if asked.compare.is_none() {
        return html! {};
    }
    let before = cell.compared.filter(|totals| *totals != Totals::default()).map(|totals| totals.co2e);
    let change = before.and_then(|before| here.numbers().change(cell.totals.co2e, before));
    html! {
        @match before {
            Some(before) => { td.r { (figures.amount(before)) } td.r { (change.unwrap_or_else(|| "-".to_owned())) } },
            None => { td.r.muted { "no data" } td.r {} },
        }
    }
}

fn counted(here: &Here, asked: &Asked, totals: &Totals, row: Option<Of<'_>>) -> Markup {
    if !counts(asked) {
        return html! {};
    }
    let link = address(here, asked, row, None);
    html! {
        td.r { (here.numbers().count(totals.count)) }
        td.r {
            @if totals.incomplete == 0 { "0" }
            @else if link.path() == "/activities" {
                a href=(here.link(&link.with("incomplete", "true"))) { (here.numbers().count(totals.incomplete)) }
            } @else { (here.numbers().count(totals.incomplete)) }
        }
    }
}
