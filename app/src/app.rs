//! The wiring: opens the store of the configuration, builds the use cases on it, and the HTTP service on those.

mod backend;
mod database;
mod files;
mod secret;
mod tenants;
mod transfer;

use std::future::Future;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use auth::{Ed25519Signer, RandomSecrets};
use http::{Areas, Service, Settings};
use ports::Permissions;
use ports::clock::Clock;
use ports::credential::{Claims, TokenSigner as _};
use ports::directory::Directory;
use ports::id_source::Ids;
use ports::inbound::{
    Access, Activities, Breakdowns, Catalog, Credentials, Footprints, Health, Imports, Models, SigningKeys, Switches,
    Tenants,
};
use ports::store::Store;

use crate::clock::SystemClock;
use crate::config::{Config, Mode};
use crate::id_source::SystemIds;
use crate::usecase::access::{AccessPorts, AccessService, CredentialCache, Lifetimes};
use crate::usecase::activity::ActivityService;
use crate::usecase::breakdown::BreakdownService;
use crate::usecase::catalog::CatalogService;
use crate::usecase::checkpoint::Checkpoints;
use crate::usecase::credential::CredentialService;
use crate::usecase::footprint::FootprintService;
use crate::usecase::health::HealthService;
use crate::usecase::import::ImportService;
use crate::usecase::model::ModelService;
use crate::usecase::read_model::ReadModels;
use crate::usecase::signing_key::SigningKeyService;
use crate::usecase::switch::SwitchService;
use crate::usecase::tenant::TenantService;
use crate::usecase::version::DirectoryVersion;

use backend::Backend;
pub use backend::ServeLock;
pub(crate) use backend::{NoStore, inspect, migrate, must_be_there};
use secret::{MissingSecret, installation_secret};
pub use tenants::{SINGLE_TENANT, UnknownTenant};
pub(crate) use tenants::{installation, single_tenant};

/// How often expired refresh tokens and revocations are removed.
const SWEEP: Duration = Duration::from_hours(1);
/// How often files and connections that nobody uses are closed.
const LET_GO: Duration = Duration::from_mins(1);

/// Tonne on its store: areas to ask, and a service to run.
pub struct App {
    config: Config,
    access: Arc<AccessService>,
    areas: Areas,
    imports: ImportService,
    breakdowns: BreakdownService,
    signing_keys: SigningKeyService,
    read_models: Arc<ReadModels>,
    checkpoints: Arc<Checkpoints>,
    backend: Box<dyn Backend>,
    store: Arc<dyn Store>,
    directory: Arc<dyn Directory>,
    version: Arc<DirectoryVersion>,
    signer: Arc<Ed25519Signer>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl App {
    /// Opens the store of the configuration, which is made or migrated where that is needed. In the mode for one tenant a
    /// new store gets the tenant [`SINGLE_TENANT`]. A store of which a part is gone (the directory, that tenant's records,
    /// the installation's secret) is refused, and nothing is made in the part's place.
    pub async fn build(config: Config) -> Result<Self> {
        let app = Self::assemble(config, MissingSecret::Refuse).await?;
        app.settle().await?;
        Ok(app)
    }

    /// The same for a store that is there: no tenant is made.
    pub(crate) async fn build_existing(config: Config) -> Result<Self> {
        let app = Self::assemble(config, MissingSecret::Refuse).await?;
        app.check_single_tenant().await?;
        Ok(app)
    }

    /// The same without making or looking for the only tenant.
    pub(crate) async fn build_without_tenant(config: Config) -> Result<Self> {
        Self::assemble(config, MissingSecret::Refuse).await
    }

    /// The same to make a new signing key: that needs none of the old ones, and a new secret serves where the old one is
    /// gone.
    pub(crate) async fn build_to_rotate(config: Config) -> Result<Self> {
        let app = Self::assemble(config, MissingSecret::Create).await?;
        app.check_single_tenant().await?;
        Ok(app)
    }

    async fn settle(&self) -> Result<()> {
        if self.config.tenancy.mode == Mode::Single { self.settle_single_tenant().await } else { Ok(()) }
    }

    /// In the mode for one tenant: finds out whether its data is there, if the directory knows it.
    async fn check_single_tenant(&self) -> Result<()> {
        if self.config.tenancy.mode == Mode::Single
            && let Some(tenant) = self.directory.find_tenant(&single_tenant()?).await?
        {
            self.backend.check(&tenant).await?;
        }
        Ok(())
    }

    async fn assemble(config: Config, missing: MissingSecret) -> Result<Self> {
        let (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>) = (Arc::new(SystemClock), Arc::new(SystemIds::new()));
        let backend = backend::open(&config, &clock, &ids).await?;
        let (directory, store) = (backend.directory(), backend.store());
        let missing = if directory.verifying_keys().await?.is_empty() { MissingSecret::Create } else { missing };
        let signer = Arc::new(Ed25519Signer::new(installation_secret(&config, missing)?.as_bytes())?);
        let checkpoints = Arc::new(Checkpoints::new(Arc::clone(&store)));
        let read_models = Arc::new(ReadModels::new(config.memory.read_model_budget(), Arc::clone(&checkpoints)));
        let version = Arc::new(DirectoryVersion::default());
        let cache = Arc::new(CredentialCache::new(Arc::clone(&version)));
        let ports = AccessPorts {
            directory: Arc::clone(&directory),
            signer: signer.clone(),
            secrets: Arc::new(RandomSecrets),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
        };
        let access = Arc::new(AccessService::new(ports, lifetimes(&config)?, Arc::clone(&cache)));
        let tenants = TenantService::new(Arc::clone(&directory), Arc::clone(&clock), Arc::clone(&version));
        let areas = areas(&access, &store, &read_models, &directory, tenants, &clock, &ids, cache);
        let imports = ImportService { store: Arc::clone(&store), clock: Arc::clone(&clock), ids: Arc::clone(&ids) };
        let breakdowns = BreakdownService { store: Arc::clone(&store), read_models: Arc::clone(&read_models) };
        let signing_keys = SigningKeyService {
            directory: Arc::clone(&directory),
            signer: signer.clone(),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
        };
        Ok(Self {
            config,
            access,
            areas,
            imports,
            breakdowns,
            signing_keys,
            read_models,
            checkpoints,
            backend,
            store,
            directory,
            version,
            signer,
            clock,
            ids,
        })
    }

    /// Takes the lock that keeps a second server away from a data folder: what [`serve`](Self::serve) asks for. Take it
    /// before [`build`](Self::build), which may migrate the store.
    pub fn lock(config: &Config) -> Result<ServeLock> {
        backend::lock(config)
    }

    /// Answers requests on the listener until `stop` is done; requests that run then get the configured time to finish
    /// in. Fails at once where [`check`](Self::check) does.
    pub async fn serve(&self, _lock: &ServeLock, listener: TcpListener, stop: impl Future<Output = ()>) -> Result<()> {
        self.check().await?;
        let address = listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
        let server = http::serve(self.service()?, listener).context("the service cannot start")?;
        let store = if self.config.database.url.is_some() { "PostgreSQL" } else { "SQLite" };
        tracing::info!(version = env!("CARGO_PKG_VERSION"), address, store, "the service starts");
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
        let server = &self.config.server;
        let settings = Settings {
            tenancy: self.config.tenancy.of_service(single_tenant()?),
            public_url: server.public_url.as_ref().map(|origin| origin.as_str().to_owned()),
            trusted_proxies: server.trusted_proxies.clone(),
            limits: self.config.limits.of_service(Duration::from_secs(server.stop_timeout_s)),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Ok(Service::new(self.areas.clone(), settings))
    }

    /// What can be asked, area by area.
    #[must_use]
    pub const fn areas(&self) -> &Areas {
        &self.areas
    }

    /// The use case that imports activities.
    #[must_use]
    pub const fn imports(&self) -> &dyn Imports {
        &self.imports
    }

    /// What breaks reports down.
    #[must_use]
    pub const fn breakdowns(&self) -> &dyn Breakdowns {
        &self.breakdowns
    }

    /// What makes signing keys, for the operator of the installation.
    #[must_use]
    pub const fn signing_keys(&self) -> &dyn SigningKeys {
        &self.signing_keys
    }

    /// The configuration that the app was built from.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// What reports are made from.
    #[must_use]
    pub const fn read_models(&self) -> &Arc<ReadModels> {
        &self.read_models
    }

    /// What keeps reports quick to make.
    #[must_use]
    pub const fn checkpoints(&self) -> &Arc<Checkpoints> {
        &self.checkpoints
    }

    /// The store of records.
    #[must_use]
    pub const fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// The directory of tenants and credentials.
    #[must_use]
    pub const fn directory(&self) -> &Arc<dyn Directory> {
        &self.directory
    }

    /// What makes signing keys.
    #[must_use]
    pub const fn signer(&self) -> &Arc<Ed25519Signer> {
        &self.signer
    }

    /// The clock that stamps what is written.
    #[must_use]
    pub const fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// What makes up identifiers.
    #[must_use]
    pub const fn ids(&self) -> &Arc<dyn Ids> {
        &self.ids
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("config", &self.config).finish_non_exhaustive()
    }
}

#[expect(clippy::too_many_arguments, reason = "each area's parts, once")]
fn areas(
    access: &Arc<AccessService>,
    store: &Arc<dyn Store>,
    read_models: &Arc<ReadModels>,
    directory: &Arc<dyn Directory>,
    tenants: TenantService,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
    cache: Arc<CredentialCache>,
) -> Areas {
    let (store, read_models, clock, ids) =
        (|| Arc::clone(store), || Arc::clone(read_models), || Arc::clone(clock), || Arc::clone(ids));
    let access: Arc<dyn Access> = access.clone();
    let activities: Arc<dyn Activities> =
        Arc::new(ActivityService { store: store(), read_models: read_models(), clock: clock(), ids: ids() });
    let catalog: Arc<dyn Catalog> = Arc::new(CatalogService { store: store(), clock: clock(), ids: ids() });
    let credentials: Arc<dyn Credentials> =
        Arc::new(CredentialService::new(Arc::clone(directory), Arc::new(RandomSecrets), clock(), ids(), cache));
    let footprints: Arc<dyn Footprints> = Arc::new(FootprintService { store: store(), clock: clock(), ids: ids() });
    let health: Arc<dyn Health> = Arc::new(HealthService { directory: Arc::clone(directory), store: store() });
    let models: Arc<dyn Models> = Arc::new(ModelService { store: store(), clock: clock(), ids: ids() });
    let switches: Arc<dyn Switches> = Arc::new(SwitchService { store: store(), clock: clock(), ids: ids() });
    let tenants: Arc<dyn Tenants> = Arc::new(tenants);
    Areas { access, activities, catalog, credentials, footprints, health, models, switches, tenants }
}

fn lifetimes(config: &Config) -> Result<Lifetimes> {
    let seconds = Duration::from_secs;
    Ok(Lifetimes::new(seconds(config.tokens.access_lifetime_s), seconds(config.tokens.refresh_lifetime_s))?)
}
