//! Files and streams: JSON, NDJSON, CSV and mapped tables in and out, and what is wrong with them.

mod activity;
mod bom;
mod csv;
mod error;
mod json;
mod map;
mod ndjson;
mod rejects;
mod suggest;
mod tenant;

pub use activity::{
    ActivityJson, CO2E_UNIT, COMPUTED_COLUMNS, IMPORT_COLUMNS, PERIOD_CO2E, Shares, activity_draft, activity_header,
    activity_json, activity_rows,
};
pub use csv::CsvRows;
pub use error::FileError;
pub use json::{Json, JsonFault, Members, Reader, Wrong, parse, pointer, references};
pub use map::{Map, MapRows};
pub use ndjson::{MAX_ROW_BYTES, NdjsonRows};
pub use rejects::Rejects;
pub use suggest::{did_you_mean, suggestion};
pub use tenant::{
    Canonized, TenantCounts, TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader, TenantWriter,
};
