//! The service: the areas it speaks for, and how it is set up.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use domain::TenantId;
use ipnet::IpNet;
use ports::inbound::{Access, Activities, Catalog, Credentials, Footprints, Health, Models, Switches};
use tokio::sync::Semaphore;

use crate::forwarded;

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
    /// Whether questions can be answered.
    pub health: Arc<dyn Health>,
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
    /// The origin that addresses in answers begin with, such as `https://carbon.example.com`; unless
    /// given, that which a trusted proxy names, else the listener's address.
    pub public_url: Option<String>,
    /// The proxies, as the service sees their addresses, whose word on a request's sender and origin counts.
    pub trusted_proxies: Vec<IpNet>,
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
        let Settings { public_url, trusted_proxies, .. } = &self.0.settings;
        let named = || forwarded::origin(trusted_proxies, request.peer_addr()?.ip(), request.headers());
        let origin = match public_url {
            Some(origin) => origin.trim_end_matches('/').to_owned(),
            None => named().unwrap_or_else(|| format!("http://{}", request.app_config().local_addr())),
        };
        format!("{origin}{}", crate::routes::BASE)
    }

    /// The address that a request was sent from, seen past trusted proxies; `None` where there are no addresses.
    pub(crate) fn sender(&self, request: &HttpRequest) -> Option<IpAddr> {
        let peer = request.peer_addr()?.ip();
        Some(forwarded::sender(&self.0.settings.trusted_proxies, peer, request.headers()))
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
