//! Two services that exchange footprints, by commands and while they are killed.

mod asked;
mod killed;

use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::run::{Base, Place, Served};

const PATIENCE: Duration = Duration::from_mins(2);

/// A company on a store of its own, at a port of its own.
struct Side {
    place: Place,
    port: u16,
    child: Child,
    header: String,
    /// What the other one is called here.
    partner: String,
}

impl Side {
    fn start() -> Self {
        let place = Place::new();
        place.file("scopes.toml", "[[scope]]\nsyncId = \"scope-3\"\nname = \"Scope 3\"\nkind = \"scope3\"\n");
        place.ok(&["import", "catalog", "scopes.toml"]);
        let header = place.bearer("admin");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = serve(&place, port);
        Self { place, port, child, header, partner: String::new() }
    }

    fn base(&self) -> String {
        format!("http://127.0.0.1:{}/api", self.port)
    }

    /// Kills the process where it stands, and starts another one.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = serve(&self.place, self.port);
    }

    /// Sends a request, which must succeed, as often as it takes to be answered.
    fn ask(&self, method: &str, path: &str, key: &str, body: &Value) -> Value {
        let (key, json) = (format!("Idempotency-Key: {key}"), "Content-Type: application/json");
        let headers: &[&str] = if method == "POST" { &[&self.header, json, &key] } else { &[&self.header, json] };
        let reply = Base::new(&self.base()).ask(method, path, headers, &body.to_string());
        assert!((200..300).contains(&reply.status), "{method} {path}: {reply:?}");
        serde_json::from_str(&reply.body).unwrap()
    }

    fn listed(&self, what: &str) -> Vec<Value> {
        let path = format!("/v1/partner/{}/{what}?pageSize=1000", self.partner);
        let (status, body) = Base::new(&self.base()).get(&path, &[&self.header]);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str::<Value>(&body).unwrap()["data"].as_array().unwrap().clone()
    }

    /// Registers the other one, which is told in that version, and gives the credentials that it calls with.
    fn register(&mut self, base: &str, pact: &str) -> Value {
        let flags = ["--name", "Other", "--base-url", base, "--private-addresses", "--plain-http", "--pact", pact];
        let added = self.place.json(&[&["partner", "add"], &flags[..]].concat());
        added["uuid"].as_str().unwrap().clone_into(&mut self.partner);
        added
    }

    fn use_credentials(&self, credentials: &Value) {
        let body = json!({ "clientId": credentials["client_id"], "clientSecret": credentials["client_secret"] });
        self.ask("PATCH", &format!("/v1/partner/{}", self.partner), "", &body);
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts the service, and waits until it answers.
fn serve(place: &Place, port: u16) -> Child {
    let mut command = place.command(&["serve", "--listen", &format!("127.0.0.1:{port}")]);
    command.env("TONNE_EXCHANGE__ATTEMPT_S", "1").env("TONNE_LOG__LEVEL", "off");
    command.env("TONNE_LIMITS__REQUESTS_PER_MINUTE", "0");
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let end = Instant::now() + PATIENCE;
    while Served::post_to(&format!("http://127.0.0.1:{port}/api"), "/nothing", &[], "{}").is_err() {
        assert!(Instant::now() < end, "the service does not answer");
        std::thread::yield_now();
    }
    child
}

/// Two companies, each the other's partner: the supplier tells in version 2, the buyer asks in version 3.
struct Two {
    supplier: Side,
    buyer: Side,
}

impl Two {
    fn start() -> Self {
        let (mut supplier, mut buyer) = (Side::start(), Side::start());
        let (to_supplier, to_buyer) = (supplier.base(), buyer.base());
        let (of_buyer, of_supplier) = (supplier.register(&to_buyer, "2"), buyer.register(&to_supplier, "3"));
        supplier.use_credentials(&of_supplier);
        buyer.use_credentials(&of_buyer);
        Self { supplier, buyer }
    }
}

fn footprint(number: usize) -> Value {
    json!({
        "specVersion": "3.0.0", "companyName": "Works", "companyIds": ["urn:pact:works.example:company:1"],
        "productNameCompany": format!("Part {number}"), "productDescription": "", "productIds": [product(number)],
        "productClassifications": ["urn:cpc:41532"],
        "pcf": {
            "declaredUnitOfMeasurement": "kilogram", "declaredUnitAmount": "1", "productMassPerDeclaredUnit": "1",
            "referencePeriodStart": "2024-01-01T00:00:00Z", "referencePeriodEnd": "2025-01-01T00:00:00Z",
            "pcfExcludingBiogenicUptake": "2.5", "pcfIncludingBiogenicUptake": "2.5", "fossilGhgEmissions": "2.5",
            "fossilCarbonContent": "0", "biogenicCarbonContent": "0", "packagingEmissionsIncluded": false,
            "ipccCharacterizationFactors": ["AR6"],
            "crossSectoralStandards": ["ISO14067"], "exemptedEmissionsPercent": "0",
        },
    })
}

fn product(number: usize) -> String {
    format!("urn:a:{number}")
}

#[track_caller]
fn until(what: &str, mut found: impl FnMut() -> Result<(), String>) {
    let end = Instant::now() + PATIENCE;
    while let Err(why) = found() {
        assert!(Instant::now() < end, "{what}: {why}");
        std::thread::yield_now();
    }
}
