//! What the public face of the domain promises.

#![cfg(test)]

mod cell;
mod cube;
mod decimal;
mod factor;
mod footprint;
mod footprint_broken;
mod footprint_laws;
mod footprint_seed;
mod forest;
mod model;
mod naive;
mod reckon;
mod report;
mod sample;
mod switch;
mod total;
mod unit;
