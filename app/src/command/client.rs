//! `tonne client`: credentials that get tokens.

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use files::Json;
use ports::directory;
use ports::inbound::NewClient;
use ports::{Caller, ClientId};

use super::context::{Context, IfAbsent};
use super::credential::{Create, or_dash, page, words};
use super::json::{array, members, optional, text};
use super::terminal_table::{Align, Table};
use super::{Ending, output};
use crate::App;

/// Create, list, rotate and revoke clients, which get tokens from POST /auth/token.
#[derive(Debug, Subcommand)]
pub(super) enum Client {
    /// Create a client and print its secret: it is shown this once.
    Create(Create),
    /// List the clients.
    List(List),
    /// Give a client a new secret: the old one is worth nothing from then on.
    Rotate(Rotate),
    /// Revoke a client: within a second its tokens are worth nothing, beside a running server too.
    Revoke(Revoke),
}

/// What to list.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Which client gets a new secret.
#[derive(Debug, Args)]
pub(super) struct Rotate {
    /// The `client_id`, as `tonne client list` shows it.
    #[arg(value_name = "CLIENT_ID")]
    id: ClientId,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What to revoke.
#[derive(Debug, Args)]
pub(super) struct Revoke {
    /// The `client_id`, as `tonne client list` shows it.
    #[arg(value_name = "CLIENT_ID")]
    id: ClientId,
}

impl Client {
    const fn if_absent(&self) -> IfAbsent {
        match self {
            Self::Create(_) => IfAbsent::Make,
            Self::List(_) | Self::Rotate(_) | Self::Revoke(_) => IfAbsent::Refuse,
        }
    }

    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(self.if_absent()).await?;
        let credentials = &app.areas().credentials;
        let there_are = "`tonne client list` shows those there are";
        match self {
            Self::Create(create) => {
                let new = credentials.add_client(&operator, create.draft()).await?;
                report(&new, create.json)?;
            }
            Self::List(list) => {
                let clients = all(&app, &operator).await?;
                let json = || Json::to_string(&array(clients.iter().map(|client| Json::Object(shown(client)))));
                output::say(&if list.json { json() } else { table(&clients) })?;
            }
            Self::Rotate(Rotate { id, json }) => {
                let rotated = credentials.rotate_client(&operator, id, None).await;
                let new = rotated.with_context(|| format!("the client {id} got no new secret; {there_are}"))?;
                report(&new, json)?;
            }
            Self::Revoke(Revoke { id }) => {
                let removed = credentials.remove_client(&operator, id, None).await;
                removed.with_context(|| format!("the client {id} was not revoked; {there_are}"))?;
                output::say(&format!("the client {id} is revoked"))?;
            }
        }
        Ok(Ending::Done)
    }
}

async fn all(app: &App, operator: &Caller) -> Result<Vec<directory::Client>> {
    let mut clients = Vec::new();
    for number in 1.. {
        let listing = app.areas().credentials.list_clients(operator, page(number)).await?;
        let done = listing.data.is_empty();
        clients.extend(listing.data.into_iter().map(|view| view.client));
        if done || clients.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(clients)
}

/// Prints the client with its secret. What is only to be read by people goes elsewhere.
fn report(new: &NewClient, json: bool) -> Result<()> {
    let client = &new.view.client;
    let secret = &new.secret.0;
    if json {
        let mut members = shown(client);
        members.insert(1, ("client_secret".to_owned(), Json::Text(secret.clone())));
        output::say(&Json::Object(members).to_string())?;
    } else {
        output::say(&format!("client_id      {}\nclient_secret  {secret}", client.id))?;
        output::note("The secret is shown this once.");
    }
    Ok(())
}

fn shown(client: &directory::Client) -> Vec<(String, Json)> {
    members([
        ("client_id", text(client.id)),
        ("name", text(&client.name)),
        ("permissions", words(client.permissions)),
        ("created", text(client.created)),
        ("expires", optional(client.expires)),
        ("lastUsed", optional(client.last_used)),
    ])
}

fn table(clients: &[directory::Client]) -> String {
    let columns = ["client_id", "name", "permissions", "expires", "last used"].map(|name| (name, Align::Left));
    let mut table = Table::new(columns);
    for client in clients {
        table.row([
            client.id.to_string(),
            client.name.to_string(),
            client.permissions.to_string(),
            or_dash(client.expires),
            or_dash(client.last_used),
        ]);
    }
    table.render()
}
