//! Tonne as a library: configuration, wiring and use cases.

pub mod usecase;
