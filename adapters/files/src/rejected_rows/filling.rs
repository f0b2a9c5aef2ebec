//! Cells that a map fills from above: a copied row has them filled, since other rows stand above it in the copy.

use crate::delimited::{Cells, Filler, Record};
use crate::map::Map;

/// The filling of a table as it is read.
pub(super) struct Filling<'a> {
    map: &'a Map,
    lines: Vec<u64>,
    header: Vec<Cells>,
    /// What fills the rows, and how many cells they have, once the header is known.
    rows: Option<(Filler, usize)>,
}

impl<'a> Filling<'a> {
    pub(super) fn new(map: &'a Map) -> Self {
        Self { map, lines: map.form().header, header: Vec::new(), rows: None }
    }

    /// Takes the next record, and fills it where it is a row of the table. Rows of a sheet end where their last cell is.
    pub(super) fn pass(&mut self, record: &mut Record, is_above: bool, is_of_sheet: bool) {
        if is_above {
            if let (true, Ok(cells)) = (self.lines.contains(&record.line) || self.lines == [1], &record.cells) {
                self.header.push(cells.clone());
            }
            return;
        }
        let (filler, width) = self.rows.get_or_insert_with(|| {
            (self.map.filler(&self.header), self.header.iter().map(Cells::len).max().unwrap_or_default())
        });
        if let (true, Ok(cells)) = (is_of_sheet, &mut record.cells) {
            cells.fit(*width);
        }
        match &mut record.cells {
            Ok(cells) if cells.is_blank() => {}
            // Where the row above cannot be read, the reason says so.
            Ok(cells) if cells.len() == *width => drop(filler.fill(cells)),
            Ok(_) | Err(_) => filler.pass_unreadable(record.line),
        }
    }
}
