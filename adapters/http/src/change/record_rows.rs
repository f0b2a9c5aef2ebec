//! Changes as a table: a row for each record of each, one for a change that has none.

use files::{Cell, Table};
use ports::inbound::{ChangePage, ChangeView};

const COLUMNS: [&str; 7] = ["number", "at", "actor", "cause", "kind", "uuid", "verb"];

/// The changes, in their order.
pub(super) fn record_rows(page: &ChangePage) -> Table {
    Table {
        title: "changes".to_owned(),
        columns: COLUMNS.map(str::to_owned).into(),
        rows: page.changes.iter().flat_map(rows).collect(),
        ..Table::default()
    }
}

fn rows(view: &ChangeView) -> Vec<Vec<Cell>> {
    let change = &view.change;
    let head = || {
        let number = Cell::Number(change.number.to_string());
        [number, Cell::text(change.at), Cell::text(&change.actor), Cell::text(&change.cause)].into_iter()
    };
    if view.records.is_empty() {
        return vec![head().chain([Cell::Empty, Cell::Empty, Cell::Empty]).collect()];
    }
    let records = view.records.iter();
    records
        .map(|(kind, id, verb)| head().chain([Cell::text(kind), Cell::text(id), Cell::text(verb.as_str())]).collect())
        .collect()
}
