//! Activities as rows and bodies spell them: which members there are, and who may write them.

mod draft;
mod supplied;
mod table;
mod wire;

pub use draft::activity_draft;
pub(crate) use draft::{unreadable, without_empty};
pub(crate) use supplied::{Co2eUnit, listed_cell, missing, settle};
pub use table::{CO2E_UNIT, COMPUTED_COLUMNS, IMPORT_COLUMNS, PERIOD_CO2E, Shares, activity_header, activity_rows};
pub use wire::{ActivityJson, activity_json};

/// What is wrong with a share of a period in a row that is none of our answers; completes "periodCO2e ...".
pub(crate) const SHARE_ALONE: &str = "is computed by reports and never imported; leave it out";

/// The members of our own answers that are computed: read-only in a body, left alone in a row.
pub(crate) const COMPUTED: [&str; 6] = ["uuid", "created", "updated", "CO2e", "incomplete", "periodCO2e"];
