//! Help and wrong use.

use std::path::Path;

use super::run::Place;

const COMMANDS: [&[&str]; 26] = [
    &[],
    &["serve"],
    &["tenant"],
    &["tenant", "create"],
    &["tenant", "list"],
    &["tenant", "remove"],
    &["key"],
    &["key", "create"],
    &["key", "list"],
    &["key", "revoke"],
    &["client"],
    &["client", "create"],
    &["client", "list"],
    &["client", "rotate"],
    &["client", "revoke"],
    &["signing-key", "rotate"],
    &["import", "activities"],
    &["import", "catalog"],
    &["import", "tenant"],
    &["export"],
    &["report"],
    &["verify"],
    &["doctor"],
    &["migrate"],
    &["config"],
    &["health"],
];

#[test]
fn the_help_of_every_command_is_this() {
    let place = Place::new();
    let help = |command: &&[&str]| {
        let text = place.ok(&[command, &["--help"][..]].concat());
        format!("$ tonne {}\n{text}", command.join(" "))
    };
    let all: Vec<_> = COMMANDS.iter().map(help).collect();
    insta::assert_snapshot!(all.join("\n"));
}

/// The texts of all files in a folder and below it.
fn texts(folder: &Path) -> Vec<String> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { texts(&path) } else { vec![std::fs::read_to_string(path).unwrap()] })
        .collect()
}

#[test]
fn every_command_that_pages_tell_of_is_there() {
    let place = Place::new();
    let pages = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/web/src"));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    let mut seen = 0;
    for told in pages.iter().flat_map(|text| text.split("\"tonne ").skip(1)).filter_map(|rest| rest.split('"').next()) {
        let names: Vec<&str> = told.split(' ').take_while(is_name).collect();
        assert!(!names.is_empty(), "{told}");
        place.ok(&[&names[..], &["--help"][..]].concat());
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}

#[test]
fn wrong_use_exits_with_2_and_touches_nothing() {
    let place = Place::new();
    let wrong: [&[&str]; 17] = [
        &[],
        &["dance"],
        &["serve", "--loudly"],
        &["serve", "--listen", "nowhere"],
        &["key", "create", "--name", "a"],
        &["key", "create", "--name", "a", "--permissions", "activity:reed"],
        &["key", "create", "--name", "", "--permissions", "admin"],
        &["key", "revoke", "not-a-uuid"],
        &["report", "--date", "2024-02-30"],
        &["report", "--date", "2024", "--sd", "2024-01-01"],
        &["import", "activities", "table.pdf"],
        &["config", "--tenant", "Other"],
        &["tenant", "create", "api", "--name", "A"],
        &["tenant", "create", "acme"],
        &["tenant", "remove", "main", "--confirm", "main"],
        &["tenant", "remove", "acme", "--confirm", "other"],
        &["tenant", "remove", "acme"],
    ];
    for arguments in wrong {
        let ended = place.run(arguments);
        assert_eq!(ended.status, 2, "{arguments:?}: {}", ended.stderr);
        assert!(!ended.stderr.is_empty() && ended.stdout.is_empty(), "{arguments:?}");
    }
    assert!(place.path().read_dir().unwrap().next().is_none());
}

#[test]
fn a_database_that_cannot_be_used_is_refused_and_its_password_is_not_told() {
    for (url, status, expected) in [
        ("mysql://tonne:hush@db/tonne", 2, "--database-url: is no address of a PostgreSQL database"),
        ("postgres://tonne:hush@db:port/tonne", 1, "the database address cannot be read"),
        ("postgres://tonne:hush@127.0.0.1:1/tonne", 1, "the database tonne@127.0.0.1:1/tonne cannot be reached"),
    ] {
        for command in ["verify", "migrate", "serve"] {
            let place = Place::new();
            let listen: &[&str] = if command == "serve" { &["--listen", "127.0.0.1:0"] } else { &[] };
            let ended = place.run(&[&[command, "--database-url", url], listen].concat());
            assert_eq!(ended.status, status, "{command} {url}: {}", ended.stderr);
            assert!(ended.stderr.contains(expected), "{command} {url}: {}", ended.stderr);
            assert!(!ended.stderr.contains("hush"), "{command} {url}: {}", ended.stderr);
            assert!(place.path().read_dir().unwrap().next().is_none(), "{command} {url}");
        }
    }
}

#[test]
fn the_demo_is_never_put_into_a_database() {
    let place = Place::new();
    let ended = place.run(&["demo", "--database-url", "postgres://tonne:hush@127.0.0.1:1/tonne"]);
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert!(ended.stderr.contains("leave database.url out"), "{}", ended.stderr);
    assert!(place.path().read_dir().unwrap().next().is_none());
}

#[test]
fn the_script_for_an_empty_database_is_printed_without_one() {
    let place = Place::new();
    let script = place.ok(&["migrate", "--print-sql"]);
    assert!(script.contains("CREATE TABLE tonne.activity (") && script.trim_end().ends_with("COMMIT;"), "{script}");
    assert_eq!(place.run(&["migrate"]).status, 2);
    assert!(place.path().read_dir().unwrap().next().is_none());
}

#[test]
fn the_openapi_document_is_printed_without_a_store() {
    let place = Place::new();
    let document: serde_json::Value = serde_json::from_str(&place.ok(&["openapi"])).unwrap();
    assert_eq!(document["info"]["title"], "Tonne");
    assert!(place.path().read_dir().unwrap().next().is_none());
}
