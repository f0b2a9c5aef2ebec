//! The use cases: each permits, loads, lets the domain compute, writes and commits.

pub mod access;
pub mod activity;
mod answers;
pub mod breakdown;
pub mod catalog;
pub mod checkpoint;
pub mod credential;
mod draft;
mod factors;
pub mod footprint;
pub mod health;
pub mod import;
pub mod lookups;
pub mod model;
mod names;
mod once;
mod page;
pub mod read_model;
mod recalculation;
mod report;
pub mod resolve;
pub mod signing_key;
pub mod switch;
pub mod tenant;
pub mod transfer;
pub mod tree;
pub mod version;
