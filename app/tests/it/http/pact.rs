//! `/2` and `/3`: footprints as partners read them.

mod error;
mod filter;
mod host_test;
mod link;
mod official;
mod secure;
mod stand_in;
mod trap;

use super::footprint::examples::{v2, v3, with};
use super::harness::{Answer, Client, Service, Value, json};

/// A service with footprints that both versions show, the first of them by creation one of version 2; and one that each
/// version hides.
struct Host {
    service: Service,
    client: Client,
}

impl Host {
    fn start() -> Self {
        let service = Service::start();
        let admin = service.admin();
        let whole = with(v2(), "/pcf/productMassPerDeclaredUnit", Some(json!("1")));
        let piece = with(v3(), "/pcf/declaredUnitOfMeasurement", Some(json!("piece")));
        for record in [v3(), whole, with(v3(), "/status", Some(json!("Deprecated"))), v2(), piece, json!({})] {
            admin.post("/v1/footprint", &record).expect(201);
        }
        let client = service.caller("footprint:read");
        Self { service, client }
    }

    /// The list at a path such as `/3/footprints?limit=1`.
    #[track_caller]
    fn list(&self, path: &str) -> Vec<Value> {
        data(&self.client.get(path))
    }

    /// The first footprint of the list of that version.
    fn first(&self, version: u8) -> Value {
        self.list(&format!("/{version}/footprints"))[0].clone()
    }
}

/// What a list has in `data`.
#[track_caller]
fn data(answer: &Answer) -> Vec<Value> {
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")), "{answer:?}");
    let body = answer.json();
    assert_eq!(body.as_object().unwrap().len(), 1, "{body}");
    body["data"].as_array().unwrap().clone()
}

/// The address of the first link of an answer, which is that of the rest.
#[track_caller]
fn rest(answer: &Answer) -> Option<String> {
    let link = answer.header("link")?;
    let (address, relation) = link.strip_prefix('<').unwrap().split_once('>').unwrap();
    assert_eq!(relation, "; rel=\"next\"", "{link}");
    Some(address.to_owned())
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// The text as a value of a query.
fn encoded(text: &str) -> String {
    text.replace('%', "%25").replace(' ', "%20").replace('+', "%2B").replace('&', "%26").replace('#', "%23")
}
