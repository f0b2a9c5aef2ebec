//! The service: the areas it speaks for, and how it is set up.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use domain::TenantId;
use ports::inbound::{Access, Activities, Catalog, Credentials, Footprints, Models, Switches};
use tokio::sync::Semaphore;

/// What can be asked, area by area.
#[derive(Clone)]
pub struct Areas {
    /// Who calls, and tokens.
    pub access: Arc<dyn Access>,
    /// Activities and their report.
    pub activities: Arc<dyn Activities>,
    /// Trees, products and factors.
    pub catalog: Arc<dyn Catalog>,
    /// Clients and keys.
    pub credentials: Arc<dyn Credentials>,
    /// Footprints.
    pub footprints: Arc<dyn Footprints>,
    /// Models and their inputs.
    pub models: Arc<dyn Models>,
    /// Switches.
    pub switches: Arc<dyn Switches>,
}

/// How the service is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whose data stands at which address.
    pub tenancy: Tenancy,
    /// The origin that addresses in answers begin with, such as `https://carbon.example.com`; the listener's address
    /// unless given.
    pub public_url: Option<String>,
    /// What requests may cost.
    pub limits: Limits,
    /// The version that the OpenAPI document names.
    pub version: String,
}

/// Whose data stands at which address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tenancy {
    /// One tenant, at `/api`.
    Single(TenantId),
}

/// What requests may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a JSON body or form.
    pub body_bytes: usize,
    /// The most arrays and objects around each other in a JSON body.
    pub json_depth: usize,
    /// How long a body may pause.
    pub body_silence: Duration,
    /// The most bytes of a query.
    pub query_bytes: usize,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// How long requests may run on after the service was told to stop.
    pub shutdown: Duration,
    /// The most reports that are streamed whole at once.
    pub streams: usize,
    /// How long a stream may take.
    pub stream: Duration,
    /// How long the reader of a stream may take for each 64 KiB.
    pub stream_silence: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            json_depth: 32,
            body_silence: Duration::from_secs(30),
            query_bytes: 8 << 10,
            head: Duration::from_secs(5),
            keep_alive: Duration::from_secs(75),
            shutdown: Duration::from_secs(30),
            streams: 8,
            stream: Duration::from_mins(10),
            stream_silence: Duration::from_secs(30),
        }
    }
}

/// The service. Clones are the same service.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    areas: Areas,
    settings: Settings,
    streams: Arc<Semaphore>,
}

impl Service {
    /// A service that speaks for those areas.
    #[must_use]
    pub fn new(areas: Areas, settings: Settings) -> Self {
        let streams = Arc::new(Semaphore::new(settings.limits.streams));
        Self(Arc::new(Inner { areas, settings, streams }))
    }

    pub(crate) fn areas(&self) -> &Areas {
        &self.0.areas
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.settings.limits
    }

    /// Places for streams.
    pub(crate) fn streams(&self) -> &Arc<Semaphore> {
        &self.0.streams
    }

    /// The tenant that a request speaks to.
    pub(crate) fn tenant(&self) -> TenantId {
        match self.0.settings.tenancy {
            Tenancy::Single(tenant) => tenant,
        }
    }

    /// The base address of the tenant that a request speaks to, without a slash at its end.
    pub(crate) fn base_url(&self, request: &HttpRequest) -> String {
        match &self.0.settings.public_url {
            Some(origin) => format!("{}{}", origin.trim_end_matches('/'), crate::routes::BASE),
            None => format!("http://{}{}", request.app_config().local_addr(), crate::routes::BASE),
        }
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
