//! Two processes change the same clients and keys at the same time: nothing that one revoked, lowered or rotated comes
//! back through an older copy of the other.

use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Name;
use ports::inbound::{CredentialDraft, Field};
use ports::{Caller, Permissions};
use serde_json::Value;
use tokio::runtime::Runtime;
use tonne::{App, Config};

use super::run::{Place, Served};

const ROUNDS: usize = 1_000;
/// Rounds that run at the same time.
const THREADS: usize = 4;
/// How often the credential is renamed in each round.
const RENAMINGS: usize = 3;

const JSON: &str = "Content-Type: application/json";
const FORM: &str = "Content-Type: application/x-www-form-urlencoded";
const LOWER: &str = "switch:read";

/// Who changes credentials beside the service.
pub(super) trait Rival: Sync {
    /// The uuid of a new key that may do everything.
    fn add_key(&self) -> String;
    /// The uuid of a new client that may do everything, and its secret.
    fn add_client(&self) -> (String, String);
    fn revoke_key(&self, uuid: &str);
    fn lower_key(&self, uuid: &str);
    fn revoke_client(&self, uuid: &str);
    fn lower_client(&self, uuid: &str);
    /// Rotates the client's secret and returns the new one.
    fn rotate_client(&self, uuid: &str) -> String;
}

/// A second service on the same store.
pub(super) struct Http<'a> {
    pub(super) served: &'a Served,
    /// The header that lets in an administrator.
    pub(super) admin: &'a str,
}

impl Http<'_> {
    fn ask(&self, method: &str, path: &str, body: &str, expected: u16) -> Value {
        let reply = self.served.ask(method, path, &[self.admin, JSON], body);
        assert_eq!(reply.status, expected, "{method} {path}: {reply:?}");
        if reply.body.is_empty() { Value::Null } else { reply.json() }
    }
}

impl Rival for Http<'_> {
    fn add_key(&self) -> String {
        text(&self.ask("POST", "/v1/key", r#"{"name":"A","permissions":["admin"]}"#, 201), "uuid")
    }

    fn add_client(&self) -> (String, String) {
        let made = self.ask("POST", "/v1/client", r#"{"name":"A","permissions":["admin"]}"#, 201);
        (text(&made, "uuid"), text(&made, "client_secret"))
    }

    fn revoke_key(&self, uuid: &str) {
        self.ask("DELETE", &format!("/v1/key/{uuid}"), "", 204);
    }

    fn lower_key(&self, uuid: &str) {
        self.ask("PATCH", &format!("/v1/key/{uuid}"), &format!(r#"{{"permissions":["{LOWER}"]}}"#), 200);
    }

    fn revoke_client(&self, uuid: &str) {
        self.ask("DELETE", &format!("/v1/client/{uuid}"), "", 204);
    }

    fn lower_client(&self, uuid: &str) {
        self.ask("PATCH", &format!("/v1/client/{uuid}"), &format!(r#"{{"permissions":["{LOWER}"]}}"#), 200);
    }

    fn rotate_client(&self, uuid: &str) -> String {
        text(&self.ask("POST", &format!("/v1/client/{uuid}/secret"), "", 200), "client_secret")
    }
}

/// This process, on the data of a service that runs in another.
struct Beside {
    runtime: Runtime,
    app: App,
    operator: Caller,
}

impl Beside {
    fn new(place: &Place) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let mut config = Config::default();
        config.store.data_dir = place.path().join("tonne-data");
        let app = runtime.block_on(App::build(config)).unwrap();
        let tenant = runtime.block_on(app.tenant(&ports::TenantSlug::parse(tonne::SINGLE_TENANT).unwrap())).unwrap();
        let operator = app.operator(&tenant);
        Self { runtime, app, operator }
    }
}

fn draft(permissions: &str) -> CredentialDraft {
    CredentialDraft {
        permissions: Field::Given(Permissions::parse(permissions).unwrap()),
        ..CredentialDraft::default()
    }
}

fn named(permissions: &str) -> CredentialDraft {
    CredentialDraft { name: Field::Given(Name::parse("A").unwrap()), ..draft(permissions) }
}

impl Rival for Beside {
    fn add_key(&self) -> String {
        let credentials = &self.app.areas().credentials;
        let new = self.runtime.block_on(credentials.add_key(&self.operator, named("admin"))).unwrap();
        new.view.key.id.to_string()
    }

    fn add_client(&self) -> (String, String) {
        let credentials = &self.app.areas().credentials;
        let new = self.runtime.block_on(credentials.add_client(&self.operator, named("admin"))).unwrap();
        (new.view.client.id.to_string(), new.secret.0)
    }

    fn revoke_key(&self, uuid: &str) {
        let credentials = &self.app.areas().credentials;
        self.runtime.block_on(credentials.remove_key(&self.operator, uuid.parse().unwrap(), None)).unwrap();
    }

    fn lower_key(&self, uuid: &str) {
        let credentials = &self.app.areas().credentials;
        let lowering = credentials.update_key(&self.operator, uuid.parse().unwrap(), None, draft(LOWER));
        self.runtime.block_on(lowering).unwrap();
    }

    fn revoke_client(&self, uuid: &str) {
        let credentials = &self.app.areas().credentials;
        self.runtime.block_on(credentials.remove_client(&self.operator, uuid.parse().unwrap(), None)).unwrap();
    }

    fn lower_client(&self, uuid: &str) {
        let credentials = &self.app.areas().credentials;
        let lowering = credentials.update_client(&self.operator, uuid.parse().unwrap(), None, draft(LOWER));
        self.runtime.block_on(lowering).unwrap();
    }

    fn rotate_client(&self, uuid: &str) -> String {
        let credentials = &self.app.areas().credentials;
        let rotation = credentials.rotate_client(&self.operator, uuid.parse().unwrap(), None);
        self.runtime.block_on(rotation).unwrap().secret.0
    }
}

fn text(json: &Value, member: &str) -> String {
    json[member].as_str().unwrap_or_else(|| panic!("no {member}: {json}")).to_owned()
}

/// Renames through the service, again and again, while `change` goes on beside it. What `change` gives.
fn beside_renamings<T>(service: &Http<'_>, path: &str, change: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let renaming = scope.spawn(|| {
            for number in 0..RENAMINGS {
                let body = format!(r#"{{"name":"Renamed {number}"}}"#);
                let reply = service.served.ask("PATCH", path, &[service.admin, JSON], &body);
                assert!(matches!(reply.status, 200 | 404), "{reply:?}");
            }
        });
        let changed = change();
        renaming.join().unwrap();
        changed
    })
}

fn is_gone(service: &Http<'_>, path: &str) {
    let reply = service.served.ask("GET", path, &[service.admin], "");
    assert_eq!(reply.status, 404, "came back: {reply:?}");
}

fn is_lowered(service: &Http<'_>, path: &str) {
    let found = service.ask("GET", path, "", 200);
    assert_eq!(found["permissions"], serde_json::json!([LOWER]), "came back: {found}");
}

fn token(service: &Http<'_>, id: &str, secret: &str) -> u16 {
    let basic = format!("Authorization: Basic {}", STANDARD.encode(format!("{id}:{secret}")));
    service.served.ask("POST", "/auth/token", &[&basic, FORM], "grant_type=client_credentials").status
}

fn round(number: usize, service: &Http<'_>, rival: &dyn Rival) {
    if number % 5 < 2 {
        let uuid = rival.add_key();
        let path = format!("/v1/key/{uuid}");
        if number.is_multiple_of(5) {
            beside_renamings(service, &path, || rival.revoke_key(&uuid));
            is_gone(service, &path);
        } else {
            beside_renamings(service, &path, || rival.lower_key(&uuid));
            is_lowered(service, &path);
        }
        return;
    }
    let (uuid, old) = rival.add_client();
    let path = format!("/v1/client/{uuid}");
    match number % 5 {
        2 => {
            beside_renamings(service, &path, || rival.revoke_client(&uuid));
            is_gone(service, &path);
        }
        3 => {
            beside_renamings(service, &path, || rival.lower_client(&uuid));
            is_lowered(service, &path);
        }
        _ => {
            let new = beside_renamings(service, &path, || rival.rotate_client(&uuid));
            assert_eq!((token(service, &uuid, &old), token(service, &uuid, &new)), (401, 200), "came back");
        }
    }
}

/// A thousand rounds of a service and somebody beside it.
pub(super) fn run(service: &Http<'_>, rival: &dyn Rival) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < ROUNDS) {
                    round(number, service, rival);
                }
            });
        }
    });
}

#[test]
fn of_a_thousand_rounds_of_two_processes_nothing_revoked_lowered_or_rotated_comes_back() {
    let place = Place::new();
    let served = place.serve();
    let admin = place.bearer("admin");
    run(&Http { served: &served, admin: &admin }, &Beside::new(&place));
    assert!(place.ok(&["verify"]).starts_with("OK: "));
}
