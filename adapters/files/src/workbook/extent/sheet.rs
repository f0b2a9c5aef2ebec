//! How far one sheet of an .ods reaches.

/// A sheet has no more columns and rows: what is beyond is cut off.
const MOST_COLUMNS: u64 = 16_384;
const MOST_ROWS: u64 = 1_048_576;

/// What a sheet becomes in memory: its cells as they are written, and all that its used area has.
#[derive(Default)]
pub(super) struct SheetExtent {
    /// Cells of its rows, each row once.
    written: u64,
    /// The rows down to the last that says something, and how many follow that say nothing.
    rows: u64,
    empty_rows: u64,
    /// The columns up to the last that says something.
    width: u64,
    /// Bytes of texts of the rows so far.
    texts: u64,
    row: Row,
    cell: Cell,
}

/// The row under way.
#[derive(Default)]
struct Row {
    repeats: u64,
    /// Cells up to the last that says something, and empty ones behind it.
    cells: u64,
    empty: u64,
    texts: u64,
}

/// The cell under way.
#[derive(Default)]
struct Cell {
    repeats: u64,
    says_something: bool,
    length: u64,
}

impl SheetExtent {
    /// How many cells are kept of it.
    pub(super) fn cells(&self) -> u64 {
        let (row, rows) = (self.row.cells, self.rows);
        let rows = if row > 0 { rows.saturating_add(self.empty_rows).saturating_add(self.row.repeats) } else { rows };
        let area = rows.min(MOST_ROWS).saturating_mul(self.width.max(row));
        self.written.saturating_add(row).saturating_add(area)
    }

    /// How many bytes of texts are kept of it.
    pub(super) const fn texts(&self) -> u64 {
        self.texts.saturating_add(self.row.texts).saturating_add(self.cell.length)
    }

    pub(super) fn begin_row(&mut self, repeats: u64) {
        self.row = Row { repeats, ..Row::default() };
    }

    pub(super) fn end_row(&mut self) {
        let Row { repeats, cells, texts, .. } = std::mem::take(&mut self.row);
        self.written = self.written.saturating_add(cells);
        if cells == 0 {
            self.empty_rows = self.empty_rows.saturating_add(repeats);
            return;
        }
        self.rows = self.rows.saturating_add(std::mem::take(&mut self.empty_rows)).saturating_add(repeats);
        self.width = self.width.max(cells);
        self.texts = self.texts.saturating_add(texts);
    }

    /// A cell begins, whose attributes say so many bytes.
    pub(super) const fn begin_cell(&mut self, repeats: u64, says_something: bool, length: u64) {
        self.cell = Cell { repeats, says_something, length };
    }

    /// Text of the cell under way.
    pub(super) const fn text(&mut self, length: u64) {
        self.cell.says_something = true;
        self.cell.length = self.cell.length.saturating_add(length);
    }

    pub(super) fn end_cell(&mut self) {
        let Cell { repeats, says_something, length } = std::mem::take(&mut self.cell);
        let row = &mut self.row;
        if !says_something {
            row.empty = row.empty.saturating_add(repeats);
            return;
        }
        let cells = row.cells.saturating_add(std::mem::take(&mut row.empty)).saturating_add(repeats);
        row.cells = cells.min(MOST_COLUMNS);
        // The row as it is written, and as often as it stands.
        let times = repeats.min(MOST_COLUMNS).saturating_mul(row.repeats.min(MOST_ROWS).saturating_add(1));
        row.texts = row.texts.saturating_add(length.saturating_mul(times));
    }
}
