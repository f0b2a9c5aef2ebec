//! The statement as a file: a line for each figure and each text of its sections.

use files::{Cell, Look, ShownStatement, StatementCell, StatementRow, StatementSection, Table, statement_sections};
use ports::inbound::Statement;

use crate::csv;

const COLUMNS: [&str; 7] = ["section", "row", "name", "column", "amount", "text", "explanation"];

/// The statement with exact amounts: those of emissions in kg, as their column says, others are counts. `base` is the base address
/// of the company's API, where explanations are.
pub(super) fn table(found: &Statement, base: &str) -> Table {
    let sections = statement_sections(ShownStatement { found, look: Look::default(), base });
    csv::table("statement", &COLUMNS, sections.iter().flat_map(lines).collect())
}

fn lines(section: &StatementSection) -> Vec<Vec<Cell>> {
    let rows = (1..).zip(&section.rows).flat_map(|(number, row)| cells(section, number, row));
    let notes = section.notes.iter().map(|note| {
        let [row, column, amount] = [Cell::Empty, Cell::Empty, Cell::Empty];
        let explanation = csv::text(note.explained.as_ref());
        vec![Cell::text(section.sheet), row, Cell::text("note"), column, amount, Cell::text(&note.text), explanation]
    });
    rows.chain(notes).collect()
}

/// The cells of a row behind the first, which is its name.
fn cells(section: &StatementSection, number: u32, row: &StatementRow) -> Vec<Vec<Cell>> {
    let name = row.cells.first().map_or("", StatementCell::as_str);
    let behind = row.cells.iter().enumerate().skip(1).filter(|(_, cell)| **cell != StatementCell::Blank);
    let line = |(at, cell): (usize, &StatementCell)| {
        let (amount, text) = match cell {
            StatementCell::Amount(amount) => (Cell::Number(amount.clone()), Cell::Empty),
            StatementCell::Text(_) | StatementCell::Absent(_) | StatementCell::Blank => {
                (Cell::Empty, Cell::text(cell.as_str()))
            }
        };
        let column = Cell::text(section.columns.get(at).map_or("stated", String::as_str));
        let head = [Cell::text(section.sheet), csv::number(Some(number)), Cell::text(name), column];
        head.into_iter().chain([amount, text, Cell::text(row.explained.join(" "))]).collect::<Vec<_>>()
    };
    behind.map(line).collect()
}
