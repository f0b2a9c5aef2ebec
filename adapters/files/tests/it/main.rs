//! Files and streams, from outside.

mod activity;
mod csv;
mod example;
mod json;
mod map;
mod ndjson;
mod reader;
mod rejects;
mod support;
