//! Where a text of a replaced version stands.

use std::ops::Range;

use uuid::Uuid;

use super::PartPlace;
use crate::change::{BlankedVersion, ChangeItem};
use crate::record::RecordKind;

/// The text of a version that was replaced or removed, in the packed items of the change that did so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The part of items that it stands in.
    pub part: PartPlace,
    /// Its bytes in that part, from the one that says that a text follows to its last.
    pub bytes: Range<usize>,
    /// What the record is.
    pub kind: RecordKind,
    /// The record.
    pub id: Uuid,
    /// The version that it is the text of.
    pub version: BlankedVersion,
}

impl TextPlace {
    /// The item of a change that blanks the text.
    #[must_use]
    pub const fn item(&self) -> ChangeItem {
        ChangeItem { kind: self.kind, id: self.id, action: crate::change::Action::Blanked(self.version) }
    }
}
