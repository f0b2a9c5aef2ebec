//! What the tests start from: a database of their own, and tenants in it.

use ports::contract::sample;
use ports::{Grant, Maintenance, Read, TenantId, Write};

pub(crate) use tonne_postgres::testing::{Fresh, options, runtime, server};

pub(crate) fn tenant(number: u64) -> TenantId {
    sample::id(number)
}

/// Its grant for maintenance.
pub(crate) fn grant(number: u64) -> Grant<Maintenance> {
    Grant::for_maintenance(tenant(number), "test")
}

/// Its grant to read.
pub(crate) fn reading(number: u64) -> Grant<Read> {
    grant(number).to_read()
}

/// Its grant to write.
pub(crate) fn writing(number: u64) -> Grant<Write> {
    grant(number).to_write()
}
