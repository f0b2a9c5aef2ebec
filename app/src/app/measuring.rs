//! The page of metrics beside the service: its listener, and what is looked up when it is asked for.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use futures_util::FutureExt as _;
use metrics::gauge;
use ports::metric;
use tokio::sync::Mutex;

use super::App;
use super::backend::Backend;
use super::operator::installation;
use crate::config::Config;
use crate::measure::{Exporter, gauge_value};

/// How old the sizes on the page may be: looking them up costs more than the page.
const SIZES: Duration = Duration::from_secs(10);
/// How long the page waits for them: it is there when the store is not.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the service listens.
#[derive(Debug)]
pub struct Listeners {
    /// For requests.
    pub service: TcpListener,
    /// For the page of metrics, where one is served.
    pub metrics: Option<TcpListener>,
}

impl Listeners {
    /// A listener for the page of metrics, where the configuration names an address for it.
    pub fn metrics(config: &Config) -> Result<Option<TcpListener>> {
        let Some(address) = &config.metrics.address else { return Ok(None) };
        let mend = || format!("metrics cannot be served at {address}; metrics.address names another address");
        let metrics = TcpListener::bind(address.as_str()).with_context(mend)?;
        metrics.set_nonblocking(true)?;
        Ok(Some(metrics))
    }
}

impl From<TcpListener> for Listeners {
    fn from(service: TcpListener) -> Self {
        Self { service, metrics: None }
    }
}

/// How much room a store takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoreSize {
    /// Bytes of the data.
    pub(crate) data: u64,
    /// Bytes of the files' write-ahead logs.
    pub(crate) log: u64,
    /// Bytes that are free on the disk, where that is known.
    pub(crate) free: Option<u64>,
}

/// The running page.
pub(super) struct MetricsPage {
    exporter: Exporter,
    server: http::Server,
}

impl MetricsPage {
    /// Serves the page on the listener.
    pub(super) fn serve(app: &App, listener: TcpListener, store: &str) -> Result<Self> {
        let exporter = Exporter::install()?;
        let kind = store.to_owned();
        gauge!(metric::BUILD.name, "version" => env!("CARGO_PKG_VERSION"), "store" => kind).set(1.0);
        let (backend, directory) = (Arc::clone(&app.backend), Arc::clone(&app.directory));
        let sizes = Arc::new(Sizes { backend, directory, looked: Mutex::default() });
        let of_page = exporter.clone();
        let page: http::MetricsPage = Arc::new(move || {
            let (sizes, exporter) = (Arc::clone(&sizes), of_page.clone());
            async move {
                if tokio::time::timeout(PATIENCE, sizes.note()).await.is_err() {
                    tracing::debug!("the sizes were not looked up in time: the page has those of before");
                }
                exporter.page()
            }
            .boxed()
        });
        let address = listener.local_addr().map(|address| address.to_string()).unwrap_or_default();
        let server = http::serve_metrics(page, listener).context("metrics cannot be served")?;
        tracing::info!(address, "metrics are served at /metrics");
        Ok(Self { exporter, server })
    }

    pub(super) fn into_parts(self) -> (Exporter, http::Server) {
        (self.exporter, self.server)
    }
}

/// The sizes on the page.
struct Sizes {
    backend: Arc<dyn Backend>,
    directory: Arc<dyn ports::directory::Directory>,
    looked: Mutex<Option<Instant>>,
}

impl Sizes {
    /// Looks them up, unless that was done just now.
    async fn note(&self) {
        let mut looked = self.looked.lock().await;
        if looked.is_some_and(|at| at.elapsed() < SIZES) {
            return;
        }
        match self.backend.size().await {
            Ok(StoreSize { data, log, free }) => {
                gauge!(metric::STORE_BYTES.name).set(gauge_value(data));
                gauge!(metric::STORE_LOG_BYTES.name).set(gauge_value(log));
                if let Some(free) = free {
                    gauge!(metric::STORE_FREE_BYTES.name).set(gauge_value(free));
                }
            }
            Err(error) => tracing::debug!(%error, "the size of the store was not found out"),
        }
        if let Ok(tenants) = self.directory.list_tenants(&installation()).await {
            gauge!(metric::TENANTS.name).set(gauge_value(tenants.len() as u64));
        }
        *looked = Some(Instant::now());
    }
}
