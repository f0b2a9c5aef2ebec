//! A report that is broken down, as a table: uuids, names and paths, and every figure.

use domain::Totals;
use ports::inbound::{Breakdown, BreakdownBy, BreakdownQuery, BreakdownRow, Label};

use super::figures::{MASS, figures_of};
use super::{Look, days};
use crate::table::{Cell, Table};

/// The report as a table.
#[must_use]
pub fn breakdown_table(found: &Breakdown, look: Look) -> Table {
    let mut columns: Vec<String> = found.query.by.iter().flat_map(|by| label_columns(*by)).collect();
    let has = (look.percent_decimals.is_some(), found.compared.is_some());
    columns.extend(figure_columns(&found.query, has).map(str::to_owned));
    let rows = found.rows.iter().map(|row| cells(found, row, look)).collect();
    let whole = found.compared.map(|whole| whole.totals);
    let first = found.query.by.iter().flat_map(|by| label_columns(*by)).skip(1).map(|_| Cell::Empty);
    let total = [Cell::text("total")].into_iter().chain(first);
    let total = total.chain(figures(&found.query, (&found.whole.totals, whole.as_ref()), &found.whole.totals, look));
    let of_several_gases = |name: &str| name == MASS.name || name == MASS.compared;
    let blank = |(cell, name): (Cell, &String)| if of_several_gases(name) { Cell::Empty } else { cell };
    let total = total.zip(&columns).map(blank).collect();
    Table { title: "Report".to_owned(), columns, rows, total: Some(total), about: about(found, look) }
}

/// The same for a workbook, which people read: names and paths come first, uuids behind everything else.
#[must_use]
pub fn breakdown_sheet(found: &Breakdown, look: Look) -> Table {
    let mut table = breakdown_table(found, look);
    let is_uuid = |name: &String| {
        let is_it = |by: &BreakdownBy| label_columns(*by).len() > 1 && by.word() == name;
        found.query.by.iter().any(is_it)
    };
    let (last, mut order): (Vec<usize>, Vec<usize>) =
        (0..table.columns.len()).partition(|index| table.columns.get(*index).is_some_and(is_uuid));
    order.extend(last);
    if let Some(total) = &mut table.total
        && let Some(first) = order.first().filter(|first| **first > 0)
    {
        total.swap(0, *first);
    }
    let ordered = |cells: &Vec<Cell>| order.iter().filter_map(|index| cells.get(*index).cloned()).collect();
    table.rows = table.rows.iter().map(ordered).collect();
    table.total = table.total.as_ref().map(ordered);
    table.columns = order.iter().filter_map(|index| table.columns.get(*index).cloned()).collect();
    table
}

fn label_columns(by: BreakdownBy) -> Vec<String> {
    let word = by.word();
    match by {
        BreakdownBy::Time(_) | BreakdownBy::Gas | BreakdownBy::Quality => vec![word.to_owned()],
        BreakdownBy::Scope | BreakdownBy::Org | BreakdownBy::Taxonomy => {
            vec![word.to_owned(), format!("{word}Name"), format!("{word}Path")]
        }
        BreakdownBy::Product => vec![word.to_owned(), format!("{word}Name")],
    }
}

fn figure_columns(
    query: &BreakdownQuery,
    (has_percent, is_compared): (bool, bool),
) -> impl Iterator<Item = &'static str> {
    let own = figures_of(query).map(|figure| figure.name);
    let others = figures_of(query).map(|figure| figure.compared).filter(move |_| is_compared);
    own.chain(has_percent.then_some("share"))
        .chain(others)
        .chain(is_compared.then_some("difference"))
        .chain((is_compared && has_percent).then_some("change"))
        .chain(["CO2eUnit"])
}

fn cells(found: &Breakdown, row: &BreakdownRow, look: Look) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (by, label) in found.query.by.iter().zip(&row.labels) {
        let width = label_columns(*by).len();
        let own = match label {
            Label::Time(name) => vec![Cell::text(name)],
            Label::Gas(gas) => vec![Cell::text(gas.word())],
            Label::Quality(quality) => vec![Cell::text(quality.word())],
            Label::Record { id, name, path, .. } => vec![Cell::text(id), Cell::text(name), Cell::text(path)],
            Label::Without => Vec::new(),
        };
        cells.extend(own.into_iter().chain(std::iter::repeat(Cell::Empty)).take(width));
    }
    cells.extend(figures(&found.query, (&row.totals, row.compared.as_ref()), &found.whole.totals, look));
    cells
}

/// The cells of the figures, in the order of [`figure_columns`].
fn figures(query: &BreakdownQuery, (own, before): (&Totals, Option<&Totals>), whole: &Totals, look: Look) -> Vec<Cell> {
    let of = |totals: &Totals| figures_of(query).map(|figure| Cell::Number((figure.show)(totals, look))).collect();
    let number = |text: Option<String>| text.map_or(Cell::Empty, Cell::Number);
    let mut cells: Vec<Cell> = of(own);
    if look.percent_decimals.is_some() {
        cells.push(number(look.share(own, whole)));
    }
    if let Some(before) = before {
        let others: Vec<Cell> = of(before);
        cells.extend(others);
        cells.push(Cell::Number(look.amount(own.co2e - before.co2e)));
        if look.percent_decimals.is_some() {
            cells.push(number(look.change(own, before)));
        }
    }
    cells.push(Cell::text(look.unit.code()));
    cells
}

/// What else is to be known of the report.
fn about(found: &Breakdown, look: Look) -> Vec<(String, String)> {
    let mut about = vec![("period", days(found))];
    if let Some(compared) = found.compared {
        let days = compared.first.zip(compared.last).map(|(first, last)| format!("{first} to {last}"));
        about.push(("compared with", days.unwrap_or_else(|| "no activities".to_owned())));
    }
    about.push(("CO2e in", look.unit.code().to_owned()));
    about.extend(super::readable::notes(found, look).into_iter().map(|note| ("note", note)));
    about.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}
