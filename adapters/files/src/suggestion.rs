//! A first map, suggested from a table: how it is written and what its columns may be, each guess with the reason for it.

mod apart;
mod column;
mod date_part;
mod dates;
mod factor;
mod groups;
mod header;
mod marks;
mod months;
mod parted;
mod role;
mod sample;
mod together;
mod totals;
mod twice;
mod words;
mod write;

pub use sample::TableSample;

use crate::activity::are_own_columns;
use column::Column;
use header::Header;
use marks::GuessedMarks;
use role::Roles;

/// What is said of a table that needs no map.
const OWN: &str = "# No map is needed: the columns are those of an activity, as answers of Tonne have them.\n\
                   # Import the file as it is: tonne import activities FILE\n";

/// The map that a sample of a table suggests, in TOML. What is unsure is commented out; what is missing is left to whoever
/// knows the table.
#[must_use]
pub fn suggest_map(sample: &TableSample) -> String {
    needed_map(sample).unwrap_or_else(|| OWN.to_owned())
}

/// The same; `None` of a table that needs no map.
#[must_use]
pub fn needed_map(sample: &TableSample) -> Option<String> {
    let header = Header::of(sample);
    if header.lines == [1] && sample.has_commas() && are_own_columns(header.names.iter().map(|name| name.trim())) {
        return None;
    }
    let rows = sample.rows_behind(header.last_line());
    let marks = GuessedMarks::of(rows);
    let columns: Vec<Column> =
        header.names.iter().enumerate().map(|(index, name)| Column::of(name, index, rows, &marks)).collect();
    let mut roles = Roles::of(&columns);
    roles.leave_apart(&columns, rows, &marks);
    Some(write::Writer { sample, header: &header, marks: &marks, columns: &columns, roles: &roles }.map())
}
