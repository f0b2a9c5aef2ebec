//! `tonne demo`: a made-up company to try everything on, served at once, with the lines to paste.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use domain::{Faults, Name};
use ports::inbound::{CredentialDraft, Credentials, Field};
use ports::{Caller, Permissions};

use super::context::{Context, with_store_made};
use super::serve::{base_address, bind, stopped};
use super::{Ending, Usage, logging, output};
use crate::app::single_tenant;
use crate::config::{Config, Flag, Mode, Origin};
use crate::demo::{COMPANY, Demo, UseCases, fill};
use crate::{App, Listeners};

/// Where the demo lives unless another folder is named: beside real data, never in it.
const FOLDER: &str = "./tonne-demo-data";

/// What the client of the demo may do.
const CLIENT_PERMISSIONS: &str = "activity:read switch:read model:read footprint:read catalog:read";

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
        let app = with_store_made(config, App::build).await?;
        app.check().await?;
        output::note(&format!("Preparing the books of {COMPANY}, a made-up company, in {} ...", folder.display()));
        let caller = app.operator(&app.tenant(&single_tenant()?).await?);
        let demo = fill(UseCases::from(&app), &caller)
            .await
            .with_context(|| format!("the demo cannot be kept in {}", folder.display()))?;
        let access = Access::of(app.areas().credentials.as_ref(), &caller).await?;
        let stop = stopped()?;
        output::say(&lines(&address, &folder, &demo, &access)?)?;
        let served = app.serve(&lock, Listeners { service: listener, metrics }, stop).await;
        app.close().await;
        served.map(|()| Ending::Done)
    }
}

/// The configuration with the demo's own folder, unless somebody named one.
fn elsewhere(mut config: Config) -> Config {
    let named = |entry: &crate::config::Entry| entry.key == "store.data_dir" && entry.origin != Origin::Default;
    if !config.entries().iter().any(named) {
        config.store.data_dir = PathBuf::from(FOLDER);
    }
    config
}

/// What the printed lines call with.
struct Access {
    key: String,
    client_id: String,
    client_secret: String,
}

impl Access {
    /// A new key that may do everything, and a new client that may read.
    async fn of(credentials: &dyn Credentials, caller: &Caller) -> Result<Self> {
        let key = credentials.add_key(caller, draft("admin")?).await?;
        let client = credentials.add_client(caller, draft(CLIENT_PERMISSIONS)?).await?;
        Ok(Self { key: key.secret.0, client_id: client.view.client.id.to_string(), client_secret: client.secret.0 })
    }
}

fn draft(permissions: &str) -> Result<CredentialDraft> {
    Ok(CredentialDraft {
        name: Field::Given(Name::parse("demo")?),
        permissions: Field::Given(Permissions::parse(permissions)?),
        expires: Field::Absent,
        faults: Faults::new(),
    })
}

/// What is printed once the demo answers: every `curl` line works when it is pasted.
fn lines(address: &str, folder: &Path, demo: &Demo, access: &Access) -> Result<String, std::fmt::Error> {
    let Demo { activities, footprints, scope, org, taxonomy, activity, model, switch } = demo;
    let Access { key, client_id, client_secret } = access;
    let questions = [
        ("The report of 2025, with one of its activities", "/v1/activity?date=2025&pageSize=1".to_owned()),
        ("Scope 3 in March 2025", format!("/v1/activity?date=2025-03&scope={scope}&list=scope&pageSize=1")),
        ("Energy of the shops, in tonnes", format!("/v1/activity?org={org}&taxonomy={taxonomy}&co2eUnit=t&pageSize=1")),
        ("One activity", format!("/v1/activity/{activity}")),
        ("A switch and its footprint", format!("/v1/switch/{switch}")),
        ("What an e-bike is made of", format!("/v1/model/{model}/input?pageSize=3")),
        ("Footprints for partners: the valid ones", "/pact/2/footprints".to_owned()),
        ("All footprints, with the rules that two of them break", "/v1/footprint".to_owned()),
    ];
    let mut text = format!("\n{COMPANY}: {activities} activities of 2023 to 2025, {footprints} footprints.\n");
    for (title, path) in questions {
        write!(text, "\n# {title}\ncurl -H 'Authorization: Bearer {key}' '{address}{path}'\n")?;
    }
    write!(
        text,
        "\n# A token, for clients without a key\n\
         curl -u '{client_id}:{client_secret}' -d grant_type=client_credentials '{address}/auth/token'\n\n\
         Data: {}, used again next time. Ctrl-C ends it.\n\
         Tonne serves {address}",
        folder.display()
    )?;
    Ok(text)
}
