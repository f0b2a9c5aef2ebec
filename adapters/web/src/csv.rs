//! A view as CSV: a table of exact figures, to be kept as a file.

use std::fmt::Display;

use actix_web::HttpResponse;
use actix_web::http::header;
use files::{ByteOrderMark, Cell, Cells, Table, table_csv};
use http::edge::Failure;

/// The table as a file of that name, without its ending. Texts that a spreadsheet would take for formulas have an apostrophe
/// before them.
pub fn file(name: &str, table: &Table) -> Result<HttpResponse, Failure> {
    let body = table_csv(table, Cells::Text, ByteOrderMark::Absent).map_err(Failure::internal)?;
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")));
    Ok(answer.content_type("text/csv; charset=utf-8").body(body))
}

/// A table of that name with those columns.
pub(crate) fn table(title: &str, columns: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    let columns = columns.iter().map(|name| (*name).to_owned()).collect();
    Table { title: title.to_owned(), columns, rows, ..Table::default() }
}

/// A text, or nothing where there is none.
pub(crate) fn text(value: Option<impl Display>) -> Cell {
    value.map_or(Cell::Empty, Cell::text)
}

/// A number in plain notation, or nothing where there is none.
pub(crate) fn number(value: Option<impl Display>) -> Cell {
    value.map_or(Cell::Empty, |value| Cell::Number(value.to_string()))
}
