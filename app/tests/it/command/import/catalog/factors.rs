//! Factors of products in an imported catalog: a day has one, and it is corrected where that is asked for.

use super::{CATALOG, counts};
use crate::command::run::Place;

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
