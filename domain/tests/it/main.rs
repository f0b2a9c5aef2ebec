//! What the public face of the domain promises.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking")]

mod decimal;
mod total;
mod unit;
