//! The report in the terminal.

mod files;

use super::run::Place;

/// Five activities: two in scope 1, one in 3.6 over two months, one without a scope, one outside.
fn filled() -> Place {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let rows = "\
name,syncId,startDate,endDate,DownstreamCO2e,scope
Gas,a,2024-01-10,,1000.25,scope1
Oil,b,2024-02-10,,0.000000000000000001,scope1
Trips,c,2024-01-31,2024-02-01,7,scope3.6
Unknown,d,2024-03-01,,5,
Wood,e,2024-03-02,,11,outside
Later,f,2024-04-01,,,scope1
";
    place.file("rows.csv", rows);
    place.ok(&["import", "activities", "rows.csv"]);
    place
}

#[test]
fn the_table_is_this() {
    let place = filled();
    let tables: Vec<_> = [
        &["report"][..],
        &["report", "--by", "month", "--unit", "t"],
        &["report", "--by", "month", "--attribution", "daily", "--date", "2024"],
        &["report", "--scope", "scope3", "--depth", "2"],
        &["report", "--by", "org", "--date", "2024-03"],
        &["report", "--sd", "2030-01-01"],
    ]
    .iter()
    .map(|arguments| format!("$ tonne {}\n{}", arguments.join(" "), place.ok(arguments)))
    .collect();
    insta::assert_snapshot!(tables.join("\n"));
}

#[test]
fn amounts_are_exact_in_json_and_rows_name_their_node() {
    let report = filled().json(&["report", "--unit", "g"]);
    assert_eq!(report["CO2e"], "1007250.000000000000001");
    assert_eq!(report["uncategorizedCO2e"], "5000");
    assert_eq!(report["outsideCO2e"], "11000");
    assert_eq!((&report["count"], &report["incompleteCount"]), (&6.into(), &1.into()));
    let names: Vec<_> = report["rows"].as_array().unwrap().iter().map(|row| row["scope"]["name"].as_str()).collect();
    assert_eq!(names, [Some("Scope 1"), Some("Scope 3"), Some("Outside the scopes"), None]);
}

#[test]
fn a_row_is_explained_by_the_activities_that_it_is_made_of() {
    let place = filled();
    let report = place.json(&["report", "--by", "scope"]);
    let row = &report["rows"][0];
    let scope = row["scope"]["uuid"].as_str().unwrap();
    let said = place.json(&["report", "--by", "scope", "--explain", scope]);
    assert_eq!([&said["agrees"], &said["shown"]["CO2e"]], [&serde_json::json!(true), &row["CO2e"]]);
    assert_eq!(row["CO2e"], "1000.250000000000000001");
    let text = place.ok(&["report", "--by", "scope", "--explain", scope]);
    for words in ["Gas", "Oil", "1000.25", "0.000000000000000001", "1000.250000000000000001"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains("Trips") && place.ok(&["report", "--explain", "all"]).contains("Trips"), "{text}");
    let month =
        place.ok(&["report", "--by", "month", "--explain", "2024-02", "--date", "2024", "--attribution", "daily"]);
    assert!(month.contains("Trips") && month.contains("Oil") && !month.contains("Gas"), "{month}");
    let unknown = place.run(&["report", "--by", "month", "--explain", "2031-01"]);
    assert!(unknown.status == 2 && unknown.stderr.contains("--explain"), "{}", unknown.stderr);
}

#[test]
fn what_is_compared_shows_all_that_the_other_period_has() {
    let printed = filled().ok(&["report", "--by", "scope", "--date", "2023", "--compare", "2024"]);
    for heading in ["compared uncategorised (kg)", "compared outside (kg)", "compared without CO2e"] {
        assert!(printed.contains(heading), "{heading}: {printed}");
    }
    assert!(!printed.contains("compared credits"), "{printed}");
}

#[test]
fn two_dimensions_at_most_and_each_once() {
    for by in ["scope,scope", "scope,org,month"] {
        assert_eq!(Place::new().run(&["report", "--by", by]).status, 2, "{by}");
    }
}

#[cfg(unix)]
#[test]
fn a_copy_that_may_not_be_written_is_reported_and_verified() {
    let place = filled();
    let expected = place.ok(&["report"]);
    // What SQLite needs beside a file that it may write cannot be made.
    let data = place.path().join("tonne-data");
    for name in ["directory.db", "tenants/main.db"] {
        assert!(!data.join(format!("{name}-wal")).exists(), "the file is whole");
        std::os::unix::fs::symlink("nowhere", data.join(format!("{name}-shm"))).unwrap();
    }
    assert_eq!(place.ok(&["report"]), expected);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
    let refused = place.run(&["import", "activities", "rows.csv"]);
    assert_eq!(refused.status, 1, "{}", refused.stderr);
}

#[cfg(unix)]
#[test]
fn a_copy_that_may_not_be_written_and_has_a_log_is_refused_with_what_to_do() {
    let place = filled();
    let served = place.serve();
    place.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    // Killed, so that what was written last is in the log.
    drop(served);
    let data = place.path().join("tonne-data");
    assert!(std::fs::metadata(data.join("directory.db-wal")).unwrap().len() > 0);
    for name in ["directory.db-shm", "tenants/main.db-shm"] {
        let _ = std::fs::remove_file(data.join(name));
        std::os::unix::fs::symlink("nowhere", data.join(name)).unwrap();
    }
    for command in ["report", "verify"] {
        let refused = place.run(&[command]);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{command}: {}", refused.stderr);
        let told = &refused.stderr;
        assert!(told.contains("directory.db has a log (-wal)") && told.contains("copy both"), "{command}: {told}");
    }
}

#[test]
fn a_node_that_is_not_there_is_wrong_use_with_a_suggestion() {
    let ended = filled().run(&["report", "--scope", "Scope1"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("did you mean Scope 1?"), "{}", ended.stderr);
}

#[test]
fn a_date_that_is_none_is_wrong_use_and_the_three_forms_are_told() {
    for date in ["2024-13", "2024-02-30", "24", "March"] {
        let ended = Place::new().run(&["report", "--date", date]);
        assert_eq!(ended.status, 2);
        let forms = ["YYYY", "YYYY-MM", "YYYY-MM-DD"];
        assert!(forms.iter().all(|form| ended.stderr.contains(form)), "{date}: {}", ended.stderr);
    }
}

#[test]
fn fiscal_years_are_those_of_the_company_and_a_report_names_both_of_their_calendar_years() {
    let place = filled();
    let years = |flags: &[&str]| {
        let report = place.json(&[&["report", "--by", "year", "--attribution", "daily"], flags].concat());
        let label = |row: &serde_json::Value| format!("{} {}", row["year"].as_str().unwrap(), row["CO2e"]);
        report["rows"].as_array().unwrap().iter().map(label).collect::<Vec<_>>()
    };
    let calendar = ["2024 \"1007.250000000000000001\""];
    assert_eq!(years(&["--year", "fiscal"]), calendar, "nothing was set");
    assert_eq!(
        place.ok(&["tenant", "set", "--year-start", "02-01"]),
        "fiscal years of the company main begin on 02-01\n"
    );
    assert!(place.ok(&["tenant", "list"]).contains("02-01"));
    // The trips from 31 January to 1 February are half in either year.
    let fiscal = ["2023/2024 \"1003.75\"", "2024/2025 \"3.500000000000000001\""];
    assert_eq!(years(&["--year", "fiscal"])[..], fiscal);
    assert_eq!(years(&["--year", "fiscal", "--date", "2024"])[..], fiscal[..1]);
    assert_eq!(years(&["--year", "fiscal", "--date", "2024/25"])[..], fiscal[1..]);
    assert_eq!(years(&[]), calendar);
    let compared = place.json(&["report", "--year", "fiscal", "--date", "2025", "--compare", "2024"]);
    assert_eq!(compared["compared"]["endDate"], "2024-01-31T23:59:59Z");
    for wrong in [&["--year", "02-29"][..], &["--year", "fiscal", "--date", "2024/26"], &["--date", "2024/25"]] {
        assert_eq!(place.run(&[&["report"], wrong].concat()).status, 2, "{wrong:?}");
    }
    let refused = place.run(&["tenant", "set", "--year-start", "02-29"]);
    assert!(refused.status == 2 && refused.stderr.contains("a day from 01 to 28"), "{}", refused.stderr);
    assert!(
        place.run(&["tenant", "set", "nobody", "--year-start", "04-01"]).stderr.contains("there is no company nobody")
    );
    assert!(place.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn files_go_to_standard_output_where_they_are_called_so_one_at_a_time() {
    let place = filled();
    let csv = place.run(&["report", "--csv", "-"]);
    assert!(csv.stdout.starts_with("scope,scopeName,scopePath,count,") && csv.stderr.is_empty(), "{}", csv.stdout);
    place.ok(&["report", "--csv", "rows.csv"]);
    assert_eq!(std::fs::read_to_string(place.path().join("rows.csv")).unwrap(), csv.stdout);
    assert!(!place.path().join("-").exists());
    let both = place.run(&["report", "--csv", "-", "--html", "-"]);
    assert!(both.status == 2 && both.stderr.contains("one form alone"), "{}", both.stderr);
}

#[test]
fn a_page_to_print_names_the_company_its_days_and_what_it_leaves_out() {
    let place = filled();
    place.ok(&["tenant", "create", "acme", "--name", "Acme <Ltd>"]);
    let page = |flags: &[&str]| place.ok(&[flags, &["report", "--date", "2024", "--html", "-"]].concat());
    let own = page(&[]);
    assert!(own.contains("<h1>Emissions of ") && own.contains("2024-01-01 to 2024-12-31"), "{own}");
    assert!(page(&["--tenant", "acme"]).contains("<h1>Emissions of Acme &lt;Ltd&gt;</h1>"));
    let some = place.ok(&["report", "--html", "-", "--name", "trip", "--uncategorized", "--attribution", "daily"]);
    for told in ["activities with &quot;trip&quot; in their name", "without a scope", "spread evenly over their days"] {
        assert!(some.contains(told), "{told}: {some}");
    }
}
