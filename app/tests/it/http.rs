//! The service over HTTP, from the socket down to the store: the files follow the tree of its addresses.

mod abuse;
mod activity;
mod catalog;
mod client;
mod discovery;
mod factor;
mod footprint;
mod harness;
mod health;
mod idempotency;
mod key;
mod limits;
mod model;
mod operations;
mod org;
mod problem;
mod product;
mod recalculation;
mod report;
mod scope;
mod switch;
mod taxonomy;
mod tenancy;
mod token;
mod unit;
