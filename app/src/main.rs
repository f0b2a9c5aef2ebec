//! Tonne.
fn main() {}
