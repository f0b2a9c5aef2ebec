//! Cells that are empty because the one above counts for them too: merged ones, and those below the name of a group.

use super::cells::{CellKind, Cells};
use super::header::ColumnIndex;

/// Fills the empty cells of some columns with the nearest cell above that says something. Where a column begins to say something else,
/// the empty cells of those behind it in the list stay empty: a site of one region is none of the next.
#[derive(Debug, Default)]
pub(crate) struct Filler {
    columns: Vec<Filled>,
}

#[derive(Debug)]
struct Filled {
    name: String,
    index: usize,
    above: Above,
}

/// What stands above the next row in a column.
#[derive(Debug)]
enum Above {
    Nothing,
    Cell(String, CellKind),
    /// Nobody knows: the row of that line cannot be read.
    Unreadable(u64),
}

impl Filler {
    /// One for those columns, as far as the table has them.
    pub(crate) fn new(names: &[String], columns: &ColumnIndex) -> Self {
        let filled =
            |name: &String| columns.find(name).map(|index| Filled { name: name.clone(), index, above: Above::Nothing });
        Self { columns: names.iter().filter_map(filled).collect() }
    }

    /// Fills a row, and remembers what is in it for the rows below. Blank rows are to be passed over. An error where the cell
    /// above an empty one is in a row that cannot be read.
    pub(crate) fn fill(&mut self, cells: &mut Cells) -> Result<(), String> {
        let (mut lost, mut is_other) = (Vec::new(), false);
        for Filled { name, index, above } in &mut self.columns {
            let own = cells.get(*index).unwrap_or_default();
            if !own.trim().is_empty() {
                is_other |= !matches!(above, Above::Cell(text, _) if text.trim() == own.trim());
                *above = Above::Cell(own.to_owned(), cells.kind(*index));
                continue;
            }
            if is_other {
                *above = Above::Nothing;
            }
            match above {
                Above::Nothing => {}
                Above::Cell(text, kind) => cells.set(*index, text, *kind),
                Above::Unreadable(line) => lost.push(format!("{name:?} is that of line {line}")),
            }
        }
        if lost.is_empty() {
            return Ok(());
        }
        Err(format!(
            "cannot be filled from above, as the map says: {}, which cannot be read; mend that too",
            lost.join(" and ")
        ))
    }

    /// Notes that the row of that line cannot be read, so that nothing is known of what it says for the rows below.
    pub(crate) fn pass_unreadable(&mut self, line: u64) {
        for filled in &mut self.columns {
            filled.above = Above::Unreadable(line);
        }
    }
}
