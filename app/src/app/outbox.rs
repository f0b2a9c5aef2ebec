//! Sends events to partners beside the service.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use pact_client::{Client, Limits, Roots, SystemNetwork};
use ports::Caller;
use ports::store::StoreError;

use super::{App, installation, single_tenant};
use crate::config::Mode;
use crate::usecase::exchange::{BaseAddress, Outbox};

impl App {
    /// Sends events to partners, as those are due. `listener` is where the service listens. Never ends.
    pub(super) async fn send_events(&self, listener: Option<SocketAddr>) {
        let roots = match Roots::of_system(None) {
            Ok(roots) => roots,
            Err(error) => {
                tracing::warn!(%error, "no events are sent to partners: their hosts could not be trusted");
                return std::future::pending().await;
            }
        };
        let outbox = Outbox {
            store: Arc::clone(&self.store),
            directory: Arc::clone(&self.directory),
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            partners: Arc::clone(&self.areas.partners),
            host: Arc::new(Client::new(Arc::new(SystemNetwork), roots, Limits::default())),
            wake: Arc::clone(&self.wake),
            attempt: Duration::from_secs(self.config.exchange.attempt_s),
            base: self.base_addresses(listener),
        };
        Arc::new(outbox).run().await;
    }

    /// The base address of a company, where the configuration says it.
    pub(crate) async fn public_base_url(&self, caller: &Caller) -> Result<Option<String>, StoreError> {
        let tenants = self.directory.list_tenants(&installation()).await?;
        let base = self.base_addresses(None);
        Ok(tenants.iter().find(|tenant| tenant.id == caller.tenant).and_then(base))
    }

    /// The base address of each company, as partners answer to it: that of `server.public_url`, or of the domain; else the
    /// listener's, where that is one address.
    fn base_addresses(&self, listener: Option<SocketAddr>) -> BaseAddress {
        let scheme = if self.config.server.tls.is_some() { "https" } else { "http" };
        let listener = listener.filter(|address| !address.ip().is_unspecified());
        let origin = match (&self.config.server.public_url, &self.config.tenancy.mode) {
            (Some(origin), _) => Some(origin.as_str().trim_end_matches('/').to_owned()),
            (None, Mode::Host(domain)) => Some(format!("https://{domain}")),
            (None, Mode::Single | Mode::Path) => listener.map(|address| format!("{scheme}://{address}")),
        };
        let tenancy = single_tenant().map(|tenant| self.config.tenancy.of_service(tenant)).ok();
        Box::new(move |tenant| Some(tenancy.as_ref()?.base_url(origin.as_ref()?, tenant.slug.as_str())))
    }
}
