//! The configuration: its sources, their order, and what is wrong with it.

use super::run::{Ended, Place};

/// Runs `tonne config --json` with those variables and flags; the value of a setting and where it came from.
fn setting(place: &Place, key: &str, variables: &[(&str, &str)], flags: &[&str]) -> (String, String) {
    let output =
        place.command(&[flags, &["config", "--json"]].concat()).envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let entries: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let entry = entries.as_array().unwrap().iter().find(|entry| entry["key"] == key).unwrap();
    (entry["value"].as_str().unwrap_or("-").to_owned(), entry["source"].as_str().unwrap().to_owned())
}

/// Runs `tonne config` with those variables and flags, which must be refused.
fn refused(place: &Place, variables: &[(&str, &str)], flags: &[&str]) -> Ended {
    let output = place.command(&[flags, &["config"]].concat()).envs(variables.iter().copied()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    Ended { status: 2, stdout: String::from_utf8(output.stdout).unwrap(), stderr }
}

#[test]
fn flags_win_over_the_environment_that_over_the_file_that_over_the_default() {
    let place = Place::new();
    place.file("tonne.toml", "[store]\ndata_dir = \"from-file\"\n");
    let (file, variable, flag) =
        (["--config", "tonne.toml"], ("TONNE_STORE__DATA_DIR", "from-variable"), ["--data-dir", "from-flag"]);
    let both = [&file[..], &flag[..]].concat();
    let key = "store.data_dir";
    let pair = |value: &str, origin: &str| (value.to_owned(), origin.to_owned());
    assert_eq!(setting(&place, key, &[], &[]), pair("./tonne-data", "default"));
    assert_eq!(setting(&place, key, &[], &file), pair("from-file", "tonne.toml"));
    assert_eq!(setting(&place, key, &[variable], &file), pair("from-variable", "TONNE_STORE__DATA_DIR"));
    assert_eq!(setting(&place, key, &[variable], &both), pair("from-flag", "--data-dir"));
}

#[test]
fn the_file_can_be_named_by_a_variable_and_must_be_there() {
    let place = Place::new();
    let path = place.file("tonne.toml", "[limits]\nstreams = 3\n");
    let variables = [("TONNE_CONFIG", path.to_str().unwrap())];
    assert_eq!(setting(&place, "limits.streams", &variables, &[]).0, "3");
    let ended = refused(&place, &[], &["--config", "missing.toml"]);
    assert!(ended.stderr.contains("missing.toml cannot be read"), "{}", ended.stderr);
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_place() {
    let place = Place::new();
    place.file(
        "tonne.toml",
        "[server]\nlisten = \"here\"\nlissten = \"there\"\n[limts]\nstreams = 3\n[tenancy]\nmode = \"paths\"\n",
    );
    let variables =
        [("TONNE_LIMITS__STREAMS", "many"), ("TONNE_TOKENS__ACCES_LIFETIME_S", "60"), ("TONNE_VERBOSE", "1")];
    let ended = refused(&place, &variables, &["--config", "tonne.toml"]);
    insta::assert_snapshot!(ended.stderr);
}

#[test]
fn a_domain_goes_with_the_mode_host_alone_and_the_public_origin_stands_at_it() {
    let place = Place::new();
    let (mode, domain) = ("TONNE_TENANCY__MODE", "TONNE_TENANCY__DOMAIN");
    let public = "TONNE_SERVER__PUBLIC_URL";
    for (variables, told) in [
        (&[(mode, "host")][..], "tenancy.domain is missing"),
        (&[(mode, "path"), (domain, "example.com")], "tenancy.domain is for tenancy.mode host"),
        (&[(domain, "example.com")], "tenancy.domain is for tenancy.mode host"),
        (
            &[(mode, "host"), (domain, "https://example.com")],
            "TONNE_TENANCY__DOMAIN: \"https://example.com\" is no domain",
        ),
        (
            &[(mode, "host"), (domain, "example.com"), (public, "https://example.org")],
            "does not stand at tenancy.domain",
        ),
    ] {
        let ended = refused(&place, variables, &[]);
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 2, "one fault: {}", ended.stderr);
    }
    let variables = [(mode, "host"), (domain, "Example.COM"), (public, "http://example.com:8080")];
    assert_eq!(setting(&place, "tenancy.domain", &variables, &[]).0, "example.com");
}

#[test]
fn trusted_proxies_are_a_list_in_the_file_and_words_with_commas_in_a_variable() {
    let place = Place::new();
    place.file("tonne.toml", "[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"2001:db8::7\"]\n");
    let (key, file) = ("server.trusted_proxies", ["--config", "tonne.toml"]);
    let variable = ("TONNE_SERVER__TRUSTED_PROXIES", "192.0.2.7, ::ffff:192.0.2.8");
    assert_eq!(setting(&place, key, &[], &[]).0, "-");
    assert_eq!(setting(&place, key, &[], &file).0, "10.0.0.0/8, 2001:db8::7/128");
    assert_eq!(setting(&place, key, &[variable], &file).0, "192.0.2.7/32, 192.0.2.8/32");
}

#[test]
fn every_proxy_that_is_no_address_or_range_is_told() {
    let place = Place::new();
    let wrong = ["10.0.0.0/33", "proxy.example", "10.0.0.1/8", "::ffff:10.0.0.0/104", ""];
    place.file("tonne.toml", &format!("[server]\ntrusted_proxies = {wrong:?}\nlisten = \"here\"\n"));
    let ended = refused(&place, &[], &["--config", "tonne.toml"]);
    for value in wrong {
        assert!(ended.stderr.contains(&format!("server.trusted_proxies: {value:?} ")), "{value}: {}", ended.stderr);
    }
    assert!(ended.stderr.contains("10.0.0.0/8") && ended.stderr.contains("server.listen"), "{}", ended.stderr);
    place.file("tonne.toml", "[server]\ntrusted_proxies = [[\"10.0.0.1\"], true]\n");
    let ended = refused(&place, &[], &["--config", "tonne.toml"]);
    assert_eq!(ended.stderr.matches("server.trusted_proxies: ").count(), 2, "{}", ended.stderr);
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_the_line() {
    let place = Place::new();
    place.file("tonne.toml", "[server]\nlisten = \n");
    let ended = refused(&place, &[], &["--config", "tonne.toml"]);
    assert!(ended.stderr.contains("tonne.toml") && ended.stderr.contains("line 2"), "{}", ended.stderr);
}

#[test]
fn a_secret_is_never_shown() {
    let place = Place::new();
    let secret = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==";
    let variables = [("TONNE_SECRETS__KEY", secret)];
    assert_eq!(setting(&place, "secrets.key", &variables, &[]), ("***".into(), "TONNE_SECRETS__KEY".into()));
    let ended = refused(&place, &[("TONNE_SECRETS__KEY", "hush")], &[]);
    assert!(ended.stderr.contains("TONNE_SECRETS__KEY") && !ended.stderr.contains("hush"), "{}", ended.stderr);
}

#[test]
fn the_addresses_of_a_database_are_secrets() {
    let place = Place::new();
    let url = "postgres://tonne:hush@db/tonne";
    for (key, variable) in
        [("database.url", "TONNE_DATABASE__URL"), ("database.migrator_url", "TONNE_DATABASE__MIGRATOR_URL")]
    {
        let variables = [(variable, url), ("TONNE_DATABASE__URL", url)];
        assert_eq!(setting(&place, key, &variables, &[]), ("***".into(), variable.into()));
        let refused = refused(&place, &[(variable, "mysql://tonne:hush@db/tonne")], &[]).stderr;
        assert!(refused.contains(variable) && !refused.contains("hush"), "{refused}");
    }
    let ended = refused(&place, &[("TONNE_DATABASE__MIGRATOR_URL", url)], &[]);
    assert!(ended.stderr.contains("database.migrator_url is given without database.url"), "{}", ended.stderr);
    let ended = refused(&place, &[("TONNE_DATABASE__POOLER", "session")], &[]);
    assert!(ended.stderr.contains("TONNE_DATABASE__POOLER: \"session\" is no kind of pooler"), "{}", ended.stderr);
}

#[test]
fn a_secret_is_given_once() {
    let place = Place::new();
    let key = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3JldA==";
    let both = [("TONNE_SECRETS__KEY", key), ("TONNE_SECRETS__KEY_FILE", "key.txt")];
    assert!(refused(&place, &both, &[]).stderr.contains("given twice"));
    place.file("tonne.toml", &format!("[secrets]\nkey = \"{key}\"\n"));
    let (flags, file) = (["--config", "tonne.toml"], [("TONNE_SECRETS__KEY_FILE", "key.txt")]);
    assert_eq!(setting(&place, "secrets.key_file", &file, &flags).0, "key.txt");
    assert_eq!(setting(&place, "secrets.key", &file, &flags).0, "-");
}

#[test]
fn variables_that_an_orchestrator_sets_are_no_settings() {
    let variables = [
        ("TONNE_SERVICE_HOST", "10.0.0.1"),
        ("TONNE_SERVICE_PORT_HTTP", "80"),
        ("TONNE_PORT", "tcp://10.0.0.1:80"),
        ("TONNE_PORT_80_TCP_ADDR", "10.0.0.1"),
    ];
    assert_eq!(setting(&Place::new(), "server.listen", &variables, &[]).0, "127.0.0.1:8080");
}

#[test]
fn an_empty_variable_is_not_given() {
    let variables = [("TONNE_SERVER__LISTEN", "")];
    assert_eq!(setting(&Place::new(), "server.listen", &variables, &[]).1, "default");
}

#[test]
fn the_documented_settings_are_those_there_are_with_their_defaults() {
    let documented = include_str!("../../../../docs/configuration.md");
    let entries = Place::new().json(&["config"]);
    for entry in entries.as_array().unwrap() {
        let key = entry["key"].as_str().unwrap();
        let row = documented.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{key}`")));
        let row = row.unwrap_or_else(|| panic!("docs/configuration.md has no row for {key}"));
        if let Some(default) = entry["value"].as_str() {
            assert!(row.contains(&format!("| `{default}` |")) || key.starts_with("log."), "{row}");
        }
    }
    let known: Vec<_> = entries.as_array().unwrap().iter().map(|entry| entry["key"].as_str().unwrap()).collect();
    for row in documented.lines().filter(|line| line.starts_with("| `")) {
        let key = row.split('`').nth(1).unwrap();
        assert!(!key.contains('.') || known.contains(&key), "{key} is documented and is no setting");
    }
}
