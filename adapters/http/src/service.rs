//! The service: the areas it serves, and how it is set up.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use ipnet::IpNet;
use ports::TenantId;
use ports::inbound::{
    Access, Activities, Breakdowns, Catalog, Completeness, Credentials, Exchange, Exclusions, Explanations, Footprints,
    Health, Histories, Imports, Models, Partners, Periods, PublishedFactors, Statements, Switches, Tenants,
};

use crate::addressed_tenant::Addressed;
use crate::forwarded;
use crate::log_pace::LogPace;
use crate::pages::Pages;
use crate::problem::Problem;
use crate::reached;
use crate::request_rates::RequestRates;
use crate::security_log::SecurityLog;
use crate::stream_slots::StreamSlots;
use crate::tenancy::Tenancy;

/// What can be asked, area by area.
#[derive(Clone)]
pub struct Areas {
    /// Who calls, and tokens.
    pub access: Arc<dyn Access>,
    /// Activities and their report.
    pub activities: Arc<dyn Activities>,
    /// The report broken down.
    pub breakdowns: Arc<dyn Breakdowns>,
    /// Trees, products and factors.
    pub catalog: Arc<dyn Catalog>,
    /// What is missing.
    pub completeness: Arc<dyn Completeness>,
    /// Managing clients and API keys.
    pub credentials: Arc<dyn Credentials>,
    /// Events from and to partners.
    pub exchange: Arc<dyn Exchange>,
    /// What is left out of the inventory, and why.
    pub exclusions: Arc<dyn Exclusions>,
    /// Partners and what is shared with them.
    pub partners: Arc<dyn Partners>,
    /// How figures come about.
    pub explanations: Arc<dyn Explanations>,
    /// Managing and reading product carbon footprints.
    pub footprints: Arc<dyn Footprints>,
    /// Whether questions can be answered.
    pub health: Arc<dyn Health>,
    /// What changed, and when.
    pub histories: Arc<dyn Histories>,
    /// Importing activities, and undoing it.
    pub imports: Arc<dyn Imports>,
    /// Models and their inputs.
    pub models: Arc<dyn Models>,
    /// Closing periods, and what became of their figures.
    pub periods: Arc<dyn Periods>,
    /// Factors as their publishers give them.
    pub published: Arc<dyn PublishedFactors>,
    /// Inventory statements.
    pub statements: Arc<dyn Statements>,
    /// Managing switches and reading their footprints.
    pub switches: Arc<dyn Switches>,
    /// Which tenants there are.
    pub tenants: Arc<dyn Tenants>,
}

/// How the service is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whose data is at which address.
    pub tenancy: Tenancy,
    /// The origin that addresses in answers begin with, such as `https://carbon.example.com`; unless
    /// given, that which a trusted proxy names, else the listener's address. In host mode it is at the domain
    /// itself; unless given, it is `https` there.
    pub public_url: Option<String>,
    /// The hosts beside that of the public address that the service is known under, each with or without a port. Links name the
    /// one that a request was sent to.
    pub allowed_hosts: Vec<String>,
    /// The proxies, as the service sees their addresses, whose word on a request's sender and origin counts.
    pub trusted_proxies: Vec<IpNet>,
    /// The origins whose pages may read answers, such as `https://app.example.com`.
    pub cors_origins: Vec<String>,
    /// What requests may cost.
    pub limits: Limits,
    /// The folder of bodies that are read twice, in files without a name.
    pub spool_dir: PathBuf,
    /// The version that the OpenAPI document names.
    pub version: String,
    /// Whether metrics name tenants.
    pub metrics_of_tenants: bool,
    /// What makes a request's span a part of the trace that its header `traceparent` names.
    pub continue_trace: Option<fn(&tracing::Span, &str)>,
}

/// What requests may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a JSON body or form.
    pub body_bytes: usize,
    /// The most arrays and objects around each other in a JSON body.
    pub json_depth: usize,
    /// How long a body may take.
    pub body: Duration,
    /// How long a body may pause.
    pub body_silence: Duration,
    /// The most bytes of a query.
    pub query_bytes: usize,
    /// How long the head of a request may take.
    pub head: Duration,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// The most bytes that are read of a body whose request was refused, before the connection closes.
    pub drain_bytes: usize,
    /// The most connections at once.
    pub connections: usize,
    /// The most of them that are one address's, where it is no trusted proxy's. A network of 64 bits of IPv6 counts as
    /// one address.
    pub connections_per_address: usize,
    /// The most requests of a credential in a minute; 0 for any number.
    pub requests_per_minute: u32,
    /// How long requests may run on after the service was asked to stop.
    pub shutdown: Duration,
    /// The most reports that are streamed whole at once.
    pub streams: usize,
    /// The most of them that are one tenant's, where there are several.
    pub streams_per_tenant: usize,
    /// The most of them that are one credential's.
    pub streams_per_credential: usize,
    /// How long a stream may take.
    pub stream: Duration,
    /// How long the reader of a stream may take for each 64 KiB.
    pub stream_silence: Duration,
    /// How long in all a stream waits for its reader before the rest of it goes to a temporary file: as long at most does a
    /// reader keep a snapshot.
    pub stream_patience: Duration,
    /// The most bytes of such a file. A stream that needs more is cut.
    pub stream_spool_bytes: u64,
    /// The most rows that are imported all or none.
    pub atomic_rows: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            json_depth: 32,
            body: Duration::from_mins(2),
            body_silence: Duration::from_secs(30),
            query_bytes: 8 << 10,
            head: Duration::from_secs(5),
            keep_alive: Duration::from_secs(75),
            drain_bytes: 64 << 10,
            connections: 4_096,
            connections_per_address: 256,
            requests_per_minute: 6_000,
            shutdown: Duration::from_secs(30),
            streams: 8,
            streams_per_tenant: 4,
            streams_per_credential: 2,
            stream: Duration::from_mins(10),
            stream_silence: Duration::from_secs(30),
            stream_patience: Duration::from_secs(2),
            stream_spool_bytes: 2 << 30,
            atomic_rows: 100_000,
        }
    }
}

/// The service. Clones are the same service.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    areas: Areas,
    settings: Settings,
    pages: Option<Pages>,
    stream_slots: StreamSlots,
    busy_log: LogPace,
    request_rates: RequestRates,
    security_log: SecurityLog,
}

impl Service {
    /// A service of those areas, without pages.
    #[must_use]
    pub fn new(areas: Areas, settings: Settings) -> Self {
        Self::of(areas, settings, None)
    }

    /// The same with pages beside the API.
    #[must_use]
    pub fn with_pages(areas: Areas, settings: Settings, pages: Pages) -> Self {
        Self::of(areas, settings, Some(pages))
    }

    fn of(areas: Areas, settings: Settings, pages: Option<Pages>) -> Self {
        let Limits { streams, streams_per_tenant, streams_per_credential, requests_per_minute, .. } = settings.limits;
        let each = if matches!(settings.tenancy, Tenancy::Single(_)) { streams } else { streams_per_tenant };
        Self(Arc::new(Inner {
            areas,
            settings,
            pages,
            stream_slots: StreamSlots::new(streams, each, streams_per_credential),
            busy_log: LogPace::default(),
            request_rates: RequestRates::new(requests_per_minute),
            security_log: SecurityLog::default(),
        }))
    }

    pub(crate) fn areas(&self) -> &Areas {
        &self.0.areas
    }

    pub(crate) fn pages(&self) -> Option<&Pages> {
        self.0.pages.as_ref()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.settings.limits
    }

    /// The places that streams take.
    pub(crate) fn stream_slots(&self) -> &StreamSlots {
        &self.0.stream_slots
    }

    /// What the log says of requests that it was too busy for.
    pub(crate) fn busy_log(&self) -> &LogPace {
        &self.0.busy_log
    }

    /// How many requests each credential makes.
    pub(crate) fn request_rates(&self) -> &RequestRates {
        &self.0.request_rates
    }

    /// What the log says of refused credentials and the like.
    pub(crate) fn security_log(&self) -> &SecurityLog {
        &self.0.security_log
    }

    /// The tenant that a request is for.
    pub(crate) fn tenant(request: &HttpRequest) -> Result<TenantId, Problem> {
        Addressed::of(request).map(|addressed| addressed.id)
    }

    /// The base address of the tenant that a request is for, without a slash at its end.
    pub(crate) fn base_url(&self, request: &HttpRequest) -> Result<String, Problem> {
        let addressed = Addressed::of(request)?;
        let Settings { tenancy, public_url, .. } = &self.0.settings;
        let origin = match (public_url, tenancy) {
            (Some(origin), _) => origin.trim_end_matches('/').to_owned(),
            (None, Tenancy::Host { domain }) => format!("https://{domain}"),
            (None, Tenancy::Single(_) | Tenancy::Path) => {
                self.named_origin(request).unwrap_or_else(|| reached::origin(request))
            }
        };
        Ok(tenancy.base_url(&origin, addressed.slug.as_str()))
    }

    /// The path of that base address.
    pub(crate) fn base_path(&self, request: &HttpRequest) -> Result<String, Problem> {
        Ok(self.0.settings.tenancy.base_path(Addressed::of(request)?.slug.as_str()))
    }

    /// The host, with or without a port, that a trusted proxy says the request was sent to.
    pub(crate) fn named_host(&self, request: &HttpRequest) -> Option<String> {
        Some(self.named_origin(request)?.split_once("://")?.1.to_owned())
    }

    /// The origin that a trusted proxy says the request was sent to.
    fn named_origin(&self, request: &HttpRequest) -> Option<String> {
        forwarded::origin(&self.0.settings.trusted_proxies, request.peer_addr()?.ip(), request.headers())
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
