//! Published factors: imported as a set, found, shown with their source, removed.

use super::run::Place;

const FILE: &str = "\
name,path1,unit,use,region,gwp,co2e,CO2 CO2e,CH4 CO2e,publisher,title,edition,licence,validFrom,validTo
Natural gas,Fuels,kWh_gross,direct,GB,AR5,0.1829,0.1826,0.0003,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
Électricité,Grid,kWh,purchased-energy,FR,AR5,0.05,,,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
Paper,Goods,kg,value-chain,,AR5,-,,,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01
";

fn with_file() -> Place {
    let place = Place::new();
    place.file("own.csv", FILE);
    place
}

/// The id of the only set.
fn set_id(place: &Place) -> String {
    let sets = place.json(&["factor", "sets"]);
    assert_eq!(sets.as_array().unwrap().len(), 1, "{sets}");
    sets[0]["id"].as_str().unwrap().to_owned()
}

/// The cells that a search finds.
fn found(place: &Place, words: &[&str]) -> Vec<String> {
    let found = place.json(&[&["factor", "search"], words].concat());
    found["data"].as_array().unwrap().iter().map(|one| one["cell"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_same_file_again_changes_nothing_whatever_it_is_called() {
    let place = with_file();
    let first = place.json(&["import", "factors", "own.csv"]);
    assert_eq!((&first["outcome"], &first["written"]), (&"added".into(), &true.into()), "{first}");
    assert_eq!((&first["rows"], &first["used"], &first["set"]["factors"]), (&3.into(), &2.into(), &2.into()));
    assert_eq!(first["skipped"][0]["reason"], "without a value");
    place.file("copy.csv", FILE);
    let again = place.json(&["import", "factors", "copy.csv"]);
    assert_eq!((&again["outcome"], &again["written"]), (&"unchanged".into(), &false.into()), "{again}");
    assert_eq!(again["set"]["file"], "own.csv");
    assert_eq!(set_id(&place), first["set"]["id"]);
    place.file("other.csv", &FILE.replace("0.05", "0.06"));
    let refused = place.run(&["import", "factors", "other.csv"]);
    assert!(refused.status == 1 && refused.stderr.contains("--corrects"), "{}", refused.stderr);
    assert_eq!(place.json(&["import", "factors", "other.csv", "--beside"])["outcome"], "added");
    assert_eq!(place.json(&["factor", "sets"]).as_array().unwrap().len(), 2);
}

#[test]
fn a_broken_row_is_told_with_its_line_and_a_header_without_a_column_is_refused_by_its_name() {
    let place = with_file();
    let broken = FILE.replace("0.05,", "five,").replace("kWh_gross", "kWh_bruto");
    place.file(
        "broken.csv",
        &format!("{broken}Oil,Fuels,L,direct,GB,AR5,2.5,,,Example Ltd,Own factors,2025,CC0,2025-01-01,2026-01-01\n"),
    );
    let ended = place.run(&["import", "factors", "broken.csv"]);
    assert_eq!(ended.status, 1, "what could not be read fails the command");
    for words in [
        "broken.csv, row 2: has no unit: \"kWh_bruto\" is not a unit",
        "broken.csv, row 3: has \"five\" where a number belongs",
    ] {
        assert!(ended.stderr.contains(words), "{words} in {}", ended.stderr);
    }
    for words in ["4 rows read, factors made of 1", "2 rows skipped: faulty", "1 row skipped: without a value"] {
        assert!(ended.stdout.contains(words), "{words} in {}", ended.stdout);
    }
    assert_eq!(found(&place, &["oil"]), ["G5"], "what could be read is there");
    place.file("without.csv", &FILE.replace(",licence", ",permit"));
    let ended = place.run(&["import", "factors", "without.csv"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
    assert!(ended.stderr.contains("without.csv") && ended.stderr.contains("without licence"), "{}", ended.stderr);
}

#[test]
fn a_dry_run_adds_no_set() {
    let place = with_file();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let dry = place.json(&["import", "factors", "own.csv", "--dry-run"]);
    assert_eq!((&dry["outcome"], &dry["written"]), (&"added".into(), &false.into()), "{dry}");
    assert_eq!(place.json(&["factor", "sets"]).as_array().unwrap().len(), 0);
}

#[test]
fn factors_are_found_by_words_and_filters_and_shown_with_their_rows() {
    let place = with_file();
    place.ok(&["import", "factors", "own.csv"]);
    assert_eq!(found(&place, &["gas", "nat"]), ["G2"]);
    assert_eq!(found(&place, &["ELECTRICITE"]), ["G3"]);
    assert_eq!(found(&place, &["--use", "direct"]), ["G2"]);
    assert_eq!(found(&place, &["--region", "fr", "--unit", "kWh", "--year", "2025"]), ["G3"]);
    assert_eq!(found(&place, &["--year", "2026"]), Vec::<String>::new());
    let set = set_id(&place);
    let shown = place.json(&["factor", "show", &set[..8], "G2", "--gwp", "AR6"]);
    assert_eq!(shown["rows"][0]["cells"][0]["value"], "Natural gas");
    assert_eq!(shown["under"]["co2e"], "0.182898928571428571", "{shown}");
}

#[test]
fn a_factor_of_co2e_alone_says_why_it_has_none_under_another_set() {
    let place = with_file();
    place.ok(&["import", "factors", "own.csv"]);
    let set = set_id(&place);
    let shown = place.run(&["factor", "show", set.as_str(), "G3", "--gwp", "AR6"]);
    assert_eq!(shown.status, 1, "{}", shown.stderr);
    assert!(
        shown.stdout.contains("published as CO2e alone, under AR5: it cannot be read under AR6"),
        "{}",
        shown.stdout
    );
}

#[test]
fn sets_are_in_the_backup_and_verified() {
    let place = with_file();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.ok(&["import", "factors", "own.csv"]);
    place.ok(&["backup", "--to", "backup.tar"]);
    place.ok(&["restore", "backup.tar", "--data-dir", "restored"]);
    place.ok(&["verify", "--data-dir", "restored"]);
    let restored = place.json(&["factor", "search", "gas", "--data-dir", "restored"]);
    assert_eq!(restored["count"], 1, "{restored}");
}

#[test]
fn a_removed_set_is_gone_and_can_be_imported_again() {
    let place = with_file();
    place.ok(&["import", "factors", "own.csv"]);
    let set = set_id(&place);
    place.ok(&["factor", "remove-set", set.as_str()]);
    assert_eq!(place.json(&["factor", "sets"]).as_array().unwrap().len(), 0);
    assert_eq!(place.run(&["factor", "remove-set", set.as_str()]).status, 1);
    assert_eq!(place.json(&["import", "factors", "own.csv"])["outcome"], "added");
}

#[test]
fn an_export_stands_alone_with_the_factors_that_the_company_copied() {
    let place = with_file();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.ok(&["import", "factors", "own.csv"]);
    let set = set_id(&place);
    place.ok(&["factor", "use", "--new", &set, "G2"]);
    let rows =
        "syncId,name,startDate,quantity,unit,product,scope\na,Boiler,2025-03-01,1000,kWh_gross,Natural gas,scope1\n";
    place.file("rows.csv", rows);
    place.ok(&["import", "activities", "rows.csv"]);
    let explained = place.ok(&["explain", "a", "--json"]);
    for words in [&format!(r#""set":"{set}""#), r#""cell":"G2""#, r#""header":"co2e","value":"0.1829""#] {
        assert!(explained.contains(words), "{words} in {explained}");
    }
    // The installation's set is neither needed by the copy nor exported with it.
    place.ok(&["factor", "remove-set", &set]);
    place.ok(&["export", "--to", "acme.tonne"]);
    let elsewhere = |words: &[&str]| place.ok(&[words, &["--data-dir", "elsewhere"]].concat());
    elsewhere(&["import", "tenant", "acme.tonne"]);
    assert_eq!(elsewhere(&["factor", "sets", "--json"]).trim(), "[]");
    assert_eq!(place.ok(&["explain", "a", "--json"]), explained);
    let said = elsewhere(&["explain", "a", "--json"]);
    assert_eq!(said, explained);
    assert!(said.contains(r#""line":2"#), "{said}");
    assert_eq!(elsewhere(&["import", "list", "--json"]), place.ok(&["import", "list", "--json"]));
    assert!(elsewhere(&["verify", "--explain"]).contains("figures of 1 activity"));
}

/// The whole official files, where `TONNE_SHARED_DATA` names a folder that has them in `factors/`; they are no part of the repository.
#[test]
fn official_files_are_imported_with_all_their_rows_and_again_without_a_change() {
    let Some(folder) = std::env::var_os("TONNE_SHARED_DATA").map(std::path::PathBuf::from) else {
        eprintln!("SKIPPED: TONNE_SHARED_DATA names no folder with official files");
        return;
    };
    let place = Place::new();
    for (file, rows, factors) in [
        ("desnz-2024-flat.xlsx", 8_742, 2_506),
        ("epa-hub-2025.xlsx", 516, 612),
        ("us-supply-chain-1.3.0-co2e.csv", 1_016, 2_032),
    ] {
        let path = folder.join("factors").join(file);
        let import = ["import", "factors", path.to_str().unwrap()];
        let first = place.json(&import);
        assert_eq!((&first["outcome"], &first["rows"]), (&"added".into(), &rows.into()), "{file}");
        assert_eq!(first["set"]["factors"], factors, "{file}");
        let of_rows = first["skipped"].as_array().unwrap().iter().map(|one| one["count"].as_u64().unwrap());
        let skipped: u64 = of_rows.sum();
        assert_eq!(
            first["used"].as_u64().unwrap() + skipped,
            rows,
            "{file}: every row is used or skipped for a reason"
        );
        let again = place.json(&import);
        assert_eq!((&again["outcome"], &again["written"]), (&"unchanged".into(), &false.into()), "{file}");
    }
    assert_eq!(place.json(&["factor", "sets"]).as_array().unwrap().len(), 3);
    place.ok(&["verify"]);
}
