//! `tonne epoch`: what has to be done after records were put back by other means than `tonne restore`.

use anyhow::Result;
use clap::Subcommand;

use super::context::Context;
use super::{Ending, output};

/// The epochs of companies, in which the numbers of versions count.
#[derive(Debug, Subcommand)]
pub(super) enum Epoch {
    /// Begin a new epoch of every company and end every token, after a database or disk was put back to an earlier state.
    ///
    /// What was written since is gone, and its numbers are used again. By the new epoch no tag (`ETag`) from before matches what
    /// comes after. Clients ask for new tokens; keys and clients stay as they are. Servers that run know it within a second.
    Renew {},
}

impl Epoch {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self::Renew {} = self;
        let app = context.app_without_secret().await?;
        let renewed = app.renew_epochs().await?;
        let companies = match renewed.as_slice() {
            [one] => format!("the company {}", one.slug),
            several => format!("{} companies", several.len()),
        };
        output::say(&format!("{companies}: a new epoch has begun, and tokens from before are worth nothing"))?;
        app.close().await;
        Ok(Ending::Done)
    }
}
