//! A first map, suggested from a table: how it is written and what its columns may be, each guess with the reason for it.

mod apart;
mod column;
mod date_part;
mod dates;
mod doubts;
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

pub(crate) use doubts::reads_any;
pub use doubts::{check_doubts, is_asked, is_open, is_said};
pub use sample::TableSample;

use ports::inbound::{Doubt, SniffedColumn};

use crate::activity::are_own_columns;
use crate::map::Map;
use column::Column;
use header::Header;
use marks::GuessedMarks;
use role::Roles;

/// What is said of a table that needs no map.
const OWN: &str = "# No map is needed: the columns are those of an activity, as answers of Tonne have them.\n\
                   # Import the file as it is: tonne import activities FILE\n";

/// A first map, and what whoever knows the table must say before it is right.
#[derive(Debug)]
pub struct AskingMap {
    /// The map in TOML. It names the columns that the doubts are about; `[table]` does not say how they are written.
    pub map: String,
    /// The columns in their order.
    pub columns: Vec<SniffedColumn>,
    /// What their cells leave open.
    pub doubts: Vec<Doubt>,
}

/// What becomes of a column whose numbers can be read in two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unsure {
    /// It is commented out.
    LeftOut,
    /// It is named: somebody is asked how its numbers are written.
    Asked,
}

/// The map that a sample of a table suggests, in TOML. What is unsure is commented out; what is missing is left to whoever
/// knows the table.
#[must_use]
pub fn suggest_map(sample: &TableSample) -> String {
    let header = Header::of(sample);
    if needs_none(sample, &header) {
        return OWN.to_owned();
    }
    written(sample, &header, Unsure::LeftOut).map
}

/// The same with what has to be asked; `None` of a table that needs no map. Where the table is read by a map already, its columns and
/// what has to be asked are those below the header that this map says.
#[must_use]
pub fn asking_map(sample: &TableSample, read_by: Option<&Map>) -> Option<AskingMap> {
    let said = read_by.and_then(|map| Header::at(sample, map.header_lines()));
    let header = said.unwrap_or_else(|| Header::of(sample));
    (!needs_none(sample, &header)).then(|| written(sample, &header, Unsure::Asked))
}

fn needs_none(sample: &TableSample, header: &Header) -> bool {
    header.lines == [1] && sample.has_commas() && are_own_columns(header.names.iter().map(|name| name.trim()))
}

fn written(sample: &TableSample, header: &Header, unsure: Unsure) -> AskingMap {
    let rows = sample.rows_behind(header.last_line());
    let mut marks = GuessedMarks::of(rows);
    let mut columns: Vec<Column> =
        header.names.iter().enumerate().map(|(index, name)| Column::of(name, index, rows, &marks)).collect();
    let other_way = marks.other_way();
    marks.keep_unsure(|index| columns.get(index).is_some_and(|column| column.may_be_numbers(index, rows, other_way)));
    let doubts = doubts::found(&columns, rows, &marks);
    if unsure == Unsure::Asked {
        for column in &mut columns {
            column.has_unsure_marks = false;
        }
    }
    let mut roles = Roles::of(&columns);
    roles.leave_apart(&columns, rows, &marks);
    let map = write::Writer { sample, header, marks: &marks, columns: &columns, roles: &roles, unsure }.map();
    let has_own_name =
        |column: &Column| column.has_name() && columns.iter().filter(|other| other.name == column.name).count() == 1;
    let sniffed = |column: &Column| SniffedColumn {
        name: column.name.clone(),
        examples: column.examples.clone(),
        has_own_name: has_own_name(column),
    };
    AskingMap { map, columns: columns.iter().map(sniffed).collect(), doubts }
}
