//! `tonne demo`: a made-up company to try everything on, served at once, with the lines to paste.

mod access;
mod lines;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use domain::{Consolidation, Description, StatementSettings};

use super::context::{Context, with_store_made};
use super::serve::{base_address, bind, stopped};
use super::{Ending, Usage, logging, output};
use crate::app::{installation, single_tenant};
use crate::config::{Config, Flag, Mode, Origin};
use crate::demo::{COMPANY, UseCases, add_factors, fill};
use crate::{App, Listeners};
use access::Access;

/// Where the demo lives unless another folder is named: beside real data, never in it.
const FOLDER: &str = "./tonne-demo-data";

/// Serve a made-up company to try Tonne on, in ./tonne-demo-data unless --data-dir names another folder.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Where to listen; port 0 takes any that is free [default: 127.0.0.1:8080].
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
}

impl DemoArgs {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let listen = self.listen.map(|value| Flag { key: "server.listen", name: "--listen", value });
        let config = elsewhere(context.config(listen)?);
        if config.tenancy.mode != Mode::Single {
            return Err(Usage("the demo is one company: leave tenancy.mode out, or set it to single".to_owned()).into());
        }
        if config.database.url.is_some() {
            return Err(Usage("the demo lives in a folder of its own: leave database.url out".to_owned()).into());
        }
        let folder = config.store.data_dir.clone();
        logging::start(&config.log, "warn,actix_http=off");
        let lock = App::lock(&config)?;
        let listener = bind(&config)?;
        let metrics = Listeners::metrics(&config)?;
        let address = base_address(&config, &listener)?;
        let app = with_store_made(config, |config| App::build_called(config, COMPANY)).await?;
        app.check().await?;
        output::note(&format!("Preparing the books of {COMPANY}, a made-up company, in {} ...", folder.display()));
        let tenant = app.tenant(&single_tenant()?).await?;
        let caller = app.operator(&tenant);
        add_factors(app.factor_set_imports(), &installation()).await?;
        let demo = fill(UseCases::from(&app), &caller)
            .await
            .with_context(|| format!("the demo cannot be kept in {}", folder.display()))?;
        if tenant.statement == StatementSettings::default() {
            app.set_statement(&tenant, stated()?).await?;
        }
        let access = Access::renewed(app.areas().credentials.as_ref(), app.users(), &caller).await?;
        let stop = stopped()?;
        output::say(&lines::text(&address, &folder, &demo, &access)?)?;
        let served = app.serve(&lock, Listeners { service: listener, metrics }, stop).await;
        app.close().await;
        served.map(|()| Ending::Done)
    }
}

/// What the company states of itself.
fn stated() -> Result<StatementSettings> {
    let boundary = "Every works, warehouse, shop and office that it runs; its share in the wind farm is in scope 3.15.";
    Ok(StatementSettings::default()
        .with_consolidation(Some(Consolidation::OperationalControl))
        .with_boundary(Some(Description::parse(boundary)?)))
}

/// The configuration with the demo's own folder, unless somebody named one.
fn elsewhere(mut config: Config) -> Config {
    let named = |entry: &crate::config::Entry| entry.key == "store.data_dir" && entry.origin != Origin::Default;
    if !config.entries().iter().any(named) {
        config.store.data_dir = PathBuf::from(FOLDER);
    }
    config
}
