//! Rules of products, in catalogs and out of them.

use domain::{Faults, GwpSet, PublishedUse, YearRule};
use ports::inbound::{CatalogBundle, Field, ProductDraft};
use tonne_files::{CatalogKind, factor_rule_json, read_catalog_csv, read_catalog_toml};

const RULE: &str = r#"{"sets":[{"set":"25fc55d6d2a59a1d7998a4a6e70ab872ad626284684991675e6ceac0b290d1ce"},{"publisher":"A ministry","title":"Factors","edition":"2025 v1","year":2025},{"publisher":"B"}],"name":"Grid \"x\"","unit":"kWh","path":["Power","Grid"],"use":"purchased-energy","region":"GB","years":"newestBefore","gwp":"AR6"}"#;

fn of_cell(cell: &str) -> ProductDraft {
    let mut bundle = CatalogBundle::default();
    let table = format!("syncId,name,unit,factorRule\npower,Power,kWh,\"{}\"\n", cell.replace('"', "\"\""));
    read_catalog_csv(table.as_bytes(), CatalogKind::Product, "products.csv", &mut bundle).unwrap();
    bundle.products.remove(0).draft
}

fn pointers(faults: &Faults) -> Vec<&str> {
    faults.as_slice().iter().map(|fault| fault.pointer.as_str()).collect()
}

#[test]
fn a_rule_comes_back_from_the_json_that_it_is_written_as() {
    let Field::Given(rule) = of_cell(RULE).rule else { panic!("{:?}", of_cell(RULE).faults) };
    assert_eq!((rule.sets().len(), rule.years, rule.gwp), (3, YearRule::NewestBefore, Some(GwpSet::Ar6)));
    assert_eq!(rule.usage, Some(PublishedUse::PurchasedEnergy));
    assert_eq!(factor_rule_json(&rule).to_string(), RULE);
}

#[test]
fn a_table_of_toml_is_the_same_rule() {
    let text = "[[product]]\nsyncId = \"power\"\nname = \"Power\"\nunit = \"kWh\"\n[product.factorRule]\n\
                sets = [{ publisher = \"B\" }]\nname = \"Grid\"\nunit = \"kWh\"\n";
    let mut bundle = CatalogBundle::default();
    read_catalog_toml(text, "catalog.toml", &mut bundle).unwrap();
    let cell = of_cell(r#"{"sets":[{"publisher":"B"}],"name":"Grid","unit":"kWh"}"#);
    assert_eq!(bundle.products[0].draft.rule, cell.rule);
    assert!(cell.faults.is_empty() && cell.rule.given().is_some());
}

#[test]
fn everything_that_is_wrong_with_a_rule_is_told_at_once() {
    let wrong =
        r#"{"sets":[{},{"set":"x"},{"publisher":"A","year":0}],"unit":"kWhh","use":"burnt","years":"any","more":1}"#;
    let expected = [
        "/factorRule/sets/0/publisher",
        "/factorRule/sets/1/set",
        "/factorRule/sets/2/year",
        "/factorRule/name",
        "/factorRule/unit",
        "/factorRule/use",
        "/factorRule/years",
        "/factorRule/more",
    ];
    assert_eq!(pointers(&of_cell(wrong).faults), expected);
    assert_eq!(pointers(&of_cell("by hand").faults), ["/factorRule"]);
    assert_eq!(pointers(&of_cell(r#"{"sets":[],"name":"Grid","unit":"kWh"}"#).faults), ["/factorRule/sets"]);
}
