//! What the public face of the domain promises.

#![cfg(test)]

mod decimal;
mod total;
