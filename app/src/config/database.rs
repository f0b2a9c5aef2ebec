//! `[database]`: a PostgreSQL database in place of files.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::load::reader::{Section, Settings};

/// A PostgreSQL database in place of files, if an address is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// Where the service works.
    pub url: Option<Address>,
    /// Who owns the tables and changes them, where that is another user than the service's.
    pub migrator_url: Option<Address>,
    /// Whether a transaction pooler is between Tonne and the server.
    pub pooler: Pooler,
    /// Connections at most, 2 to 1,000.
    pub connections: u32,
    /// Of them, those of one tenant at most.
    pub connections_per_tenant: u32,
    /// How long a transaction waits for a connection.
    pub wait_ms: u64,
    /// How long a write waits behind the tenant's others.
    pub turn_ms: u64,
    /// How long a write may be silent before the server ends it.
    pub hold_ms: u64,
    /// How long a statement may run.
    pub statement_s: u64,
}

/// The address of a database, which may hold a password and is never shown.
#[derive(Clone, PartialEq, Eq)]
pub enum Address {
    /// The value is in the setting itself.
    Given(String),
    /// A file with the address alone in it.
    File(PathBuf),
}

/// What is between the service and the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pooler {
    /// Nothing, or a pooler that gives each client a connection of its own.
    #[default]
    None,
    /// A pooler that gives a connection for a transaction at a time.
    Transaction,
}

impl Default for Database {
    fn default() -> Self {
        Self {
            url: None,
            migrator_url: None,
            pooler: Pooler::None,
            connections: 16,
            connections_per_tenant: 8,
            wait_ms: 800,
            turn_ms: 5_000,
            hold_ms: 5_000,
            statement_s: 60,
        }
    }
}

impl Database {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("database");
        let has_url = section.is_given("url") || section.is_given("url_file");
        if !has_url && (section.is_given("migrator_url") || section.is_given("migrator_url_file")) {
            section
                .note_fault("database.migrator_url is given without database.url, which the service works at".into());
        }
        let url = address(&mut section, "url", "url_file");
        let migrator_url = address(&mut section, "migrator_url", "migrator_url_file");
        let pooler = section.value("pooler", default.pooler, Pooler::parse);
        let connections = small(section.number("connections", default.connections.into(), 2..=1_000));
        let most = u64::from(connections);
        let per_tenant = u64::from(default.connections_per_tenant).min(most);
        let connections_per_tenant = small(section.number("connections_per_tenant", per_tenant, 1..=most));
        let wait_ms = section.number("wait_ms", default.wait_ms, 1..=60_000);
        let turn_ms = section.number("turn_ms", default.turn_ms, 1..=60_000);
        let hold_ms = section.number("hold_ms", default.hold_ms, 100..=600_000);
        let statement_s = section.number("statement_s", default.statement_s, 1..=3_600);
        section.finish();
        Self { url, migrator_url, pooler, connections, connections_per_tenant, wait_ms, turn_ms, hold_ms, statement_s }
    }

    /// How long a transaction waits for a connection.
    #[must_use]
    pub const fn wait(&self) -> Duration {
        Duration::from_millis(self.wait_ms)
    }

    /// How long a write waits behind the tenant's others.
    #[must_use]
    pub const fn turn(&self) -> Duration {
        Duration::from_millis(self.turn_ms)
    }

    /// How long a write may be silent before the server ends it.
    #[must_use]
    pub const fn hold(&self) -> Duration {
        Duration::from_millis(self.hold_ms)
    }

    /// How long a statement may run.
    #[must_use]
    pub const fn statement(&self) -> Duration {
        Duration::from_secs(self.statement_s)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(_) => f.write_str("***"),
            Self::File(path) => fmt::Debug::fmt(path, f),
        }
    }
}

impl Pooler {
    fn parse(word: &str) -> Result<Self, String> {
        match word {
            "none" => Ok(Self::None),
            "transaction" => Ok(Self::Transaction),
            _ => Err(format!("{word:?} is no kind of pooler: use none or transaction")),
        }
    }
}

impl fmt::Display for Pooler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Transaction => "transaction",
        })
    }
}

fn address(section: &mut Section<'_, '_>, key: &'static str, file_key: &'static str) -> Option<Address> {
    let (given, file) = section.secret(key, file_key, |text| match text.split_once("://") {
        Some(("postgres" | "postgresql", _)) => Ok(text.to_owned()),
        _ => Err("is no address of a PostgreSQL database, such as postgres://user:password@host/database".to_owned()),
    });
    given.map(Address::Given).or_else(|| file.map(|path| Address::File(PathBuf::from(path))))
}

/// A number that was found within bounds that fit.
fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
