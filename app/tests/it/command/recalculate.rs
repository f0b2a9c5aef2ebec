//! `tonne recalculate` beside what it stands on: an import, a factor that comes late, one that was wrong.

use super::run::Place;

#[test]
fn one_of_the_two_sorts_is_named_and_outdated_ones_need_their_preview() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    for wrong in [&["recalculate"][..], &["recalculate", "--incomplete", "--outdated"]] {
        assert_eq!(place.run(wrong).status, 2, "{wrong:?}");
    }
    let refused = place.run(&["recalculate", "--outdated"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("run it with --dry-run, then with --confirm"), "{}", refused.stderr);
}

#[test]
fn what_is_found_is_told_as_a_line_and_as_json() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.file("rows.csv", "name,syncId,startDate,quantity,unit\nGas,a,2025-01-01,5,kg\n");
    place.ok(&["import", "activities", "rows.csv"]);
    let told = place.ok(&["recalculate", "--incomplete"]);
    assert_eq!(
        told.trim_end(),
        "0 activities without CO2e, with a product and a quantity: 0 have it now, together from 0 to 0 kg; 0 cannot be \
         computed"
    );
    let preview = place.json(&["recalculate", "--outdated", "--dry-run"]);
    assert_eq!((&preview["dryRun"], &preview["changed"]), (&true.into(), &0.into()));
    let confirm = preview["confirm"].as_str().unwrap();
    assert_eq!(place.json(&["recalculate", "--outdated", "--confirm", confirm])["dryRun"], false);
    assert_eq!(place.run(&["recalculate", "--outdated", "--confirm", "0"]).status, 1);
}

#[test]
fn an_activity_on_whose_day_a_later_factor_holds_is_outdated_until_it_is_recalculated() {
    let place = Place::new();
    let factor = |from: &str, upstream: &str| {
        format!(
            "[[factor]]\nproduct = \"p\"\nunit = \"kWh\"\nupstream = \"{upstream}\"\nvalidFrom = {from}\nsource = \"x\"\n"
        )
    };
    let product = "[[product]]\nsyncId = \"p\"\nname = \"Power\"\nunit = \"kWh\"\n";
    place.file("one.toml", &format!("{product}{}", factor("2025-01-01", "0.4")));
    place.file("two.toml", &factor("2025-02-01", "0.5"));
    place.ok(&["import", "catalog", "one.toml"]);
    place.file(
        "rows.csv",
        "syncId,name,startDate,quantity,unit,product\na,January,2025-01-31,10,kWh,p\nb,March,2025-03-01,1000,kWh,p\n",
    );
    place.ok(&["import", "activities", "rows.csv"]);
    assert_eq!(place.json(&["recalculate", "--outdated", "--dry-run"])["activities"], 0);
    place.ok(&["import", "catalog", "two.toml"]);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "404", "nothing moves by itself");
    let preview = place.json(&["recalculate", "--outdated", "--dry-run"]);
    assert_eq!((&preview["activities"], &preview["changed"]), (&1.into(), &1.into()), "{preview}");
    assert_eq!(preview["groups"][0]["cause"], "factor");
    place.ok(&["recalculate", "--outdated", "--confirm", preview["confirm"].as_str().unwrap()]);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "504");
    assert_eq!(place.json(&["recalculate", "--outdated", "--dry-run"])["activities"], 0);
    place.ok(&["verify", "--explain"]);
}

/// A place with two activities that a correction made outdated, 10 kg at 2 and then at 3 kg of CO2e each, of two orgs.
fn corrected() -> Place {
    let place = Place::new();
    let factor = |upstream: &str| {
        format!(
            "[[factor]]\nproduct = \"p\"\nunit = \"kg\"\nupstream = \"{upstream}\"\nvalidFrom = 2024-01-01\nsource = \"x\"\n"
        )
    };
    let nodes = "[[org]]\nsyncId = \"works\"\nname = \"Works\"\n[[org]]\nsyncId = \"hall\"\nname = \"Jo's hall\"\n";
    let product = "[[product]]\nsyncId = \"p\"\nname = \"Gas\"\nunit = \"kg\"\n";
    place.file("one.toml", &format!("{nodes}{product}{}", factor("2")));
    place.file("two.toml", &factor("3"));
    place.file(
        "rows.csv",
        "syncId,name,startDate,quantity,unit,product,org\na,A,2025-01-31,10,kg,p,works\nb,B,2025-02-01,10,kg,p,hall\n",
    );
    place.ok(&["import", "catalog", "one.toml"]);
    place.ok(&["import", "activities", "rows.csv"]);
    place.ok(&["import", "catalog", "two.toml", "--correct"]);
    place
}

#[test]
fn a_report_says_how_much_is_outdated_and_what_mends_it_and_nothing_where_nothing_is() {
    let place = corrected();
    let told = place.ok(&["report"]);
    assert!(
        told.contains("2 activities have a CO2e that is outdated: tonne recalculate --outdated --dry-run"),
        "{told}"
    );
    assert_eq!(place.json(&["report"])["outdatedCount"], 2);
    assert!(place.ok(&["report", "--statement", "2025"]).contains("2 activities have a CO2e that is outdated"));
    let confirm = place.json(&["recalculate", "--outdated", "--dry-run"])["confirm"].as_str().unwrap().to_owned();
    place.ok(&["recalculate", "--outdated", "--confirm", &confirm]);
    assert_eq!(place.json(&["report"])["outdatedCount"], 0);
    for told in [place.ok(&["report"]), place.ok(&["report", "--statement", "2025"])] {
        assert!(!told.to_lowercase().contains("outdated"), "{told}");
    }
}

#[test]
fn a_part_is_recalculated_as_its_preview_tells_to_and_undone_by_its_name() {
    let place = corrected();
    let part = ["recalculate", "--outdated", "--org", "Jo's hall", "--cause", "correction"];
    let told = place.ok(&[&part[..], &["--dry-run"]].concat());
    let flags = r"tonne recalculate --outdated --org 'Jo'\''s hall' --cause correction --confirm ";
    let confirm = told.split_once(flags).unwrap_or_else(|| panic!("{told}")).1.trim().to_owned();
    let done = place.ok(&[&part[..], &["--confirm", &confirm]].concat());
    let id = done.split_once("to undo this: tonne recalculate undo ").unwrap_or_else(|| panic!("{done}")).1.trim();
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "50");
    let undone = place.ok(&["recalculate", "undo", id]);
    assert!(undone.contains("of 1 activity is undone: 1 earlier figure was given back"), "{undone}");
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "40");
    assert_eq!(place.json(&["recalculate", "undo", id])["restored"], 0);
    place.ok(&["verify", "--explain"]);
    let nobody = place.run(&["recalculate", "undo", "0198c0de-0000-7000-8000-000000000000"]);
    assert!(nobody.status == 1 && nobody.stderr.contains("tonne history"), "{}", nobody.stderr);
    assert_eq!(place.run(&["recalculate", "--outdated", "--cause", "data", "--dry-run"]).status, 2);
}
