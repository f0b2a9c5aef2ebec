//! `tonne health`: whether the service of this configuration can answer, for whoever watches over it.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::context::Context;
use super::serve::nearest;
use super::{Ending, Usage, output};
use crate::config::Flag;

/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ask the service that runs with this configuration whether it can answer (GET /health/ready); exits with 0 if it can.
#[derive(Debug, Args)]
pub(super) struct HealthArgs {
    /// Where it listens [default: server.listen of the configuration, 127.0.0.1:8080].
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
}

impl HealthArgs {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let listen = self.listen.map(|value| Flag { key: "server.listen", name: "--listen", value });
        let server = context.config(listen)?.server;
        let resolved = tokio::net::lookup_host(&server.listen).await;
        let addresses = resolved.with_context(|| format!("{} cannot be resolved", server.listen))?;
        let mut last = format!("{} has no address", server.listen);
        for address in addresses.map(nearest) {
            if address.port() == 0 {
                return Err(Usage("port 0 is any port: say by --listen which one the service has".to_owned()).into());
            }
            match fault(address, server.tls.is_some()).await {
                None => {
                    output::say(&format!("the service at {address} is ready"))?;
                    return Ok(Ending::Done);
                }
                Some(fault) => last = fault,
            }
        }
        bail!("{last}")
    }
}

/// Why the service at that address is not ready.
async fn fault(address: SocketAddr, is_tls: bool) -> Option<String> {
    match http::probe(address, is_tls, PATIENCE).await {
        Ok(200) => None,
        Ok(status) => Some(format!("the service at {address} answers {status}: see its log")),
        Err(error) => Some(format!("the service at {address} does not answer: {error}")),
    }
}
