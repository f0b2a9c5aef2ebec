//! A footprint as it is answered.

use domain::footprint::Verdict;
use domain::{Footprint, Violation};

use crate::Stored;

/// A footprint with the rules it breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct FootprintView {
    /// The footprint as it is stored.
    pub footprint: Stored<Footprint>,
    /// Each rule of PACT that it breaks; empty when it is valid.
    pub violations: Vec<Violation>,
    /// What each edition finds; only where one record is asked for.
    pub verdict: Option<Box<Verdict>>,
}
