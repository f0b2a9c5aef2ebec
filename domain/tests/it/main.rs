//! What the public face of the domain promises.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking")]

mod cell;
mod cube;
mod decimal;
mod forest;
mod naive;
mod report;
mod total;
