//! `tonne pact`: partners' hosts of the PACT data exchange.

mod partner;
mod pull;
mod request;
mod test_host;

use anyhow::Result;
use clap::Subcommand;

use super::Ending;
use super::context::Context;

/// Call partners' hosts of the PACT data exchange.
#[derive(Debug, Subcommand)]
pub(super) enum PactCommand {
    Pull(pull::PullFootprints),
    Request(request::Request),
    Requests(request::Requests),
    Test(test_host::TestHost),
}

impl PactCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Pull(command) => command.run(context).await,
            Self::Request(command) => command.run(context).await,
            Self::Requests(command) => command.run(context).await,
            Self::Test(command) => command.run(context).await,
        }
    }
}
