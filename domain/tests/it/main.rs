//! What the public face of the domain promises.

#![cfg(test)]

mod activity;
mod calculation;
mod canonical;
mod catalog;
mod cell;
mod choice;
mod closed_period;
mod completeness;
mod cube;
mod decimal;
mod display;
mod explain;
mod factor;
mod footprint;
mod footprint_filter;
mod footprint_laws;
mod footprint_projection;
mod footprint_publish;
mod footprint_round_trip;
mod footprint_rule_set;
mod footprint_verdict;
mod footprint_violations;
mod forest;
mod gas;
mod market;
mod measures;
mod model;
mod naive;
mod names;
mod origin;
mod packed;
mod page;
mod report;
mod sample;
mod statement;
mod supplied;
mod switch;
#[cfg(feature = "serde")]
mod text_serde;
mod total;
mod unit;
mod worked;
