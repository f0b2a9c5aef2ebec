//! How many cells an .ods has, whose text says of one cell that it stands a million times.

use std::io::{self, Write};

/// A tag is looked at as far as this.
const LONGEST_TAG: usize = 4_096;

/// Counts the cells that say something in the `content.xml` that is written to it; an error beyond `most`.
pub(super) struct CellCounter {
    most: u64,
    cells: u64,
    /// What cells of the row under way come to, and how often it stands.
    in_row: u64,
    row_repeats: u64,
    /// The tag under way, without its brackets.
    tag: Option<Vec<u8>>,
}

impl CellCounter {
    pub(super) const fn new(most: u64) -> Self {
        Self { most, cells: 0, in_row: 0, row_repeats: 1, tag: None }
    }

    fn end_tag(&mut self, tag: &[u8]) {
        let tag = String::from_utf8_lossy(tag);
        let name = tag.split([' ', '\t', '\n', '\r', '/']).next().unwrap_or_default();
        if tag.starts_with("/table:table-row") {
            self.cells = self.cells.saturating_add(self.in_row.saturating_mul(self.row_repeats));
            self.in_row = 0;
        } else if name == "table:table-row" {
            self.row_repeats = repeats(&tag, "number-rows-repeated");
            self.in_row = 0;
        } else if name == "table:table-cell" || name == "table:covered-table-cell" {
            let is_empty = tag.ends_with('/') && !tag.contains("value") && !tag.contains("formula");
            let repeats = if is_empty { 0 } else { repeats(&tag, "number-columns-repeated") };
            self.in_row = self.in_row.saturating_add(repeats);
        }
    }
}

/// What an attribute of a tag says, 1 where it is not there.
fn repeats(tag: &str, attribute: &str) -> u64 {
    let Some((_, behind)) = tag.split_once(attribute) else { return 1 };
    let digits: String =
        behind.chars().skip_while(|letter| !letter.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(u64::MAX)
}

impl Write for CellCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            match (byte, &mut self.tag) {
                (b'<', tag) => *tag = Some(Vec::new()),
                (b'>', Some(tag)) => {
                    let tag = std::mem::take(tag);
                    self.tag = None;
                    self.end_tag(&tag);
                }
                (_, Some(tag)) if tag.len() < LONGEST_TAG => tag.push(*byte),
                (_, _) => {}
            }
        }
        let all = self.cells.saturating_add(self.in_row);
        if all > self.most {
            return Err(io::Error::other(format!("it has more than {} cells", self.most)));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str, most: u64) -> io::Result<u64> {
        let mut counter = CellCounter::new(most);
        // Tags come in pieces.
        for piece in text.as_bytes().chunks(7) {
            counter.write_all(piece)?;
        }
        Ok(counter.cells)
    }

    #[test]
    fn cells_that_are_repeated_count_as_often_and_empty_ones_do_not() {
        let row = "<table:table-row table:number-rows-repeated=\"3\"><table:table-cell office:value=\"1\" \
                   table:number-columns-repeated=\"4\"/><table:table-cell><text:p>a</text:p></table:table-cell>\
                   <table:table-cell table:number-columns-repeated=\"16000\"/></table:table-row>";
        assert_eq!(count(row, 15).unwrap(), 15);
        assert!(count(&row.repeat(2), 20).unwrap_err().to_string().contains("more than 20 cells"));
    }
}
