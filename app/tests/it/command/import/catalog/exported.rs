//! A catalog that one installation exports and another imports.

use super::{CATALOG, counts};
use crate::command::run::Place;

/// What the report and the tables of the catalog say, without what another installation says otherwise.
fn told(place: &Place) -> Vec<String> {
    let toml = place.ok(&["export", "catalog", "--to", "-"]);
    let is_told = |line: &&str| !["uuid", "parent ", "product "].iter().any(|name| line.starts_with(name));
    toml.lines().filter(is_told).map(str::to_owned).collect()
}

const WITHOUT_SYNC_IDS: &str = r#"
[[org]]
uuid = "00000000-0000-7000-8000-000000000001"
name = "Group"
[[org]]
uuid = "00000000-0000-7000-8000-000000000002"
name = "Works"
parent = "00000000-0000-7000-8000-000000000001"
region = "GB"
[[org]]
uuid = "00000000-0000-7000-8000-000000000003"
name = "Works"
[[taxonomy]]
uuid = "00000000-0000-7000-8000-000000000004"
name = "Fuels"
[[taxonomy]]
uuid = "00000000-0000-7000-8000-000000000005"
name = "Gas, \"natural\""
parent = "00000000-0000-7000-8000-000000000004"
[[scope]]
uuid = "00000000-0000-7000-8000-000000000006"
name = "Scope 3"
kind = "scope3"
[[scope]]
uuid = "00000000-0000-7000-8000-000000000007"
name = "Travel"
parent = "00000000-0000-7000-8000-000000000006"
category = "6"
[[product]]
uuid = "00000000-0000-7000-8000-000000000008"
name = "Gas"
unit = "kWh"
[product.factorRule]
name = "Natural gas"
unit = "kWh"
path = ["Fuels", "Gaseous fuels"]
sets = [{ publisher = "Some office", year = 2025 }]
years = "newestBefore"
[[factor]]
uuid = "00000000-0000-7000-8000-000000000009"
product = "00000000-0000-7000-8000-000000000008"
unit = "kWh"
upstream = "0.1"
validFrom = 2024-01-01
source = "Made up"
"#;

#[test]
fn an_exported_catalog_makes_the_same_elsewhere_and_changes_nothing_again_anywhere() {
    let one = Place::new();
    one.file("catalog.toml", CATALOG);
    one.file("more.toml", WITHOUT_SYNC_IDS);
    assert_eq!(counts(&one.json(&["import", "catalog", "catalog.toml", "more.toml"])), [16, 0, 0, 0]);
    for (to, from) in [("out.toml", "out.toml"), ("tables", "tables")] {
        one.ok(&["export", "catalog", "--to", to]);
        assert_eq!(counts(&one.json(&["import", "catalog", from])), [0, 0, 16, 0], "{to} at home");
        let other = Place::new();
        if to == "tables" {
            for kind in ["scopes", "orgs", "taxonomies", "products", "factors"] {
                let table = std::fs::read_to_string(one.path().join(format!("tables/{kind}.csv"))).unwrap();
                other.file(&format!("tables/{kind}.csv"), &table);
            }
        } else {
            other.file(to, &std::fs::read_to_string(one.path().join(to)).unwrap());
        }
        assert_eq!(counts(&other.json(&["import", "catalog", from])), [16, 0, 0, 0], "{to} elsewhere");
        assert_eq!(told(&other), told(&one), "{to}");
        // Their uuids are others here: the records are found by their syncIds, places and names.
        assert_eq!(counts(&other.json(&["import", "catalog", from])), [0, 0, 16, 0], "{to} elsewhere again");
        other.ok(&["verify"]);
    }
    let there = one.run(&["export", "catalog", "--to", "out.toml"]);
    assert!(there.status == 2 && there.stderr.contains("--force"), "{}", there.stderr);
    one.ok(&["export", "catalog", "--to", "out.toml", "--force"]);
}

const PUBLISHED: &str = "\
name,unit,use,region,gwp,co2e,publisher,title,edition,licence,validFrom,validTo
Grid electricity,kWh,purchased-energy,GB,AR5,0.2,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
";

const RULED: &str = r#"
[[org]]
syncId = "works"
name = "Works"
region = "GB"
[[product]]
syncId = "power"
name = "Power"
unit = "kWh"
[product.factorRule]
name = "Grid electricity"
unit = "kWh"
sets = [{ publisher = "Example Ltd" }]
"#;

#[test]
fn a_rule_and_a_region_are_exported_and_what_the_rule_chose_is_chosen_anew_elsewhere() {
    let one = Place::new();
    one.file("own.csv", PUBLISHED);
    one.file("ruled.toml", RULED);
    one.file("rows.csv", "syncId,name,startDate,quantity,unit,product,org\na,Meter,2025-03-01,100,kWh,power,works\n");
    let fill = |place: &Place| {
        place.ok(&["import", "factors", "own.csv"]);
        place.ok(&["import", "activities", "rows.csv"]);
        assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "20");
    };
    one.ok(&["import", "catalog", "ruled.toml"]);
    fill(&one);
    for (to, files) in [("out.toml", &["out.toml"][..]), ("tables", &["tables/orgs.csv", "tables/products.csv"][..])] {
        one.ok(&["export", "catalog", "--to", to]);
        assert!(!one.path().join("tables/factors.csv").exists(), "the product has no factor of its own");
        assert_eq!(counts(&one.json(&["import", "catalog", to])), [0, 0, 2, 0], "{to} at home");
        let other = Place::new();
        for file in files.iter().chain(&["own.csv", "rows.csv"]) {
            other.file(file, &std::fs::read_to_string(one.path().join(file)).unwrap());
        }
        assert_eq!(counts(&other.json(&["import", "catalog", to])), [2, 0, 0, 0], "{to} elsewhere");
        fill(&other);
        assert_eq!(told(&other), told(&one), "{to}");
        assert_eq!(counts(&other.json(&["import", "catalog", to])), [0, 0, 2, 0], "{to} elsewhere again");
    }
    let told = told(&one).join("\n");
    assert!(told.contains("factorRule = ") && told.contains("region = \"GB\""), "{told}");
}

#[test]
fn nodes_as_the_service_lists_them_in_tables_come_in_elsewhere_below_the_same_nodes() {
    let there = Place::new();
    there.file(
        "orgs.csv",
        "uuid,syncId,name,parent,parentName,parentPath,parentSyncId,region,created,updated,path\n\
         0190a000-0000-7000-8000-000000000001,g,Group,,,,,,2025-01-01T00:00:00Z,2025-01-01T00:00:00Z,Group\n\
         0190a000-0000-7000-8000-000000000002,,Works,0190a000-0000-7000-8000-000000000001,Group,Group,g,,2025-01-01T00:00:00Z,2025-01-01T00:00:00Z,Group / Works\n",
    );
    there.ok(&["import", "catalog", "orgs.csv"]);
    there.ok(&["export", "catalog", "--to", "out.toml"]);
    let out = std::fs::read_to_string(there.path().join("out.toml")).unwrap();
    let works = &out[out.find("Works").unwrap()..];
    assert!(works.contains("parent = ") && works.contains("\"g\""), "{out}");
    assert!(there.ok(&["import", "catalog", "orgs.csv"]).contains("org: 0 created"));
}
