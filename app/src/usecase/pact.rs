//! Partners' hosts of the PACT data exchange, as they are called from here.

pub mod host_test;
pub mod pull;
mod query;

use domain::{Fault, Faults};

/// How many faults are told in one line.
const TOLD: usize = 3;

/// The first few faults in one line.
fn words(faults: &Faults) -> String {
    told(faults.as_slice().iter().map(word))
}

fn word(fault: &Fault) -> String {
    format!("{} {}", fault.pointer, fault.detail).trim_start().to_owned()
}

/// The first few of them in one line.
fn told(faults: impl Iterator<Item = String>) -> String {
    let mut faults: Vec<_> = faults.collect();
    let more = faults.len().saturating_sub(TOLD);
    faults.truncate(TOLD);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{more}", faults.join("; "))
}
