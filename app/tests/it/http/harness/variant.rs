//! Which store is behind the tests, and how addresses name tenants: `TONNE_TEST_VARIANT` says it, `sqlite-single` is
//! meant unless it is set.

use postgres::testing::Fresh;
use tempfile::TempDir;
use tonne::config::{Address, Mode};
use tonne::{App, Config};

/// Every variant: store and mode.
const VARIANTS: [&str; 4] = ["sqlite-single", "sqlite-path", "postgres-single", "postgres-path"];

/// The store and the mode of the variant.
fn variant() -> (String, String) {
    let named = std::env::var("TONNE_TEST_VARIANT").unwrap_or_else(|_| VARIANTS[0].to_owned());
    assert!(VARIANTS.contains(&named.as_str()), "TONNE_TEST_VARIANT: {named} is none of {VARIANTS:?}");
    let (store, mode) = named.split_once('-').unwrap();
    (store.to_owned(), mode.to_owned())
}

/// The mode of the variant.
pub(crate) fn mode() -> Mode {
    if variant().1 == "path" { Mode::Path } else { Mode::Single }
}

/// What the company of the tests is called in addresses.
pub(crate) const fn slug(mode: &Mode) -> &'static str {
    match mode {
        Mode::Single => tonne::SINGLE_TENANT,
        Mode::Path | Mode::Host(_) => "acme",
    }
}

/// An empty store of the variant's kind, which is gone when it is dropped.
pub(crate) struct Store {
    database: Option<Fresh>,
    folder: TempDir,
}

impl Store {
    pub(crate) async fn new() -> Self {
        let database = if variant().0 == "postgres" { Some(Fresh::used().await) } else { None };
        Self { database, folder: TempDir::new().unwrap() }
    }

    /// Ends the use of it.
    pub(crate) async fn give_up(self, app: &App) {
        if let Some(database) = self.database {
            app.close().await;
            database.give_back().await;
        }
    }

    /// The configuration of it.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::default();
        // Partners of tests are on this machine.
        config.exchange.private_addresses = Some(true);
        self.folder.path().clone_into(&mut config.store.data_dir);
        if let Some(database) = &self.database {
            config.database.url = Some(Address::Given(database.url()));
            // The server is shared by all tests of this machine.
            config.database.connections = 4;
            config.database.connections_per_tenant = 4;
            config.database.wait_ms = 10_000;
        }
        config
    }
}
