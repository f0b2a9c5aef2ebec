//! `tonne exclusion`: kept with its reason, and carried along with the company.

use super::run::Place;

fn place() -> Place {
    let place = Place::new();
    place.file("scopes.toml", "[[scope]]\nsyncId = \"scope-3\"\nname = \"Scope 3\"\nkind = \"scope3\"\n");
    place.ok(&["import", "catalog", "scopes.toml"]);
    place
}

#[test]
fn an_exclusion_is_added_listed_and_removed() {
    let place = place();
    let category = ["--category", "14", "--first-year", "2024", "--last-year", "2025", "--reason", "no franchises"];
    let told = place.ok(&[&["exclusion", "add"][..], &category].concat());
    assert!(
        told.starts_with("3.14 Franchises is left out for the whole company in 2024 to 2025: no franchises"),
        "{told}"
    );
    let scope = ["--scope", "scope-3", "--first-year", "2025", "--reason", "not material"];
    let added = place.json(&[&["exclusion", "add"][..], &scope].concat());
    assert_eq!((&added["lastYear"], &added["category"]), (&2025.into(), &serde_json::Value::Null));
    let table = place.ok(&["exclusion", "list"]);
    assert!(table.contains("3.14 Franchises") && table.contains("Scope 3"), "{table}");
    place.ok(&["exclusion", "remove", added["uuid"].as_str().unwrap()]);
    assert_eq!(place.json(&["exclusion", "list"]).as_array().unwrap().len(), 1);
    place.ok(&["verify"]);
}

#[test]
fn exclusions_go_with_the_company() {
    let place = place();
    place.ok(&["exclusion", "add", "--scope", "scope-3", "--first-year", "2025", "--reason", "not material"]);
    place.ok(&["export", "--to", "acme.tonne"]);
    place.ok(&["--data-dir", "elsewhere", "import", "tenant", "acme.tonne"]);
    let listed = |place: &Place, before: &[&str]| place.json(&[before, &["exclusion", "list"]].concat());
    assert_eq!(listed(&place, &["--data-dir", "elsewhere"]), listed(&place, &[]));
    place.ok(&["--data-dir", "elsewhere", "verify"]);
}

#[test]
fn an_exclusion_is_of_a_scope_or_of_a_category() {
    let place = place();
    let rest = ["--first-year", "2025", "--reason", "not material"];
    for wrong in [&[][..], &["--category", "16"], &["--category", "1", "--scope", "scope-3"]] {
        assert_eq!(place.run(&[&["exclusion", "add"][..], wrong, &rest].concat()).status, 2, "{wrong:?}");
    }
    let refused = place.run(&[&["exclusion", "add", "--scope", "nothing"][..], &rest].concat());
    assert!(refused.status == 1 && refused.stderr.contains("nothing"), "{}", refused.stderr);
}
