//! Every stored figure of the demo is computed anew, on both stores that keep files.

use serde_json::{Value, json};
use tonne::Config;
use tonne::config::Address;

use crate::command::postgres::{Node, bare};
use crate::command::run::Place;
use crate::demo::filled::fill_store;

/// All activities of the demo and all inputs of its models have been computed anew, and none came out otherwise.
#[track_caller]
fn check(told: &str) {
    let told: Value = serde_json::from_str(told).unwrap();
    assert_eq!(told["ok"], true, "{told}");
    let figures = &told["parts"][1]["figures"];
    assert_eq!(
        [&figures["activities"], &figures["incomplete"], &figures["wrong"]],
        [&json!(20_535), &json!(60), &json!(0)],
        "{told}"
    );
    assert!(figures["inputs"].as_u64().unwrap() > 50, "{told}");
}

#[test]
fn every_figure_of_the_demo_is_replayed_from_its_explanation_on_sqlite() {
    let place = Place::new();
    let mut config = Config::default();
    config.store.data_dir = place.path().join("tonne-data");
    fill_store(config);
    check(&place.ok(&["verify", "--explain", "--json"]));
}

#[test]
fn every_figure_of_the_demo_is_replayed_from_its_explanation_on_postgresql() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let mut config = Config::default();
    config.store.data_dir = node.0.path().join("tonne-data");
    config.database.url = Some(Address::Given(fresh.url()));
    fill_store(config);
    check(&node.ok(&["verify", "--explain", "--json"]));
}
