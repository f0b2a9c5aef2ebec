//! What Tonne as a whole promises.

#![cfg(test)]

mod usecase;
