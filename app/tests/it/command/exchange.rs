//! Two services that exchange footprints while they are killed: each event takes effect once.

use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::run::{Base, Place, Served};

const KILLS: usize = 20;
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
        let key = place.json(&["key", "create", "--name", "a", "--permissions", "admin"]);
        let header = format!("Authorization: Bearer {}", key["key"].as_str().unwrap());
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

    /// Registers the other one, and gives the credentials that it calls with.
    fn register(&mut self, base: &str) -> Value {
        let flags = ["--name", "Other", "--base-url", base, "--private-addresses", "--plain-http"];
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

fn footprint(number: usize) -> Value {
    json!({
        "specVersion": "3.0.0", "companyName": "Works", "companyIds": ["urn:pact:works.example:company:1"],
        "productNameCompany": format!("Part {number}"), "productDescription": "", "productIds": [product(number)],
        "pcf": {
            "declaredUnitOfMeasurement": "kilogram", "declaredUnitAmount": "1", "productMassPerDeclaredUnit": "1",
            "referencePeriodStart": "2024-01-01T00:00:00Z", "referencePeriodEnd": "2025-01-01T00:00:00Z",
            "pcfExcludingBiogenicUptake": "2.5", "pcfIncludingBiogenicUptake": "2.5", "fossilGhgEmissions": "2.5",
            "fossilCarbonContent": "0", "ipccCharacterizationFactors": ["AR6"],
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

#[test]
fn two_services_exchange_footprints_each_event_once_while_one_of_them_is_killed_twenty_times() {
    let (mut supplier, mut buyer) = (Side::start(), Side::start());
    let (to_supplier, to_buyer) = (supplier.base(), buyer.base());
    let (of_buyer, of_supplier) = (supplier.register(&to_buyer), buyer.register(&to_supplier));
    supplier.use_credentials(&of_supplier);
    buyer.use_credentials(&of_buyer);
    let mut ids = Vec::new();
    for number in 0..KILLS {
        let added = supplier.ask("POST", "/v1/footprint", &format!("footprint-{number}"), &footprint(number));
        let id = added["uuid"].as_str().unwrap().to_owned();
        let body = json!({ "partners": [supplier.partner] });
        supplier.ask("PUT", &format!("/v1/footprint/{id}/sharing"), "", &body);
        ids.push(id);
        if number % 4 == 3 {
            supplier.kill();
        }
        let body = json!({ "productIds": [product(number)] });
        buyer.ask("POST", &format!("/v1/partner/{}/request", buyer.partner), &format!("request-{number}"), &body);
        // Killed at once, or when the request is somewhere on its way.
        if number % 4 == 1 {
            until("not sent", || {
                if buyer.listed("request")[0]["state"] == "waiting" { Err(String::new()) } else { Ok(()) }
            });
        }
        match number % 4 {
            0 | 1 => supplier.kill(),
            2 => buyer.kill(),
            _ => {}
        }
    }
    until("not all requests are fulfilled", || {
        let open: Vec<_> = buyer.listed("request").into_iter().filter(|one| one["state"] != "fulfilled").collect();
        if open.is_empty() { Ok(()) } else { Err(format!("{open:?}; {:?}", supplier.listed("delivery"))) }
    });
    until("not all is sent", || {
        let all = [supplier.listed("delivery"), buyer.listed("delivery")].concat();
        let open: Vec<_> = all.into_iter().filter(|one| one["state"] != "sent").collect();
        if open.is_empty() { Ok(()) } else { Err(format!("{open:?}")) }
    });
    let requests = buyer.listed("request");
    assert_eq!(requests.len(), KILLS);
    for (number, request) in requests.iter().rev().enumerate() {
        assert_eq!(
            (&request["productIds"], &request["footprints"]),
            (&json!([product(number)]), &json!([ids[number]]))
        );
    }
    let sent = supplier.listed("delivery");
    let of_kind = |kind: &str| sent.iter().filter(|one| one["event"] == kind).count();
    assert_eq!(of_kind("answer"), KILLS, "each request is answered once");
    let told: String =
        sent.iter().filter(|one| one["event"] == "published").map(|one| one["about"].to_string()).collect();
    for id in &ids {
        assert_eq!(told.matches(id.as_str()).count(), 1, "{id} is told once: {told}");
    }
    let partner = buyer.ask("GET", &format!("/v1/partner/{}", buyer.partner), "", &Value::Null);
    assert_eq!(partner["announced"], KILLS);
    let pull = || buyer.place.json(&["pact", "pull", "Other", "--announced"]);
    assert_eq!(pull()["new"], KILLS);
    assert_eq!(pull()["came"], 0);
    let (status, products) = Base::new(&buyer.base()).get("/v1/product", &[&buyer.header]);
    assert_eq!((status, &serde_json::from_str::<Value>(&products).unwrap()["count"]), (200, &json!(KILLS)));
}
