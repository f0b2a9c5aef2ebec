//! What the service answers, asked through small stand-ins of the areas.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking")]

mod abuse;
mod api;
mod condition;
mod document;
mod fake;
mod fault;
mod footprint;
mod health;
mod log;
mod model;
mod permission;
mod problem;
mod proxy;
mod rate;
mod refused;
mod report;
mod server;
mod slots;
mod stream;
mod switch;
mod tenancy;
mod tls;
mod token;
