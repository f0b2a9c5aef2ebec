//! Tables for the terminal: columns as wide as their widest cell, decimal points below each other.

/// How the cells of a column stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    /// To the left: words.
    Left,
    /// To the right, decimal points below each other: amounts.
    Point,
}

/// A table: its columns, then its rows. A row's missing cells are empty.
#[derive(Clone, Debug)]
pub(super) struct Table {
    columns: Vec<Align>,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The rows that have a line above them.
    rules: Vec<usize>,
}

impl Table {
    /// A table with those columns.
    pub(super) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let (header, columns) = columns.into_iter().map(|(name, align)| (name.to_owned(), align)).unzip();
        Self { columns, header, rows: Vec::new(), rules: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Draws a line below what there is so far.
    pub(super) fn rule(&mut self) {
        self.rules.push(self.rows.len());
    }

    /// The text, without a line's end behind the last line.
    pub(super) fn render(&self) -> String {
        let columns: Vec<_> = (0..self.columns.len()).map(|column| self.column(column)).collect();
        let width: usize = columns.iter().filter_map(|cells| cells.first()).map(|cell| cell.chars().count()).sum();
        let rule = "-".repeat(width + 2 * columns.len().saturating_sub(1));
        let mut lines = Vec::new();
        for row in 0..=self.rows.len() {
            if row.checked_sub(1).is_some_and(|row| self.rules.contains(&row)) {
                lines.push(rule.clone());
            }
            let cells = columns.iter().filter_map(|cells| cells.get(row)).map(String::as_str);
            lines.push(cells.collect::<Vec<_>>().join("  ").trim_end().to_owned());
        }
        lines.join("\n")
    }

    /// The cells of a column, its header first, all of one width.
    fn column(&self, column: usize) -> Vec<String> {
        let align = self.columns.get(column).copied().unwrap_or(Align::Left);
        let cells = self.rows.iter().map(|row| row.get(column).map_or("", String::as_str));
        let header = self.header.get(column).map_or("", String::as_str);
        let cells: Vec<String> = match align {
            Align::Left => cells.map(str::to_owned).collect(),
            Align::Point => {
                let room = cells.clone().map(fraction).max().unwrap_or(0);
                cells.map(|cell| format!("{cell}{}", " ".repeat(room - fraction(cell)))).collect()
            }
        };
        let all: Vec<String> = [header.to_owned()].into_iter().chain(cells).collect();
        let width = all.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let pad = |cell: String| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Point => format!("{cell:>width$}"),
        };
        all.into_iter().map(pad).collect()
    }
}

/// How many characters an amount has from its decimal point on.
fn fraction(amount: &str) -> usize {
    amount.find('.').map_or(0, |point| amount.len() - point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_to_the_left_and_decimal_points_below_each_other() {
        let mut table = Table::new([("word", Align::Left), ("kg", Align::Point)]);
        table.row(["one".to_owned(), "10".to_owned()]);
        table.row(["longer".to_owned(), "0.125".to_owned()]);
        table.rule();
        table.row(["sum".to_owned(), "10.125".to_owned()]);
        assert_eq!(table.render(), "word        kg\none     10\nlonger   0.125\n--------------\nsum     10.125");
    }
}
