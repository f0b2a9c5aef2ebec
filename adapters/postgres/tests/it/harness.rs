//! What the tests start from: a database of their own, and tenants in it.

use ports::contract::sample;
use ports::{Grant, TenantId};

pub(crate) use tonne_postgres::testing::{Fresh, options, runtime, server};

/// A tenant.
pub(crate) fn tenant(number: u64) -> TenantId {
    sample::id(number)
}

/// Its grant.
pub(crate) fn grant(number: u64) -> Grant {
    Grant::for_maintenance(tenant(number), "test")
}
