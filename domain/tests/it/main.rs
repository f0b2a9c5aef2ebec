//! What the public face of the domain promises.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails by panicking")]

mod decimal;
mod footprint;
mod footprint_broken;
mod footprint_laws;
mod footprint_seed;
mod total;
