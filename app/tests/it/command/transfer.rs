//! A whole company from one installation to another.

use std::fs;

use super::run::Place;

const ACTIVITIES: &str = r#"{"syncId":"a1","name":"Diesel","startDate":"2025-01-01T00:30:00+13:00","UpstreamCO2e":"12.5","scope":{"syncId":"scope1"}}
{"syncId":"a2","name":"Flüge","startDate":"2025-02-01","endDate":"2025-03-02","DownstreamCO2e":"-3.000000000000000001"}
"#;

/// An installation with some activities and a key.
fn source() -> (Place, String) {
    let place = Place::new();
    place.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    place.file("a.ndjson", ACTIVITIES);
    place.ok(&["import", "activities", "a.ndjson"]);
    let key = place.json(&["key", "create", "--name", "k", "--permissions", "activity:read"]);
    (place, key["key"].as_str().unwrap().to_owned())
}

/// Exports to a file and gives its path and content.
fn export(place: &Place, name: &str, flags: &[&str]) -> (String, String) {
    place.ok(&[&["export", "--to", name], flags].concat());
    let path = place.path().join(name);
    (path.display().to_string(), fs::read_to_string(path).unwrap())
}

#[test]
fn a_company_moves_with_its_reports_its_chain_and_its_keys() {
    let (source, key) = source();
    let (file, content) = export(&source, "acme.tonne", &["--with-credentials"]);
    let target = Place::new();
    let told = target.json(&["import", "tenant", &file, "--with-credentials"]);
    assert_eq!(told["tenant"], "main");
    assert_eq!(told["created"], true);
    assert_eq!((&told["activities"], &told["credentials"]), (&2.into(), &1.into()));
    assert_eq!(export(&target, "again.tonne", &["--with-credentials"]).1, content);
    for report in [&["report", "--json"][..], &["report", "--by", "month", "--json"]] {
        assert_eq!(target.ok(report), source.ok(report));
    }
    assert!(target.ok(&["verify"]).starts_with("OK: "));
    let served = target.serve();
    let (status, body) = served.get("/v1/activity", &[&format!("Authorization: Bearer {key}")]);
    assert_eq!(status, 200, "{body}");
    target.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(target.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn the_history_names_the_account_that_ran_a_command() {
    let place = Place::new();
    let mut command = place.command(&["import", "catalog", "--standard", "ghg-protocol"]);
    assert!(command.env("LOGNAME", "ada").output().unwrap().status.success());
    let (_, content) = export(&place, "acme.tonne", &[]);
    let changes: Vec<&str> = content.lines().filter(|line| line.contains(r#""kind":"change""#)).collect();
    assert!(!changes.is_empty());
    for change in changes {
        assert!(change.contains(r#","actor":"cli:ada","#), "{change}");
    }
}

#[test]
fn an_export_is_whole_for_its_owner_alone_and_replaces_nothing_unasked() {
    let (source, _) = source();
    source.file("there.tonne", "mine");
    let ended = source.run(&["export", "--to", "there.tonne"]);
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (1, "error: there.tonne is there already: --force replaces it\n")
    );
    assert_eq!(fs::read_to_string(source.path().join("there.tonne")).unwrap(), "mine");
    let (_, content) = export(&source, "there.tonne", &["--force"]);
    assert!(content.starts_with("{\"form\":1,\"kind\":\"export\","));
    assert!(!content.contains("\"kind\":\"key\""));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(source.path().join("there.tonne")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(source.ok(&["export", "--to", "-"]), content);
    let ended = source.run(&["export", "--to", "no/such/folder.tonne"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.starts_with("error: no/such/folder.tonne cannot be written"), "{}", ended.stderr);
    let beside = source.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut beside: Vec<_> = beside.collect();
    beside.sort();
    assert_eq!(beside, ["a.ndjson", "there.tonne", "tonne-data"]);
}

#[test]
fn an_export_that_cannot_be_kept_for_its_reader_writes_nothing() {
    let (source, _) = source();
    let mut command = source.command(&["export", "--to", "-"]);
    let ended = command.env("TMPDIR", source.path().join("no-such-folder")).output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!((ended.status.code(), ended.stdout.as_slice()), (Some(1), &b""[..]), "{told}");
    let expected =
        "error: nothing was written to standard output\n  because the export cannot be kept in a temporary file\n";
    assert!(told.starts_with(expected) && told.contains("no-such-folder"), "{told}");
    assert!(told.contains("name another folder in TMPDIR, or export to a file"), "{told}");
}

#[test]
fn an_export_makes_no_store() {
    let place = Place::new();
    let ended = place.run(&["export", "--to", "x.tonne"]);
    assert_eq!(ended.status, 1);
    assert!(place.path().read_dir().unwrap().next().is_none(), "{}", ended.stderr);
    let (source, _) = source();
    let ended = source.run(&["export", "--to", "x.tonne", "--tenant", "acme"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.starts_with("error: there is no company acme"), "{}", ended.stderr);
}

#[test]
fn a_refused_file_leaves_no_company() {
    let (source, _) = source();
    let (_, content) = export(&source, "a.tonne", &[]);
    let target = Place::new();
    let changed = target.file("changed.tonne", &content.replacen("Diesel", "Diesal", 1)).display().to_string();
    let ended = target.run(&["import", "tenant", &changed]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("which ends records that are not those that the changes left"), "{}", ended.stderr);
    let half: String = content.split_inclusive('\n').take(5).collect();
    let ended = target.feed(&["import", "tenant", "-"], &half);
    let expected =
        "error: standard input is refused at line 6, which is missing: the file is cut off; nothing was imported\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (1, expected));
    assert!(!target.path().join("tonne-data/tenants/main.db").exists());
    assert!(target.ok(&["verify"]).starts_with("OK: "));
    let ended = target.feed(&["import", "tenant", "-"], "name,startDate\n");
    assert!(ended.stderr.contains("line 1, which is not the header of a company's export"), "{}", ended.stderr);
    assert_eq!(target.feed(&["import", "tenant", "-"], &content).status, 0);
}

#[test]
fn a_company_that_is_there_must_be_empty_and_keeps_its_identity() {
    let (source, _) = source();
    let (file, _) = export(&source, "a.tonne", &[]);
    let ended = source.run(&["import", "tenant", &file]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("into a company that has records or a history"), "{}", ended.stderr);
    let target = Place::new();
    target.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    let before = export(&target, "empty.tonne", &[]).1;
    let told = target.json(&["import", "tenant", &file]);
    assert_eq!(told["created"], false);
    assert!(before.contains(told["uuid"].as_str().unwrap()));
    assert_eq!(target.ok(&["report", "--json"]), source.ok(&["report", "--json"]));
    let named = Place::new();
    named.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    let ended = named.run(&["import", "tenant", &file, "--name", "Other"]);
    assert_eq!(ended.status, 2, "{}", ended.stderr);
}

#[test]
fn several_companies_have_slugs_and_identities_of_their_own() {
    let (source, _) = source();
    let (file, _) = export(&source, "a.tonne", &["--with-credentials"]);
    let target = Place::new();
    let import = |flags: &[&str]| {
        let mut command = target.command(&[&["import", "tenant", &file], flags].concat());
        let output = command.env("TONNE_TENANCY__MODE", "path").output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(
        import(&["--as", "acme", "--name", "Acme", "--with-credentials"]),
        (Some(0), "made a new store in ./tonne-data\n".to_owned())
    );
    let (status, told) = import(&["--as", "beta"]);
    assert_eq!(status, Some(1));
    assert!(told.contains("this company is here already, as acme"), "{told}");
    let (status, told) = import(&["--as", "beta", "--new-id", "--with-credentials"]);
    assert_eq!(status, Some(1));
    assert!(told.contains("which belongs to another company here"), "{told}");
    assert!(!target.path().join("tonne-data/tenants/beta.db").exists());
    assert_eq!(import(&["--as", "beta", "--new-id"]).0, Some(0));
    assert_eq!(import(&["--as", "Not a slug"]).0, Some(2));
    let single = Place::new();
    let ended = single.run(&["import", "tenant", &file, "--as", "acme"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("with tenancy.mode single there is main alone"), "{}", ended.stderr);
}

#[test]
fn the_day_on_which_years_begin_moves_with_the_company() {
    let (source, _) = source();
    source.ok(&["tenant", "set", "main", "--year-start", "04-06"]);
    let (file, content) = export(&source, "acme.tonne", &[]);
    let starts = |place: &Place| place.json(&["tenant", "list"])[0]["yearStart"].as_str().unwrap().to_owned();
    let target = Place::new();
    target.ok(&["import", "tenant", &file]);
    assert_eq!(starts(&target), "04-06");
    assert_eq!(export(&target, "again.tonne", &[]).1, content);

    source.ok(&["backup", "--to", "all.tonne"]);
    let (restored, backup) = (Place::new(), source.path().join("all.tonne").display().to_string());
    restored.ok(&["restore", &backup]);
    assert_eq!(starts(&restored), "04-06");

    let own = Place::new();
    own.ok(&["key", "create", "--name", "k", "--permissions", "admin"]);
    own.ok(&["tenant", "set", "--year-start", "07-01"]);
    let ended = own.run(&["import", "tenant", &file]);
    assert!(ended.status == 0 && ended.stderr.contains("tonne tenant set main --year-start 04-06"), "{}", ended.stderr);
    assert_eq!(starts(&own), "07-01");
}
