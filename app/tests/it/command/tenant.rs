//! `tonne tenant`: companies that come and go beside a running service.

use std::time::{Duration, Instant};

use super::run::{Ended, Place};

/// The flag that every command of a place with several companies gets.
const CONFIG: [&str; 2] = ["--config", "tonne.toml"];

/// A place whose configuration has addresses for several companies.
fn several() -> Place {
    let place = Place::new();
    place.file("tonne.toml", "[tenancy]\nmode = \"path\"\n");
    place
}

fn run(place: &Place, arguments: &[&str]) -> Ended {
    place.run(&[arguments, &CONFIG[..]].concat())
}

fn ok(place: &Place, arguments: &[&str]) -> String {
    place.ok(&[arguments, &CONFIG[..]].concat())
}

fn create(place: &Place, slug: &str) -> String {
    let made = place.json(&[&["tenant", "create", slug, "--name", "A company"][..], &CONFIG[..]].concat());
    made["uuid"].as_str().unwrap().to_owned()
}

fn key(place: &Place, slug: &str) -> String {
    ok(place, &["key", "create", "--name", "k", "--permissions", "admin", "--tenant", slug]).trim().to_owned()
}

fn exports(place: &Place) -> Vec<std::path::PathBuf> {
    let folder = place.path().join("tonne-data/removed");
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_company_comes_and_goes_beside_a_running_service() {
    let place = several();
    let served = place.serve_with(&CONFIG);
    assert!(served.base.ends_with("/{tenant}/api"), "{}", served.base);
    create(&place, "kept");
    let first = create(&place, "acme");
    let made = Instant::now();
    let key_of_first = key(&place, "acme");
    let bearer = |key: &str| format!("Authorization: Bearer {key}");
    let get = |key: &str, path: &str| served.of("acme").get(path, &[&bearer(key)]);
    while get(&key_of_first, "/v1/scope").0 != 200 {
        assert!(made.elapsed() < Duration::from_mins(1), "it is not served");
    }
    ok(&place, &["import", "catalog", "--standard", "ghg-protocol", "--tenant", "acme"]);
    assert!(get(&key_of_first, "/v1/scope").1.contains("\"count\":21"));

    let told = ok(&place, &["tenant", "remove", "acme", "--confirm", "acme"]);
    assert!(told.starts_with("the company acme is removed"), "{told}");
    assert_eq!(get(&key_of_first, "/v1/scope").0, 404, "at once, once the command has ended");
    assert!(std::fs::read_dir(place.path().join("tonne-data/tenants")).unwrap().all(|entry| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().starts_with("kept")
    }));
    let [export] = &exports(&place)[..] else { panic!("{:?}", exports(&place)) };
    assert!(export.file_name().unwrap().to_str().unwrap().starts_with("acme-2"), "{export:?}");
    assert!(told.contains(export.file_name().unwrap().to_str().unwrap()), "{told}");

    let again = create(&place, "acme");
    assert_ne!(again, first);
    let key_of_again = key(&place, "acme");
    let made = Instant::now();
    while get(&key_of_again, "/v1/scope").0 != 200 {
        assert!(made.elapsed() < Duration::from_mins(1), "it is not served");
    }
    assert!(get(&key_of_again, "/v1/scope").1.contains("\"count\":0"));
    assert_eq!(get(&key_of_first, "/v1/scope").0, 401);
    assert!(ok(&place, &["verify"]).starts_with("OK: "));
}

#[test]
fn an_export_that_cannot_be_written_leaves_the_company_as_it_was() {
    let place = several();
    create(&place, "acme");
    place.file("there.tonne", "something");
    let remove = ["tenant", "remove", "acme", "--confirm", "acme", "--export-to"];
    let ended = run(&place, &[&remove[..], &["there.tonne"]].concat());
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("there.tonne was not written; nothing was removed"), "{}", ended.stderr);
    assert_eq!(std::fs::read(place.path().join("there.tonne")).unwrap(), b"something");
    assert!(ok(&place, &["tenant", "list"]).contains("acme"));
    ok(&place, &[&remove[..], &["elsewhere/gone.tonne"]].concat());
    assert!(place.path().join("elsewhere/gone.tonne").metadata().unwrap().len() > 0);
    assert!(!ok(&place, &["tenant", "list"]).contains("acme"));
}

#[test]
fn a_removal_that_failed_half_way_is_finished_by_the_identifier() {
    let place = several();
    let id = create(&place, "acme");
    ok(&place, &["import", "catalog", "--standard", "ghg-protocol", "--tenant", "acme"]);
    let finish = ["tenant", "remove", "acme", "--confirm", "acme", "--id", &id];
    let ended = run(&place, &finish);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("leave out --id; nothing was removed"), "{}", ended.stderr);
    let file = place.path().join("tonne-data/tenants/acme.db");
    let records = std::fs::read(&file).unwrap();
    ok(&place, &["tenant", "remove", "acme", "--confirm", "acme", "--export-to", "first.tonne"]);

    std::fs::write(&file, records).unwrap(); // as if erasing had failed
    let other = run(&place, &["tenant", "remove", "acme", "--confirm", "acme", "--id", &id.replace('0', "1")]);
    assert_eq!(other.status, 1);
    assert!(other.stderr.contains("nothing was removed"), "{}", other.stderr);
    assert!(file.exists());
    ok(&place, &[&finish[..], &["--export-to", "second.tonne"]].concat());
    assert!(!file.exists());
    let target = Place::new();
    let imported = target.json(&["import", "tenant", place.path().join("second.tonne").to_str().unwrap()]);
    assert_eq!(imported["uuid"], id.as_str());
    assert!(target.ok(&["verify"]).starts_with("OK: "));
    let ended = run(&place, &finish);
    assert_eq!(ended.status, 1, "there is nothing left");
    create(&place, "acme");
}

#[test]
fn a_removal_is_confirmed_with_the_slug() {
    let place = several();
    create(&place, "acme");
    for (arguments, told) in [
        (&["tenant", "remove", "acme"][..], "add --confirm acme"),
        (&["tenant", "remove", "acme", "--confirm", "acm"], "nothing was removed"),
    ] {
        let ended = run(&place, arguments);
        assert_eq!(ended.status, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
    assert!(ok(&place, &["tenant", "list"]).contains("acme"));
    assert!(!place.path().join("tonne-data/removed").exists());
}

#[test]
fn a_company_that_does_not_exist_is_told_with_the_way_to_add_it() {
    let place = several();
    create(&place, "other");
    for arguments in [
        &["key", "list"][..],
        &["report", "--tenant", "main"],
        &["import", "catalog", "--standard", "ghg-protocol", "--tenant", "main"],
        &["tenant", "remove", "main", "--confirm", "main"],
    ] {
        let ended = run(&place, arguments);
        assert_eq!(ended.status, 1, "{}", ended.stderr);
        let told = "there is no company main; `tonne tenant list` shows those there are, `tonne tenant create main";
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
    create(&place, "main");
    assert_eq!(run(&place, &["key", "list"]).status, 0);
    assert!(run(&place, &["verify", "--tenant", "none"]).stderr.contains("there is no company none"));
}

#[test]
fn a_slug_is_taken_once() {
    let place = several();
    let uuid = create(&place, "acme");
    let ended = run(&place, &["tenant", "create", "acme", "--name", "B"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("already has this slug") && ended.stderr.contains(&uuid), "{}", ended.stderr);
    let listed = place.json(&[&["tenant", "list"][..], &CONFIG[..]].concat());
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!((&listed[0]["slug"], &listed[0]["name"]), (&"acme".into(), &"A company".into()));
}

#[test]
fn commands_work_in_the_company_of_the_flag_and_damage_is_told_by_company() {
    let place = several();
    for slug in ["acme", "other"] {
        create(&place, slug);
    }
    ok(&place, &["import", "catalog", "--standard", "ghg-protocol", "--tenant", "acme"]);
    let other = ok(&place, &["import", "catalog", "--standard", "ghg-protocol", "--tenant", "other"]);
    assert!(other.contains("21 created"), "{other}");
    let parts = place.json(&[&["verify"][..], &CONFIG[..]].concat());
    let parts: Vec<_> = parts["parts"].as_array().unwrap().iter().map(|part| part["part"].clone()).collect();
    assert_eq!(parts, ["directory", "acme", "other"]);
    place.file("tonne-data/tenants/other.db", "a note");
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(place.path().join(format!("tonne-data/tenants/other.db{end}")));
    }
    assert!(ok(&place, &["verify", "--tenant", "acme"]).starts_with("OK: "));
    assert_eq!(run(&place, &["verify"]).status, 1);
    assert_eq!(run(&place, &["key", "list", "--tenant", "acme"]).status, 0, "one company's damage is its own");
}

#[test]
fn with_one_company_others_can_be_kept_but_are_not_served() {
    let place = Place::new();
    let served = place.serve();
    let ended = place.run(&["tenant", "create", "other", "--name", "Other"]);
    assert_eq!(ended.status, 0);
    assert!(ended.stderr.contains("not served while tenancy.mode is single"), "{}", ended.stderr);
    place.ok(&["import", "catalog", "--standard", "ghg-protocol", "--tenant", "other"]);
    assert!(place.ok(&["import", "catalog", "--standard", "ghg-protocol"]).contains("21 created"));
    let key = place.ok(&["key", "create", "--name", "k", "--permissions", "admin", "--tenant", "other"]);
    assert_eq!(served.get("/v1/scope", &[&format!("Authorization: Bearer {}", key.trim())]).0, 401);
    let only = several();
    create(&only, "acme");
    let ended = only.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("there is no company main, only others: set tenancy.mode"), "{}", ended.stderr);
}

#[test]
fn a_company_that_is_called_otherwise_is_so_in_reports_beside_a_running_service() {
    let place = several();
    let served = place.serve_with(&CONFIG);
    create(&place, "acme");
    let bearer = format!("Authorization: Bearer {}", key(&place, "acme"));
    let reads = |title: &str| {
        let since = Instant::now();
        loop {
            let (_, page) = served.of("acme").get("/v1/report", &[&bearer, "Accept: text/html"]);
            if page.contains(&format!("<h1>Emissions of {title}</h1>")) {
                return;
            }
            assert!(since.elapsed() < Duration::from_mins(1), "{title}: {page}");
        }
    };
    reads("A company");
    let told = ok(&place, &["tenant", "set", "acme", "--name", "Nord & Söhne"]);
    assert_eq!(told, "the company acme is called Nord & Söhne\n");
    reads("Nord &amp; Söhne");
    let listed = place.json(&[&["tenant", "list"][..], &CONFIG[..]].concat());
    let acme = listed.as_array().unwrap().iter().find(|tenant| tenant["slug"] == "acme").unwrap();
    assert_eq!(acme["name"], "Nord & Söhne");
    let refused = run(&place, &["tenant", "set", "acme", "--name", " "]);
    assert!(refused.status == 2 && refused.stderr.contains("--name"), "{}", refused.stderr);
}

#[test]
fn the_only_company_gets_its_name() {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let title = || place.ok(&["report", "--html", "-"]).contains("<h1>Emissions of Nordwind AG</h1>");
    assert!(!title());
    place.ok(&["tenant", "set", "--name", "Nordwind AG"]);
    assert!(title());
    assert!(place.ok(&["verify"]).starts_with("OK"));
}
