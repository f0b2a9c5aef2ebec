//! Whether the lines that a change's activities were imported from are as many as those activities.

use ports::ChangeItem;
use ports::ledger::{PackedLines, PartPlace, has_line};

/// The lines of the change under way.
#[derive(Debug, Default)]
pub(super) struct LineCheck {
    change: u64,
    /// How many items have a line where the change is an import's.
    items: u64,
    lines: u64,
    /// The part that comes next.
    part: u32,
}

impl LineCheck {
    /// Begins a change, whose number is its place.
    pub(super) fn begin(&mut self, change: u64) {
        *self = Self { change, ..Self::default() };
    }

    /// Takes an item of the change.
    pub(super) fn item(&mut self, item: &ChangeItem) {
        self.items += u64::from(has_line(item));
    }

    /// Takes the next part of lines. What is wrong completes "line N, which ...".
    pub(super) fn part(&mut self, place: PartPlace, lines: &PackedLines) -> Result<(), String> {
        let Self { change, part, .. } = *self;
        if place != (PartPlace { change, part }) {
            return Err(format!("does not stand where part {part} of the lines of change {change} belongs"));
        }
        self.part += 1;
        self.lines += lines.lines().map_err(|error| format!("has lines that do not read: {error}"))?.len() as u64;
        Ok(())
    }

    /// Ends the change: it has no lines, or one for each item that has one.
    pub(super) fn end(&self) -> Result<(), String> {
        let Self { change, items, lines, .. } = *self;
        if lines == 0 || lines == items {
            return Ok(());
        }
        Err(format!("stands behind change {change}, which has {lines} lines of its file for {items} activities"))
    }
}
