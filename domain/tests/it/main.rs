//! What the public face of the domain promises.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking")]

mod decimal;
mod factor;
mod model;
mod reckon;
mod sample;
mod switch;
mod total;
mod unit;
