//! `tonne history blank`: what has to be forgotten goes from the store, and what stays holds.

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
