//! The configuration: flags win over the environment, that over a TOML file, that over defaults. It is read once, every
//! fault of it is reported at once, and what comes out is valid.

mod database;
mod exchange;
mod limits;
mod load;
mod log;
mod memory;
mod metrics;
mod oidc;
mod secrets;
mod server;
mod store;
mod tenancy;
mod tokens;
mod trace;

use std::fmt;
use std::path::Path;

pub use database::{Address, Database, Pooler};
pub use exchange::Exchange;
pub use limits::Limits;
pub use load::reader::{Entry, Origin};
pub use load::source::{Environment, Flag};
pub use log::{Log, LogFormat};
pub use memory::Memory;
pub use metrics::Metrics;
pub use oidc::{Oidc, OidcSecret};
pub use secrets::{InstallationKey, Secrets};
pub use server::{Origin as PublicOrigin, Server, TlsFiles};
pub use store::Store;
pub use tenancy::{Domain, Mode, Tenancy};
pub use tokens::Tokens;
pub use trace::Trace;

use load::reader::Settings;
use load::source;

/// The configuration of a service or a command. `Config::default()` is the one where nothing was set.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Where it listens and what it calls itself.
    pub server: Server,
    /// How addresses and tenants belong together.
    pub tenancy: Tenancy,
    /// Where the files are.
    pub store: Store,
    /// A database in place of files.
    pub database: Database,
    /// Where the installation's secret is found.
    pub secrets: Secrets,
    /// How long tokens live.
    pub tokens: Tokens,
    /// A provider that people sign in at.
    pub oidc: Option<Oidc>,
    /// What a request may ask for.
    pub limits: Limits,
    /// How partners are called.
    pub exchange: Exchange,
    /// What may be kept in memory.
    pub memory: Memory,
    /// What is logged and how.
    pub log: Log,
    /// Measurements for Prometheus.
    pub metrics: Metrics,
    /// Traces for OpenTelemetry.
    pub trace: Trace,
    entries: Vec<Entry>,
}

impl Config {
    /// Reads the configuration from its sources.
    pub fn load(flags: &[Flag], environment: &Environment, file: Option<&Path>) -> Result<Self, ConfigError> {
        let (tree, faults) = source::gather(flags, environment, file)?;
        let mut settings = Settings::new(tree, faults, flags);
        let server = Server::read(&mut settings);
        let tenancy = Tenancy::read(&mut settings, server.public_url.as_ref());
        let mode = tenancy.mode.clone();
        let config = Self {
            server,
            tenancy,
            store: Store::read(&mut settings),
            database: Database::read(&mut settings),
            secrets: Secrets::read(&mut settings),
            tokens: Tokens::read(&mut settings),
            oidc: Oidc::read(&mut settings, &mode),
            limits: Limits::read(&mut settings),
            exchange: Exchange::read(&mut settings),
            memory: Memory::read(&mut settings),
            log: Log::read(&mut settings),
            metrics: Metrics::read(&mut settings),
            trace: Trace::read(&mut settings),
            entries: Vec::new(),
        };
        let entries = settings.finish()?;
        Ok(Self { entries, ..config })
    }

    /// Whether the record of a partner may allow calls to private addresses.
    #[must_use]
    pub fn allows_private_addresses(&self) -> bool {
        self.exchange.private_addresses.unwrap_or(self.tenancy.mode == Mode::Single)
    }

    /// Each setting with its value and where that came from, secrets as `***`; empty unless it was loaded.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// What is wrong with a configuration: all of it, a line each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError(pub Vec<String>);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration is wrong:")?;
        self.0.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_role_is_for_one_company_alone_and_permits_no_administration() {
        let load = |mode: &str, role: &str| {
            let environment: Environment = [
                ("TONNE_OIDC__ISSUER", "https://login.example.com"),
                ("TONNE_OIDC__CLIENT_ID", "tonne"),
                ("TONNE_OIDC__DEFAULT_ROLE", role),
                ("TONNE_TENANCY__MODE", mode),
            ]
            .into_iter()
            .collect();
            Config::load(&[], &environment, None).map(drop).map_err(|error| error.to_string())
        };
        load("single", "viewer").unwrap();
        assert!(load("single", "admin").unwrap_err().contains("oidc.default_role must not permit admin"));
        assert!(load("path", "viewer").unwrap_err().contains("goes with tenancy.mode single alone"));
    }

    #[test]
    fn debug_output_holds_no_secret() {
        let key = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==";
        let url = "postgres://tonne:hush@db/tonne".to_owned();
        let environment: Environment = [
            ("TONNE_SECRETS__KEY", key),
            ("TONNE_OIDC__ISSUER", "https://login.example.com"),
            ("TONNE_OIDC__CLIENT_ID", "tonne"),
            ("TONNE_OIDC__CLIENT_SECRET", "hush"),
        ]
        .into_iter()
        .collect();
        let flags = [Flag { key: "database.url", name: "--database-url", value: url }];
        let config = Config::load(&flags, &environment, None).unwrap();
        let secret = config.oidc.as_ref().map(|oidc| oidc.client_secret.clone());
        assert!(matches!(secret, Some(OidcSecret::Given(given)) if given.0 == "hush"));
        for text in [format!("{config:?}"), format!("{environment:?}"), format!("{flags:?}")] {
            assert!(!text.contains("hush") && !text.contains("c2Vjc"), "{text}");
        }
    }
}
