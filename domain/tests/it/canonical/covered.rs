//! The golden files have every member that is ever written: one that they lack could not be checked by them.

use std::collections::BTreeSet;
use std::fmt::Debug;

use proptest::prelude::*;
use serde_json::Value;
use tonne_domain::{Canonical, Measure};

use super::drawn;

/// The members of a text and of the objects in it, each as a JSON pointer; items of a list have that of the list.
fn members(text: &str) -> BTreeSet<String> {
    fn collect(value: &Value, path: &str, into: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let path = format!("{path}/{name}");
                    collect(value, &path, into);
                    into.insert(path);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, path, into)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut all = BTreeSet::new();
    collect(&serde_json::from_str(text).unwrap(), "", &mut all);
    all
}

/// The texts of the file are in every third line.
fn of_file(kind: &str) -> BTreeSet<String> {
    let path = format!("{}/tests/golden/{kind}.txt", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(path).unwrap();
    let mut all: BTreeSet<String> = file.lines().skip(1).step_by(3).flat_map(members).collect();
    // Each measure is written like the others.
    all.extend(Measure::ALL.iter().map(|measure| format!("/measures/{measure}")));
    all
}

fn check<T: Canonical + Debug>(kind: &str, drawn: impl Strategy<Value = T>) {
    let known = of_file(kind);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let drawn = runner.run(&drawn, |record| {
        let missing: Vec<String> = members(&record.canonical()).difference(&known).cloned().collect();
        prop_assert_eq!(missing, Vec::<String>::new());
        Ok(())
    });
    drawn.unwrap_or_else(|error| panic!("{kind}.txt lacks a member: {error}"));
}

#[test]
fn every_member_that_is_drawn_is_in_the_file_of_its_kind() {
    check("activity", drawn::activity());
    check("scope", drawn::scope());
    check("org", drawn::org());
    check("taxonomy", drawn::taxonomy());
    check("product", drawn::product());
    check("factor", drawn::factor());
    check("factor_set", drawn::factor_set());
    check("published_factor", drawn::published_factor());
    check("model", drawn::model());
    check("input", drawn::input());
    check("switch", drawn::switch());
    check("footprint", drawn::footprint());
}
