//! `tonne serve`: the HTTP service, until it is told to stop.

use std::net::TcpListener;

use anyhow::{Context as _, Result};
use clap::Args;

use super::context::Context;
use super::{Ending, logging, output};
use crate::App;
use crate::config::{Config, Flag};

/// Serve over HTTP until SIGINT or SIGTERM; prints one line with the base address when ready.
#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Where to listen; port 0 takes any that is free [default: 127.0.0.1:8080].
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
}

impl Serve {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let listen = self.listen.map(|value| Flag { key: "server.listen", name: "--listen", value });
        let config = context.config(listen)?;
        logging::start(&config.log, "info,actix_server=warn");
        let lock = App::lock(&config)?;
        let listener = bind(&config)?;
        let address = base_address(&config, &listener)?;
        let app = App::build(config).await?;
        // From here on connections are taken and wait for their answer.
        output::say(&format!("Tonne serves {address}"))?;
        app.serve(&lock, listener, stopped()).await?;
        Ok(Ending::Done)
    }
}

/// The configured address. It listens already, so that two do not meet, and answers once the service runs.
pub(super) fn bind(config: &Config) -> Result<TcpListener> {
    let listen = &config.server.listen;
    let mend = || format!("cannot listen on {listen}; another address can be given by --listen, port 0 takes any");
    let listener = TcpListener::bind(listen.as_str()).with_context(mend)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// The base address as clients are told it.
pub(super) fn base_address(config: &Config, listener: &TcpListener) -> Result<String> {
    let origin = match &config.server.public_url {
        Some(origin) => origin.to_string(),
        None => format!("http://{}", listener.local_addr()?),
    };
    Ok(format!("{origin}/api"))
}

/// Done when the process is asked to end.
#[cfg(unix)]
pub(super) async fn stopped() {
    use tokio::signal::unix::{SignalKind, signal};

    let (interrupt, terminate) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    let (Ok(mut interrupt), Ok(mut terminate)) = (interrupt, terminate) else {
        tracing::warn!("signals cannot be heard; the service runs until it is killed");
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// Done when the process is asked to end.
#[cfg(not(unix))]
pub(super) async fn stopped() {
    if tokio::signal::ctrl_c().await.is_err() {
        tracing::warn!("signals cannot be heard; the service runs until it is killed");
        std::future::pending().await
    }
}
