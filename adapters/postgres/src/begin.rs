//! What transactions begin with.

use std::time::Duration;

use ports::TenantId;

use crate::options::Options;
use crate::role::Role;

/// What a transaction begins with, beside its tenant.
#[derive(Debug)]
pub(crate) struct Begin {
    /// The `SET LOCAL` statements of every transaction.
    settings: String,
    /// Those of transactions that read.
    reader: String,
    /// Those of transactions that write.
    writer: String,
    spread: Spread,
}

/// What a transaction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// A snapshot.
    Read,
    /// Writing what others wrote before.
    Write,
}

/// Where the tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spread {
    /// On the server that is connected to.
    Here,
    /// On the workers of a cluster (Citus).
    Workers,
}

/// How long a snapshot may be silent: longer than the answer may take that is streamed from it. It keeps nobody waiting,
/// but for a migration and the server's own clearing up.
const SNAPSHOT_SILENCE: Duration = Duration::from_mins(15);

impl Access {
    /// The statement that begins.
    pub(crate) const fn statement(self) -> &'static str {
        match self {
            Self::Read => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Self::Write => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }
}

impl Begin {
    /// What transactions begin with under those bounds. `commit` is what the server was told about how durable a commit is
    /// (`synchronous_commit`).
    pub(crate) fn new(options: &Options, spread: Spread, commit: &str) -> Self {
        // Nobody's function in another schema is taken for one of the server's own.
        let path = "SET LOCAL search_path = pg_catalog, pg_temp; ";
        let settings = format!("{path}SET LOCAL statement_timeout = {}; ", options.statement.as_millis());
        // Only one setting is stronger; one that is weaker would lose what was acknowledged.
        let commit = if commit == "remote_apply" { commit } else { "on" };
        let (turn, hold) = (options.turn.as_millis(), options.hold.as_millis());
        let writer = format!(
            "SET LOCAL lock_timeout = {turn}; SET LOCAL idle_in_transaction_session_timeout = {hold}; \
             SET LOCAL synchronous_commit = {commit}; "
        );
        let reader = format!("SET LOCAL idle_in_transaction_session_timeout = {}; ", SNAPSHOT_SILENCE.as_millis());
        Self { settings, reader, writer, spread }
    }

    /// Where the tables are.
    pub(crate) const fn spread(&self) -> Spread {
        self.spread
    }

    /// What the transactions of a tenant begin with.
    pub(crate) fn of_tenant(&self, access: Access, more: &str, tenant: TenantId) -> String {
        format!("{}; {}", Role::Tenants.take(), self.carried(access, more, tenant))
    }

    /// The same without the role: what workers are to know of, too. To them the coordinator connects under the role by
    /// itself, and under that of a function's owner where a function works with the owner's rights.
    pub(crate) fn carried(&self, access: Access, more: &str, tenant: TenantId) -> String {
        let carry = match self.spread {
            Spread::Here => "",
            // Last but one: from there on each setting is carried, once with all those before it.
            Spread::Workers => "SET LOCAL citus.propagate_set_commands = 'local'; ",
        };
        format!("{}{}{more}{carry}SET LOCAL app.tenant = '{tenant}'", self.settings, self.of(access))
    }

    /// What the transactions of the directory begin with.
    pub(crate) fn of_directory(&self, access: Access) -> String {
        format!("{}; {}{}", Role::Directory.take(), self.settings, self.of(access))
    }

    fn of(&self, access: Access) -> &str {
        match access {
            Access::Read => &self.reader,
            Access::Write => &self.writer,
        }
    }
}

#[cfg(test)]
mod tests {
    use ports::contract::sample::{self, SampleClock, SampleIds};

    use super::*;

    /// The statements that a transaction of a tenant begins with.
    fn statements(spread: Spread, access: Access) -> Vec<String> {
        let options = Options::new("postgres://app@db/tonne".to_owned(), SampleClock::shared(), SampleIds::shared());
        let begin = Begin::new(&options, spread, "on");
        let text = begin.of_tenant(access, "SET LOCAL enable_seqscan = off; ", sample::id(7));
        text.split("; ").map(str::to_owned).collect()
    }

    #[test]
    fn on_a_cluster_settings_are_carried_from_the_last_but_one_on_and_the_tenant_is_the_last() {
        let tenant = format!("SET LOCAL app.tenant = '{}'", sample::id::<TenantId>(7));
        for access in [Access::Read, Access::Write] {
            let statements = statements(Spread::Workers, access);
            let (first, [.., carried, last]) = (&statements[0], statements.as_slice()) else {
                panic!("{statements:?}")
            };
            assert_eq!(carried, "SET LOCAL citus.propagate_set_commands = 'local'");
            assert_eq!(*last, tenant);
            // The role is not carried: workers are connected to under it.
            assert_eq!(*first, Role::Tenants.take());
            assert_eq!(statements.iter().filter(|statement| statement.contains("citus")).count(), 1, "{statements:?}");
        }
    }

    #[test]
    fn on_one_server_nothing_is_said_of_a_cluster() {
        for access in [Access::Read, Access::Write] {
            let statements = statements(Spread::Here, access);
            assert!(statements.iter().all(|statement| !statement.contains("citus")), "{statements:?}");
            assert!(statements.last().unwrap().starts_with("SET LOCAL app.tenant = "), "{statements:?}");
        }
    }
}
