//! Files and streams, from outside.

#![cfg(test)]

mod activity;
mod column_map;
mod csv;
mod example;
mod json;
mod map;
mod map_words;
mod ndjson;
mod page;
mod published;
mod reader;
mod rejected_rows;
mod rule;
mod spreadsheets;
mod support;
mod tenant;
mod workbook;
mod xlsx;
