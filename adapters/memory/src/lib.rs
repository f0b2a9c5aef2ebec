//! Placeholder until its first line.
