//! A service of its own for every test, on a port of its own and a store of its own, and clients that speak to it.
//!
//! [`Service::start`] is the only place that knows which store is behind: another store runs the same tests by another
//! [`store`].

mod answer;
mod client;
mod data;

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;

use domain::{Caller, Name, Permissions};
use ports::inbound::{BatchOutcome, CredentialDraft, Field, ImportOptions, Outcome, RowDraft};
use tempfile::TempDir;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tonne::{App, Config};

pub(super) use answer::{Answer, redacted};
pub(super) use client::{Client, Request};
pub(super) use data::{activity, to};
pub(super) use serde_json::{Value, json};

/// The configuration of an empty store in that folder.
fn store(folder: &Path) -> Config {
    let mut config = Config::default();
    folder.clone_into(&mut config.store.data_dir);
    config
}

/// A running service with an empty store. It ends when it is dropped.
pub(super) struct Service {
    app: Arc<App>,
    handle: Handle,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// A service as it is without any setting.
    pub(super) fn start() -> Self {
        Self::with(|_| {})
    }

    /// A service with other settings.
    pub(super) fn with(set: impl FnOnce(&mut Config) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (started, start) = mpsc::channel();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let folder = TempDir::new().unwrap();
                let mut config = store(folder.path());
                config.server.stop_timeout_s = 0;
                set(&mut config);
                let lock = App::lock(&config).unwrap();
                let app = Arc::new(App::build(config).await.unwrap());
                started.send((Arc::clone(&app), Handle::current())).unwrap();
                let stopped = async {
                    let _ = stopped.await;
                };
                app.serve(&lock, listener, stopped).await.unwrap();
            });
        });
        let (app, handle) = start.recv().unwrap();
        Self { app, handle, address, stop: Some(stop), thread: Some(thread) }
    }

    /// Somebody who may do everything.
    pub(super) fn admin(&self) -> Client {
        self.caller("admin")
    }

    /// Somebody with a key that holds these permissions.
    pub(super) fn caller(&self, permissions: &str) -> Client {
        self.anybody().with_key(&self.key(permissions))
    }

    /// Somebody without credentials.
    pub(super) fn anybody(&self) -> Client {
        Client::new(self.address)
    }

    /// A new key with these permissions.
    pub(super) fn key(&self, permissions: &str) -> String {
        let draft = CredentialDraft {
            name: Field::Given(Name::parse("Test").unwrap()),
            permissions: Field::Given(Permissions::parse(permissions).unwrap()),
            ..CredentialDraft::default()
        };
        let app = Arc::clone(&self.app);
        let made = self.wait(async move { app.areas().credentials.add_key(&app.operator(), draft).await });
        made.unwrap().secret.0
    }

    /// What the service is made of, to ask it past HTTP.
    pub(super) fn app(&self) -> Arc<App> {
        Arc::clone(&self.app)
    }

    /// Imports rows past HTTP, which must succeed.
    pub(super) fn import(&self, caller: Caller, rows: Vec<RowDraft>) -> BatchOutcome {
        let app = self.app();
        let options = ImportOptions { outcome: Outcome::KeepGood, cause: "test".to_owned() };
        self.wait(async move { app.areas().activities.import(&caller, rows, options).await }).unwrap()
    }

    /// Runs a future beside the service and waits for it.
    pub(super) fn wait<T: Send + 'static>(&self, future: impl Future<Output = T> + Send + 'static) -> T {
        let (sender, receiver) = mpsc::channel();
        self.handle.spawn(async move {
            let _ = sender.send(future.await);
        });
        receiver.recv().unwrap()
    }

    /// The address of the origin, such as `http://127.0.0.1:1234`.
    pub(super) fn origin(&self) -> String {
        format!("http://{}", self.address)
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
