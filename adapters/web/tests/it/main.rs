//! What the parts of pages promise, without a service.

#![cfg(test)]

mod address;
mod chart;
mod figure;
mod markup;
mod viewer;
