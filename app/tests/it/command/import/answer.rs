//! What an import says: the same before and after, nothing passed over.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::command::run::Place;

const BATCH: usize = 20_000;

fn with_scopes() -> Place {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place
}

/// What an import answers, without whether it wrote, and what it is listed under.
fn answer(place: &Place, arguments: &[&str]) -> Value {
    let ended = place.run(&[&["import", "activities"], arguments, &["--json"]].concat());
    let mut answer: Value = serde_json::from_str(&ended.stdout).unwrap_or_else(|_| panic!("{}", ended.stderr));
    for member in ["written", "import"] {
        answer.as_object_mut().unwrap().remove(member);
    }
    answer
}

/// A dry run and the real run must give the same answer, which it gives.
fn both(place: &Place, arguments: &[&str]) -> Value {
    let dry = answer(place, &[arguments, &["--dry-run"]].concat());
    let real = answer(place, arguments);
    assert!(dry == real, "{dry:.1000}\n{real:.1000}");
    real
}

/// More rows than one batch; the last ones repeat syncIds of the first.
fn repeating() -> String {
    let mut rows = "syncId,name,startDate,DownstreamCO2e\n".to_owned();
    for number in 0..BATCH {
        writeln!(rows, "a{number},A,2025-01-31,1").unwrap();
    }
    rows.push_str("a7,A,2025-01-31,2\na8,A,2025-01-31,1\nz,A,2025-01-31,1\n");
    rows
}

#[test]
fn a_dry_run_gives_the_answer_of_the_real_run_over_the_whole_file() {
    let place = with_scopes();
    place.file("rows.csv", &repeating());
    let told = both(&place, &["rows.csv"]);
    assert_eq!((&told["created"], &told["rejected"]), (&json!(BATCH + 1), &json!(2)));
    let errors: Vec<_> =
        told["errors"].as_array().unwrap().iter().map(|e| (e["line"].clone(), e["detail"].clone())).collect();
    assert_eq!((&errors[0].0, &errors[1].0), (&json!(BATCH + 2), &json!(BATCH + 3)));
    assert!(errors[0].1.as_str().unwrap().contains("of line 9 already"), "{errors:?}");
    assert_eq!(place.json(&["report"])["count"], BATCH + 1);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], (BATCH + 1).to_string());
}

#[test]
fn where_the_last_of_two_rows_counts_a_dry_run_says_so_too() {
    let place = with_scopes();
    place.file("rows.csv", &repeating());
    let told = both(&place, &["rows.csv", "--repeats", "last"]);
    let counts = ["created", "updated", "unchanged", "rejected"].map(|name| told[name].as_u64().unwrap());
    assert_eq!(counts, [BATCH as u64 + 1, 1, 1, 0]);
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], (BATCH + 2).to_string());
}

#[test]
fn a_dry_run_finds_the_nodes_that_earlier_rows_would_have_made() {
    let place = with_scopes();
    place.file(
        "map.toml",
        "[common]\nstartDate = \"2025-01-31\"\nDownstreamCO2e = \"1\"\n\
         [[activity]]\nname = \"made\"\nsyncId = \"m{n}\"\ntaxonomy = [\"Root\", \"{made}\"]\nskip = { empty = \"made\" }\n\
         [[activity]]\nname = \"named\"\nsyncId = \"n{n}\"\ntaxonomy = \"{named}\"\nskip = { empty = \"named\" }\n",
    );
    let mut rows = "n,made,named\n0,First Leaf,\n1,Twin,\n2,,Twin\n3,,root/first-leaf\n".to_owned();
    for number in 4..BATCH {
        writeln!(rows, "{number},First Leaf,").unwrap();
    }
    rows.push_str("x1,,First Leaf\nx2,,root/first-leaf\nx3,Second Leaf,\nx4,,root/second-leaf\nx5,,root/third-leaf\n");
    place.file("rows.csv", &rows);
    let told = both(&place, &["rows.csv", "--map", "map.toml"]);
    assert_eq!((&told["created"], &told["rejected"]), (&json!(BATCH + 4), &json!(1)), "{}", told["errors"]);
}

#[test]
fn a_dry_run_all_or_none_is_refused_like_the_real_one() {
    let place = with_scopes();
    place.file("rows.csv", "name,startDate\nA,2025-01-31\nB,2025-01-31\n");
    for more in [&[][..], &["--dry-run"]] {
        let arguments = [&["import", "activities", "rows.csv", "--atomic"], more].concat();
        let output = place.command(&arguments).env("TONNE_LIMITS__ATOMIC_ROWS", "1").output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{more:?}");
    }
}

#[test]
fn all_rows_or_none_are_counted_once_with_their_warnings_though_they_are_read_twice() {
    let place = with_scopes();
    let mut rows = "syncId,name,startDate,DownstreamCO2e\n".to_owned();
    // More than are handed over at once, and more with warnings than are listed.
    for number in 0..6_000 {
        writeln!(rows, "a{number},Van {number},1980-01-01,1").unwrap();
    }
    place.file("rows.csv", &rows);
    let told = place.json(&["import", "activities", "rows.csv", "--atomic"]);
    assert_eq!((&told["created"], &told["rejected"]), (&json!(6_000), &json!(0)));
    assert_eq!((&told["warnings"], &told["written"]), (&json!(6_000), &json!(true)));
    assert_eq!(told["warningDetails"].as_array().unwrap().len(), 1_000);
}

#[test]
fn a_sync_id_twice_is_a_fault_of_the_later_row_in_one_batch_too() {
    let place = with_scopes();
    place.file(
        "rows.csv",
        "syncId,name,startDate,DownstreamCO2e\na,A,2025-01-31,1\nb,B,2025-01-31,1\na,A,2025-01-31,\n",
    );
    let told = both(&place, &["rows.csv"]);
    assert_eq!((&told["created"], &told["updated"], &told["rejected"]), (&json!(2), &json!(0), &json!(1)));
    let error = &told["errors"][0];
    assert_eq!((&error["line"], &error["pointer"]), (&json!(4), &json!("/syncId")));
    assert!(error["detail"].as_str().unwrap().contains("of line 2 already"), "{error}");
    assert_eq!(place.json(&["report"])["uncategorizedCO2e"], "2");
}

#[test]
fn a_sum_that_the_record_does_not_come_to_is_a_fault() {
    let place = with_scopes();
    place.file(
        "rows.csv",
        "name,startDate,UpstreamCO2e,DownstreamCO2e,CO2e,periodCO2e\n\
         right,2025-01-31,1,2,3.0,\n\
         wrong,2025-01-31,1,2,4,\n\
         alone,2025-01-31,,,5,\n\
         unreadable,2025-01-31,1,,1 kg,\n\
         share,2025-01-31,1,,,1\n\
         none,2025-01-31,1,,,\n",
    );
    let told = both(&place, &["rows.csv"]);
    assert_eq!((&told["created"], &told["rejected"]), (&json!(2), &json!(4)));
    let errors: Vec<_> = told["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| format!("{}: {}", e["line"], e["detail"].as_str().unwrap()))
        .collect();
    assert_eq!(errors[0], "3: is 4, but the record comes to 3; correct its parts, or leave CO2e out");
    assert!(
        errors[1].starts_with("4: is 5, but nothing makes up this sum: give it as UpstreamCO2e or DownstreamCO2e"),
        "{errors:?}"
    );
    assert!(errors[2].starts_with("5: \"1 kg\": "), "{errors:?}");
    assert_eq!(errors[3], "6: is computed by reports and never imported; leave it out");
    let line = r#"{"name": "A", "startDate": "2025-01-31", "UpstreamCO2e": "1", "CO2e": "2"}"#;
    let ended = place.feed(&["import", "activities", "-", "--format", "ndjson"], line);
    assert!(ended.status == 1 && ended.stderr.contains("line 1, CO2e: is 2, but"), "{}", ended.stderr);
}

#[test]
fn a_row_of_another_installation_whose_amounts_differ_is_taken_with_a_warning() {
    let place = with_scopes();
    place.file(
        "rows.csv",
        "name,startDate,UpstreamCO2e,DownstreamCO2e,supplied,CO2e\nA,2025-01-31,1,2,UpstreamCO2e,3\nB,2025-01-31,1,,UpstreamCO2e,1\n",
    );
    let told = both(&place, &["rows.csv"]);
    assert_eq!((&told["created"], &told["rejected"], &told["warnings"]), (&json!(2), &json!(0), &json!(2)));
    let details: Vec<_> = told["warningDetails"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| (w["line"].as_u64(), w["pointer"].as_str()))
        .collect();
    assert_eq!(details, [(Some(2), Some("/DownstreamCO2e")), (Some(2), Some("/CO2e"))]);
    let ended = place.run(&["import", "activities", "rows.csv", "--dry-run"]);
    assert!(
        ended.stderr.contains("warning: line 2, CO2e: is 3, but is computed and comes to 1 here"),
        "{}",
        ended.stderr
    );
}

#[test]
fn an_unlikely_year_is_counted_as_a_warning() {
    let place = with_scopes();
    place.file(
        "rows.csv",
        "name,startDate,endDate,UpstreamCO2e\n\
         old,1989-12-31,,1\nfirst,1990-01-01,,1\nfar,2205-01-31,,1\nlong,2025-01-31,2205-01-31,1\nnow,2025-01-31,,1\n",
    );
    let told = both(&place, &["rows.csv"]);
    assert_eq!((&told["created"], &told["warnings"]), (&json!(5), &json!(3)));
    let details: Vec<_> = told["warningDetails"]
        .as_array()
        .unwrap()
        .iter()
        .map(|w| (w["line"].as_u64(), w["pointer"].as_str()))
        .collect();
    assert_eq!(details, [(Some(2), Some("/startDate")), (Some(4), Some("/startDate")), (Some(5), Some("/endDate"))]);
}
