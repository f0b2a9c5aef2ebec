//! Files and streams, from outside.

mod activity;
mod json;
mod reader;
mod support;
