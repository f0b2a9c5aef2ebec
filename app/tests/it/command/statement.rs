//! `tonne report --statement`, and what `tonne tenant set` states for it.

use super::run::Place;

fn filled() -> Place {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let rows = "\
name,syncId,startDate,DownstreamCO2e,scope
Gas,a,2025-01-10,1000.25,scope1
Power,b,2025-02-10,0.000000000000000001,scope2
Trips,c,2025-01-31,7,scope3.6
Unknown,d,2025-03-01,5,
Later,e,2025-04-01,,scope1
Before,f,2024-12-31,3,scope1
";
    place.file("rows.csv", rows);
    place.ok(&["import", "activities", "rows.csv"]);
    place
}

#[test]
fn a_statement_is_told_in_every_form() {
    let place = filled();
    let text = place.ok(&["report", "--statement", "2025"]);
    for line in [
        "Greenhouse gas inventory of main, 2025",
        "Consolidation approach: not stated",
        "State of the period: open: figures of it may still change",
        "1 of 5 activities of the period, in the scopes and apart from them, has no CO2e and adds nothing.",
    ] {
        assert!(text.lines().any(|one| one == line), "{line}: {text}");
    }
    assert!(!text.contains("/v1/"), "addresses are for the other forms: {text}");
    let row = |begin: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with(&format!("{begin}  ")))
            .unwrap_or_else(|| panic!("{begin}: {text}"));
        line.split_whitespace().skip(begin.split_whitespace().count()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("Scope 1, direct emissions"), ["1000.25", "2", "1", "0"]);
    assert_eq!(row("Scopes 1 to 3 with scope 2 market-based"), ["1007.250000000000000001", "4", "1"]);
    assert_eq!(row("6. Business travel"), ["7", "1", "0"]);
    assert_eq!(row("7. Employee commuting").join(" "), "no activities recorded 0 0");
    assert_eq!(row("Activities without a scope"), ["5", "1"]);

    let json = place.json(&["report", "--statement", "2025", "--unit", "t"]);
    assert_eq!(json["activities"]["CO2e"], "1.007250000000000000001");
    assert_eq!(json["activities"]["explanation"][0], "/v1/report/explanation?sd=2025-01-01&ed=2025-12-31&scope2=both");
    let named = place.ok(&["report", "--statement", "2025", "--format", "json", "--unit", "t"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&named).unwrap(), json);
    place.ok(&["report", "--statement", "2025", "--html", "out.html", "--xlsx", "out.xlsx"]);
    let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    let page = String::from_utf8(read("out.html")).unwrap();
    assert!(page.contains("1007.250000000000000001") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(place.ok(&["report", "--statement", "2025", "--format", "html"]), page);
    assert!(read("out.xlsx").starts_with(b"PK"));
}

#[test]
fn what_a_company_states_is_kept_until_it_is_taken_back() {
    let place = filled();
    let statement = || place.json(&["report", "--statement", "2025"]);
    let told = place.ok(&[
        "tenant",
        "set",
        "--consolidation",
        "equity-share",
        "--boundary",
        "All sites.",
        "--reporting-company",
        "Group plc",
        "--year-start",
        "07-01",
    ]);
    let expected = "\
fiscal years of the company main begin on 07-01
consolidation of the company main: equity share
reporting company of the company main: Group plc
boundary of the company main: All sites.
";
    assert_eq!(told, expected);
    let found = statement();
    assert_eq!(
        [&found["company"], &found["consolidation"], &found["boundary"]],
        ["Group plc", "equityShare", "All sites."]
    );
    let listed = place.json(&["tenant", "list"]);
    assert_eq!([&listed[0]["consolidation"], &listed[0]["boundary"]], ["equityShare", "All sites."]);
    assert_eq!(place.json(&["report", "--statement", "2025", "--year", "fiscal"])["first"], "2024-07-01");

    place.ok(&["tenant", "set", "--not-stated", "boundary,reporting-company", "--consolidation", "financial-control"]);
    let found = statement();
    assert_eq!([&found["company"], &found["consolidation"]], ["main", "financialControl"]);
    assert_eq!(found["notStated"].to_string(), r#"["boundary"]"#);
    place.ok(&["tenant", "set", "--year-start", "01-01"]);
    assert_eq!(statement()["consolidation"], "financialControl", "another setting leaves it");
    assert!(place.ok(&["verify"]).starts_with("OK"));

    for wrong in [
        &["tenant", "set"][..],
        &["tenant", "set", "main"],
        &["tenant", "set", "--consolidation", "control"],
        &["tenant", "set", "--boundary", " "],
        &["tenant", "set", "--boundary", "All", "--not-stated", "boundary"],
    ] {
        assert_eq!(place.run(wrong).status, 2, "{wrong:?}");
    }
}

#[test]
fn what_a_company_states_moves_with_it_and_into_a_backup() {
    let source = filled();
    source.ok(&["tenant", "set", "--consolidation", "operational-control", "--boundary", "All sites,\n\tbut one."]);
    source.ok(&["export", "--to", "all.tonne"]);
    let file = source.path().join("all.tonne").display().to_string();
    let stated = |place: &Place| {
        let found = &place.json(&["tenant", "list"])[0];
        [&found["consolidation"], &found["boundary"]].map(|one| one.as_str().unwrap_or("none").to_owned())
    };
    let target = Place::new();
    target.ok(&["import", "tenant", &file]);
    assert_eq!(stated(&target), ["operationalControl", "All sites,\n\tbut one."]);

    source.ok(&["backup", "--to", "backup.tonne"]);
    let (restored, backup) = (Place::new(), source.path().join("backup.tonne").display().to_string());
    restored.ok(&["restore", &backup]);
    assert_eq!(stated(&restored), stated(&source));

    let own = Place::new();
    own.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    own.ok(&["tenant", "set", "--consolidation", "equity-share"]);
    let ended = own.run(&["import", "tenant", &file]);
    assert!(ended.status == 0 && ended.stderr.contains("states for its inventory"), "{}", ended.stderr);
    assert_eq!(stated(&own), ["equityShare", "none"]);
}

#[test]
fn a_statement_goes_with_none_of_the_flags_that_choose_activities() {
    let place = filled();
    for more in [
        &["--date", "2025"][..],
        &["--by", "org"],
        &["--scope", "scope1"],
        &["--explain", "all"],
        &["--csv", "out.csv"],
        &["--compare", "2024"],
        &["--json", "--format", "text"],
    ] {
        let ended = place.run(&[&["report", "--statement", "2025"], more].concat());
        assert_eq!(ended.status, 2, "{more:?}: {}", ended.stderr);
    }
    assert_eq!(place.run(&["report", "--format", "html"]).status, 2);
    for wrong in ["2025-01", "2024/2025", "never"] {
        let ended = place.run(&["report", "--statement", wrong]);
        assert!(ended.status == 2 && ended.stderr.contains("--statement"), "{wrong}: {}", ended.stderr);
    }
}
