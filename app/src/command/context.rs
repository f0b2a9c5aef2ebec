//! What every command starts from: the global flags, the configuration, the app on its store.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use ports::{Caller, TenantSlug};

use super::logging;
use crate::App;
use crate::app::single_tenant;
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
    database_url: Option<String>,
    /// The company, by its slug [default: main].
    #[arg(long, global = true, value_name = "SLUG", env = "TONNE_TENANT", hide_env_values = true)]
    #[arg(value_parser = TenantSlug::parse)]
    tenant: Option<TenantSlug>,
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
        let mut flag = |key, name, value: &Option<String>| {
            flags.extend(value.clone().map(|value| Flag { key, name, value }));
        };
        flag("store.data_dir", "--data-dir", data_dir);
        flag("database.url", "--database-url", database_url);
        Ok(Config::load(&flags, &Environment::of_process(), config.as_deref())?)
    }

    /// The tenant that was named, if one was.
    pub(super) const fn named_tenant(&self) -> Option<&TenantSlug> {
        self.global.tenant.as_ref()
    }

    /// The app of a command that is done soon: only warnings are logged unless the configuration says otherwise.
    pub(super) async fn app(&self) -> Result<App> {
        App::build(self.quiet_config()?).await
    }

    /// The same for a command that makes the only company itself, or none.
    pub(super) async fn app_without_tenant(&self) -> Result<App> {
        App::build_without_tenant(self.quiet_config()?).await
    }

    /// The same as [`app`](Self::app), and its operator in the tenant that the command is to work in.
    pub(super) async fn operated_app(&self) -> Result<(App, Caller)> {
        let app = self.app().await?;
        let slug = self.named_tenant().cloned().map_or_else(single_tenant, Ok)?;
        let tenant = app.tenant(&slug).await?;
        let operator = app.operator(&tenant);
        Ok((app, operator))
    }

    /// The same for a command that makes a new signing key.
    pub(super) async fn app_to_rotate(&self) -> Result<App> {
        App::build_to_rotate(self.quiet_config()?).await
    }

    fn quiet_config(&self) -> Result<Config> {
        let config = self.config([])?;
        logging::start(&config.log, "warn");
        Ok(config)
    }
}
