//! Builds the use cases on the store of a configuration.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use auth::{Argon2Passwords, Ed25519Signer, HmacTextSigner, InstallationSecret, PartnerSecretSealer, RandomSecrets};
use http::Areas;
use ports::clock::Clock;
use ports::credential::{SecretSealer, TextSigner};
use ports::directory::Directory;
use ports::factor_sets::FactorSets;
use ports::id_source::Ids;
use ports::inbound::{
    Access, Activities, Breakdowns, Catalog, Completeness, Credentials, Exchange, Exclusions, Explanations, Footprints,
    Health, Histories, Imports, Models, Partners, Periods, Statements, Switches, Tenants,
};
use ports::store::Store;

use super::App;
use super::backend::{self, Purpose};
use super::secret::{MissingSecret, installation_secret};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::id_source::SystemIds;
use crate::measure::MeasuredStore;
use crate::usecase::access::{AccessPorts, AccessService, CredentialCache, Lifetimes};
use crate::usecase::activity::ActivityService;
use crate::usecase::breakdown::BreakdownService;
use crate::usecase::catalog::CatalogService;
use crate::usecase::checkpoint::Checkpoints;
use crate::usecase::completeness::CompletenessService;
use crate::usecase::credential::CredentialService;
use crate::usecase::exchange::{ExchangeService, Wake};
use crate::usecase::exclusion::ExclusionService;
use crate::usecase::explanation::ExplanationService;
use crate::usecase::footprint::FootprintService;
use crate::usecase::health::HealthService;
use crate::usecase::history::HistoryService;
use crate::usecase::import::{ImportService, UndoTasks};
use crate::usecase::lookups::LookupCache;
use crate::usecase::model::ModelService;
use crate::usecase::partner::PartnerService;
use crate::usecase::people::{PeoplePorts, PeopleService};
use crate::usecase::period::{GuardedStore, PeriodService};
use crate::usecase::published::PublishedFactorService;
use crate::usecase::read_model::ReadModels;
use crate::usecase::signing_key::SigningKeyService;
use crate::usecase::staged::StagedService;
use crate::usecase::statement::StatementService;
use crate::usecase::switch::{SwitchService, SwitchViews};
use crate::usecase::tenant::TenantService;
use crate::usecase::version::DirectoryVersion;

/// Rows of a staged file that are imported at once; each has at most 64 KiB.
const STAGED_ROWS: usize = 2_000;

impl App {
    /// Opens the store and builds the use cases on it; `missing` says what happens without the installation's secret.
    pub(super) async fn assemble(config: Config, purpose: Purpose, missing: MissingSecret) -> Result<Self> {
        Self::assemble_with(Arc::new(SystemClock), config, purpose, missing).await
    }

    /// The same by another clock.
    #[expect(clippy::too_many_lines, reason = "each part, once")]
    pub(super) async fn assemble_with(
        clock: Arc<dyn Clock>,
        config: Config,
        purpose: Purpose,
        missing: MissingSecret,
    ) -> Result<Self> {
        let ids: Arc<dyn Ids> = Arc::new(SystemIds::new());
        let backend = backend::open(&config, purpose, &clock, &ids).await?;
        let directory = backend.directory();
        let store: Arc<dyn Store> = Arc::new(GuardedStore::new(Arc::new(MeasuredStore::new(backend.store()))));
        let is_new = missing == MissingSecret::Refuse && directory.verifying_keys().await?.is_empty();
        let secret = match missing {
            MissingSecret::NotNeeded => InstallationSecret::random()?,
            MissingSecret::Refuse if is_new => installation_secret(&config, MissingSecret::Create)?,
            MissingSecret::Refuse | MissingSecret::Create => installation_secret(&config, missing)?,
        };
        let signer = Arc::new(Ed25519Signer::new(secret.as_bytes())?);
        let marks = Arc::new(HmacTextSigner::new(secret.as_bytes())?);
        let sealer = Arc::new(PartnerSecretSealer::new(secret.as_bytes())?);
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
        let published = Arc::new(PublishedFactorService::new(backend.factor_sets(), Arc::clone(&clock)));
        let imports: Arc<dyn Imports> = Arc::new(ImportService {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
            atomic_rows: config.limits.atomic_rows,
            read_models: Some(Arc::clone(&read_models)),
            undo_tasks: UndoTasks::default(),
            chooser: Arc::new(published.chooser()),
        });
        let staged = StagedService {
            spool: backend.spool(),
            imports: Arc::clone(&imports),
            store: Arc::clone(&store),
            read_models: Arc::clone(&read_models),
            checkpoints: Arc::clone(&checkpoints),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
            atomic_rows: config.limits.atomic_rows,
            batch_rows: STAGED_ROWS,
            runtime: tokio::runtime::Handle::current(),
        };
        let people = PeopleService::new(
            PeoplePorts {
                directory: Arc::clone(&directory),
                people: backend.people(),
                passwords: Arc::new(Argon2Passwords),
                secrets: Arc::new(RandomSecrets),
                forms: marks.clone(),
                clock: Arc::clone(&clock),
                ids: Arc::clone(&ids),
            },
            Arc::clone(&version),
        )
        .with_provided_rights(config.oidc.as_ref().and_then(|oidc| oidc.default_rights));
        let texts: Arc<dyn TextSigner> = marks.clone();
        let sets = backend.factor_sets();
        let wake = Arc::new(Wake::default());
        let areas = areas(
            &access,
            &store,
            &read_models,
            &directory,
            sets,
            tenants,
            &clock,
            &ids,
            cache,
            imports,
            &published,
            marks,
            sealer,
            &wake,
            config.allows_private_addresses(),
        );
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
            people: Arc::new(people),
            staged: Arc::new(staged),
            texts,
            signing_keys,
            published,
            read_models,
            checkpoints,
            backend,
            store,
            directory,
            version,
            signer,
            clock,
            ids,
            wake,
        })
    }
}

#[expect(clippy::too_many_arguments, reason = "each area's parts, once")]
fn areas(
    access: &Arc<AccessService>,
    store: &Arc<dyn Store>,
    read_models: &Arc<ReadModels>,
    directory: &Arc<dyn Directory>,
    sets: Arc<dyn FactorSets>,
    tenants: TenantService,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn Ids>,
    cache: Arc<CredentialCache>,
    imports: Arc<dyn Imports>,
    published: &Arc<PublishedFactorService>,
    marks: Arc<dyn TextSigner>,
    sealer: Arc<dyn SecretSealer>,
    wake: &Arc<Wake>,
    private_addresses: bool,
) -> Areas {
    let (store, read_models, clock, ids) =
        (|| Arc::clone(store), || Arc::clone(read_models), || Arc::clone(clock), || Arc::clone(ids));
    let access: Arc<dyn Access> = access.clone();
    let activities: Arc<dyn Activities> = Arc::new(ActivityService {
        store: store(),
        read_models: read_models(),
        clock: clock(),
        ids: ids(),
        lookups: Arc::new(LookupCache::default()),
        chooser: Arc::new(published.chooser()),
    });
    let breakdowns: Arc<dyn Breakdowns> = Arc::new(BreakdownService { store: store(), read_models: read_models() });
    let catalog: Arc<dyn Catalog> = Arc::new(CatalogService { store: store(), clock: clock(), ids: ids(), sets });
    let completeness: Arc<dyn Completeness> =
        Arc::new(CompletenessService { store: store(), read_models: read_models(), clock: clock() });
    let credentials: Arc<dyn Credentials> = Arc::new(CredentialService::new(
        Arc::clone(directory),
        Arc::new(RandomSecrets),
        clock(),
        ids(),
        Arc::clone(&cache),
    ));
    let partners: Arc<dyn Partners> = Arc::new(PartnerService {
        store: store(),
        directory: Arc::clone(directory),
        secrets: Arc::new(RandomSecrets),
        sealer,
        clock: clock(),
        ids: ids(),
        cache,
        wake: Arc::clone(wake),
        private_addresses,
    });
    let exchange: Arc<dyn Exchange> =
        Arc::new(ExchangeService { store: store(), clock: clock(), ids: ids(), wake: Arc::clone(wake) });
    let exclusions: Arc<dyn Exclusions> = Arc::new(ExclusionService { store: store(), clock: clock(), ids: ids() });
    let explanations: Arc<dyn Explanations> =
        Arc::new(ExplanationService { store: store(), chooser: Arc::new(published.chooser()) });
    let footprints: Arc<dyn Footprints> =
        Arc::new(FootprintService { store: store(), clock: clock(), ids: ids(), marks, wake: Arc::clone(wake) });
    let health: Arc<dyn Health> = Arc::new(HealthService { directory: Arc::clone(directory), store: store() });
    let models: Arc<dyn Models> = Arc::new(ModelService { store: store(), clock: clock(), ids: ids() });
    let periods: Arc<dyn Periods> = Arc::new(PeriodService {
        store: store(),
        read_models: read_models(),
        chooser: Arc::new(published.chooser()),
        clock: clock(),
        ids: ids(),
    });
    let statements: Arc<dyn Statements> = Arc::new(StatementService { store: store(), read_models: read_models() });
    let switches: Arc<dyn Switches> =
        Arc::new(SwitchService { store: store(), clock: clock(), ids: ids(), views: SwitchViews::default() });
    let tenants: Arc<dyn Tenants> = Arc::new(tenants);
    let histories: Arc<dyn Histories> = Arc::new(HistoryService { store: store(), clock: clock() });
    Areas {
        access,
        activities,
        breakdowns,
        catalog,
        completeness,
        credentials,
        exchange,
        exclusions,
        explanations,
        footprints,
        health,
        histories,
        imports,
        models,
        partners,
        periods,
        published: published.clone(),
        statements,
        switches,
        tenants,
    }
}

fn lifetimes(config: &Config) -> Result<Lifetimes> {
    let seconds = Duration::from_secs;
    Ok(Lifetimes::new(seconds(config.tokens.access_lifetime_s), seconds(config.tokens.refresh_lifetime_s))?)
}
