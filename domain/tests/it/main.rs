//! What the public face of the domain promises.

#![cfg(test)]

mod cell;
mod cube;
mod decimal;
mod factor;
mod model;
mod reckon;
mod sample;
mod switch;
mod forest;
mod naive;
mod report;
mod total;
mod unit;
