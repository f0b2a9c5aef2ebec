//! Other programs that answer the same question on the same rows.

pub(super) mod duckdb;
mod rows;

pub(super) use rows::as_json as rows_as_json;
