//! The report as files.

use super::filled;

#[test]
fn a_report_is_written_as_table_workbook_and_page() {
    let place = filled();
    let files = ["--csv", "out.csv", "--xlsx", "out.xlsx", "--html", "out.html"];
    let printed =
        place.ok(&[&["report", "--by", "scope,month", "--shares", "--compare", "2023", "--date", "2024"], &files[..]]
            .concat());
    assert_eq!(printed, "");
    let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    let csv = String::from_utf8(read("out.csv")).unwrap();
    assert!(csv.starts_with("scope,scopeName,scopePath,month,count,"), "{csv}");
    assert_eq!(csv.lines().count(), 7);
    assert!(read("out.xlsx").starts_with(b"PK"));
    let page = String::from_utf8(read("out.html")).unwrap();
    assert!(
        page.contains("1007.250000000000000001") && page.contains("compared with 2023-01-01 to 2023-12-31"),
        "{page}"
    );
    let lost = place.run(&["report", "--csv", "nowhere/out.csv"]);
    assert!(lost.status == 1 && lost.stderr.contains("nowhere/out.csv"), "{}", lost.stderr);
}

#[test]
fn lines_of_json_are_the_rows_of_the_report_with_the_unit() {
    let place = filled();
    let asked = ["report", "--by", "scope,month", "--shares", "--compare", "2023", "--date", "2024", "--unit", "t"];
    let mut rows = place.json(&asked)["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 6);
    for row in &mut rows {
        row["CO2eUnit"] = "t".into();
    }
    let lines = place.ok(&[&asked[..], &["--ndjson", "-"]].concat());
    let read: Vec<serde_json::Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, rows);
    assert_eq!(place.ok(&[&asked[..], &["--ndjson", "out.ndjson"]].concat()), "");
    assert_eq!(std::fs::read_to_string(place.path().join("out.ndjson")).unwrap(), lines);
    assert_eq!(place.run(&["report", "--ndjson", "-", "--csv", "-"]).status, 2);
    assert_eq!(place.run(&["report", "--statement", "2024", "--ndjson", "-"]).status, 2);
}

#[test]
fn a_table_has_a_byte_order_mark_and_guarded_cells_where_they_are_asked_for() {
    let place = filled();
    place.file("more.csv", "syncId,name,startDate,scope,DownstreamCO2e\nx,=1+1,2030-01-01,,1\n");
    place.ok(&["import", "activities", "more.csv"]);
    place.file("catalog.toml", "[[org]]\nsyncId = \"works\"\nname = \"=Works\"\n");
    place.ok(&["import", "catalog", "catalog.toml"]);
    place.file("works.csv", "syncId,name,startDate,org,DownstreamCO2e\ny,Y,2030-01-01,works,1\n");
    place.ok(&["import", "activities", "works.csv"]);
    let table = |more: &[&str]| {
        place.ok(&[&["report", "--date", "2030", "--by", "org", "--csv", "out.csv"], more].concat());
        std::fs::read_to_string(place.path().join("out.csv")).unwrap()
    };
    let plain = table(&[]);
    assert!(plain.starts_with("org,") && plain.contains(",=Works,"), "{plain}");
    let guarded = table(&["--bom", "--cells", "text"]);
    assert!(guarded.starts_with("\u{feff}org,") && guarded.contains(",'=Works,"), "{guarded}");
    assert_eq!(place.run(&["report", "--bom"]).status, 2);
}
