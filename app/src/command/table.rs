//! Tables for the terminal: columns as wide as their widest cell, numbers to the right.

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// To the left: words.
    Left,
    /// To the right: numbers.
    Right,
}

/// A table: its columns, then its rows. A row's missing cells are empty.
#[derive(Clone, Debug)]
pub(super) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
    /// The rows that have a line above them.
    rules: Vec<usize>,
}

impl Table {
    /// A table with those columns.
    pub(super) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let (header, columns) = columns.into_iter().map(|(name, align)| (name.to_owned(), align)).unzip();
        Self { columns, rows: vec![header], rules: Vec::new() }
    }

    /// Draws a line below what there is so far.
    pub(super) fn rule(&mut self) {
        self.rules.push(self.rows.len());
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The text, without a line's end behind the last line.
    pub(super) fn render(&self) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let line = |row: &Vec<String>| {
            let cells = self.columns.iter().zip(&widths).enumerate().map(|(column, (align, width))| {
                let cell = row.get(column).map_or("", String::as_str);
                match align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                }
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        let whole = "-".repeat(widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1));
        let lines = self.rows.iter().enumerate().flat_map(|(index, row)| {
            let rule = self.rules.contains(&index).then(|| whole.clone());
            rule.into_iter().chain([line(row)])
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
