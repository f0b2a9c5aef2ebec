//! What is wrong with the head of a request: its path, its query and its headers, all of it at once.

use std::fmt::Display;

use domain::{FaultCode, Faults};

/// The faults found so far; each fault's pointer is the name of a parameter: a segment of the path, a parameter of the
/// query, or a header.
#[derive(Debug, Default)]
pub(crate) struct HeadFaults {
    faults: Faults,
    malformed: bool,
}

impl HeadFaults {
    /// Notes what is wrong with parameters of the query.
    pub(crate) fn query(&mut self, faults: Faults) {
        self.faults.extend(faults);
    }

    /// Notes that a segment of the path, or a header, has not the form it must have.
    pub(crate) fn malformed(&mut self, name: &str, detail: impl Display) {
        self.malformed = true;
        self.faults.add_coded(FaultCode::Invalid, name, detail.to_string());
    }

    /// Notes that a header does not belong here.
    pub(crate) fn out_of_place(&mut self, name: &str, detail: impl Display) {
        self.malformed = true;
        self.faults.add_coded(FaultCode::Mismatch, name, detail.to_string());
    }

    /// Whether nothing is wrong.
    pub(crate) const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// Whether more than the query is wrong.
    pub(super) const fn is_malformed(&self) -> bool {
        self.malformed
    }

    pub(super) fn into_faults(self) -> Faults {
        self.faults
    }
}
