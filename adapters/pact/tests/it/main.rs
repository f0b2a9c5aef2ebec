//! What the forms of PACT promise.

#![cfg(test)]

mod field_table;
mod filter;
mod odata;
mod read;
mod sample;
mod write;
