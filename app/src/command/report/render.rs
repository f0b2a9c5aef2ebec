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

/// The report as a table, with what has to be known about it below.
pub(super) fn text(found: &Breakdown, look: Look) -> String {
    let shown = readable(found, look, BAR * 8);
    let align = |at: usize| if at < shown.labels { Align::Left } else { Align::Point };
    let columns = shown.headings.iter().enumerate().map(|(at, heading)| (heading.as_str(), align(at)));
    let has_bars = shown.rows.len() > 1;
    let mut table = Table::new(columns.chain(has_bars.then_some(("", Align::Left))));
    for (row, length) in shown.rows.iter().zip(&shown.bars) {
        table.row(row.iter().cloned().chain(has_bars.then(|| bar(*length))));
    }
    table.rule();
    table.row(shown.total.iter().cloned());
    let Readable { days, compared, notes, .. } = shown;
    let head = compared.map_or_else(|| days.clone(), |other| format!("{days}, compared with {other}"));
    [head, table.render()].into_iter().chain(notes).collect::<Vec<_>>().join("\n")
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
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_eighths_and_those_of_removals_look_otherwise() {
        assert_eq!([bar(0), bar(1), bar(8), bar(20)], ["", "▏", "█", "██▌"]);
        assert_eq!([bar(-1), bar(-9)], ["░", "░░"]);
    }
}
