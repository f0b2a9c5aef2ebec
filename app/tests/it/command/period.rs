//! `tonne period`: closing from the command line, beside imports, their undoing and recalculations.

use domain::Digest;

use super::run::Place;

const ROWS: &str = "syncId,name,startDate,UpstreamCO2e,scope\na,Gas,2025-03-01,5,scope-1\nb,Gas,2026-03-01,6,scope-1\n";

#[test]
fn closing_over_activities_without_co2e_is_warned_of() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.file("rows.csv", "name,startDate,scope\nOffice,2024-03-01,scope1\n");
    place.ok(&["import", "activities", "rows.csv"]);
    let told = place.ok(&["period", "close", "2024"]);
    assert!(told.contains("WARNING: 1 activity of it without CO2e"), "{told}");
    let again = place.run(&["period", "close", "2024"]);
    assert!(again.stderr.contains("nothing was closed"), "{}", again.stderr);
}

/// A place with an activity in each of two years, and the import that made them.
fn place() -> (Place, String) {
    let place = Place::new();
    place.file("scopes.toml", "[[scope]]\nsyncId = \"scope-1\"\nname = \"Scope 1\"\nkind = \"scope1\"\n");
    place.ok(&["import", "catalog", "scopes.toml"]);
    place.file("rows.csv", ROWS);
    place.ok(&["import", "activities", "rows.csv"]);
    let import = place.json(&["import", "list"])[0]["uuid"].as_str().unwrap().to_owned();
    (place, import)
}

#[test]
fn a_closed_period_holds_against_imports_undoing_and_recalculation() {
    let (place, import) = place();
    let closed = place.json(&["period", "close", "2025", "--reason", "audited"]);
    let id = closed["uuid"].as_str().unwrap();
    assert_eq!((&closed["CO2e"], &closed["count"]), (&"5".into(), &1.into()));
    place.file("later.csv", "syncId,name,startDate,UpstreamCO2e\na,Gas,2025-03-01,9\nb,Gas,2026-03-01,9\n");
    let partly = place.run(&["import", "activities", "later.csv", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&partly.stdout).unwrap();
    assert_eq!((&told["updated"], &told["rejected"]), (&1.into(), &1.into()), "{told}");
    assert!(partly.stderr.contains(id) || partly.stdout.contains(id), "{} {}", partly.stdout, partly.stderr);
    let undo = place.run(&["import", "undo", &import]);
    assert_eq!(undo.status, 1);
    assert!(undo.stderr.contains("is closed") && undo.stderr.contains("tonne period reopen"), "{}", undo.stderr);
    let again = place.run(&["period", "close", "2025"]);
    assert!(again.status == 1 && again.stderr.contains(id), "{}", again.stderr);
    assert_eq!(place.json(&["report", "--date", "2025"])["CO2e"], "5");
    place.ok(&["verify"]);

    place.ok(&["period", "reopen", id, "--reason", "a meter was read wrongly"]);
    place.ok(&["import", "activities", "later.csv", "--again"]);
    let restated = place.json(&["period", "restatement", id]);
    assert_eq!(
        (&restated["CO2eFrozen"], &restated["CO2e"], &restated["difference"]),
        (&"5".into(), &"9".into(), &"4".into())
    );
    assert_eq!(restated["causes"][0]["cause"], "data");
    assert!(place.ok(&["period", "restatement", id]).contains("data: 4"));
}

#[test]
fn the_frozen_report_is_printed_byte_for_byte_and_goes_with_the_company() {
    let (place, _) = place();
    let closed = place.json(&["period", "close", "--first", "2025-01-01", "--last", "2025-06-30"]);
    let id = closed["uuid"].as_str().unwrap();
    let report = place.ok(&["period", "show", id, "--report"]);
    assert_eq!(closed["sha256"], Digest::of(report.as_bytes()).to_string());
    assert!(place.ok(&["period", "show", id]).contains("closed by cli:"));
    assert!(place.ok(&["period", "list"]).contains("2025-06-30"));
    place.ok(&["export", "--to", "acme.tonne"]);
    place.ok(&["--data-dir", "elsewhere", "import", "tenant", "acme.tonne"]);
    assert_eq!(place.ok(&["--data-dir", "elsewhere", "period", "show", id, "--report"]), report);
    place.file("one.csv", "name,startDate,UpstreamCO2e\nGas,2025-03-01,9\n");
    let refused = place.run(&["--data-dir", "elsewhere", "import", "activities", "one.csv", "--atomic"]);
    assert!(refused.status == 1 && refused.stderr.contains("is closed"), "{}", refused.stderr);
    place.ok(&["--data-dir", "elsewhere", "verify"]);
}

#[test]
fn a_period_is_named_by_a_year_a_month_a_day_or_two_days() {
    let (place, _) = place();
    for wrong in [&["period", "close"][..], &["period", "close", "25"], &["period", "close", "--first", "2025-01-01"]] {
        assert_eq!(place.run(wrong).status, 2, "{wrong:?}");
    }
    let month = place.json(&["period", "close", "2025-02"]);
    assert_eq!((&month["first"], &month["last"]), (&"2025-02-01".into(), &"2025-02-28".into()));
    let refused = place.run(&["period", "close", "2024", "--org", "nobody"]);
    assert!(refused.status == 1 && refused.stderr.contains("nobody"), "{}", refused.stderr);
    assert_eq!(place.run(&["period", "reopen", month["uuid"].as_str().unwrap()]).status, 2);
}

#[test]
fn a_quarter_and_a_fiscal_year_are_closed_by_their_names() {
    let (place, _) = place();
    place.ok(&["tenant", "set", "--year-start", "04-01"]);
    for (name, first, last) in [
        ("FY2025", "2024-04-01", "2025-03-31"),
        ("FY2025-Q2", "2024-07-01", "2024-09-30"),
        ("2025-Q1", "2025-01-01", "2025-03-31"),
        ("2024", "2024-01-01", "2024-12-31"),
    ] {
        let closed = place.json(&["period", "close", name]);
        assert_eq!([&closed["first"], &closed["last"]], [first, last], "{name}");
    }
    let wrong = place.run(&["period", "close", "FY25"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("FY2025-Q1"), "{}", wrong.stderr);
}

const CATALOG: &str = r#"
[[scope]]
syncId = "scope-1"
name = "Scope 1"
kind = "scope1"

[[org]]
syncId = "group"
name = "Group"

[[org]]
syncId = "site"
name = "Site"
parent = "group"

[[org]]
syncId = "other"
name = "Other"

[[product]]
syncId = "gas"
name = "Gas"
unit = "kWh"

[[factor]]
product = "gas"
unit = "kWh"
upstream = "0.2"
validFrom = 2024-01-01
source = "A table"
"#;

const HEAD: &str = "syncId,name,startDate,quantity,unit,product,scope,org\n";

/// A place with the catalog and 1,000 kWh of 2025 at 0.2 kg each.
fn burning() -> Place {
    let place = Place::new();
    place.file("catalog.toml", CATALOG);
    place.ok(&["import", "catalog", "catalog.toml"]);
    place.file("rows.csv", &format!("{HEAD}a,Boiler,2025-03-01,1000,kWh,gas,scope-1,site\n"));
    place.ok(&["import", "activities", "rows.csv"]);
    place
}

/// Corrects the factor of the catalog.
fn correct(place: &Place, upstream: &str) {
    place.file("correction.toml", &CATALOG.replace("\"0.2\"", &format!("\"{upstream}\"")));
    place.ok(&["import", "catalog", "correction.toml", "--correct"]);
}

#[test]
fn the_base_year_is_told_with_what_is_outdated_and_what_that_asks_for() {
    let place = burning();
    let none = place.run(&["period", "base-year"]);
    assert!(none.status == 1 && none.stderr.contains("tonne period close YEAR --base-year"), "{}", none.stderr);
    place.ok(&["period", "close", "2025", "--base-year"]);
    let told = || place.ok(&["period", "base-year"]);
    assert!(told().contains("no change is above 5 % of the base year"), "{}", told());
    correct(&place, "0.3");
    for words in [
        "outdated: a recalculation would change it by 100 kg CO2e\n",
        "more than 5 % of the base year changed: recalculate it, and close it anew with --base-year",
    ] {
        assert!(told().contains(words), "{words:?} in {}", told());
    }
    let base = place.json(&["period", "base-year"]);
    assert_eq!(
        [&base["recalculationAsked"], &base["restatement"]["difference"]],
        [&true.into(), &"0".into()] as [&serde_json::Value; 2]
    );
    assert_eq!([&base["CO2eOutdated"], &base["marketCO2eOutdated"]], ["100", "100"]);
}

/// Every command that writes what figures come from, one after the other; the figures of the year are as they were.
#[test]
fn a_closed_period_holds_against_every_command_that_writes() {
    let place = burning();
    let import = place.json(&["import", "list"])[0]["uuid"].as_str().unwrap().to_owned();
    correct(&place, "0.3");
    let preview = place.json(&["recalculate", "--outdated", "--dry-run"]);
    let confirm = preview["confirm"].as_str().unwrap();
    let recalculated = place.json(&["recalculate", "--outdated", "--confirm", confirm])["uuid"].clone();
    let closed = place.json(&["period", "close", "2025", "--reason", "audited"]);
    let id = closed["uuid"].as_str().unwrap();
    assert_eq!(closed["CO2e"], "300");
    let figures = || {
        let rows = |more: &[&str]| place.json(&[&["report", "--date", "2025"], more].concat())["rows"].clone();
        [rows(&["--by", "scope,org"]), rows(&["--by", "month", "--attribution", "daily"]), rows(&["--by", "gas"])]
    };
    let before = figures();

    place.file("row.csv", &format!("{HEAD}a,Boiler,2025-03-01,1,kWh,gas,scope-1,site\n"));
    place.file("span.csv", &format!("{HEAD}b,Boiler,2025-12-31,1,kWh,gas,scope-1,\n"));
    place.file("kind.toml", &CATALOG.replace("\"scope1\"", "\"scope2\""));
    place.file("moved.toml", &CATALOG.replace("parent = \"group\"", "parent = \"other\""));
    for refused in [
        &["import", "activities", "row.csv"][..],
        &["import", "activities", "row.csv", "--atomic"],
        &["import", "activities", "row.csv", "--dry-run"],
        &["import", "activities", "span.csv"],
        &["import", "undo", &import],
        &["import", "catalog", "kind.toml"],
        &["import", "catalog", "moved.toml"],
        &["recalculate", "undo", recalculated.as_str().unwrap()],
        &["period", "close", "2025"],
    ] {
        let ended = place.run(refused);
        let told = format!("{}{}", ended.stdout, ended.stderr);
        assert!(ended.status == 1 && told.contains("is closed") && told.contains(id), "{refused:?}: {told}");
        assert_eq!(figures(), before, "{refused:?}");
    }
    // What alters no figure by itself is written, and a recalculation leaves out what stands in the period.
    correct(&place, "0.7");
    let preview = place.json(&["recalculate", "--outdated", "--dry-run"]);
    assert_eq!([&preview["changed"], &preview["closed"]], [0, 1]);
    place.ok(&["recalculate", "--outdated", "--confirm", preview["confirm"].as_str().unwrap()]);
    place.ok(&["recalculate", "--incomplete"]);
    let activity = place.json(&["explain", "a"])["uuid"].as_str().unwrap().to_owned();
    place.ok(&["history", "blank", "activity", &activity, "--reason", "asked for"]);
    place.ok(&["exclusion", "add", "--category", "14", "--first-year", "2025", "--reason", "none"]);
    place.ok(&["tenant", "set", "--year-start", "04-01"]);
    place.ok(&["tenant", "set", "--year-start", "01-01"]);
    assert_eq!(figures(), before);
    let restated = place.json(&["period", "restatement", id]);
    assert_eq!((&restated["difference"], &restated["lines"]), (&"0".into(), &serde_json::json!([])));
    place.ok(&["verify", "--explain"]);
}
