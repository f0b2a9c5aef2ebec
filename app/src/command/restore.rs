//! `tonne restore`: a backup into an empty place.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use files::Json;
use ports::directory::{Client, Key};
use ports::people::User;

use super::context::Context;
use super::json::{array, object, optional, text};
use super::{Ending, logging, output};
use crate::app::{BackedUpCredentials, Restored, RestoredCredentials, restore};

/// Restore a backup of `tonne backup` into an empty folder or database.
///
/// Every file is compared with its digest, and every record, change and sum is checked, before anything is put in its
/// place. A store that is there is never touched.
///
/// What was written after the backup is gone, and its numbers are used again: so each company gets a new epoch, by which no
/// tag (`ETag`) from before matches what comes after, and every token is worth nothing. Keys and clients are as they were when the
/// backup was made, also those that were revoked since; they are listed.
#[derive(Debug, Args)]
pub(super) struct Restore {
    /// The backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Remove all keys and clients that are in the backup, and the passwords and provider sign-ins of its users.
    #[arg(long)]
    revoke_credentials: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Restore {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let config = context.config([])?;
        logging::start(&config.log, "warn");
        let to = match &config.database.url {
            Some(_) => "the database".to_owned(),
            None => config.store.data_dir.display().to_string(),
        };
        let credentials =
            if self.revoke_credentials { BackedUpCredentials::Revoked } else { BackedUpCredentials::Kept };
        let restored = restore(config, &self.file, credentials).await?;
        output::note(&format!("made a new store in {to}"));
        if self.json {
            output::say(&json(&restored, credentials))?;
        } else {
            output::say(&summary(&restored, &to, credentials))?;
        }
        Ok(Ending::Done)
    }
}

fn summary(restored: &Restored, to: &str, credentials: BackedUpCredentials) -> String {
    let Restored { manifest, credentials: RestoredCredentials { clients, keys, users }, leaves_secret } = restored;
    let companies = match manifest.tenants.as_slice() {
        [one] => format!("the company {} is", one.slug),
        several => format!("{} companies are", several.len()),
    };
    let mut lines =
        vec![
            format!("{companies} restored to {to} as of {}; what was written later is gone", manifest.created),
            "tokens from before are worth nothing: clients fetch new ones; a place in the changes from before is 410, and whoever keeps \
             one reads all records anew"
                .to_owned(),
        ];
    if !users.is_empty() {
        lines.push("sessions from before are over: people sign in again".to_owned());
    }
    if *leaves_secret {
        lines.push(
            "the secret.key of the backup was put nowhere, since a database has no place for it: signing keys are made anew, \
             so nothing needs it; to use it all the same, `tar -xf BACKUP secret.key` takes it out, and secrets.key_file \
             names it on each node"
                .to_owned(),
        );
    }
    match (credentials, clients.len() + keys.len() + users.len()) {
        (BackedUpCredentials::Revoked, _) => lines.push(match users.len() {
            0 => "keys and clients were left out".to_owned(),
            count => format!(
                "keys, clients, and the passwords and provider sign-ins of {} were left out; `tonne user link` makes links \
                 that sign in once",
                if count == 1 { "one user".to_owned() } else { format!("{count} users") }
            ),
        }),
        (BackedUpCredentials::Kept, 0) => {}
        (BackedUpCredentials::Kept, count) => {
            lines.push(match count {
                1 => "one credential is good as it was then; revoke it if it was revoked since:".to_owned(),
                _ => format!(
                    "{count} keys, clients and users are good as they were then; revoke those that were revoked since:"
                ),
            });
            lines.extend(clients.iter().map(|(tenant, client)| {
                let Client { id, name, permissions, created, .. } = client;
                format!("  {}: client {id} ({name}), of {created}: {permissions}", tenant.slug)
            }));
            lines.extend(keys.iter().map(|(tenant, key)| {
                let Key { prefix, name, permissions, created, .. } = key;
                format!("  {}: key {prefix} ({name}), of {created}: {permissions}", tenant.slug)
            }));
            lines.extend(users.iter().map(|(tenant, user)| {
                let User { name, rights, created, .. } = &user.value;
                format!("  {}: user {name}, of {created}: {rights}", tenant.slug)
            }));
        }
    }
    lines.join("\n")
}

fn json(restored: &Restored, credentials: BackedUpCredentials) -> String {
    let Restored { manifest, credentials: RestoredCredentials { clients, keys, users }, leaves_secret } = restored;
    let tenants = manifest.tenants.iter().map(|tenant| text(&tenant.slug));
    let clients = clients.iter().map(|(tenant, client)| {
        object([
            ("tenant", text(&tenant.slug)),
            ("client_id", text(client.id)),
            ("name", text(&client.name)),
            ("permissions", text(client.permissions)),
            ("created", text(client.created)),
            ("lastUsed", optional(client.last_used)),
            ("expires", optional(client.expires)),
        ])
    });
    let keys = keys.iter().map(|(tenant, key)| {
        object([
            ("tenant", text(&tenant.slug)),
            ("uuid", text(key.id)),
            ("prefix", text(&key.prefix)),
            ("name", text(&key.name)),
            ("permissions", text(key.permissions)),
            ("created", text(key.created)),
            ("lastUsed", optional(key.last_used)),
            ("expires", optional(key.expires)),
        ])
    });
    let users = users.iter().map(|(tenant, user)| {
        let user = &user.value;
        object([
            ("tenant", text(&tenant.slug)),
            ("uuid", text(user.id)),
            ("name", text(&user.name)),
            ("rights", text(user.rights)),
            ("hasPassword", Json::Bool(user.password.is_some())),
            ("created", text(user.created)),
            ("lastSeen", optional(user.last_seen)),
        ])
    });
    object([
        ("backedUp", text(&manifest.created)),
        ("tenants", array(tenants)),
        ("revoked", Json::Bool(credentials == BackedUpCredentials::Revoked)),
        ("clients", array(clients)),
        ("keys", array(keys)),
        ("users", array(users)),
        ("secretLeft", Json::Bool(*leaves_secret)),
    ])
    .to_string()
}
