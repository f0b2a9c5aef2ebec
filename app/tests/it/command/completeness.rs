//! `tonne completeness`: the same as over HTTP, as a table and as JSON.

use super::run::Place;

#[test]
fn what_is_missing_is_shown_as_tables_and_as_json() {
    let place = Place::new();
    place.file("scopes.toml", "[[scope]]\nsyncId = \"scope-1\"\nname = \"Scope 1\"\nkind = \"scope1\"\n");
    place.ok(&["import", "catalog", "scopes.toml"]);
    let bills = [1, 2, 4, 5].map(|month| format!("Gas,2024-{month:02}-10,5,scope-1\n")).concat();
    place.file("rows.csv", &format!("name,startDate,UpstreamCO2e,scope\n{bills}Van,2024-05-11,,scope-1\n"));
    place.ok(&["import", "activities", "rows.csv"]);
    let excluded = ["--category", "14", "--first-year", "2024", "--reason", "There are no franchises"];
    place.ok(&[&["exclusion", "add"][..], &excluded].concat());

    let told = place.ok(&["completeness", "--year", "2024"]);
    let names = ["5 activities, 1 without CO2e", "Van on 2024-05-11", "2024-03 2024-06", "3.14 Franchises"];
    assert!(names.iter().all(|name| told.contains(name)), "{told}");
    assert!(told.contains("excluded  There are no franchises"), "{told}");
    let found = place.json(&["completeness", "--first", "2024-01-01", "--last", "2024-04-30"]);
    assert_eq!((&found["incompleteCount"], &found["gaps"][0]["months"][0]), (&0.into(), &"2024-03".into()));
    let table = place.ok(&["completeness", "--year", "2024", "--csv", "-"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let of = |finding: &str, name: &str| -> Vec<&str> {
        rows.iter().filter(|row| row[0] == finding).map(|row| row[column(name)]).collect()
    };
    assert_eq!((of("incomplete", "code"), of("incomplete", "count")), (vec!["no_product"], vec!["1"]));
    assert_eq!((of("activity", "name"), of("activity", "startDate")), (vec!["Van"], vec!["2024-05-11"]));
    let months = ["2024-03", "2024-06", "2024-07", "2024-08", "2024-09", "2024-10", "2024-11", "2024-12"];
    assert_eq!(of("month", "month"), months);
    assert_eq!((of("coverage", "code").len(), of("coverage", "code")[0]), (17, "reported"));
    assert_eq!((of("exclusion", "category"), of("exclusion", "detail")), (vec!["14"], vec!["There are no franchises"]));
    assert_eq!(place.run(&["completeness"]).status, 2);
    assert_eq!(place.run(&["completeness", "--year", "24"]).status, 2);
}
