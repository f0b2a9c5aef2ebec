//! `tonne history`: what was before and after; what has to be forgotten goes from the store, and what stays holds.

use super::run::Place;

/// Whether any file of the place's data holds the text.
fn holds(place: &Place, text: &str) -> bool {
    let files = std::fs::read_dir(place.path().join("tonne-data/tenants")).unwrap().map(|entry| entry.unwrap().path());
    let mut files = files.filter(|path| path.is_file());
    files.any(|path| std::fs::read(path).unwrap().windows(text.len()).any(|bytes| bytes == text.as_bytes()))
}

#[test]
fn a_blanked_text_is_in_no_file_any_more_and_the_chain_holds() {
    let place = Place::new();
    place.file("orgs.toml", "[[org]]\nsyncId = \"w\"\nname = \"Works of Jane Doe\"\n");
    place.ok(&["import", "catalog", "orgs.toml"]);
    place.file("orgs.toml", "[[org]]\nsyncId = \"w\"\nname = \"Works north\"\n");
    place.ok(&["import", "catalog", "orgs.toml"]);
    assert!(place.ok(&["history", "org", "w"]).contains("Works of Jane Doe"));
    assert!(holds(&place, "Works of Jane Doe"));
    let head = place.ok(&["head"]);

    let told = place.ok(&["history", "blank", "org", "w", "--reason", "asked to be forgotten"]);
    assert!(told.contains("blanked 1 text, of version 1, in change 3"), "{told}");
    let history = place.ok(&["history", "org", "w"]);
    assert!(history.contains("what was before was blanked") && !history.contains("Jane"), "{history}");
    assert!(place.ok(&["history"]).contains("blank history: asked to be forgotten"));
    assert!(!holds(&place, "Works of Jane Doe"));
    let verified = place.ok(&["verify", "--head", head.trim()]);
    assert!(verified.contains("1 replaced text is blank"), "{verified}");
    let again = place.ok(&["history", "blank", "org", "w", "--reason", "asked again"]);
    assert!(again.contains("nothing is left to blank, 1 text is blank"), "{again}");

    place.ok(&["export", "--to", "acme.tonne"]);
    place.ok(&["--data-dir", "elsewhere", "import", "tenant", "acme.tonne"]);
    let verified = place.ok(&["--data-dir", "elsewhere", "verify"]);
    assert!(verified.contains("1 replaced text is blank"), "{verified}");
}

#[test]
fn the_newest_changes_of_a_company_are_told_with_what_was_before_and_after_of_their_first_records() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    for name in ["Van", "Bus"] {
        let rows = (0..25).map(|at| format!("{name} {at},{at},2025-01-01,1\n")).collect::<Vec<_>>().concat();
        place.file("rows.csv", &format!("name,syncId,startDate,UpstreamCO2e\n{rows}"));
        place.ok(&["import", "activities", "rows.csv"]);
    }
    let changes = place.json(&["history", "--values"]);
    let records = |at: usize| changes[at]["records"].as_array().unwrap();
    for (at, is_new) in [(1, true), (2, false)] {
        assert_eq!(records(at).len(), 25);
        for (number, record) in records(at).iter().enumerate() {
            let names = ["before", "after"].map(|side| record.get(side).map(|content| content["name"].as_str()));
            let is_told = match (names, is_new) {
                ([Some(None), Some(Some(after))], true) => after.starts_with("Van "),
                ([Some(Some(before)), Some(Some(after))], false) => before.replace("Van", "Bus") == after,
                ([None, None], _) => number >= 20,
                _ => false,
            };
            assert!(is_told, "{number}: {record}");
        }
    }
    assert!(place.json(&["history"])[1]["records"][0].get("after").is_none());

    let told = place.ok(&["history", "--values", "--limit", "1"]);
    let first = &records(2)[0];
    let [uuid, before, after] =
        [&first["uuid"], &first["before"]["name"], &first["after"]["name"]].map(|text| text.as_str().unwrap());
    assert!(told.starts_with("change 3 at ") && told.contains("): 25 records\n"), "{told}");
    let line = format!("\n  updated activity {after} ({uuid})\n    name: \"{before}\" -> \"{after}\"\n");
    assert!(told.contains(&line), "{line}: {told}");
    assert!(told.trim_end().ends_with("\n  ... and 5 more records: tonne history KIND RECORD"), "{told}");
    assert_eq!(place.run(&["history", "activity", uuid, "--values"]).status, 2);
}
