//! Tonne.
