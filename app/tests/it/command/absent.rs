//! Commands in a folder without a store: those that fill one make it and say so, the others fail.

use super::run::{Place, end};

const MADE: &str = "made a new store in ./tonne-data\n";

fn is_empty(place: &Place) -> bool {
    place.path().join("tonne-data").symlink_metadata().is_err()
}

#[test]
fn a_command_that_only_reads_or_changes_says_that_there_is_no_store_and_makes_none() {
    let place = Place::new();
    place.file("rows.csv", "name,startDate\nA,2025-01-31\n");
    let id = "01890000-0000-7000-8000-000000000000";
    for arguments in [
        &["report"][..],
        &["verify"],
        &["export", "--to", "x.tonne"],
        &["key", "list"],
        &["key", "revoke", id],
        &["client", "list"],
        &["client", "rotate", id],
        &["client", "revoke", id],
        &["tenant", "list"],
        &["tenant", "remove", "acme", "--confirm", "acme"],
        &["signing-key", "rotate"],
        &["import", "activities", "rows.csv", "--dry-run"],
    ] {
        let ended = place.run(arguments);
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{arguments:?}: {}", ended.stderr);
        assert!(
            ended.stderr.starts_with("error: there is no store in ./tonne-data"),
            "{arguments:?}: {}",
            ended.stderr
        );
        assert!(is_empty(&place), "{arguments:?}");
    }
}

#[test]
fn a_command_that_fills_a_store_makes_one_and_says_so_once() {
    for arguments in [
        &["key", "create", "--name", "k", "--permissions", "admin", "--json"][..],
        &["client", "create", "--name", "c", "--permissions", "admin", "--json"],
        &["tenant", "create", "main2", "--name", "A company", "--json"],
        &["import", "catalog", "--standard", "ghg-protocol"],
        &["import", "activities", "rows.csv", "--json"],
    ] {
        let place = Place::new();
        place.file("rows.csv", "name,startDate,UpstreamCO2e\nA,2025-01-31,1\n");
        let first = place.run(arguments);
        assert_eq!(first.status, 0, "{arguments:?}: {}", first.stderr);
        assert!(first.stderr.starts_with(MADE), "{arguments:?}: {}", first.stderr);
        let again = place.run(&["import", "catalog", "--standard", "ghg-protocol"]);
        assert_eq!((again.status, again.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_store_that_has_no_company_gets_none_from_a_command_that_reads() {
    let place = Place::new();
    place.file("tonne.toml", "[tenancy]\nmode = \"path\"\n");
    place.ok(&["tenant", "create", "acme", "--name", "A company", "--config", "tonne.toml"]);
    place.ok(&["tenant", "remove", "acme", "--confirm", "acme", "--config", "tonne.toml"]);
    let ended = place.run(&["report"]);
    assert!(ended.status == 1 && ended.stderr.starts_with("error: there is no company main"), "{}", ended.stderr);
    assert_eq!(place.json(&["tenant", "list"]), serde_json::json!([]));
}

#[cfg(unix)]
#[test]
fn the_service_says_that_it_made_a_store_and_logs_its_start() {
    use std::process::Stdio;

    let place = Place::new();
    let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
    assert!(line.starts_with("Tonne serves http://127.0.0.1:"), "{line}");
    let base = line.trim().rsplit(' ').next().unwrap();
    assert!(std::net::TcpStream::connect(base.strip_prefix("http://").unwrap().strip_suffix("/api").unwrap()).is_ok());
    end(&child);
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with(MADE), "{stderr}");
    assert!(stderr.contains("the service starts") && stderr.contains("SQLite"), "{stderr}");
}
