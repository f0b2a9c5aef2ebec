//! Files and streams: JSON, NDJSON, CSV and mapped tables in and out, and what is wrong with them.

mod activity;
mod json;
mod suggest;

pub use activity::{
    ActivityJson, CO2E_UNIT, COMPUTED_COLUMNS, IMPORT_COLUMNS, PERIOD_CO2E, Shares, activity_draft, activity_header,
    activity_json, activity_rows,
};
pub use json::{Json, JsonFault, Members, Reader, Wrong, parse, pointer};
pub use suggest::{did_you_mean, suggestion};
