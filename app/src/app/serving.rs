//! Runs the HTTP service of an app, with what has to be done now and then beside it.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use auth::Ed25519Signer;
use http::{Service, Settings, Tls};
use ports::Permissions;
use ports::credential::{Claims, TokenSigner as _};
use ports::directory::Tenant;
use ports::inbound::{Error, UndoPatience};
use tokio::sync::oneshot;
use tokio::time::MissedTickBehavior;

use super::elsewhere::elsewhere;
use super::measuring::MetricsPage;
use super::open_files::allow_connections;
use super::secret::present_secret;
use super::{App, Listeners, ServeLock, installation, single_tenant, starting};
use crate::doctor::clear_sessions;
use crate::measure::Exporter;

/// How often expired refresh tokens and revocations are removed.
const SWEEP: Duration = Duration::from_hours(1);
/// How often the files of the certificate are looked at.
const CERTIFICATE: Duration = Duration::from_secs(2);
/// How often what was measured is added up.
const ADD_UP: Duration = Duration::from_secs(5);
/// How often files and connections that nobody uses are closed.
const LET_GO: Duration = Duration::from_mins(1);

impl App {
    /// Answers requests on the listener until `stop` is done; requests that run then get the configured time to finish
    /// in. `stop` is first polled once connections are taken, and not at all where the service cannot start. Fails at once
    /// where [`check`](Self::check) does.
    pub async fn serve(
        &self,
        _lock: &ServeLock,
        listeners: impl Into<Listeners>,
        stop: impl Future<Output = ()>,
    ) -> Result<()> {
        self.check().await?;
        let Listeners { service: listener, metrics } = listeners.into();
        let address = listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
        let mut settings = self.settings()?;
        let connections = allow_connections(self.config.limits.connections);
        settings.limits.connections = usize::try_from(connections).unwrap_or(usize::MAX);
        let service = Service::with_pages(self.areas.clone(), settings, self.pages()?);
        let tls = self.tls()?;
        let reached = listener.local_addr().ok();
        let server = http::serve(service, listener, tls.clone()).context("the service cannot start")?;
        let store = if self.config.database.url.is_some() { "PostgreSQL" } else { "SQLite" };
        tracing::info!(version = env!("CARGO_PKG_VERSION"), address, store, "the service starts");
        self.backend.warn();
        if let Some(what) = clear_sessions(&self.config) {
            tracing::warn!(tenancy.mode = "host", "{what}; `tonne doctor` says how to mend it");
        }
        let page = metrics.map(|listener| MetricsPage::serve(self, listener, store)).transpose()?;
        let (exporter, page) = page.map(MetricsPage::into_parts).unzip();
        let page_handle = page.as_ref().map(http::Server::handle);
        let page = page.map(tokio::spawn);
        let handle = server.handle();
        let (started, has_started) = oneshot::channel();
        let mut running = tokio::spawn(starting::run(server, started));
        if has_started.await.is_err() {
            return running.await.context("the service ended")?.context("the service failed");
        }
        tokio::select! {
            ended = &mut running => return ended.context("the service ended")?.context("the service failed"),
            () = stop => {}
            () = self.do_chores(tls, exporter, reached) => {}
        }
        tracing::info!(timeout_s = self.config.server.stop_timeout_s, "the service stops: requests may finish");
        handle.stop(true).await;
        if let (Some(handle), Some(page)) = (page_handle, page) {
            handle.stop(false).await;
            // It ended as it was told to.
            drop(page.await);
        }
        let ended = running.await.context("the service ended")?.context("the service failed");
        self.access.flush().await;
        self.people.flush().await;
        ended
    }

    /// The pages beside the API.
    fn pages(&self) -> Result<http::edge::Pages> {
        Ok(web::pages(web::Site {
            areas: self.areas.clone(),
            recognize: Arc::new(web::SessionCookies { sessions: self.sessions() }),
            sessions: self.sessions(),
            users: self.people.clone(),
            staged: self.staged.clone(),
            catalog_imports: Arc::new(self.catalog()),
            provider: self.config.oidc.as_ref().map(|oidc| elsewhere(oidc, &self.texts)).transpose()?,
            clock: Arc::clone(&self.clock),
        }))
    }

    /// Does what has to be done now and then, each for itself: none waits for another, which may hold what it needs. Never
    /// ends.
    async fn do_chores(&self, tls: Option<Tls>, exporter: Option<Exporter>, reached: Option<SocketAddr>) {
        let certificates = async {
            if tls.is_some() {
                every(CERTIFICATE, || renew(tls.clone())).await;
            }
        };
        let measures = async {
            if let Some(exporter) = &exporter {
                every(ADD_UP, || {
                    exporter.add_up();
                    std::future::ready(())
                })
                .await;
            }
        };
        tokio::join!(
            self.backend.bring_up_to_date(),
            every(SWEEP, || self.resume_undoing()),
            every(SWEEP, || self.sweep()),
            every(LET_GO, || self.let_go()),
            self.send_events(reached),
            certificates,
            measures,
        );
    }

    /// The certificate of the configuration, if it has one.
    fn tls(&self) -> Result<Option<Tls>> {
        let Some(files) = &self.config.server.tls else { return Ok(None) };
        let tls = Tls::load(&files.certificate, &files.key);
        tls.map(Some).context("the certificate of server.tls_certificate and server.tls_key cannot be used")
    }

    /// Goes on with imports whose undoing was broken off, when the service or what it needs was.
    async fn resume_undoing(&self) {
        let tenants = match self.directory.list_tenants(&installation()).await {
            Ok(tenants) => tenants,
            Err(error) => {
                tracing::warn!(%error, "imports whose undoing was broken off were not looked for; it is tried again in an hour");
                return;
            }
        };
        for tenant in tenants {
            if let Err(error) = self.resume_undoing_of(&tenant).await {
                let tenant = tenant.slug.as_str();
                tracing::warn!(%error, tenant, "an undoing that was broken off is not gone on with; it is tried again in an hour");
            }
        }
    }

    async fn resume_undoing_of(&self, tenant: &Tenant) -> Result<(), Error> {
        let operator = self.operator(tenant);
        for batch in self.imports().undoing(&operator).await? {
            tracing::info!(import = %batch.id, "an import is undone to its end");
            self.imports().undo(&operator, batch.id, UndoPatience::Begun).await?;
        }
        Ok(())
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

    /// Finds out, before anybody connects or asks for a token, whether the certificate can be used, the signing key can be
    /// opened, and the tenant of the mode for one is there.
    pub async fn check(&self) -> Result<()> {
        self.tls()?;
        self.must_have_its_tenant().await?;
        self.must_sign(&self.signer).await
    }

    /// Finds out whether the secret of the configuration is there where something was sealed with it, and opens the signing
    /// key. Nothing is made.
    pub(crate) async fn check_secret(&self) -> Result<()> {
        let is_needed = !self.directory.verifying_keys().await?.is_empty();
        let Some(secret) = present_secret(&self.config, is_needed)? else { return Ok(()) };
        self.must_sign(&Ed25519Signer::new(secret.as_bytes())?).await
    }

    async fn must_sign(&self, signer: &Ed25519Signer) -> Result<()> {
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
        signer.sign(&trial, &key).map(drop).with_context(|| format!("access tokens cannot be signed; {mend}"))
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
            allowed_hosts: server.allowed_hosts.clone(),
            trusted_proxies: server.trusted_proxies.clone(),
            cors_origins: server.cors_origins.iter().map(ToString::to_string).collect(),
            limits: self.config.limits.of_service(Duration::from_secs(server.stop_timeout_s)),
            spool_dir: if self.config.database.url.is_some() {
                std::env::temp_dir()
            } else {
                self.config.store.data_dir.clone()
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            metrics_of_tenants: self.config.metrics.tenants,
            continue_trace: crate::trace::continues(),
        })
    }
}

/// Does something at once and then again and again, so long after the last time at least. Never ends.
async fn every<F: Future<Output = ()>>(period: Duration, mut chore: impl FnMut() -> F) {
    let mut ticks = tokio::time::interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        chore().await;
    }
}

/// Has the service show what the files of its certificate hold, where that changed.
async fn renew(tls: Option<Tls>) {
    let Some(tls) = tls else { return };
    match tokio::task::spawn_blocking(move || tls.reload()).await {
        Ok(Ok(false)) => {}
        Ok(Ok(true)) => tracing::info!("the certificate was replaced: new connections are shown the new one"),
        Ok(Err(error)) => {
            tracing::error!(%error, "the new certificate cannot be used: new connections are shown the one before");
        }
        Err(error) => tracing::error!(%error, "the files of the certificate were not read"),
    }
}
