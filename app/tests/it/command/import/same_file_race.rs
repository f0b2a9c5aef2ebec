//! One file, imported by several processes at once.

use std::process::Stdio;

use super::super::run::Place;

#[test]
fn of_several_processes_that_import_one_file_at_once_one_does() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let rows: Vec<_> = (0..50).map(|row| format!("Gas {row},2024-01-10,1,scope1\n")).collect();
    let rows = rows.concat();
    place.file("rows.csv", &format!("name,startDate,DownstreamCO2e,scope\n{rows}"));
    let start = |_| {
        let mut command = place.command(&["import", "activities", "rows.csv", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..6).map(start).collect();
    let ended: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let told: Vec<_> = ended.iter().map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).collect();
    assert_eq!(ended.iter().filter(|output| output.status.success()).count(), 1, "{told:#?}");
    for (output, told) in ended.iter().zip(&told).filter(|(output, _)| !output.status.success()) {
        assert_eq!(output.status.code(), Some(1), "{told}");
        let is_told = ["was imported", "is being imported"].iter().any(|words| told.contains(words));
        assert!(is_told && told.contains("import"), "{told}");
    }
    assert_eq!(place.json(&["report"])["count"], 50);
    assert_eq!(place.json(&["import", "list"]).as_array().unwrap().len(), 1);
}
