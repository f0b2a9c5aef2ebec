//! Figures and the chain of changes on a database: figures come out as they are stored, one that does not is named, and a head that
//! was kept elsewhere is compared.

use super::{Node, bare, sql};

#[test]
fn a_head_that_was_kept_elsewhere_fits_the_database_that_goes_on_and_no_other() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    node.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let pinned = node.ok(&["head"]).trim().to_owned();
    node.0.file("rows.csv", "syncId,name,startDate,UpstreamCO2e\na,Diesel,2025-01-01,1\n");
    node.ok(&["import", "activities", "rows.csv"]);
    assert_ne!(node.ok(&["head"]).trim(), pinned);
    assert!(node.ok(&["verify", "--head", &pinned]).starts_with("OK: "));
    let fresh = bare();
    let other = Node::new(&fresh.url());
    other.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let altered = other.run(&["verify", "--head", &pinned]);
    assert!(altered.status == 1 && altered.stdout.contains("was pinned with the digest"), "{}", altered.stdout);
}

#[test]
fn one_edited_digit_among_thousands_of_figures_is_found_and_the_record_named() {
    let fresh = bare();
    let node = Node::new(&fresh.url());
    node.0.file(
        "catalog.toml",
        "[[product]]\nsyncId = \"gas\"\nname = \"Gas\"\nunit = \"kWh\"\n\n[[factor]]\nproduct = \"gas\"\nunit = \"MJ\"\n\
         downstream = \"0.0561\"\nvalidFrom = \"2024-01-01\"\nsource = \"A published table\"\n",
    );
    node.ok(&["import", "catalog", "catalog.toml"]);
    let row = |n: usize| format!("r-{n},Meter {n},2025-01-{:02},{n}.125,kWh,gas\n", n % 28 + 1);
    let rows: String = (0..2_500).map(row).collect();
    node.0.file("rows.csv", &format!("syncId,name,startDate,quantity,unit,product\n{rows}"));
    node.ok(&["import", "activities", "rows.csv"]);
    let sound = node.ok(&["verify", "--explain"]);
    assert!(sound.starts_with("OK: ") && sound.contains("figures of 2500 activities"), "{sound}");
    sql(
        &fresh.url(),
        "UPDATE tonne.activity SET downstream = downstream + 0.000000000000000001 WHERE sync_id = 'r-1999'",
    );
    let found = node.run(&["verify", "--explain"]);
    assert_eq!(found.status, 1);
    let line = found.stdout.lines().find(|line| line.contains("kg stored")).unwrap_or_default();
    assert!(line.contains("(\"Meter 1999\"): has 403.743285000000000001 "), "{}", found.stdout);
    assert!(line.contains(" it comes to 403.743285 "), "{line}");
    assert!(line.contains(" kg by factor "), "{line}");
    assert_eq!(found.stdout.lines().filter(|line| line.contains("kg stored")).count(), 1, "{}", found.stdout);
}
