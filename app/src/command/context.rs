//! What every command starts from: the global flags, the configuration, the app on its store.

use std::fmt;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ports::{Caller, TenantSlug};

use super::{logging, output};
use crate::App;
use crate::app::{NoStore, must_be_there, single_tenant};
use crate::config::{Config, Environment, Flag};

/// Flags that every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(super) struct Global {
    /// The configuration file (TOML).
    #[arg(long, global = true, value_name = "FILE", env = "TONNE_CONFIG", hide_env_values = true)]
    config: Option<PathBuf>,
    /// The folder with all data [default: ./tonne-data; of demo: ./tonne-demo-data].
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<String>,
    #[arg(long, global = true, value_name = "URL")]
    #[arg(help = "A PostgreSQL database in place of the folder, such as postgres://user:password@host/database")]
    database_url: Option<DatabaseUrl>,
    /// The company, by its slug [default: main].
    #[arg(long, global = true, value_name = "SLUG", env = "TONNE_TENANT", hide_env_values = true)]
    #[arg(value_parser = TenantSlug::parse)]
    tenant: Option<TenantSlug>,
}

/// The address of a database, which may hold a password and is never shown.
#[derive(Clone)]
struct DatabaseUrl(String);

impl From<String> for DatabaseUrl {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// What a command does where there is no store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IfAbsent {
    /// It makes one and says so.
    Make,
    /// It says that there is none and fails: in the wrong folder it would else answer of nothing.
    Refuse,
}

/// What every command starts from.
#[derive(Debug)]
pub(super) struct Context {
    global: Global,
}

impl Context {
    pub(super) const fn new(global: Global) -> Self {
        Self { global }
    }

    /// The configuration, with the flags of the command itself.
    pub(super) fn config(&self, own: impl IntoIterator<Item = Flag>) -> Result<Config> {
        let Global { config, data_dir, database_url, tenant: _ } = &self.global;
        let mut flags: Vec<_> = own.into_iter().collect();
        let mut flag = |key, name, value: Option<String>| {
            flags.extend(value.map(|value| Flag { key, name, value }));
        };
        flag("store.data_dir", "--data-dir", data_dir.clone());
        flag("database.url", "--database-url", database_url.clone().map(|url| url.0));
        Ok(Config::load(&flags, &Environment::of_process(), config.as_deref())?)
    }

    /// The tenant that was named, if one was.
    pub(super) const fn named_tenant(&self) -> Option<&TenantSlug> {
        self.global.tenant.as_ref()
    }

    /// The app of a command that is done soon: only warnings are logged unless the configuration says otherwise.
    pub(super) async fn app(&self, if_absent: IfAbsent) -> Result<App> {
        let config = self.quiet_config()?;
        match if_absent {
            IfAbsent::Make => with_store_made(config, App::build).await,
            IfAbsent::Refuse => {
                must_be_there(&config).await?;
                App::build_existing(config).await
            }
        }
    }

    /// The same for a command that makes the only company itself, or none.
    pub(super) async fn app_without_tenant(&self, if_absent: IfAbsent) -> Result<App> {
        let config = self.quiet_config()?;
        match if_absent {
            IfAbsent::Make => with_store_made(config, App::build_without_tenant).await,
            IfAbsent::Refuse => {
                must_be_there(&config).await?;
                App::build_without_tenant(config).await
            }
        }
    }

    /// The same as [`app`](Self::app), and its operator in the tenant that the command is to work in.
    pub(super) async fn operated_app(&self, if_absent: IfAbsent) -> Result<(App, Caller)> {
        self.operated(self.app(if_absent).await?).await
    }

    /// The same for a command that only reads.
    pub(super) async fn operated_app_to_read(&self) -> Result<(App, Caller)> {
        let config = self.quiet_config()?;
        must_be_there(&config).await?;
        self.operated(App::build_to_read(config).await?).await
    }

    /// The app of a command that only reads what belongs to no company.
    pub(super) async fn app_to_read(&self) -> Result<App> {
        let config = self.quiet_config()?;
        must_be_there(&config).await?;
        App::build_to_read(config).await
    }

    async fn operated(&self, app: App) -> Result<(App, Caller)> {
        let slug = self.named_tenant().cloned().map_or_else(single_tenant, Ok)?;
        let tenant = app.tenant(&slug).await?;
        let operator = app.operator(&tenant);
        Ok((app, operator))
    }

    /// The same for a command that signs nothing, on a store that is there.
    pub(super) async fn app_without_secret(&self) -> Result<App> {
        let config = self.quiet_config()?;
        must_be_there(&config).await?;
        App::build_without_secret(config).await
    }

    /// The same for a command that makes a new signing key.
    pub(super) async fn app_to_rotate(&self) -> Result<App> {
        let config = self.quiet_config()?;
        must_be_there(&config).await?;
        App::build_to_rotate(config).await
    }

    fn quiet_config(&self) -> Result<Config> {
        let config = self.config([])?;
        logging::start(&config.log, "warn");
        Ok(config)
    }
}

/// What `build` makes of the configuration; a store that it makes is reported.
pub(super) async fn with_store_made<F: Future<Output = Result<App>>>(
    config: Config,
    build: impl FnOnce(Config) -> F,
) -> Result<App> {
    let made = match must_be_there(&config).await {
        Ok(()) => None,
        Err(error) => match error.downcast::<NoStore>()? {
            NoStore::Folder(folder) => Some(format!("made a new store in {folder}")),
            NoStore::Database => Some("made a new store in the database".to_owned()),
        },
    };
    let app = build(config).await?;
    if let Some(made) = made {
        output::note(&made);
    }
    Ok(app)
}
