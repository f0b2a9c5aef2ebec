//! Importing a catalog from files.

mod exported;
mod factors;

use super::super::run::Place;

const CATALOG: &str = r#"
[[factor]]
product = "power"
unit = "kWh"
upstream = "0.4"
validFrom = 2024-01-01
source = "Made-up factors 2024"

[[factor]]
product = "power"
unit = "MWh"
upstream = "380"
downstream = "0"
validFrom = 2025-01-01
source = "Made-up factors 2025"
gwp = "AR6"

[[org]]
syncId = "plant"
name = "Plant"
parent = "company"

[[org]]
syncId = "company"
name = "Company"

[[taxonomy]]
syncId = "energy"
name = "Energy"
slug = "energy"

[[scope]]
syncId = "scope2"
name = "Scope 2"
kind = "scope2"

[[product]]
syncId = "power"
name = "Electricity"
unit = "kWh"
"#;

fn counts(json: &serde_json::Value) -> [u64; 4] {
    ["created", "updated", "unchanged", "rejected"].map(|name| json[name].as_u64().unwrap())
}

#[test]
fn records_of_all_kinds_come_in_at_once_and_the_second_time_nothing_changes() {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    let command = ["import", "catalog", "catalog.toml"];
    assert_eq!(counts(&place.json(&command)), [7, 0, 0, 0]);
    let again = place.json(&command);
    assert_eq!(counts(&again), [0, 0, 7, 0]);
    assert_eq!(again["kinds"]["factor"]["unchanged"], 2);
    place.file(
        "rows.csv",
        "name,startDate,quantity,unit,product,org,scope,taxonomy\n\
         a,2024-05-01,10,kWh,power,plant,scope2,energy\nb,2025-05-01,10,kWh,Electricity,Plant,scope2,energy\n",
    );
    place.ok(&["import", "activities", "rows.csv"]);
    assert_eq!(place.json(&["report"])["CO2e"], "7.8");
}

#[test]
fn what_differs_is_changed_and_members_that_are_absent_stay() {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    place.ok(&["import", "catalog", "catalog.toml"]);
    place.file("orgs.csv", "syncId,name\nplant,Plant North\ncompany,Company\n");
    let dry = place.json(&["import", "catalog", "orgs.csv", "--dry-run"]);
    assert_eq!((counts(&dry), &dry["written"]), ([0, 1, 1, 0], &false.into()));
    assert_eq!(counts(&place.json(&["import", "catalog", "orgs.csv"])), [0, 1, 1, 0]);
    assert_eq!(counts(&place.json(&["import", "catalog", "orgs.csv"])), [0, 0, 2, 0]);
    // An empty cell clears: the plant is a root then.
    place.file("more/orgs.csv", "syncId,name,parent\nplant,Plant North,\n");
    assert_eq!(counts(&place.json(&["import", "catalog", "more"])), [0, 1, 0, 0]);
}

#[test]
fn a_folder_of_tables_is_a_catalog_too() {
    let place = Place::new();
    place.file("catalog/products.csv", "syncId,name,unit\ngas,Gas,kWh\n");
    place.file(
        "catalog/factors.csv",
        "product,unit,upstream,downstream,validFrom,validTo,source,gwp\ngas,kWh,0.03,0.18,2024-01-01,,Made up,\n",
    );
    place
        .file("catalog/scopes.csv", "syncId,name,kind,category,parent\ns3.6,Travel,scope3,6,s3\ns3,Scope 3,scope3,,\n");
    place.file("catalog/notes.txt", "no part of it");
    assert_eq!(counts(&place.json(&["import", "catalog", "catalog"])), [4, 0, 0, 0]);
    assert_eq!(counts(&place.json(&["import", "catalog", "catalog"])), [0, 0, 4, 0]);
}

#[test]
fn an_empty_kind_or_category_of_a_scope_is_that_of_the_node_above_each_time() {
    let place = Place::new();
    let scopes = "syncId,name,parent,kind,category\ns3,Scope 3,,scope3,\nc1,Purchased,s3,scope3,1\nc1a,Steel,c1,scope3,\n\
                  c1b,Iron,c1,,\ns1,Scope 1,,scope1,\n";
    place.file("scopes.csv", scopes);
    assert_eq!(counts(&place.json(&["import", "catalog", "scopes.csv"])), [5, 0, 0, 0]);
    assert_eq!(counts(&place.json(&["import", "catalog", "scopes.csv"])), [0, 0, 5, 0]);
    place.file("same/scopes.csv", "syncId,name,parent,kind,category\nc1b,Iron,c1,scope3,1\n");
    assert_eq!(counts(&place.json(&["import", "catalog", "same"])), [0, 0, 1, 0]);
    // A root has no node above that could say it.
    place.file("root/scopes.csv", "syncId,name,parent,kind\nx,X,,\n");
    assert!(place.run(&["import", "catalog", "root"]).stderr.contains("kind: is required"));
}

#[test]
fn a_standard_and_a_file_are_one_change() {
    let place = Place::new();
    place.file("scopes.csv", "syncId,name,parent,kind\nfleet,Fleet,scope1,scope7\n");
    let command = ["import", "catalog", "scopes.csv", "--standard", "ghg-protocol"];
    assert_eq!(place.run(&command).status, 1);
    // A file may refer to scopes of the standard, and call one of them otherwise.
    place.file("scopes.csv", "syncId,name,parent,kind\nfleet,Fleet,scope1,\nscope2,Energy bought,,\n");
    let dry = [&command[..], &["--dry-run"]].concat();
    for (command, written) in [(&dry[..], false), (&command, true)] {
        let done = place.json(command);
        assert_eq!((counts(&done), &done["written"]), ([22, 1, 0, 0], &written.into()), "{done}");
        assert_eq!(done["kinds"]["scope"]["created"], 22);
        assert_eq!(done["kinds"].as_object().unwrap().len(), 1);
    }
    assert_eq!(counts(&place.json(&command)), [0, 0, 23, 0]);
}

#[test]
fn all_faults_are_told_at_once_and_nothing_is_written() {
    let place = Place::new();
    place.file("good.toml", CATALOG);
    place.file(
        "bad.toml",
        r#"
        [[product]]
        syncId = "gas"
        name = "Gas"
        unit = "kwhh"
        [[product]]
        name = "Oil"
        unit = "L"
        colour = "black"
        [[factor]]
        product = "gas"
        unit = "kWh"
        upstream = 0.5
        validFrom = 2025-01-01
        source = "x"
        [[factor]]
        product = "coal"
        unit = "kg"
        upstream = "1"
        validFrom = 2025-01-01
        source = "x"
        [[org]]
        syncId = "a"
        name = "A"
        parent = "b"
        [[org]]
        syncId = "b"
        name = "B"
        parent = "a"
        "#,
    );
    let ended = place.run(&["import", "catalog", "good.toml", "bad.toml"]);
    assert_eq!(ended.status, 1);
    for told in [
        "bad.toml product[0] (gas), unit: \"kwhh\" is not a unit",
        "bad.toml product[1], colour: is not known",
        "bad.toml product[1], syncId: is required",
        "bad.toml factor[0] (gas), upstream: must be a text such as \"0.202\"",
        "bad.toml factor[1] (coal), product: there is no product",
        "bad.toml org[1] (b), parent: there is no org",
    ] {
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
    assert!(!ended.stderr.contains("factor[0] (gas), product"), "{}", ended.stderr);
    assert_eq!(counts(&place.json(&["import", "catalog", "good.toml", "--dry-run"])), [7, 0, 0, 0]);
}

#[test]
fn a_record_that_stands_twice_is_refused() {
    let place = Place::new();
    place.file("orgs.csv", "syncId,name\na,A\na,B\n");
    let ended = place.run(&["import", "catalog", "orgs.csv"]);
    assert!(ended.stderr.contains("orgs.csv line 3, syncId: is that of an earlier org already: a"), "{}", ended.stderr);
    place.file("table.csv", "syncId,name\n");
    assert_eq!(place.run(&["import", "catalog", "table.csv"]).status, 2);
}

#[test]
fn two_records_that_nothing_tells_apart_are_refused_and_a_name_beside_another_parent_is_another() {
    let place = Place::new();
    let row = |number: u32, name: &str| format!("00000000-0000-7000-8000-00000000000{number},{name}\n");
    place.file("orgs.csv", &format!("uuid,name\n{}{}", row(1, "Works"), row(2, "Depot")));
    assert_eq!(counts(&place.json(&["import", "catalog", "orgs.csv"])), [2, 0, 0, 0]);
    place.file("other/orgs.csv", &format!("uuid,name,syncId\n{},w-2\n", row(3, "Works").trim_end()));
    assert_eq!(counts(&place.json(&["import", "catalog", "other"])), [1, 0, 0, 0], "a syncId is another record");
    place.file("again/orgs.csv", &format!("uuid,name\n{}", row(4, "Works")));
    let ended = place.run(&["import", "catalog", "again"]);
    assert!(ended.stderr.contains("orgs.csv line 2, name: is that of 2 nodes at its place"), "{}", ended.stderr);
    place.file("bare/orgs.csv", "name\nYard\n");
    assert!(place.run(&["import", "catalog", "bare"]).stderr.contains("syncId: is required"));
}
