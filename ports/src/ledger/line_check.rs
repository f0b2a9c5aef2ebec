//! Whether the lines that a change's activities were imported from are as many as those activities.

use super::{PackedLines, PartPlace, has_line};
use crate::change::ChangeItem;

/// A check of the lines of one change after the other: [`begin`](Self::begin), [`item`](Self::item) for each item,
/// [`part`](Self::part) for each part of lines in order, and [`end`](Self::end). What is wrong is said of the change.
#[derive(Debug, Default)]
pub struct LineCheck {
    change: u64,
    /// How many items have a line where the change is an import's.
    items: u64,
    lines: u64,
    /// The part that comes next.
    part: u32,
}

impl LineCheck {
    /// Begins the change of that number.
    pub fn begin(&mut self, change: u64) {
        *self = Self { change, ..Self::default() };
    }

    /// Takes an item of the change.
    pub fn item(&mut self, item: &ChangeItem) {
        self.items += u64::from(has_line(item));
    }

    /// Takes the next part of lines.
    pub fn part(&mut self, place: PartPlace, lines: &PackedLines) -> Result<(), String> {
        let Self { change, part, .. } = *self;
        if place != (PartPlace { change, part }) {
            return Err(format!("part {} of its lines stands where part {part} is expected", place.part));
        }
        self.part += 1;
        self.lines += lines.lines().map_err(|error| format!("part {part} of its lines: {error}"))?.len() as u64;
        Ok(())
    }

    /// Ends the change: it has no lines, or one for each item that has one.
    pub fn end(&self) -> Result<(), String> {
        let Self { items, lines, part, .. } = *self;
        if part == 0 || lines == items {
            return Ok(());
        }
        Err(format!("has {lines} lines of its file, but {items} items that left an activity"))
    }
}
