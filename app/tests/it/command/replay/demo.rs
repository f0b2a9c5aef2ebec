//! Every stored figure of the demo is computed anew, before what is outdated in it is recalculated, after that, and after it is undone, on
//! both stores that keep files.

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
        [&json!(20_599), &json!(60), &json!(0)],
        "{told}"
    );
    assert!(figures["inputs"].as_u64().unwrap() > 50, "{told}");
}

/// What reports say of each dimension, spread and not, by location and in the market.
fn reports(run: &impl Fn(&[&str]) -> String) -> Vec<String> {
    let reports: [&[&str]; 6] = [
        &["--by", "scope,org", "--scope2", "both"],
        &["--by", "taxonomy"],
        &["--by", "month", "--attribution", "daily"],
        &["--by", "product"],
        &["--by", "gas"],
        &["--by", "quality"],
    ];
    let report = |words: &[&str]| {
        let told: Value = serde_json::from_str(&run(&[&["report", "--json"], words].concat())).unwrap();
        format!("{} {} {}", told["CO2e"], told["outdatedCount"], told["rows"])
    };
    reports.map(report).into()
}

/// Replays the demo, confirms the recalculation of what is outdated in it as it is previewed, and undoes that.
fn check_recalculation(run: impl Fn(&[&str]) -> String) {
    let asked = |words: &[&str]| -> Value {
        let words = [&["recalculate", "--json"], words].concat();
        serde_json::from_str(&run(&words)).unwrap()
    };
    check(&run(&["verify", "--explain", "--json"]));
    let before = reports(&run);
    let preview = asked(&["--outdated", "--dry-run"]);
    assert!(preview["changed"].as_u64().unwrap() > 50 && preview["CO2eBefore"] != preview["CO2eAfter"], "{preview}");
    assert_eq!(reports(&run), before, "a preview writes nothing");
    let done = asked(&["--outdated", "--confirm", preview["confirm"].as_str().unwrap()]);
    for name in ["activities", "changed", "closed", "CO2eBefore", "CO2eAfter", "groups"] {
        assert_eq!(done[name], preview[name], "{name}");
    }
    assert_ne!(reports(&run), before);
    assert_eq!(asked(&["--outdated", "--dry-run"])["changed"], 0);
    check(&run(&["verify", "--explain", "--json"]));
    run(&["recalculate", "undo", done["uuid"].as_str().unwrap()]);
    assert_eq!(reports(&run), before);
    check(&run(&["verify", "--explain", "--json"]));
}

#[test]
fn the_demo_is_replayed_as_it_is_recalculated_and_undone_on_sqlite() {
    let place = Place::new();
    let mut config = Config::default();
    config.store.data_dir = place.path().join("tonne-data");
    fill_store(config);
    check_recalculation(|words| place.ok(words));
}

#[test]
fn the_demo_is_replayed_as_it_is_recalculated_and_undone_on_postgresql() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let mut config = Config::default();
    config.store.data_dir = node.0.path().join("tonne-data");
    config.database.url = Some(Address::Given(fresh.url()));
    fill_store(config);
    check_recalculation(|words| node.ok(words));
}
