//! What a database is opened with.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ports::clock::Clock;
use ports::id_source::Ids;

use crate::migration::{STEPS, Step};

/// What a database is opened with: its addresses, where time and chance come from, and bounds.
#[derive(Clone)]
pub struct Options {
    /// Tells the time, for the directory's change chain.
    pub clock: Arc<dyn Clock>,
    /// Makes up the epochs of new tenants.
    pub ids: Arc<dyn Ids>,
    /// Where the service's statements go: `postgres://user:password@host/database`, with the parameters that libpq knows.
    pub url: String,
    /// Who owns the tables and changes them. Without one, `url` does: then the service takes a restricted role inside
    /// every transaction. With one, the user of `url` must be restricted itself.
    pub migrator_url: Option<String>,
    /// Whether a transaction pooler is between Tonne and the server.
    pub pooler: Pooler,
    /// How many connections are open at most.
    pub connections: u32,
    /// How many of them the transactions of one tenant hold at most.
    pub connections_per_tenant: u32,
    /// How long a transaction waits for a connection.
    pub wait: Duration,
    /// How long a write transaction waits for its turn behind the tenant's others, on this node and on all.
    pub turn: Duration,
    /// How long a write transaction may be silent before the server ends it: it is that of a node that was paused or cut
    /// off, and the tenant's other writers wait for it.
    pub hold: Duration,
    /// How long a statement may run.
    pub statement: Duration,
    /// The format: [`STEPS`], or those of another version in tests of how versions meet.
    pub steps: &'static [Step],
}

/// What is between the service and the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pooler {
    /// Nothing, or a pooler that gives each client a connection of its own.
    #[default]
    None,
    /// A pooler that gives a connection for a transaction at a time, such as `PgBouncer` with `pool_mode = transaction`.
    Transaction,
}

impl Options {
    /// The usual bounds for the database at that address.
    #[must_use]
    pub fn new(url: String, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self {
            clock,
            ids,
            url,
            migrator_url: None,
            pooler: Pooler::None,
            connections: 16,
            connections_per_tenant: 8,
            wait: Duration::from_millis(800),
            turn: Duration::from_secs(5),
            hold: Duration::from_secs(5),
            statement: Duration::from_mins(1),
            steps: STEPS,
        }
    }
}

impl fmt::Debug for Options {
    /// Without the addresses, which may hold passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("pooler", &self.pooler)
            .field("connections", &self.connections)
            .field("connections_per_tenant", &self.connections_per_tenant)
            .field("wait", &self.wait)
            .field("turn", &self.turn)
            .field("hold", &self.hold)
            .field("statement", &self.statement)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use ports::contract::sample::{SampleClock, SampleIds};

    use super::*;

    #[test]
    fn debug_output_holds_no_address_and_so_no_password() {
        let url = |user: &str| format!("postgres://{user}:hush@db.example/tonne");
        let options = Options::new(url("app"), SampleClock::shared(), SampleIds::shared());
        let text = format!("{:?}", Options { migrator_url: Some(url("owner")), ..options });
        assert!(text.contains("connections: 16"), "{text}");
        assert!(!text.contains("hush") && !text.contains("db.example"), "{text}");
    }
}
