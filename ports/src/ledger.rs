//! A tenant's history in the one form that every store and file has: changes, their items and postings, packed,
//! the lines of files that imports wrote them from, and checkpoints of what all postings come to.

mod blank;
mod cells;
mod draft;
mod history;
mod item;
mod line_check;
mod line_of;
mod lines;
mod pinned_head;
mod seal;
#[cfg(test)]
mod tests;
mod text_place;
mod walk;

pub use blank::texts;
pub use cells::{
    CheckpointCells, PackedParts, StoredCells, cell_count_since, cells, few_postings_since, has_postings_since,
    packed_cells, postings_since,
};
pub use draft::{Closed, Draft, Parts, Removal};
pub use history::{PastVersion, history, items};
pub use item::{Items, ItemsError, ItemsPacker, PackedItems};
pub use line_check::LineCheck;
pub use line_of::{has_line, line_of};
pub use lines::{LinesError, PackedLines};
pub use pinned_head::{NoHead, PinnedHead};
pub use seal::{head_seal, series_seal};
pub use text_place::TextPlace;
pub use walk::{ChainWalk, continues};

/// A part of a change's items, postings or lines: parts count from 0 without gaps and are in the order of their changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartPlace {
    /// The number of the change.
    pub change: u64,
    /// Which of its parts.
    pub part: u32,
}

impl PartPlace {
    /// The place behind all parts of the change of that number and of those before it.
    #[must_use]
    pub const fn behind(change: u64) -> Self {
        Self { change, part: u32::MAX }
    }
}

/// The cells of a tenant as they were at one revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The number of the newest change that is in it.
    pub number: u64,
    /// How many parts it has; they count from 0, and their cells are by day, then series, from part to part.
    pub parts: u32,
}
