//! `tonne signing-key`: what access tokens are signed with.

use anyhow::Result;
use clap::{Args, Subcommand};
use ports::inbound::SigningKeyView;

use super::context::Context;
use super::json::{object, text};
use super::{Ending, output};
use crate::app::installation;

/// Rotate the key that access tokens are signed with.
#[derive(Debug, Subcommand)]
pub(super) enum SigningKey {
    /// Sign with a new key from now on; tokens of the old one are good until they run out.
    ///
    /// Where the folder's secret.key is gone, a new one is made.
    Rotate(Rotate),
}

/// How the new key is printed.
#[derive(Debug, Args)]
pub(super) struct Rotate {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl SigningKey {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self::Rotate(Rotate { json }) = self;
        let app = context.app_to_rotate().await?;
        let SigningKeyView { kid, created } = app.signing_keys().rotate(&installation()).await?;
        output::say(&if json {
            object([("kid", text(kid)), ("created", text(created))]).to_string()
        } else {
            format!("new tokens are signed with the key {kid}")
        })?;
        Ok(Ending::Done)
    }
}
