//! Partners' hosts of the PACT data exchange, as they are called from here.

pub mod host_test;
