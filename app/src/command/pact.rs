//! `tonne pact`: partners' hosts of the PACT data exchange.

mod partner;
mod test_host;

use anyhow::Result;
use clap::Subcommand;

use super::Ending;
use super::context::Context;

/// Call partners' hosts of the PACT data exchange.
#[derive(Debug, Subcommand)]
pub(super) enum PactCommand {
    Test(test_host::TestHost),
}

impl PactCommand {
    pub(super) async fn run(self, _: &Context) -> Result<Ending> {
        match self {
            Self::Test(command) => command.run().await,
        }
    }
}
