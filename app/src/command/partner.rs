//! `tonne partner`: companies that footprints are exchanged with.

mod delivery;
mod named;
mod shown;

pub(super) use named::find;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use domain::footprint::Edition;
use domain::{HostAddress, HostClientId, Name, ProductAlias};
use ports::credential::Secret;
use ports::inbound::{Field, PartnerDraft};

use super::context::{Context, IfAbsent};
use super::json::array;
use super::{Ending, output};

/// Add, list, rotate and remove partners, which footprints are exchanged with; and what became of events to them.
#[derive(Debug, Subcommand)]
pub(super) enum PartnerCommand {
    Add(Add),
    List(List),
    Rotate(Rotate),
    Remove(Remove),
    Deliveries(delivery::Deliveries),
    Retry(delivery::Retry),
}

/// Add a partner and print the credentials that it calls us with: the secret is shown this once.
#[derive(Debug, Args)]
pub(super) struct Add {
    /// What it is called.
    #[arg(long, value_parser = Name::parse)]
    name: Name,
    /// The address that its /2 and /3 stand below.
    #[arg(long, value_name = "ADDRESS", value_parser = HostAddress::parse)]
    base_url: HostAddress,
    /// The address that its token endpoint stands below, where it is another.
    #[arg(long, value_name = "ADDRESS", value_parser = HostAddress::parse)]
    auth_url: Option<HostAddress>,
    /// Our id at the partner.
    #[arg(long, value_name = "ID", value_parser = HostClientId::parse)]
    client_id: Option<HostClientId>,
    /// A file with our secret at the partner; `-` is the standard input. It is kept sealed.
    #[arg(long, value_name = "FILE", requires = "client_id")]
    client_secret_file: Option<std::path::PathBuf>,
    /// A product id of the partner, and what it is called here, such as urn:a:1=urn:b:2; may be repeated.
    #[arg(long, value_name = "THEIRS=OURS", value_parser = alias)]
    alias: Vec<ProductAlias>,
    /// The version of PACT that its host is asked and told in: 2 (2.3) or 3 (3.0).
    #[arg(long, value_name = "VERSION", default_value = "3", value_parser = Edition::parse)]
    pact: Edition,
    /// Its host may have loopback and private addresses.
    #[arg(long)]
    private_addresses: bool,
    /// It may be called by http://.
    #[arg(long)]
    plain_http: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List the partners.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Make new credentials for a partner; those that it has serve for seven days more.
#[derive(Debug, Args)]
pub(super) struct Rotate {
    /// The partner, by its id or name.
    #[arg(value_name = "PARTNER")]
    partner: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Remove a partner with its credentials. What was shared with it by name is so no more.
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// The partner, by its id or name.
    #[arg(value_name = "PARTNER")]
    partner: String,
}

impl PartnerCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Add(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Rotate(command) => command.run(context).await,
            Self::Remove(command) => command.run(context).await,
            Self::Deliveries(command) => command.run(context).await,
            Self::Retry(command) => command.run(context).await,
        }
    }
}

impl Add {
    async fn run(self, context: &Context) -> Result<Ending> {
        let secret = self.client_secret_file.as_deref().map(read_secret).transpose()?;
        let draft = PartnerDraft {
            name: Field::Given(self.name),
            base_url: Field::Given(self.base_url),
            auth_url: Field::of(self.auth_url),
            client_id: Field::of(self.client_id),
            client_secret: Field::of(secret),
            aliases: Field::Given(self.alias),
            private_addresses: Field::Given(self.private_addresses),
            plain_http: Field::Given(self.plain_http),
            pact: Field::Given(self.pact),
            ..PartnerDraft::default()
        };
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let partners = &app.areas().partners;
        let added = partners.add(&operator, draft).await.context("no partner is added")?;
        let id = added.partner.value.id;
        let made = partners.add_client(&operator, id).await;
        let new = made.with_context(|| {
            format!("the partner {id} is added, but has no credentials; `tonne partner rotate {id}` makes some")
        })?;
        let view = partners.get(&operator, id).await?;
        shown::report(&view, &new, self.json)?;
        Ok(Ending::Done)
    }
}

impl List {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let all = named::all(&app, &operator).await?;
        output::say(&if self.json { array(all.iter().map(shown::json)).to_string() } else { shown::table(&all) })?;
        Ok(Ending::Done)
    }
}

impl Rotate {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let (partners, id) = (&app.areas().partners, find(&app, &operator, &self.partner).await?.partner.value.id);
        let new = partners.add_client(&operator, id).await.with_context(|| format!("partner {id}"))?;
        shown::report(&partners.get(&operator, id).await?, &new, self.json)?;
        Ok(Ending::Done)
    }
}

impl Remove {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let partner = find(&app, &operator, &self.partner).await?.partner.value;
        let removed = app.areas().partners.remove(&operator, partner.id, None).await;
        removed.with_context(|| format!("partner {}", partner.id))?;
        output::say(&format!("the partner {} is removed: {}", partner.id, partner.name))?;
        Ok(Ending::Done)
    }
}

/// The secret that a file has, without the line break at its end.
fn read_secret(path: &std::path::Path) -> Result<Secret> {
    let text = if path == std::path::Path::new("-") {
        std::io::read_to_string(std::io::stdin()).context("the secret cannot be read from the standard input")?
    } else {
        std::fs::read_to_string(path).with_context(|| format!("the secret cannot be read from {}", path.display()))?
    };
    let text = text.trim_end_matches(['\r', '\n']);
    anyhow::ensure!(
        (1..=1_000).contains(&text.chars().count()),
        "{}: a secret has 1 to 1000 characters",
        path.display()
    );
    Ok(Secret(text.to_owned()))
}

/// Reads `theirs=ours`.
fn alias(text: &str) -> Result<ProductAlias, String> {
    match text.split_once('=') {
        Some((theirs, ours)) if !theirs.is_empty() && !ours.is_empty() => {
            Ok(ProductAlias { theirs: theirs.to_owned(), ours: ours.to_owned() })
        }
        _ => Err("is not of the form theirs=ours".to_owned()),
    }
}
