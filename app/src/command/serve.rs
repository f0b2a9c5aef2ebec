//! `tonne serve`: the HTTP service, until it is asked to stop.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use anyhow::{Context as _, Result};
use clap::Args;

use ports::TenantSlug;

use super::context::{Context, with_store_made};
use super::first_links::FirstLinks;
use super::{Ending, logging, output};
use crate::app::single_tenant;
use crate::config::{Config, Flag, Mode};
use crate::{App, Listeners, trace};

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
        logging::start_with_traces(&config, "info,actix_server=warn,actix_http=off")?;
        let lock = App::lock(&config)?;
        let listener = bind(&config)?;
        let metrics = Listeners::metrics(&config)?;
        let address = base_address(&config, &listener)?;
        let app = with_store_made(config, App::build).await?;
        app.check().await?;
        let links = FirstLinks::made(&app, listener.local_addr()?).await;
        let stop = stopped()?;
        // Polled from when connections are taken.
        let stop = async {
            if let Err(error) = output::say(&format!("Tonne serves {address}")) {
                tracing::warn!(%error, address, "the base address was not printed");
            }
            links.tell();
            tell_supervisor(Moment::Ready);
            stop.await;
            tell_supervisor(Moment::Stopping);
        };
        let served = app.serve(&lock, Listeners { service: listener, metrics }, stop).await;
        app.close().await;
        // The last ones are sent by a thread of their own, which is waited for.
        tokio::task::spawn_blocking(trace::flush).await?;
        served.map(|()| Ending::Done)
    }
}

/// What whoever supervises the process waits for.
#[derive(Clone, Copy)]
enum Moment {
    Ready,
    Stopping,
}

/// Tells systemd, where it asked to be told (`Type=notify`).
#[cfg(unix)]
fn tell_supervisor(moment: Moment) {
    let state = match moment {
        Moment::Ready => sd_notify::NotifyState::Ready,
        Moment::Stopping => sd_notify::NotifyState::Stopping,
    };
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd was not told how the service stands");
    }
}

#[cfg(windows)]
fn tell_supervisor(_: Moment) {}

/// The configured address. It listens already, so that two do not meet, and answers once the service runs.
pub(super) fn bind(config: &Config) -> Result<TcpListener> {
    let listen = &config.server.listen;
    let mend = || format!("cannot listen on {listen}; another address can be given by --listen, port 0 takes any");
    let listener = TcpListener::bind(listen.as_str()).with_context(mend)?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// The base address as clients see it; where there are several tenants, with a place for the one that is meant.
pub(super) fn base_address(config: &Config, listener: &TcpListener) -> Result<String> {
    base_of(config, nearest(listener.local_addr()?), "{tenant}")
}

/// The address of a company's pages, seen from a service that listens there.
pub(super) fn pages_address(config: &Config, listening: SocketAddr, tenant: &TenantSlug) -> Result<String> {
    let base = base_of(config, nearest(listening), tenant.as_str())?;
    Ok(base.strip_suffix("/api").unwrap_or(&base).to_owned())
}

fn base_of(config: &Config, listening: SocketAddr, tenant: &str) -> Result<String> {
    let origin = match (&config.server.public_url, &config.tenancy.mode) {
        (Some(origin), _) => origin.to_string(),
        (None, Mode::Host(domain)) => format!("https://{domain}"),
        (None, Mode::Single | Mode::Path) => {
            let scheme = if config.server.tls.is_some() { "https" } else { "http" };
            format!("{scheme}://{listening}")
        }
    };
    Ok(config.tenancy.of_service(single_tenant()?).base_url(&origin, tenant))
}

/// An address that this machine can connect to: of a listener on all addresses, its own.
pub(super) fn nearest(listening: SocketAddr) -> SocketAddr {
    match listening.ip() {
        IpAddr::V4(all) if all.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, listening.port())),
        IpAddr::V6(all) if all.is_unspecified() => SocketAddr::from((Ipv6Addr::LOCALHOST, listening.port())),
        IpAddr::V4(_) | IpAddr::V6(_) => listening,
    }
}

/// Listens for SIGINT and SIGTERM from now on; the future is done when one has come.
#[cfg(unix)]
pub(super) fn stopped() -> Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let failure = "signals cannot be received";
    let mut interrupt = signal(SignalKind::interrupt()).context(failure)?;
    let mut terminate = signal(SignalKind::terminate()).context(failure)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Listens for SIGINT and SIGTERM from now on; the future is done when one has come.
#[cfg(windows)]
pub(super) fn stopped() -> Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c().context("signals cannot be received")?;
    Ok(async move {
        interrupt.recv().await;
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_on_all_addresses_is_named_by_one_that_can_be_connected_to() {
        for (listening, named) in
            [("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:8080", "[::1]:8080"), ("192.0.2.1:80", "192.0.2.1:80")]
        {
            assert_eq!(nearest(listening.parse().unwrap()).to_string(), named);
        }
    }
}
