//! A service in this process on a database of the test's choice, several companies in it distinguished by the path.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use domain::Name;
use ports::directory::Tenant;
use ports::inbound::{CredentialDraft, Field};
use ports::{Grant, Maintenance, Permissions, TenantSlug};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonne::config::{Address, Mode};
use tonne::{App, Config};

use super::wire::Speaker;

pub(super) struct Node {
    pub(super) app: Arc<App>,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
    _folder: TempDir,
}

/// A company of it, and who may do everything there.
pub(super) struct Company {
    pub(super) tenant: Tenant,
    pub(super) admin: Speaker,
}

impl Node {
    /// A service on the database of that address, with further settings.
    pub(super) async fn start(url: String, set: impl FnOnce(&mut Config)) -> Self {
        let folder = TempDir::new().unwrap();
        let mut config = Config::default();
        folder.path().clone_into(&mut config.store.data_dir);
        config.database.url = Some(Address::Given(url));
        config.tenancy.mode = Mode::Path;
        config.server.stop_timeout_s = 0;
        config.limits.requests_per_minute = 0;
        set(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let lock = App::lock(&config).unwrap();
        let app = Arc::new(App::build(config).await.unwrap());
        let (stop, stopped) = oneshot::channel();
        let serving = Arc::clone(&app);
        let running = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            serving.serve(&lock, listener, stopped).await.unwrap();
        });
        Self { app, address, stop, running, _folder: folder }
    }

    /// A new company of that slug.
    pub(super) async fn company(&self, slug: &str) -> Company {
        let slug = TenantSlug::parse(slug).unwrap();
        let tenant = self
            .app
            .create_tenant(slug.clone(), Name::parse(slug.as_str()).unwrap(), domain::YearStart::default())
            .await
            .unwrap();
        let draft = CredentialDraft {
            name: Field::Given(Name::parse("Test").unwrap()),
            permissions: Field::Given(Permissions::parse("admin").unwrap()),
            ..CredentialDraft::default()
        };
        let made = self.app.areas().credentials.add_key(&self.app.operator(&tenant), draft).await.unwrap();
        let base = self.app.config().tenancy.of_service(slug.clone()).base_url("", slug.as_str());
        Company { tenant, admin: Speaker::new(self.address, base, made.secret.0) }
    }

    /// Somebody who asks outside of every company.
    pub(super) fn watcher(&self) -> Speaker {
        Speaker::new(self.address, String::new(), "none".to_owned())
    }

    /// Stops the service.
    pub(super) async fn end(self) {
        self.stop.send(()).unwrap();
        self.running.await.unwrap();
    }
}

impl Company {
    /// The company past HTTP.
    pub(super) fn grant(&self) -> Grant<Maintenance> {
        Grant::for_maintenance(self.tenant.id, "test")
    }
}
