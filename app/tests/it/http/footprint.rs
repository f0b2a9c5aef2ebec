//! `/v1/footprint` and `/pact/2/footprints`: product carbon footprints.

mod amend;
pub(crate) mod examples;
mod list;
mod part;
pub(super) mod publish;
mod rule;
mod store;
mod table;

use super::harness::{Client, Value};

/// The numbers of the footprints that partners are shown.
fn listed(client: &Client) -> Vec<u64> {
    let list = client.get("/pact/2/footprints").ok();
    list["data"].as_array().unwrap().iter().map(|footprint| footprint["id"].as_u64().unwrap()).collect()
}

/// The rules that a footprint breaks, with their places: `required-field /companyName`.
#[track_caller]
fn broken(footprint: &Value) -> Vec<String> {
    let rules = footprint["brokenRules"].as_array().unwrap();
    let rule = |broken: &Value| {
        assert!(broken["detail"].as_str().is_some_and(|detail| detail.len() > 10), "{broken}");
        format!("{} {}", broken["rule"].as_str().unwrap(), broken["pointer"].as_str().unwrap())
    };
    let rules: Vec<_> = rules.iter().map(rule).collect();
    assert_eq!(footprint["valid"], rules.is_empty(), "{footprint}");
    rules
}
