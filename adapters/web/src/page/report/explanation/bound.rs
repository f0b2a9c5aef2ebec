//! How many activities an explanation is of, known before they are read one by one.

use ports::inbound::{Breakdown, BreakdownRow, Label};

/// How many activities the line of that word is made of, the whole without one. 0 where no row is called that, which asking for the
/// line refuses.
pub(super) fn count(found: &Breakdown, line: Option<&str>) -> i64 {
    line.map_or(found.whole.totals.count, |line| of_rows(&found.rows, line))
}

/// The same of rows; the most of several that are called that.
fn of_rows(rows: &[BreakdownRow], line: &str) -> i64 {
    let words: Vec<String> = line.split(',').map(|word| word.trim().to_lowercase()).collect();
    let is_asked = |row: &&BreakdownRow| {
        row.labels.len() == words.len() && row.labels.iter().zip(&words).all(|(label, word)| is_called(label, word))
    };
    rows.iter().filter(is_asked).map(|row| row.totals.count).max().unwrap_or(0)
}

/// Whether lines are asked for by that word, in lower case, where they are of that label.
fn is_called(label: &Label, word: &str) -> bool {
    let is_name = match label {
        Label::Record { name, path, .. } => name.to_lowercase() == word || path.to_lowercase() == word,
        Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without => false,
    };
    is_name || label.key().to_lowercase() == word
}

#[cfg(test)]
mod tests {
    use domain::Totals;

    use super::*;

    fn row(label: Label, month: &str, count: i64) -> BreakdownRow {
        let mut totals = Totals::default();
        totals.count = count;
        BreakdownRow { labels: vec![label, Label::Time(month.to_owned())], totals, compared: None }
    }

    #[test]
    fn a_line_has_the_count_of_its_row_by_whichever_word_it_is_asked_for() {
        let id = uuid::Uuid::from_u128(7);
        let (name, path) = ("Oslo", "Group / Oslo");
        let oslo = || Label::Record { id, name: name.to_owned(), path: path.to_owned(), above: Vec::new(), kind: None };
        let rows = [row(oslo(), "2025-01", 60_000), row(oslo(), "2025-02", 3), row(Label::Without, "2025-01", 70_000)];
        for word in [format!("{id},2025-01"), "oslo, 2025-01".to_owned(), "Group / Oslo,2025-01".to_owned()] {
            assert_eq!(of_rows(&rows, &word), 60_000, "{word}");
        }
        let others = ["Oslo,2025-02", "none,2025-01", "Bergen,2025-01", "Oslo"];
        assert_eq!(others.map(|word| of_rows(&rows, word)), [3, 70_000, 0, 0]);
    }
}
