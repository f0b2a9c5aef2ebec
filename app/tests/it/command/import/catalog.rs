//! Importing a catalog from files.

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
fn a_factor_with_other_figures_from_the_same_day_is_refused_and_a_later_one_follows() {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    place.ok(&["import", "catalog", "catalog.toml"]);
    place.file("edited.toml", &CATALOG.replace("\"0.4\"", "\"0.5\""));
    let ended = place.run(&["import", "catalog", "edited.toml"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("factor[0] (power), validFrom: is that of a factor"), "{}", ended.stderr);
    place.file("factors.csv", "product,unit,upstream,validFrom,source\npower,kWh,0.3,2026-01-01,Made up\n");
    assert_eq!(counts(&place.json(&["import", "catalog", "factors.csv"])), [1, 0, 0, 0]);
    assert_eq!(counts(&place.json(&["import", "catalog", "catalog.toml"])), [0, 0, 7, 0]);
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
fn a_table_of_factors_leaves_those_alone_that_a_rule_chose() {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    place.ok(&["import", "catalog", "catalog.toml"]);
    let table = "product,unit,upstream,validFrom,source,choiceReason,choicePreference,choiceConsidered\n\
                 power,kWh,0.3,2026-01-01,Made up,,,\n\
                 power,kWh,0.7,2027-01-01,Made up,preference 1,1,\"a; b\"\n";
    place.file("factors.csv", table);
    assert_eq!(counts(&place.json(&["import", "catalog", "factors.csv"])), [1, 0, 0, 0]);
    place.file(
        "factors.toml",
        "[[factor]]\nproduct = \"power\"\nunit = \"kWh\"\nupstream = \"0.7\"\nvalidFrom = 2027-01-01\nsource = \"Made up\"\n\
         choice = { preference = 1 }\n",
    );
    assert_eq!(counts(&place.json(&["import", "catalog", "factors.toml"])), [0, 0, 0, 0]);
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

#[test]
fn a_table_of_factors_that_names_no_product_is_told_which_column_it_lacks() {
    let place = Place::new();
    place.file("factors.csv", "unit,upstream,validFrom,source\nkWh,1,2025-01-01,x\n");
    let ended = place.run(&["import", "catalog", "factors.csv"]);
    assert!(ended.stderr.contains("column \"product\" is missing: the syncId or name"), "{}", ended.stderr);
}

fn recalculated(place: &Place) {
    let preview = place.json(&["recalculate", "--outdated", "--dry-run"]);
    place.ok(&["recalculate", "--outdated", "--confirm", preview["confirm"].as_str().unwrap()]);
}

#[test]
fn a_factor_with_other_figures_corrects_the_one_of_its_days_where_that_is_asked_for() {
    let place = Place::new();
    let catalog = |upstream: &str| {
        format!(
            "[[product]]\nsyncId = \"p\"\nname = \"Power\"\nunit = \"kWh\"\n[[factor]]\nproduct = \"p\"\nunit = \"kWh\"\n\
             upstream = \"{upstream}\"\nvalidFrom = 2025-01-01\nsource = \"x\"\n"
        )
    };
    place.file("one.toml", &catalog("0.4"));
    place.file("two.toml", &catalog("0.5"));
    place.ok(&["import", "catalog", "one.toml"]);
    place.file("rows.csv", "syncId,name,startDate,quantity,unit,product\na,Office,2025-03-01,1000,kWh,p\n");
    place.ok(&["import", "activities", "rows.csv"]);
    let refused = place.run(&["import", "catalog", "two.toml"]);
    assert!(refused.status == 1 && refused.stderr.contains("tonne import catalog --correct"), "{}", refused.stderr);
    assert!(place.ok(&["import", "catalog", "two.toml", "--correct"]).contains("factor: 1 created"));
    let again = place.ok(&["import", "catalog", "two.toml", "--correct"]);
    assert!(again.contains("factor: 0 created, 0 updated, 1 unchanged"), "{again}");
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "400", "until it is recalculated");
    recalculated(&place);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "500");
    place.ok(&["import", "catalog", "one.toml", "--correct"]);
    recalculated(&place);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "400", "a correction is corrected again");
    place.ok(&["verify"]);
}
