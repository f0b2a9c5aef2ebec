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
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("preview"), "{}", refused.stderr);
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
