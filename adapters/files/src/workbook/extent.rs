//! How much an .ods becomes in memory, whose text says of one cell that it stands a million times: found out by the tokens that
//! the library reads, before it keeps any of them. What is nested in a way that no spreadsheet writes is refused.

mod sheet;

use std::io::BufRead;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use sheet::SheetExtent;

/// The most that is kept of the cells of all sheets.
#[derive(Clone, Copy, Debug)]
pub(super) struct MostCells {
    /// Cells, with the empty ones between those that say something.
    pub(super) cells: u64,
    /// Bytes of their texts and formulas, as often as they are repeated.
    pub(super) texts: u64,
}

impl Default for MostCells {
    fn default() -> Self {
        Self { cells: 20_000_000, texts: 1 << 28 }
    }
}

/// Where the reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Outside,
    Sheet,
    Row,
    Cell,
}

/// Why the sheets are not read, or that they may be: the `content.xml` of an .ods.
pub(super) fn check(source: impl BufRead, most: MostCells) -> Result<(), String> {
    let mut reader = Reader::from_reader(source);
    // As the library reads it.
    let config = reader.config_mut();
    config.check_end_names = false;
    config.check_comments = false;
    config.expand_empty_elements = true;
    let mut scan = Scan { place: Place::Outside, sheet: SheetExtent::default(), cells: 0, texts: 0 };
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(damaged)? {
            Event::Start(tag) => scan.start(&tag)?,
            Event::End(tag) => scan.end(tag.name().0)?,
            Event::Text(text) => scan.text(text.len() as u64),
            Event::GeneralRef(_) => scan.text(4),
            Event::Eof => return Ok(()),
            Event::Empty(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
        let (cells, texts) = (scan.cells.saturating_add(scan.sheet.cells()), scan.texts + scan.sheet.texts());
        if cells > most.cells {
            return Err(format!("its sheets reach over more than {} cells; save the sheet as CSV", most.cells));
        }
        if texts > most.texts {
            let mebibytes = most.texts >> 20;
            return Err(format!("the texts of its cells come to more than {mebibytes} MiB; save the sheet as CSV"));
        }
    }
}

struct Scan {
    place: Place,
    /// The sheet under way.
    sheet: SheetExtent,
    /// What the sheets before it come to.
    cells: u64,
    texts: u64,
}

impl Scan {
    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), String> {
        match (tag.name().0, self.place) {
            ("table:table", Place::Outside) => self.place = Place::Sheet,
            ("table:table-row", Place::Sheet) => {
                self.place = Place::Row;
                self.sheet.begin_row(repeats(tag, "table:number-rows-repeated")?);
            }
            ("table:table-cell" | "table:covered-table-cell", Place::Row) => {
                self.place = Place::Cell;
                let (mut said, mut length) = (false, 0_u64);
                for attribute in tag.attributes().with_checks(false) {
                    let attribute = attribute.map_err(damaged)?;
                    // What says something is longer than nothing; what is only looks counts as such too.
                    let says = matches!(
                        attribute.key.0,
                        "office:value"
                            | "office:string-value"
                            | "office:date-value"
                            | "office:time-value"
                            | "office:boolean-value"
                            | "office:value-type"
                            | "calcext:value-type"
                            | "table:formula"
                    );
                    said |= says;
                    length += if says { attribute.value.len() as u64 } else { 0 };
                }
                self.sheet.begin_cell(repeats(tag, "table:number-columns-repeated")?, said, length);
            }
            ("text:s", Place::Cell) => self.text(repeats(tag, "text:c")?),
            ("text:p" | "text:tab" | "text:line-break", Place::Cell) => self.text(1),
            ("table:table" | "table:table-row" | "table:table-cell" | "table:covered-table-cell", _) => {
                return Err("its tables are nested in an unusual way; save the sheet as CSV".to_owned());
            }
            (_, _) => {}
        }
        Ok(())
    }

    fn end(&mut self, name: &str) -> Result<(), String> {
        self.place = match (name, self.place) {
            ("table:table-cell" | "table:covered-table-cell", Place::Cell) => {
                self.sheet.end_cell();
                Place::Row
            }
            ("table:table-row", Place::Row) => {
                self.sheet.end_row();
                Place::Sheet
            }
            ("table:table", Place::Sheet) => {
                let sheet = std::mem::take(&mut self.sheet);
                self.cells = self.cells.saturating_add(sheet.cells());
                self.texts = self.texts.saturating_add(sheet.texts());
                Place::Outside
            }
            ("table:table" | "table:table-row" | "table:table-cell" | "table:covered-table-cell", _) => {
                return Err("its tables are nested in an unusual way; save the sheet as CSV".to_owned());
            }
            (_, place) => place,
        };
        Ok(())
    }

    /// Takes some text, which counts where it is that of a cell.
    fn text(&mut self, length: u64) {
        if self.place == Place::Cell {
            self.sheet.text(length);
        }
    }
}

/// How often a tag stands, or what another number of it says; 1 where it does not say it.
fn repeats(tag: &BytesStart<'_>, name: &str) -> Result<u64, String> {
    let mut most = None;
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(damaged)?;
        if attribute.key.0 == name {
            let number: u64 = attribute.value.parse().map_err(|_| format!("its {name} is no number: it is damaged"))?;
            most = most.max(Some(number));
        }
    }
    Ok(most.unwrap_or(1))
}

fn damaged(error: impl std::fmt::Display) -> String {
    format!("it is damaged: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: MostCells = MostCells { cells: 1_000, texts: 10_000 };

    fn row(attributes: &str, cells: &str) -> String {
        format!("<table:table-row {attributes}>{cells}</table:table-row>")
    }

    fn sheet(rows: &str) -> String {
        format!("<a><table:table table:name=\"S\">{rows}</table:table></a>")
    }

    fn refusal(text: &str) -> String {
        check(text.as_bytes(), MOST).expect_err(text)
    }

    const VALUE: &str = "<table:table-cell office:value=\"1\"/>";
    const TEXT: &str = "<table:table-cell office:value-type=\"string\"><text:p>0123456789</text:p></table:table-cell>";

    #[test]
    fn what_spreadsheets_write_is_read() {
        let cells = format!("{VALUE}{TEXT}<table:table-cell table:number-columns-repeated=\"16382\"/>");
        let rows = row("", &cells) + &row("table:number-rows-repeated=\"400\"", &cells);
        // To its end a sheet is empty.
        let rest = row(
            "table:number-rows-repeated=\"1048175\"",
            "<table:table-cell table:number-columns-repeated=\"16384\"/>",
        );
        assert_eq!(check(sheet(&(rows + &rest)).as_bytes(), MOST), Ok(()));
    }

    #[test]
    fn cells_that_are_repeated_count_as_often_as_they_stand() {
        let wide = "<table:table-cell office:value=\"1\" table:number-columns-repeated=\"1001\"/>";
        assert!(refusal(&sheet(&row("", wide))).contains("more than 1000 cells"));
        assert!(refusal(&sheet(&row("table:number-rows-repeated=\"1001\"", VALUE))).contains("more than 1000 cells"));
        let long = "18446744073709551615";
        assert!(refusal(&sheet(&row(&format!("table:number-rows-repeated=\"{long}\""), VALUE))).contains("cells"));
    }

    #[test]
    fn empty_cells_between_two_that_say_something_count() {
        let gap = format!("{VALUE}<table:table-cell table:number-columns-repeated=\"900\"/>{VALUE}");
        assert!(refusal(&sheet(&row("", &gap).repeat(2))).contains("cells"));
        let far = row("", VALUE) + &row("table:number-rows-repeated=\"2000\"", "<table:table-cell/>") + &row("", VALUE);
        assert!(refusal(&sheet(&far)).contains("cells"));
        let sheets = sheet(&row("table:number-rows-repeated=\"400\"", VALUE)).repeat(3);
        assert!(refusal(&sheets).contains("cells"));
    }

    #[test]
    fn what_looks_like_a_repetition_hides_none() {
        for attributes in [
            "a=\"table:number-rows-repeated=1\" table:number-rows-repeated=\"5000\"",
            "b=\"table:number-rows-repeated 1\" table:number-rows-repeated='5000'",
            "table:number-rows-repeated=\"1\" table:number-rows-repeated=\"5000\"",
            &format!("c=\"{}\" table:number-rows-repeated=\"5000\"", "x".repeat(5_000)),
        ] {
            assert!(refusal(&sheet(&row(attributes, VALUE))).contains("cells"), "{attributes}");
        }
        let hidden = "<!-- > <table:table-row table:number-rows-repeated=\"1\"> -->";
        assert!(
            refusal(&sheet(&row("table:number-rows-repeated=\"5000\"", &format!("{hidden}{VALUE}")))).contains("cells")
        );
        let nested = format!("<table:table-cell office:value-type=\"string\">{}</table:table-cell>", row("", VALUE));
        assert!(refusal(&sheet(&row("table:number-rows-repeated=\"5000\"", &nested))).contains("nested"));
    }

    #[test]
    fn texts_count_as_often_as_they_are_repeated() {
        assert!(refusal(&sheet(&row("table:number-rows-repeated=\"999\"", TEXT))).contains("texts"));
        let blanks = "<table:table-cell office:value-type=\"string\"><text:p><text:s text:c=\"18446744073709551615\"/>\
                      </text:p></table:table-cell>";
        assert!(refusal(&sheet(&row("", blanks))).contains("texts"));
        let formula = format!("<table:table-cell table:formula=\"{}\"/>", "1".repeat(20_000));
        assert!(refusal(&sheet(&row("", &formula))).contains("texts"));
    }
}
