//! Showing a report in the terminal: a table whose rows add up to its last line, with a bar for each.

use files::{Look, Readable, readable};
use ports::inbound::Breakdown;

use super::super::terminal_table::{Align, Table};

/// How wide the longest bar is, in characters.
const BAR: i64 = 24;
/// Blocks of one to eight eighths of a character.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];
/// What the bar of a removal is made of.
const REMOVAL: char = '░';

/// Said of columns that a terminal has no room for.
const LEFT_OUT: &str = "Of the period compared with, --csv, --xlsx and --json have the other figures.";

/// How many characters a line of the terminal has; `None` where what is printed goes elsewhere.
pub(super) fn room() -> Option<usize> {
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// The report as a table, with what has to be known about it below. Where lines would be longer than `room`, the figures of the
/// period compared with are left out, but for its CO2e.
pub(super) fn text(found: &Breakdown, look: Look, room: Option<usize>) -> String {
    let shown = readable(found, look, BAR * 8);
    let whole = table(&shown, shown.headings.len());
    let is_too_wide = |text: &str| room.is_some_and(|room| text.lines().any(|line| line.chars().count() > room));
    let leaves_out = shown.compared_besides > 0 && is_too_wide(&whole);
    let table = if leaves_out { table(&shown, shown.headings.len() - shown.compared_besides) } else { whole };
    let Readable { days, compared, notes, .. } = shown;
    let head = compared.map_or_else(|| days.clone(), |other| format!("{days}, compared with {other}"));
    let left_out = leaves_out.then(|| LEFT_OUT.to_owned());
    [head, table].into_iter().chain(notes).chain(left_out).collect::<Vec<_>>().join("\n")
}

/// The first columns of the table, so many of them. Bars stand behind the amounts that they are of.
fn table(shown: &Readable, width: usize) -> String {
    let has_bars = shown.rows.len() > 1;
    let with_bar = |cells: &[String], bar: String| {
        let mut cells: Vec<String> = cells.iter().take(width).cloned().collect();
        if has_bars {
            cells.insert(shown.co2e + 1, bar);
        }
        cells
    };
    let is_left = |at: usize| at < shown.labels || (has_bars && at == shown.co2e + 1);
    let headings = with_bar(&shown.headings, String::new());
    let align = |at: usize| if is_left(at) { Align::Left } else { Align::Point };
    let mut table = Table::new(headings.iter().enumerate().map(|(at, heading)| (heading.as_str(), align(at))));
    for (row, length) in shown.rows.iter().zip(&shown.bars) {
        table.row(with_bar(row, bar(*length)));
    }
    table.rule();
    table.row(with_bar(&shown.total, String::new()));
    table.render()
}

/// A bar of so many eighths of a character.
fn bar(eighths: i128) -> String {
    let length = usize::try_from(eighths.unsigned_abs()).unwrap_or(0);
    if eighths < 0 {
        return REMOVAL.to_string().repeat(length.div_ceil(8));
    }
    let part = (length % 8).checked_sub(1).and_then(|at| EIGHTHS.get(at));
    "█".repeat(length / 8).chars().chain(part.copied()).collect()
}

#[cfg(test)]
mod tests {
    use domain::{Co2e, Total, Totals};
    use ports::Revision;
    use ports::inbound::{BreakdownBy, BreakdownQuery, BreakdownRow, Label, Whole};

    use super::*;

    #[test]
    fn a_narrow_terminal_shows_less_of_what_is_compared_with_and_says_so() {
        let co2e = Co2e::parse("1234567.123456789012345678").unwrap();
        let sum = Total::default() + Total::from(co2e);
        let mut totals = Totals::default();
        (totals.co2e, totals.biogenic) = (sum, sum);
        let row =
            |name: &str| BreakdownRow { labels: vec![Label::Time(name.to_owned())], totals, compared: Some(totals) };
        let found = Breakdown {
            revision: Revision { epoch: uuid::Uuid::nil(), number: 1 },
            query: BreakdownQuery { by: vec![BreakdownBy::ALL[1].1], ..BreakdownQuery::default() },
            selection: vec!["Only the org Shop and those below it.".to_owned()],
            whole: Whole { totals, ..Whole::default() },
            compared: Some(Whole { totals, ..Whole::default() }),
            rows: vec![row("2025-01"), row("2025-02")],
        };
        let [wide, narrow] = [None, Some(60)].map(|room| text(&found, Look::default(), room));
        assert!(wide.contains("compared biogenic CO2 (kg)") && !wide.contains(LEFT_OUT), "{wide}");
        assert!(!narrow.contains("compared biogenic") && narrow.contains("compared (kg)"), "{narrow}");
        assert!(narrow.ends_with(LEFT_OUT) && narrow.contains("Only the org Shop"), "{narrow}");
    }

    #[test]
    fn bars_are_as_long_as_their_eighths_and_those_of_removals_look_otherwise() {
        assert_eq!([bar(0), bar(1), bar(8), bar(20)], ["", "▏", "█", "██▌"]);
        assert_eq!([bar(-1), bar(-9)], ["░", "░░"]);
    }
}
