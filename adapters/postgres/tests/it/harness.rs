//! What the tests start from: a database of their own, and tenants in it.

use ports::contract::sample;
use ports::{Grant, Maintenance, Read, TenantId, Write};

pub(crate) use tonne_postgres::testing::{Fresh, options, runtime, server};

/// The time of day in milliseconds, as the database has it too.
pub(crate) fn right_time() -> i64 {
    i64::try_from(std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap()
}

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
