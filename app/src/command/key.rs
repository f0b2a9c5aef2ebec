//! `tonne key`: API keys.

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use files::Json;
use ports::directory;
use ports::inbound::NewKey;
use ports::{Caller, KeyId};

use super::context::{Context, IfAbsent};
use super::credential::{Create, or_dash, page, words};
use super::json::{array, members, optional, text};
use super::terminal_table::{Align, Table};
use super::{Ending, output};
use crate::App;

/// Create, list and revoke API keys, which clients send as Authorization: Bearer.
#[derive(Debug, Subcommand)]
pub(super) enum Key {
    /// Create a key and print it: it is shown this once.
    Create(Create),
    /// List the keys.
    List(List),
    /// Revoke a key: within a second it is worth nothing, beside a running server too.
    Revoke(Revoke),
}

/// What to list.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What to revoke.
#[derive(Debug, Args)]
pub(super) struct Revoke {
    /// The key's UUID, as `tonne key list` shows it.
    #[arg(value_name = "UUID")]
    id: KeyId,
}

impl Key {
    const fn if_absent(&self) -> IfAbsent {
        match self {
            Self::Create(_) => IfAbsent::Make,
            Self::List(_) | Self::Revoke(_) => IfAbsent::Refuse,
        }
    }

    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(self.if_absent()).await?;
        match self {
            Self::Create(create) => {
                let new = app.areas().credentials.add_key(&operator, create.draft()).await?;
                if create.json {
                    output::say(&created(&new).to_string())?;
                } else {
                    output::say(&new.secret.0)?;
                    let key = &new.view.key;
                    output::note(&format!(
                        "This is the key {:?}, {}. It is shown this once.",
                        key.name.as_str(),
                        key.id
                    ));
                }
            }
            Self::List(list) => {
                let keys = all(&app, &operator).await?;
                output::say(&if list.json {
                    array(keys.iter().map(|key| Json::Object(shown(key)))).to_string()
                } else {
                    table(&keys)
                })?;
            }
            Self::Revoke(Revoke { id }) => {
                let removed = app.areas().credentials.remove_key(&operator, id, None).await;
                removed
                    .with_context(|| format!("the key {id} was not revoked; `tonne key list` shows those there are"))?;
                output::say(&format!("the key {id} is revoked"))?;
            }
        }
        Ok(Ending::Done)
    }
}

async fn all(app: &App, operator: &Caller) -> Result<Vec<directory::Key>> {
    let mut keys = Vec::new();
    for number in 1.. {
        let listing = app.areas().credentials.list_keys(operator, page(number)).await?;
        let done = listing.data.is_empty();
        keys.extend(listing.data.into_iter().map(|view| view.key));
        if done || keys.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(keys)
}

fn created(new: &NewKey) -> Json {
    let key = members([("key", text(&new.secret.0))]);
    Json::Object(key.into_iter().chain(shown(&new.view.key)).collect())
}

fn shown(key: &directory::Key) -> Vec<(String, Json)> {
    members([
        ("uuid", text(key.id)),
        ("name", text(&key.name)),
        ("permissions", words(key.permissions)),
        ("prefix", text(&key.prefix)),
        ("created", text(key.created)),
        ("expires", optional(key.expires)),
        ("lastUsed", optional(key.last_used)),
    ])
}

fn table(keys: &[directory::Key]) -> String {
    let columns = ["uuid", "name", "prefix", "permissions", "expires", "last used"].map(|name| (name, Align::Left));
    let mut table = Table::new(columns);
    for key in keys {
        table.row([
            key.id.to_string(),
            key.name.to_string(),
            key.prefix.clone(),
            key.permissions.to_string(),
            or_dash(key.expires),
            or_dash(key.last_used),
        ]);
    }
    table.render()
}
