//! Tonne on its store: what an embedder or a command opens, asks and runs.

mod backend;
mod backup;
mod database;
mod elsewhere;
mod epoch;
mod files;
mod measuring;
mod open_files;
mod operator;
mod outbox;
mod restore;
mod secret;
mod serving;
mod starting;
mod sweeping;
mod tenants;
mod transfer;
mod wiring;

use std::sync::Arc;

use anyhow::Result;
use auth::Ed25519Signer;
use http::Areas;
use ports::clock::Clock;
use ports::credential::TextSigner;
use ports::directory::Directory;
use ports::id_source::Ids;
use ports::inbound::{
    Breakdowns, CatalogImports, FactorSetImports, FactorUses, Imports, PublishedFactors, Sessions, SigningKeys,
    StagedImports, Statements, SupplierFactors, Users,
};
use ports::partner_host::PartnerHost;
use ports::people::People;
use ports::store::{Store, StoreError};

use crate::config::{Config, Mode};
use crate::usecase::access::AccessService;
use crate::usecase::catalog::CatalogService;
use crate::usecase::checkpoint::Checkpoints;
use crate::usecase::exchange::Wake;
use crate::usecase::pact::pull::{MOST_BYTES, PullService};
use crate::usecase::people::PeopleService;
use crate::usecase::published::PublishedFactorService;
use crate::usecase::read_model::ReadModels;
use crate::usecase::signing_key::SigningKeyService;
use crate::usecase::staged::StagedService;
use crate::usecase::version::DirectoryVersion;

pub use backend::ServeLock;
use backend::{Backend, Purpose};
pub(crate) use backend::{Inspect, NoStore, inspect, migrate, must_be_there};
pub(crate) use backup::{BackedUp, Secrets, back_up};
pub(crate) use database::ServerState;
pub(crate) use files::{is_read_elsewhere, size_of};
pub use measuring::Listeners;
pub(crate) use measuring::StoreSize;
pub(crate) use operator::{factor_reader, installation, maintenance};
pub(crate) use restore::{BackedUpCredentials, Restored, RestoredCredentials, restore};
use secret::MissingSecret;
pub(crate) use tenants::single_tenant;
pub use tenants::{SINGLE_TENANT, UnknownTenant};

/// Tonne on its store: areas to ask, and a service to run.
pub struct App {
    config: Config,
    access: Arc<AccessService>,
    areas: Areas,
    people: Arc<PeopleService>,
    texts: Arc<dyn TextSigner>,
    signing_keys: SigningKeyService,
    published: Arc<PublishedFactorService>,
    read_models: Arc<ReadModels>,
    checkpoints: Arc<Checkpoints>,
    staged: Arc<StagedService>,
    backend: Arc<dyn Backend>,
    store: Arc<dyn Store>,
    directory: Arc<dyn Directory>,
    version: Arc<DirectoryVersion>,
    signer: Arc<Ed25519Signer>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    wake: Arc<Wake>,
}

impl App {
    /// Opens the store of the configuration, which is made or migrated where that is needed. In the mode for one tenant a
    /// new store gets the tenant [`SINGLE_TENANT`]. A store of which a part is gone (the directory, that tenant's records,
    /// the installation's secret) is refused, and nothing is made in the part's place.
    pub async fn build(config: Config) -> Result<Self> {
        let app = Self::assemble(config, Purpose::Work, MissingSecret::Refuse).await?;
        app.settle(SINGLE_TENANT).await?;
        Ok(app)
    }

    /// The same where a new store's tenant is called so.
    pub(crate) async fn build_called(config: Config, name: &str) -> Result<Self> {
        let app = Self::assemble(config, Purpose::Work, MissingSecret::Refuse).await?;
        app.settle(name).await?;
        Ok(app)
    }

    /// The same for a store that is there: no tenant is made.
    pub(crate) async fn build_existing(config: Config) -> Result<Self> {
        let app = Self::assemble(config, Purpose::Work, MissingSecret::Refuse).await?;
        app.check_single_tenant().await?;
        Ok(app)
    }

    /// The same to read alone, also where nothing may be written.
    pub(crate) async fn build_to_read(config: Config) -> Result<Self> {
        let app = Self::assemble(config, Purpose::Reading, MissingSecret::NotNeeded).await?;
        app.check_single_tenant().await?;
        Ok(app)
    }

    /// The same to look at the store as it is: nothing is made, migrated or mended.
    pub(crate) async fn build_to_look(config: Config) -> Result<Self> {
        Self::assemble(config, Purpose::Look, MissingSecret::NotNeeded).await
    }

    /// What the database server says of itself, where there is one.
    pub(crate) async fn server_state(&self) -> Result<Option<ServerState>, StoreError> {
        self.backend.server_state().await
    }

    /// The same without making or looking for the only tenant.
    pub(crate) async fn build_without_tenant(config: Config) -> Result<Self> {
        Self::assemble(config, Purpose::Work, MissingSecret::Refuse).await
    }

    /// The same for work that signs nothing, which needs no secret.
    pub(crate) async fn build_without_secret(config: Config) -> Result<Self> {
        Self::assemble(config, Purpose::Work, MissingSecret::NotNeeded).await
    }

    /// The same to make a new signing key: that needs none of the old ones, and a new secret serves where the old one is
    /// gone.
    pub(crate) async fn build_to_rotate(config: Config) -> Result<Self> {
        let app = Self::assemble(config, Purpose::Work, MissingSecret::Create).await?;
        app.check_single_tenant().await?;
        Ok(app)
    }

    async fn settle(&self, name: &str) -> Result<()> {
        if self.config.tenancy.mode == Mode::Single { self.settle_single_tenant(name).await } else { Ok(()) }
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

    /// Takes the lock that keeps a second server away from a data folder: what [`serve`](Self::serve) asks for. Take it
    /// before [`build`](Self::build), which may migrate the store.
    pub fn lock(config: &Config) -> Result<ServeLock> {
        backend::lock(config)
    }

    /// What can be asked, area by area.
    #[must_use]
    pub const fn areas(&self) -> &Areas {
        &self.areas
    }

    /// The use case that imports files step by step.
    #[must_use]
    pub fn staged_imports(&self) -> &dyn StagedImports {
        self.staged.as_ref()
    }

    /// The use case that imports activities.
    #[must_use]
    pub fn imports(&self) -> &dyn Imports {
        self.areas.imports.as_ref()
    }

    /// What imports catalogs.
    #[must_use]
    pub fn catalog_imports(&self) -> impl CatalogImports {
        self.catalog()
    }

    /// What uses published factors.
    #[must_use]
    pub fn factor_uses(&self) -> impl FactorUses {
        self.catalog()
    }

    /// What makes factors of the footprints that partners' hosts show.
    #[must_use]
    pub fn supplier_factors(&self, host: Arc<dyn PartnerHost>) -> impl SupplierFactors {
        PullService {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            host,
            most_bytes: MOST_BYTES,
        }
    }

    fn catalog(&self) -> CatalogService {
        CatalogService {
            store: Arc::clone(&self.store),
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            sets: self.backend.factor_sets(),
        }
    }

    /// What breaks reports down.
    #[must_use]
    pub fn breakdowns(&self) -> &dyn Breakdowns {
        self.areas.breakdowns.as_ref()
    }

    /// What makes inventory statements.
    #[must_use]
    pub fn statements(&self) -> &dyn Statements {
        self.areas.statements.as_ref()
    }

    /// What manages users.
    #[must_use]
    pub fn users(&self) -> &dyn Users {
        self.people.as_ref()
    }

    /// What signs people in.
    #[must_use]
    pub fn sessions(&self) -> Arc<dyn Sessions> {
        self.people.clone()
    }

    /// What makes signing keys, for the operator of the installation.
    #[must_use]
    pub const fn signing_keys(&self) -> &dyn SigningKeys {
        &self.signing_keys
    }

    /// What looks up published factors.
    #[must_use]
    pub fn published_factors(&self) -> &dyn PublishedFactors {
        self.published.as_ref()
    }

    /// What adds and removes sets of published factors, for the operator of the installation.
    #[must_use]
    pub fn factor_set_imports(&self) -> &dyn FactorSetImports {
        self.published.as_ref()
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

    /// What keeps users beside the directory.
    pub(crate) fn people(&self) -> Arc<dyn People> {
        self.backend.people()
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
