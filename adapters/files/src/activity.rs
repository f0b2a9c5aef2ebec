//! Activities as rows and as JSON, in and out: `from_*` read, `to_*` write, `columns` lists the columns of tables.

mod columns;
mod csv_row;
mod from_csv;
mod from_json;
mod from_ndjson;
mod supplied;
mod to_csv;
mod to_json;
mod to_xlsx;

pub use from_csv::CsvRows;
pub(crate) use from_csv::are_own_columns;
pub use from_json::activity_draft;
pub(crate) use from_ndjson::faulty;
pub use from_ndjson::{MAX_ROW_BYTES, NdjsonRows};
pub use to_csv::{Cells, Shares, activity_header, activity_rows};
pub use to_json::{write_activity_json, write_activity_row};
pub use to_xlsx::ActivitySheet;

/// What is wrong with a share of a period in a row that is none of our answers; completes "periodCO2e ...".
pub(crate) const SHARE_ALONE: &str = "is computed by reports and never imported; leave it out";

/// The members of our own answers that are computed: read-only in a body, left alone in a row.
pub(crate) const COMPUTED: [&str; 9] =
    ["uuid", "created", "updated", "CO2e", "marketCO2e", "incomplete", "outdated", "warnings", "periodCO2e"];

/// The column or member in which a copy of rejected rows says why; imports leave it alone.
pub(crate) const REASON: &str = "rejectedBecause";
