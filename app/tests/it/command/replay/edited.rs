//! A digit that somebody edits in the store itself is found, and the record named with both figures: a quantity, a gas, what counts in
//! the market, an input, and a factor, on both stores that keep files.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::FACTORS;
use crate::command::postgres::{Node, bare, bearer, soon, sql};
use crate::command::run::{Ended, Place, Served};

const CATALOG: &str = "\
[[product]]
syncId = \"oil\"
name = \"Oil\"
unit = \"L\"

[[factor]]
product = \"oil\"
unit = \"L\"
downstream = \"2.54703\"
validFrom = 2024-01-01
source = \"A published table\"
";

/// A digit of one stored value, which no other value has.
struct Edit {
    /// The column of a table on PostgreSQL, and its type.
    column: [&'static str; 3],
    digits: [&'static str; 2],
    /// The kind and the name of the record whose figure it is.
    of: [&'static str; 2],
    /// Figures of it: one as it is stored, and one as it comes to.
    figures: [&'static str; 2],
}

const EDITS: [Edit; 5] = [
    Edit {
        column: ["activity", "quantity", "numeric"],
        digits: ["98761.25", "98761.26"],
        of: ["activity", "Boiler"],
        figures: ["has 5245654.413125", "it comes to 5245654.94427"],
    },
    Edit {
        column: ["activity", "measures", "text"],
        digits: ["5240271.925", "5240271.926"],
        of: ["activity", "Boiler"],
        figures: ["co2_fossil 5240271.926", "co2_fossil 5240271.925"],
    },
    Edit {
        column: ["activity", "measures", "text"],
        digits: ["-485.1585", "-485.1586"],
        of: ["activity", "Power"],
        figures: ["market_delta -485.1586", "market_delta -485.1585"],
    },
    Edit {
        column: ["input", "co2e", "numeric"],
        digits: ["41276.6058125", "41276.6058126"],
        of: ["input", "Heat of the kiln"],
        figures: ["has 41276.6058126", "it comes to 41276.6058125"],
    },
    Edit {
        column: ["factor", "downstream", "numeric"],
        digits: ["2.54703", "2.54713"],
        of: ["activity", "Generator"],
        figures: ["has 25.4703", "it comes to 25.4713"],
    },
];

/// Fills the store: activities by the command line, a model over HTTP.
fn fill(run: impl Fn(&[&str]) -> String, place: &Place, serve: impl Fn() -> (Served, String)) {
    place.file("factors.csv", FACTORS);
    place.file("oil.toml", CATALOG);
    let set = run(&["import", "factors", "factors.csv"]);
    let set = set.split_once("added set ").unwrap().1.split(':').next().unwrap().to_owned();
    run(&["import", "catalog", "--standard", "ghg-protocol"]);
    run(&["import", "catalog", "oil.toml"]);
    let used = |cell: &str| -> Value {
        serde_json::from_str(&run(&["factor", "use", "--new", &set, cell, "--json"])).unwrap()
    };
    let [_, _, wind] = ["H2", "G4", "G5"].map(used);
    let wind = wind["uuid"].as_str().unwrap();
    place.file(
        "rows.csv",
        &format!(
            "syncId,name,startDate,quantity,unit,product,scope,marketInstrument,marketFactor\n\
             a,Boiler,2025-01-31,98761.25,MMBtu,Natural gas,scope1,,\n\
             b,Power,2025-02-01,1234.5,kWh,Grid,scope2,certificate,{wind}\n\
             c,Generator,2025-02-01,10,L,oil,scope1,,\n"
        ),
    );
    run(&["import", "activities", "rows.csv"]);
    let (served, key) = serve();
    let headers = [key.as_str(), "Content-Type: application/json"];
    let add = |path: &str, body: Value| {
        let made = served.ask("POST", path, &headers, &body.to_string());
        assert_eq!(made.status, 201, "{made:?}");
        made.json()["uuid"].as_str().unwrap().to_owned()
    };
    let products = served.ask("GET", "/v1/product?name=Natural+gas", &headers, "").json();
    let gas = products["data"][0]["uuid"].as_str().unwrap();
    let model = add("/v1/model", json!({ "name": "Brick", "unit": "piece", "referenceDate": "2025-06-01" }));
    let input =
        json!({ "name": "Heat of the kiln", "material": { "uuid": gas }, "quantity": "777.125", "unit": "MMBtu" });
    add(&format!("/v1/model/{model}/input"), input);
    assert_eq!(served.terminate(), Some(0));
}

/// Each edited digit is found in its own record alone, and a store without it is sound.
fn check(run: impl Fn(&[&str]) -> Ended, edit: impl Fn(&Edit, [&str; 2])) {
    let sound = || {
        let ended = run(&["verify", "--explain"]);
        let told = &ended.stdout;
        assert!(ended.status == 0 && told.contains("figures of 3 activities and 1 input (0 records"), "{told}");
    };
    sound();
    for one in &EDITS {
        let [from, to] = one.digits;
        edit(one, [from, to]);
        let ended = run(&["verify", "--explain"]);
        assert_eq!(ended.status, 1, "{to}: {}", ended.stdout);
        let found: Vec<_> = ended.stdout.lines().filter(|line| line.contains(" kg stored; ")).collect();
        let [line] = found[..] else { panic!("{to}: {}", ended.stdout) };
        let ([kind, name], [stored, computed]) = (one.of, one.figures);
        assert!(line.starts_with(&format!("main: {kind} ")) && line.contains(&format!("(\"{name}\")")), "{line}");
        let (before, after) = line.split_once(" kg stored; ").unwrap();
        assert!(before.contains(stored) && after.contains(computed), "{line}");
        assert!(after.contains(" kg by factor "), "{line}");
        edit(one, [to, from]);
        sound();
    }
}

/// Writes other digits where those stand, once, in the file of the company.
fn edit_file(folder: &Path, [from, to]: [&str; 2]) {
    let path = folder.join("tonne-data/tenants/main.db");
    let mut bytes = fs::read(&path).unwrap();
    let places: Vec<_> = (0..bytes.len() - from.len()).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
    let [at] = places[..] else { panic!("{from} stands in the file {} times", places.len()) };
    bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
    fs::write(&path, bytes).unwrap();
}

#[test]
fn an_edited_digit_of_any_figure_is_found_and_the_record_named_on_sqlite() {
    let place = Place::new();
    let serve = || {
        let key = bearer(place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]).trim());
        (place.serve(), key)
    };
    fill(|words| place.ok(words), &place, serve);
    check(|words| place.run(words), |_, digits| edit_file(place.path(), digits));
}

#[test]
fn an_edited_digit_of_any_figure_is_found_and_the_record_named_on_postgresql() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    let serve = || {
        let served = node.serve();
        let key = bearer(&node.key("admin", &[]));
        soon("the new key", || served.get("/v1/scope", &[&key]).0 == 200);
        (served, key)
    };
    fill(|words| node.ok(words), &node.0, serve);
    let edit = |edit: &Edit, [from, to]: [&str; 2]| {
        let [table, column, of_type] = edit.column;
        let is_there = format!("{column}::text LIKE '%{from}%'");
        let others = format!("replace({column}::text, '{from}', '{to}')::{of_type}");
        sql(&fresh.url(), &format!("UPDATE tonne.{table} SET {column} = {others} WHERE {is_there}"));
    };
    check(|words| node.run(words), edit);
}
