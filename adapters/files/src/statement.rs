//! Inventory statements, out: as JSON, as a page to be printed, as a workbook and as text.

mod address;
mod company;
mod emissions;
mod excluded;
mod history;
mod json;
mod members;
mod page;
mod readable;
mod sections;
mod sheets;
mod source;
mod style;
mod text;

use ports::inbound::Statement;

use crate::breakdown::Look;
use address::Addresses;

pub use json::statement_json;
pub use page::statement_page;
pub use readable::{Note, Row, Section, Shown, Weight};
pub use sections::{statement_sections, statement_title};
pub use sheets::statement_xlsx;
pub use text::statement_text;

/// A statement with how its figures are shown, and where each of them is explained.
#[derive(Clone, Copy, Debug)]
pub struct ShownStatement<'a> {
    /// The statement.
    pub found: &'a Statement,
    /// How amounts are shown; of shares there are none.
    pub look: Look,
    /// What addresses of explanations begin with, before `/v1`: the base address of the company, or nothing.
    pub base: &'a str,
}

impl ShownStatement<'_> {
    fn addresses(&self) -> Addresses<'_> {
        Addresses::new(self.found, self.base)
    }
}

/// What a statement says of itself: what it is, and what it is not.
const CLAIM: &str = "The tables are those that the GHG Protocol's Corporate Standard and its Scope 2 Guidance ask to be \
                     reported, computed from the activities that were recorded. Whether the inventory conforms to a standard is \
                     not computed, and not claimed.";
