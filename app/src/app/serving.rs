//! Runs the HTTP service of an app, with what has to be done now and then beside it.

use std::future::Future;
use std::net::TcpListener;
use std::pin::pin;
use std::time::Duration;

use anyhow::{Context as _, Result};
use http::{Service, Settings};
use ports::Permissions;
use ports::credential::{Claims, TokenSigner as _};

use super::open_files::allow_connections;
use super::{App, ServeLock, installation, single_tenant};

/// How often expired refresh tokens and revocations are removed.
const SWEEP: Duration = Duration::from_hours(1);
/// How often files and connections that nobody uses are closed.
const LET_GO: Duration = Duration::from_mins(1);

impl App {
    /// Answers requests on the listener until `stop` is done; requests that run then get the configured time to finish
    /// in. Fails at once where [`check`](Self::check) does.
    pub async fn serve(&self, _lock: &ServeLock, listener: TcpListener, stop: impl Future<Output = ()>) -> Result<()> {
        self.check().await?;
        let address = listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
        let mut settings = self.settings()?;
        let connections = allow_connections(self.config.limits.connections);
        settings.limits.connections = usize::try_from(connections).unwrap_or(usize::MAX);
        let service = Service::new(self.areas.clone(), settings);
        let server = http::serve(service, listener).context("the service cannot start")?;
        let store = if self.config.database.url.is_some() { "PostgreSQL" } else { "SQLite" };
        tracing::info!(version = env!("CARGO_PKG_VERSION"), address, store, "the service starts");
        self.backend.warn();
        let handle = server.handle();
        let mut running = tokio::spawn(server);
        let (mut sweeps, mut rests) = (tokio::time::interval(SWEEP), tokio::time::interval(LET_GO));
        let mut stop = pin!(stop);
        loop {
            tokio::select! {
                ended = &mut running => return ended.context("the service ended")?.context("the service failed"),
                () = &mut stop => break,
                _ = sweeps.tick() => self.sweep().await,
                _ = rests.tick() => self.let_go().await,
            }
        }
        tracing::info!(timeout_s = self.config.server.stop_timeout_s, "the service stops: requests may finish");
        handle.stop(true).await;
        let ended = running.await.context("the service ended")?.context("the service failed");
        self.access.flush().await;
        ended
    }

    async fn sweep(&self) {
        if let Err(error) = self.access.sweep().await {
            tracing::warn!(%error, "what has run out was not forgotten; it is tried again in an hour");
        }
    }

    async fn let_go(&self) {
        if let Err(error) = self.backend.sweep().await {
            tracing::warn!(%error, "what is needed no more was not let go; it is tried again in a minute");
        }
    }

    /// Closes the store: what others copy of the folder then is whole in the `.db` files, where nobody else has them
    /// open. Nothing can be asked afterwards. An app that is dropped with all it gave out closes its store too.
    pub async fn close(&self) {
        self.checkpoints.finish().await;
        self.backend.close().await;
    }

    /// Finds out, before anybody asks for a token, whether the signing key can be opened, and whether the tenant of the
    /// mode for one is there.
    pub async fn check(&self) -> Result<()> {
        self.must_have_its_tenant().await?;
        let Some(key) = self.directory.signing_key(&installation()).await? else { return Ok(()) };
        let now = self.clock.now();
        let trial = Claims {
            issuer: String::new(),
            tenant: self.ids.random().into(),
            client: self.ids.random().into(),
            jti: self.ids.random(),
            family: None,
            scope: Permissions::NONE,
            issued: now,
            expires: now,
        };
        let mend = "put the secret back that it was sealed with, or run `tonne signing-key rotate`";
        self.signer.sign(&trial, &key).map(drop).with_context(|| format!("access tokens cannot be signed; {mend}"))
    }

    /// The service, to run in an actix application of your own by [`http::configure`].
    pub fn service(&self) -> Result<Service> {
        Ok(Service::new(self.areas.clone(), self.settings()?))
    }

    fn settings(&self) -> Result<Settings> {
        let server = &self.config.server;
        Ok(Settings {
            tenancy: self.config.tenancy.of_service(single_tenant()?),
            public_url: server.public_url.as_ref().map(|origin| origin.as_str().to_owned()),
            trusted_proxies: server.trusted_proxies.clone(),
            cors_origins: server.cors_origins.iter().map(ToString::to_string).collect(),
            limits: self.config.limits.of_service(Duration::from_secs(server.stop_timeout_s)),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }
}
