//! Events between partners: `/2/events` and `/3/events`, and what is sent to partners' hosts.

mod between;
mod taken;

use std::time::{Duration, Instant};

use super::footprint::examples::{v2, with};
use super::harness::{Answer, Client, Service, Value, json};
use super::token;

/// How long something that comes about by itself is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A service with a partner, whose host is at an address.
struct Host {
    service: Service,
    admin: Client,
    /// The partner's uuid.
    partner: String,
    /// The partner's own client.
    client: Client,
}

/// An address that no host is at.
const NOWHERE: &str = "https://pact.example.com/sub";

impl Host {
    fn start() -> Self {
        let service = Service::start();
        let admin = service.admin();
        let partner = admin.post("/v1/partner", &json!({ "name": "Buyer", "baseUrl": NOWHERE })).uuid();
        let credentials = admin.post(&format!("/v1/partner/{partner}/client"), &Value::Null).ok();
        let client = token::caller(&service, &credentials);
        Self { service, admin, partner, client }
    }

    fn send(&self, version: u8, event: &Value) -> Answer {
        let request = self.client.request("POST", &format!("/{version}/events"));
        request.header("Content-Type", "application/cloudevents+json; charset=UTF-8").body(event.to_string()).send()
    }

    /// The newest events to the partner.
    fn deliveries(&self) -> Vec<Value> {
        listed(&self.admin, &self.partner, "delivery")
    }
}

/// What is listed of a partner.
#[track_caller]
fn listed(admin: &Client, partner: &str, what: &str) -> Vec<Value> {
    admin.get(&format!("/v1/partner/{partner}/{what}")).ok()["data"].as_array().unwrap().clone()
}

/// An event of that version.
fn event(version: u8, kind: &str, id: &str, source: &str, data: &Value) -> Value {
    let kind = match (version, kind) {
        (2, "published") => "org.wbcsd.pathfinder.ProductFootprint.Published.v1".to_owned(),
        (2, kind) => format!("org.wbcsd.pathfinder.ProductFootprintRequest.{}.v1", capital(kind)),
        (_, "published") => "org.wbcsd.pact.ProductFootprint.PublishedEvent.3".to_owned(),
        (_, kind) => format!("org.wbcsd.pact.ProductFootprint.Request{}Event.3", capital(kind)),
    };
    json!({ "specversion": "1.0", "type": kind, "id": id, "source": source, "time": "2025-01-01T00:00:00Z", "data": data })
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Waits until it is so, and gives what was found.
#[track_caller]
fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = found() {
            return found;
        }
        assert!(Instant::now() < end, "{what}");
        std::thread::yield_now();
    }
}

/// A footprint that both versions show, of that product, by its uuid.
fn footprint(admin: &Client, product: &str) -> String {
    let whole = with(v2(), "/pcf/productMassPerDeclaredUnit", Some(json!("1")));
    admin.post("/v1/footprint", &with(whole, "/productIds", Some(json!([product])))).uuid()
}
