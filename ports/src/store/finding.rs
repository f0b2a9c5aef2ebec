//! What a verification found wrong, in the words of every store.

use domain::{Cell, Day, Measure};
use uuid::Uuid;

/// The detail for a change whose digest is not that of its contents.
pub const CHANGE_DIGEST: &str = "does not have the digest stored with it";
/// The detail for a record whose digest is not that of its content.
pub const CONTENT_DIGEST: &str = "its content does not have the digest stored with it";
/// The detail for a head whose digest is not that of its columns.
pub const HEAD_DIGEST: &str = "its columns do not have the digest stored with them";

/// One thing that a verification found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about, such as `activity 0190...` or `change 17`.
    pub subject: String,
    /// What is wrong with it.
    pub detail: String,
}

impl Finding {
    /// A cell that is not what the activities add up to. `names` are those of the nodes of its series, where it has any.
    #[must_use]
    pub fn cell((day, series): (Day, u32), names: Option<&str>, stored: &Cell, counted: &Cell) -> Self {
        let names = names.map(|names| format!(" ({names})")).unwrap_or_default();
        let detail = if stored.is_zero() {
            "is missing".to_owned()
        } else {
            format!("has {}; its activities add up to {}", sums(stored), sums(counted))
        };
        Self { subject: format!("cell {day} of series {series}{names}"), detail }
    }

    /// A stored count of the activities that refer to a record, which is not how many do.
    #[must_use]
    pub fn uses(kind: &str, id: Uuid, stored: i64, counted: i64) -> Self {
        let detail = format!("count {stored} activities; {counted} refer to it");
        Self { subject: format!("uses of {kind} {id}"), detail }
    }
}

/// The sums of a cell in words: its counts, then each measure that is not zero.
fn sums(cell: &Cell) -> String {
    let Cell { starts, ends, incomplete_starts, incomplete_ends, .. } = cell;
    let counts =
        format!("{starts} starts ({incomplete_starts} incomplete), {ends} ends ({incomplete_ends} incomplete)");
    let measures = Measure::ALL.iter().map(|measure| (measure, cell.amounts(*measure)));
    let measures = measures
        .filter(|(_, sums)| !sums.is_zero())
        .map(|(measure, sums)| format!("{} kg {measure}, slope {}, step {}", sums.amount, sums.slope, sums.step));
    std::iter::once(counts).chain(measures).collect::<Vec<_>>().join(", ")
}
/// Of a footprint whose place in lists or whose model is another than its content says.
pub const FOOTPRINT_PLACE: &str = "its place in lists or the model beside it is not that of its content";
/// Of a footprint with a verdict that its rules do not come to.
pub const FOOTPRINT_VERDICT: &str = "the verdict stored with it is not what its rules come to";
/// Of a partner that is not found by its clients, or by others.
pub const PARTNER_CLIENTS: &str = "the clients that it is found by are not those of its content";
/// Of a sharing that partners' lists do not follow.
pub const SHARING_READERS: &str =
    "the partners that find it in their lists, or its place there, are not those of its content";
/// Of a footprint that is not found by its product ids, or by others.
pub const FOOTPRINT_PRODUCTS: &str = "the product ids that it is found by are not those of its content";
