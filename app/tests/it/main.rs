//! What Tonne as a whole promises.

#![cfg(test)]

mod command;
mod usecase;
