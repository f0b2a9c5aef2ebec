//! The decimal and thousands marks of a table's numbers.

use super::dates::is_dated;
use super::sample::SampleRow;
use crate::delimited::CellKind;
use crate::map::Marks;

/// The marks that a sample shows.
#[derive(Clone, Debug)]
pub(super) struct GuessedMarks {
    pub(super) marks: Marks,
    /// Whether a number shows which of its marks is the decimal one.
    pub(super) shown: bool,
    /// Whether as many numbers show that it is the point as that it is the comma.
    pub(super) tied: bool,
    /// The columns whose numbers do not show it, each with such a number: what others show need not hold for them.
    pub(super) unsure: Vec<(usize, String)>,
    /// The columns whose numbers show that the marks are theirs.
    showing: Vec<usize>,
}

/// What numbers say.
#[derive(Clone, Debug, Default)]
struct Votes {
    /// For the point and the comma as decimal marks.
    decimal: [usize; 2],
    /// For point, comma, blank and apostrophe as thousands marks.
    thousands: [usize; 4],
    /// For the same, in numbers that have both marks.
    both: [usize; 4],
    /// Numbers such as `1.234` and `1,234`.
    either: [usize; 2],
    /// The first of those.
    example: Option<String>,
}

const GROUPS: [char; 4] = ['.', ',', ' ', '\''];

impl GuessedMarks {
    pub(super) fn of(rows: &[SampleRow]) -> Self {
        let width = rows.iter().map(|row| row.cells().len()).max().unwrap_or_default();
        let mut columns = vec![Votes::default(); width];
        for row in rows {
            for (index, votes) in columns.iter_mut().enumerate().take(row.cells().len()) {
                // A date such as 01.2025 is no number.
                if row.kind(index) == CellKind::Text && !is_dated(row.cell(index)) {
                    votes.count(row.cell(index));
                }
            }
        }
        let votes = columns.iter().fold(Votes::default(), Votes::with);
        let mut decimal = if votes.decimal[1] > votes.decimal[0] { ',' } else { '.' };
        let mut group = (0..4).filter(|at| GROUPS[*at] != decimal).max_by_key(|at| votes.thousands[*at]);
        group = group.filter(|at| votes.thousands[*at] > 0);
        let is_silent = votes.decimal == [0, 0] && votes.either[1] == 0;
        if votes.decimal == [0, 0] && (group == Some(0) || (group.is_none() && is_silent && votes.either[0] > 0)) {
            decimal = ',';
        }
        // What stands before three digits alone is a thousands mark more often than not, unless it is the decimal mark.
        let either = [('.', 0), (',', 1)].into_iter().find(|(mark, at)| *mark != decimal && votes.either[*at] > 0);
        let thousands = group.map(|at| GROUPS[at]).or(either.map(|(mark, _)| mark));
        let unsure = columns.iter().enumerate().filter(|(_, own)| own.is_unsure(decimal, &votes));
        let shows = |own: &Votes| own.shows_decimal(decimal) && !own.is_unsure(decimal, &votes);
        let example = |(index, own): (usize, &Votes)| (index, own.example.clone().unwrap_or_default());
        Self {
            marks: Marks { decimal, thousands },
            shown: votes.shows(),
            tied: votes.decimal[0] > 0 && votes.decimal[0] == votes.decimal[1],
            unsure: unsure.map(example).filter(|(_, example)| !example.is_empty()).collect(),
            showing: columns.iter().enumerate().filter(|(_, own)| shows(own)).map(|(index, _)| index).collect(),
        }
    }

    /// Whether the numbers of a column show that the marks are theirs, so that none of them can be read in two ways.
    pub(super) fn is_shown(&self, column: usize) -> bool {
        self.showing.contains(&column)
    }

    /// The other mark of decimals, and nothing between groups of digits.
    pub(super) const fn other_way(&self) -> Marks {
        Marks { decimal: if self.marks.decimal == ',' { '.' } else { ',' }, thousands: None }
    }

    /// Leaves out of the columns that can be read in two ways those that are no numbers.
    pub(super) fn keep_unsure(&mut self, is_numbers: impl Fn(usize) -> bool) {
        self.unsure.retain(|(index, _)| is_numbers(*index));
    }

    /// Whether the numbers of a column can be read in two ways.
    pub(super) fn is_unsure(&self, column: usize) -> bool {
        self.unsure.iter().any(|(index, _)| *index == column)
    }
}

impl Votes {
    const fn shows(&self) -> bool {
        !matches!((self.decimal, self.thousands), ([0, 0], [0, 0, 0, 0]))
    }

    /// Whether a column of these votes shows that this is its decimal mark, or a thousands mark and no other decimal one.
    const fn shows_decimal(&self, decimal: char) -> bool {
        let (own, other) = if decimal == ',' { (1, 0) } else { (0, 1) };
        let is_grouped = !matches!(self.thousands, [0, 0, 0, 0]) && self.thousands[own] == 0;
        self.decimal[own] > 0 || (is_grouped && self.decimal[other] == 0)
    }

    /// Whether numbers such as `1.234` are in a column of these votes, and it is not settled what their mark is.
    fn is_unsure(&self, decimal: char, table: &Self) -> bool {
        let decimal = usize::from(decimal == ',');
        (0..2).any(|mark| self.either[mark] > 0 && !self.is_settled(mark, decimal, table))
    }

    /// Whether other numbers of the column show what a mark is, all of them the same and as the table's decimal mark has it. Where
    /// they show nothing, numbers with both marks elsewhere in the table do.
    fn is_settled(&self, mark: usize, decimal: usize, table: &Self) -> bool {
        let other = 1 - mark;
        let has_other_groups = (0..4).any(|group| group != mark && self.thousands[group] > 0);
        let is_decimal = self.decimal[mark] > 0 || has_other_groups;
        let is_thousands = self.thousands[mark] > 0 || self.decimal[other] > 0;
        match (is_decimal, is_thousands) {
            (true, true) => false,
            (true, false) => mark == decimal,
            (false, true) => mark != decimal,
            (false, false) => mark != decimal && table.both[mark] > 0 && table.both[other] == 0,
        }
    }

    fn with(mut self, other: &Self) -> Self {
        for at in 0..2 {
            self.decimal[at] += other.decimal[at];
            self.either[at] += other.either[at];
        }
        for at in 0..4 {
            self.thousands[at] += other.thousands[at];
            self.both[at] += other.both[at];
        }
        self
    }

    /// Counts what the marks of a number say; other texts say nothing.
    fn count(&mut self, cell: &str) {
        let digits = cell.strip_prefix(['-', '+']).unwrap_or(cell);
        let is_mark = |letter: char| GROUPS.contains(&letter) || matches!(letter, '\u{a0}' | '\u{202f}');
        let begins = digits.chars().next().is_some_and(|letter| letter.is_ascii_digit());
        if !begins || !digits.chars().all(|letter| letter.is_ascii_digit() || is_mark(letter)) {
            return;
        }
        let plain = digits.replace(['\u{a0}', '\u{202f}'], " ");
        let found: Vec<(usize, char)> = plain.char_indices().filter(|(_, letter)| is_mark(*letter)).collect();
        let Some((at, last)) = found.last().copied() else { return };
        let behind = plain.len() - at - 1;
        let same = found.iter().filter(|(_, mark)| *mark == last).count();
        let place = |mark: char| GROUPS.iter().position(|group| *group == mark);
        let decimal = |mark: char| [('.', 0), (',', 1)].into_iter().find(|(known, _)| *known == mark);
        let first = found.first().map_or(last, |(_, mark)| *mark);
        if first != last {
            if let (Some((_, decimal)), Some(group), 1) = (decimal(last), place(first), same) {
                self.decimal[decimal] += 1;
                self.thousands[group] += 1;
                self.both[group] += 1;
            }
        } else if same > 1 {
            // Dates such as 31.01.2025 are no numbers.
            if behind == 3
                && let Some(group) = place(last)
            {
                self.thousands[group] += 1;
            }
        } else if behind != 3 || at > 3 || (at == 1 && plain.starts_with('0')) {
            if let Some((_, decimal)) = decimal(last) {
                self.decimal[decimal] += 1;
            }
        } else if let Some((_, either)) = decimal(last) {
            self.either[either] += 1;
            self.example.get_or_insert_with(|| cell.to_owned());
        } else if let Some(group) = place(last) {
            self.thousands[group] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(cells: &[&str]) -> ([usize; 2], [usize; 4], [usize; 2]) {
        let mut votes = Votes::default();
        for cell in cells {
            votes.count(cell);
        }
        (votes.decimal, votes.thousands, votes.either)
    }

    #[test]
    fn a_mark_is_told_by_what_stands_around_it() {
        assert_eq!(votes(&["1.234,5", "0,5"]), ([0, 2], [1, 0, 0, 0], [0, 0]));
        assert_eq!(votes(&["1,234,567", "1,234.50"]), ([1, 0], [0, 2, 0, 0], [0, 0]));
        assert_eq!(votes(&["1,234"]), ([0, 0], [0; 4], [0, 1]));
        assert_eq!(votes(&["12 345,6", "31.01.2025", "abc", "2025"]), ([0, 1], [0, 0, 1, 0], [0, 0]));
    }
    /// Whether a column of these cells is unsure in a table with those others, whose decimal mark is the point.
    fn unsure(cells: &[&str], others: &[&str]) -> bool {
        let (mut own, mut table) = (Votes::default(), Votes::default());
        for cell in cells {
            own.count(cell);
        }
        for cell in others {
            table.count(cell);
        }
        own.is_unsure('.', &table.with(&own))
    }

    #[test]
    fn a_mark_before_three_digits_is_settled_by_what_the_column_shows_alone() {
        assert!(!unsure(&["1.234", "0.5"], &[]) && !unsure(&["1,234", "0.5"], &[]));
        assert!(!unsure(&["1,234", "1,234,567"], &[]) && !unsure(&["1.234", "1 234"], &[]));
        assert!(!unsure(&["1,234"], &["1,234.5"]), "a number with both marks shows it for others");
        assert!(!unsure(&["1.5", "1,5"], &[]), "no number can be read in two ways");
    }

    #[test]
    fn a_mark_is_unsure_where_too_few_numbers_or_as_many_show_one_thing_as_the_other() {
        assert!(unsure(&["1.234"], &[]) && unsure(&["1,234"], &["0.5", "0.75"]));
        assert!(unsure(&["1.234", "0.5", "0,5"], &[]), "one number for each");
        assert!(unsure(&["1.234", "0.5", "0.7", "0,5"], &[]), "the more numerous are no proof");
        assert!(unsure(&["1,234", "0,5"], &[]), "the column shows another mark than the table's");
        assert!(unsure(&["1.234", "1.234.567"], &[]));
        assert!(unsure(&["1,234"], &["1,234.5", "1.234,5"]), "others contradict each other");
    }
}
