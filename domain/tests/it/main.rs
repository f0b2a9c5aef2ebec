//! What the public face of the domain promises.

#![cfg(test)]

mod decimal;
mod factor;
mod model;
mod reckon;
mod sample;
mod switch;
mod total;
mod unit;
