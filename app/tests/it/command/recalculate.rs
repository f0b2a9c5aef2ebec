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
