//! A service of its own for every test, on a port of its own and a store of its own, and clients of it.
//!
//! [`variant`] is the only place that knows which store is behind and how addresses name tenants: the same tests run on
//! every variant, and expect the same bytes.

mod answer;
mod client;
mod data;
mod described;
mod schema;
pub(crate) mod variant;

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;

use domain::Name;
use ports::directory::Tenant;
use ports::inbound::{BatchOutcome, CredentialDraft, Field, ImportOptions, RowDraft};
use ports::{Caller, Grant, Installation, Permissions, TenantSlug};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tonne::config::Mode;
use tonne::{App, Config};

pub(crate) use answer::{Answer, redacted};
pub(crate) use client::{Client, Request};
pub(crate) use data::{activity, to};
pub(crate) use described::DOCUMENT;
pub(crate) use schema::{differences, resolved};
pub(crate) use serde_json::{Value, json};

/// A running service with an empty store, and one company in it. It ends when it is dropped.
pub(crate) struct Service {
    app: Arc<App>,
    handle: Handle,
    address: SocketAddr,
    tenant: Tenant,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The path with a published factor that every service has, where one is named in it.
pub(crate) fn with_factor(path: &str) -> String {
    path.replace("{set}", "afd5b51897f2feb4e0305daf9b7d5a38e325f36d1c8525106b6a49b3f34a2551").replace("{cell}", "H2")
}

impl Service {
    /// A service as it is without any setting, but that it counts no requests.
    pub(crate) fn start() -> Self {
        Self::with(|_| {})
    }

    /// A service with other settings.
    pub(crate) fn with(set: impl FnOnce(&mut Config) + Send + 'static) -> Self {
        Self::of(variant::mode(), set)
    }

    /// A service with that form of addresses, whatever the variant's is, and other settings.
    pub(crate) fn of(mode: Mode, set: impl FnOnce(&mut Config) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (started, start) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let store = variant::Store::new().await;
                let mut config = store.config();
                config.tenancy.mode = mode;
                config.server.stop_timeout_s = 0;
                // Some tests ask more in a minute, and some compare answers byte by byte.
                config.limits.requests_per_minute = 0;
                set(&mut config);
                let lock = App::lock(&config).unwrap();
                let app = Arc::new(App::build(config).await.unwrap());
                let tenant = tenant(&app).await;
                let operator = Grant::for_maintenance(Installation, "cli:test");
                tonne::demo::add_factors(app.factor_set_imports(), &operator).await.unwrap();
                started.send((Arc::clone(&app), tenant, Handle::current())).unwrap();
                let stopped = async {
                    let _ = stopped.await;
                };
                app.serve(&lock, listener, stopped).await.unwrap();
                store.give_up(&app).await;
            });
        });
        let (app, tenant, handle) = start.recv().unwrap();
        Self { app, handle, address, tenant, stop: Some(stop), thread: Some(thread) }
    }

    /// The company that there is at the start.
    pub(crate) fn own(&self) -> Company<'_> {
        Company { service: self, tenant: self.tenant.clone() }
    }

    /// Adds a company.
    pub(crate) fn company(&self, slug: &str) -> Company<'_> {
        self.company_called(slug, "Another company")
    }

    /// Adds a company of that name.
    pub(crate) fn company_called(&self, slug: &str, name: &str) -> Company<'_> {
        let (app, slug) = (self.app(), TenantSlug::parse(slug).unwrap());
        let name = Name::parse(name).unwrap();
        let tenant =
            self.wait(async move { app.create_tenant(slug, name, domain::YearStart::default()).await }).unwrap();
        Company { service: self, tenant }
    }

    /// Somebody who may do everything.
    pub(crate) fn admin(&self) -> Client {
        self.own().admin()
    }

    /// Somebody with a key that holds these permissions.
    pub(crate) fn caller(&self, permissions: &str) -> Client {
        self.own().caller(permissions)
    }

    /// A client without credentials.
    pub(crate) fn anybody(&self) -> Client {
        self.own().anybody()
    }

    /// A new key with these permissions.
    pub(crate) fn key(&self, permissions: &str) -> String {
        self.own().key(permissions)
    }

    /// The caller that commands act as.
    pub(crate) fn operator(&self) -> Caller {
        self.app.operator(&self.tenant)
    }

    /// What the service is made of, to ask it past HTTP.
    pub(crate) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app)
    }

    /// Imports rows past HTTP, which must succeed.
    pub(crate) fn import(&self, caller: Caller, rows: Vec<RowDraft>) -> BatchOutcome {
        let app = self.app();
        let options = ImportOptions { name: "test".to_owned(), ..ImportOptions::default() };
        let whole = async move {
            let mut import = app.imports().begin(&caller, options)?;
            let mut outcome = import.rows(rows).await?;
            outcome.add(import.finish().await?);
            Ok::<_, ports::inbound::Error>(outcome)
        };
        self.wait(whole).unwrap()
    }

    /// Runs a future beside the service and waits for it.
    pub(crate) fn wait<T: Send + 'static>(&self, future: impl Future<Output = T> + Send + 'static) -> T {
        let (sender, receiver) = mpsc::channel();
        self.handle.spawn(async move {
            let _ = sender.send(future.await);
        });
        receiver.recv().unwrap()
    }

    /// Where it listens.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn base(&self) -> String {
        self.base_at(&format!("http://{}", self.address))
    }

    /// The base address where the service is at that origin.
    pub(crate) fn base_at(&self, origin: &str) -> String {
        self.own().tenancy().base_url(origin, self.tenant.slug.as_str())
    }

    /// The path of the base address.
    pub(crate) fn base_path(&self) -> String {
        self.base_at("")
    }
}

/// The company that the tests of a service work in.
async fn tenant(app: &App) -> Tenant {
    let slug = TenantSlug::parse(variant::slug(&app.config().tenancy.mode)).unwrap();
    match app.tenant(&slug).await {
        Ok(tenant) => tenant,
        Err(_) => {
            app.create_tenant(slug, Name::parse("A company").unwrap(), domain::YearStart::default()).await.unwrap()
        }
    }
}

/// One of the companies of a service.
pub(crate) struct Company<'a> {
    service: &'a Service,
    pub(crate) tenant: Tenant,
}

impl Company<'_> {
    /// Somebody who may do everything.
    pub(crate) fn admin(&self) -> Client {
        self.caller("admin")
    }

    /// Somebody with a key that holds these permissions.
    pub(crate) fn caller(&self, permissions: &str) -> Client {
        self.anybody().with_key(&self.key(permissions))
    }

    /// A client without credentials.
    pub(crate) fn anybody(&self) -> Client {
        let (slug, address) = (self.tenant.slug.as_str(), self.service.address);
        match &self.service.app.config().tenancy.mode {
            Mode::Single | Mode::Path => Client::new(address, &self.tenancy().base_url("", slug), address.to_string()),
            Mode::Host(domain) => Client::new(address, "/api", format!("{slug}.{domain}")),
        }
    }

    /// A new key with these permissions.
    pub(crate) fn key(&self, permissions: &str) -> String {
        let draft = CredentialDraft {
            name: Field::Given(Name::parse("Test").unwrap()),
            permissions: Field::Given(Permissions::parse(permissions).unwrap()),
            ..CredentialDraft::default()
        };
        let app = self.service.app();
        let operator = app.operator(&self.tenant);
        let made = self.service.wait(async move { app.areas().credentials.add_key(&operator, draft).await });
        made.unwrap().secret.0
    }

    /// What the paths of its pages begin with.
    pub(super) fn pages(&self) -> String {
        match &self.service.app.config().tenancy.mode {
            Mode::Single | Mode::Host(_) => String::new(),
            Mode::Path => format!("/{}", self.tenant.slug),
        }
    }

    /// What the service is made of.
    pub(super) fn app(&self) -> Arc<App> {
        self.service.app()
    }

    /// Runs a future beside the service and waits for it.
    pub(super) fn wait<T: Send + 'static>(&self, future: impl Future<Output = T> + Send + 'static) -> T {
        self.service.wait(future)
    }

    fn tenancy(&self) -> http::Tenancy {
        self.service.app.config().tenancy.of_service(self.tenant.slug.clone())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
            && !std::thread::panicking()
        {
            panic!("the service failed");
        }
    }
}
