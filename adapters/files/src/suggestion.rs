//! A first map, suggested from a table: how it is written and what its columns may be, each guess with the reason for it.

mod column;
mod dates;
mod header;
mod marks;
mod months;
mod role;
mod sample;
mod words;
mod write;

pub use sample::TableSample;

use column::Column;
use header::Header;
use marks::GuessedMarks;
use role::Roles;

/// The map that a sample of a table suggests, in TOML. What is unsure is commented out; what is missing is left to whoever
/// knows the table.
#[must_use]
pub fn suggest_map(sample: &TableSample) -> String {
    let header = Header::of(sample);
    let rows = sample.rows_behind(header.last_line());
    let marks = GuessedMarks::of(rows);
    let columns: Vec<Column> =
        header.names.iter().enumerate().map(|(index, name)| Column::of(name, index, rows, &marks)).collect();
    let roles = Roles::of(&columns);
    write::Writer { sample, header: &header, marks: &marks, columns: &columns, roles: &roles }.map()
}
