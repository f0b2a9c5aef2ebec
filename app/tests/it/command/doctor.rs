//! What the doctor finds on an installation, and that it changes nothing.

use std::io::BufRead as _;
use std::path::Path;

use super::run::Place;

/// The checks that found something, and the status that the command ended with.
fn checks(place: &Place, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, Vec<(String, String)>) {
    let mut command = place.command(&[&["doctor", "--json"], arguments].concat());
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let printed: serde_json::Value = serde_json::from_str(&printed).unwrap_or_else(|error| panic!("{error}: {stderr}"));
    let finding = |finding: &serde_json::Value| {
        assert!(!finding["mend"].as_str().unwrap().is_empty() && !finding["what"].as_str().unwrap().is_empty());
        (finding["check"].as_str().unwrap().to_owned(), finding["mend"].as_str().unwrap().to_owned())
    };
    let findings = printed["findings"].as_array().unwrap().iter().map(finding).collect();
    (output.status.code().unwrap(), findings)
}

fn no_findings() -> (i32, Vec<(String, String)>) {
    (0, Vec::new())
}

/// Name, size and content of every file of a folder but those that SQLite keeps beside its own.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for folder in [folder.to_owned(), folder.join("tenants")] {
        for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            let name = file.display().to_string();
            if !name.ends_with("-shm") && !name.ends_with("-wal") {
                found.push((name, std::fs::read(file).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_new_installation_has_no_finding_stopped_and_beside_a_service_and_nothing_is_changed() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    let before = files(&place.path().join("tonne-data"));
    assert_eq!(checks(&place, &[], &[]), no_findings());
    assert_eq!(checks(&place, &["--deep"], &[]), no_findings());
    assert!(files(&place.path().join("tonne-data")) == before, "a file was changed");
    assert_eq!(place.ok(&["doctor"]), "OK: nothing was found\n");
    let _served = place.serve();
    assert_eq!(checks(&place, &["--deep"], &[]), no_findings());
}

#[test]
fn where_there_is_no_store_it_says_so_and_makes_none() {
    let place = Place::new();
    let (status, found) = checks(&place, &[], &[]);
    assert_eq!((status, found.len()), (1, 1), "{found:?}");
    assert_eq!(found[0].0, "store");
    assert!(!place.path().join("tonne-data").exists());
}

#[cfg(unix)]
#[test]
fn a_file_that_others_may_read_is_an_error_until_the_printed_command_was_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    for name in ["tonne-data/secret.key", "tonne-data/tenants/main.db", "tonne-data"] {
        std::fs::set_permissions(place.path().join(name), std::fs::Permissions::from_mode(0o755)).unwrap();
        let (status, found) = checks(&place, &[], &[]);
        assert_eq!((status, found.len()), (1, 1), "{name}: {found:?}");
        assert_eq!(found[0].0, "permissions");
        let mended = std::process::Command::new("sh").args(["-c", &found[0].1]).current_dir(place.path()).status();
        assert!(mended.unwrap().success());
        assert_eq!(checks(&place, &[], &[]), no_findings());
    }
}

#[test]
fn a_key_that_runs_out_is_a_warning_until_it_is_revoked_as_the_advice_says() {
    let place = Place::new();
    place.ok(&[
        "key",
        "create",
        "--name",
        "old",
        "--permissions",
        "activity:read,catalog:read",
        "--expires",
        &tomorrow(),
    ]);
    let (status, found) = checks(&place, &[], &[]);
    assert_eq!((status, found.len()), (0, 1), "{found:?}");
    assert_eq!(found[0].0, "credentials");
    let revoke = found[0].1.rsplit_once("`tonne ").unwrap().1.trim_end_matches('`');
    let revoke: Vec<_> = revoke.split(' ').collect();
    place.ok(&revoke);
    assert_eq!(checks(&place, &[], &[]), no_findings());
}

/// The day after this one.
fn tomorrow() -> String {
    use ports::clock::Clock as _;
    let now = tonne::clock::SystemClock.now();
    let day = domain::Timestamp::from_millis(now.millis() + 24 * 3_600 * 1_000).unwrap().to_string();
    day[..10].to_owned()
}

#[test]
fn the_key_of_a_demonstration_is_an_error_until_it_is_revoked() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", tonne::demo::CREDENTIAL, "--permissions", "admin"]);
    let (status, found) = checks(&place, &[], &[]);
    assert_eq!((status, found.len()), (1, 1), "{found:?}");
    let revoke: Vec<_> = found[0].1.split(' ').skip(1).collect();
    place.ok(&revoke);
    assert_eq!(checks(&place, &[], &[]), no_findings());
}

#[test]
fn unsafe_settings_are_told_with_the_settings_of_the_service() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    let public = ("TONNE_SERVER__LISTEN", "0.0.0.0:8080");
    let (status, found) = checks(&place, &[], &[public]);
    assert_eq!((status, found.len(), found[0].0.as_str()), (1, 1, "settings"), "{found:?}");
    let secured = ("TONNE_SERVER__PUBLIC_URL", "https://carbon.example.com");
    assert_eq!(checks(&place, &[], &[public, secured]), no_findings());
}

#[test]
fn sessions_that_would_travel_in_the_clear_are_told_by_the_doctor_and_where_the_service_starts() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    let by_name = [("TONNE_TENANCY__MODE", "host"), ("TONNE_TENANCY__DOMAIN", "carbon.example.com")];
    let (status, found) = checks(&place, &[], &by_name);
    assert_eq!(status, 0, "{found:?}");
    let is_told = |found: &[(String, String)]| {
        found.iter().any(|(check, mend)| check == "settings" && mend.contains("server.trusted_proxies"))
    };
    assert!(is_told(&found), "{found:?}");
    for secured in [
        ("TONNE_SERVER__TRUSTED_PROXIES", "10.0.0.7"),
        ("TONNE_SERVER__PUBLIC_URL", "https://carbon.example.com"),
        ("TONNE_TENANCY__DOMAIN", "localhost"),
    ] {
        let (_, found) = checks(&place, &[], &[&by_name[..], &[secured]].concat());
        assert!(!is_told(&found), "{secured:?}: {found:?}");
    }
    let mut serve = place.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.envs(by_name).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = serve.spawn().unwrap();
    let lines = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    let told = lines.map_while(Result::ok).find(|line| line.contains("travel in the clear"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(told.is_some_and(|line| line.contains("WARN") && line.contains("tonne doctor")));
}

#[test]
fn what_the_service_would_not_start_with_is_an_error() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    place.ok(&["signing-key", "rotate"]);
    assert_eq!(checks(&place, &[], &[]), no_findings());
    let trace = ("TONNE_TRACE__ENDPOINT", "https://collector.example");
    let certificate = ("TONNE_SERVER__TLS_CERTIFICATE", "none.pem");
    let key = ("TONNE_SERVER__TLS_KEY", "none.key");
    let other = ("TONNE_SECRETS__KEY", "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==");
    for (variables, check) in [(&[trace][..], "settings"), (&[certificate, key], "settings"), (&[other], "secret")] {
        let (status, found) = checks(&place, &[], variables);
        assert_eq!((status, found.len(), found[0].0.as_str()), (1, 1, check), "{found:?}");
        let mut serve = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(serve.envs(variables.iter().copied()).output().unwrap().status.code(), Some(1), "{variables:?}");
    }
    let secret = place.path().join("tonne-data/secret.key");
    std::fs::remove_file(&secret).unwrap();
    let (status, found) = checks(&place, &[], &[]);
    assert_eq!((status, found.len(), found[0].0.as_str()), (1, 1, "secret"), "{found:?}");
    assert!(!secret.exists(), "none is made");
}

#[test]
fn a_damaged_file_is_an_error_and_left_as_it_is() {
    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    let path = place.path().join("tonne-data/tenants/main.db");
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[4_096..end].fill(0xAA);
    std::fs::write(&path, &bytes).unwrap();
    let (status, found) = checks(&place, &["--deep"], &[]);
    assert_eq!(status, 1, "{found:?}");
    assert!(found.iter().any(|(check, _)| check == "integrity"), "{found:?}");
    assert!(std::fs::read(&path).unwrap() == bytes, "the file was changed");
}

#[cfg(unix)]
#[tokio::test]
async fn a_full_log_is_an_error_while_something_reads_and_a_warning_once_that_has_ended() {
    use std::sync::Arc;

    use ports::contract::sample::{SampleClock, SampleIds};
    use ports::store::Store as _;
    use ports::{Grant, TenantId, TenantSlug};
    use sqlite::{Options, SqliteStore};

    let place = Place::new();
    place.ok(&["key", "create", "--name", "erp", "--permissions", "admin"]);
    let tenant: TenantId = place.json(&["tenant", "list"])[0]["uuid"].as_str().unwrap().parse().unwrap();
    let folder = place.path().join("tonne-data");
    let store = SqliteStore::open(&folder, Options::new(Arc::new(SampleClock), Arc::new(SampleIds::default())));
    store.attach(tenant, &TenantSlug::parse("main").unwrap());
    let mut reader = store.read(&Grant::for_maintenance(tenant, "test").to_read()).await.unwrap();
    reader.head().await.unwrap();
    // What is behind its last page in a log is nothing.
    let log = std::fs::File::options().write(true).open(folder.join("tenants/main.db-wal")).unwrap();
    log.set_len(64 << 20).unwrap();
    let doctor = || {
        let (status, found) = checks(&place, &[], &[("TONNE_STORE__LOG_BYTES", "67108864")]);
        assert_eq!((found.len(), found[0].0.as_str()), (1, "log"), "{found:?}");
        (status, found[0].1.clone())
    };
    let (status, mend) = doctor();
    assert!(status == 1 && mend.starts_with("end what reads"), "{mend}");
    drop(reader);
    let (status, mend) = doctor();
    assert!(status == 0 && mend.contains("the next write empties the log"), "{mend}");
}
