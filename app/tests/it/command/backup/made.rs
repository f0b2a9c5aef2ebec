//! What is in a backup: whole data alone, also beside a service that writes, and the secret where that was asked for.

use std::fs;

use super::super::run::Place;
use super::{chain, count, key, made_beside_writes, restored};

#[test]
fn backups_beside_a_service_that_writes_verify_and_are_a_prefix_of_the_ledger() {
    let source = Place::new();
    let key = key(&source, "activity:write");
    let served = source.serve();
    let back_up = |file: &str| drop(source.ok(&["backup", "--to", file]));
    let made = made_beside_writes((&served.base, &key), (source.path(), 20), back_up);
    let all = chain(&source);
    for (file, before, after) in made {
        let (place, _) = restored(&file, &[]);
        assert!(place.ok(&["verify"]).starts_with("OK: "));
        let there = usize::try_from(count(&place)).unwrap();
        assert!(
            (before..=after + 1).contains(&there),
            "{there} activities where {before} to {after} were acknowledged"
        );
        let kept = chain(&place);
        assert!(kept.len() == there && all.starts_with(&kept), "the chain of {} changes is no prefix", kept.len());
    }
}

#[test]
fn the_secret_is_in_a_backup_only_where_that_was_asked_for() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    source.ok(&["signing-key", "rotate"]);
    let secret = fs::read(source.path().join("tonne-data/secret.key")).unwrap();
    let holds = |name: &str, flags: &[&str]| {
        source.ok(&[&["backup", "--to", name], flags].concat());
        let backup = fs::read(source.path().join(name)).unwrap();
        backup.windows(secret.len()).any(|window| window == secret)
    };
    assert!(!holds("without.backup", &[]));
    assert!(holds("with.backup", &["--with-secrets"]));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(source.path().join("without.backup")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[test]
fn a_backup_is_not_written_into_the_data_folder() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    for name in ["tonne-data/directory.db", "tonne-data/tenants/new.db", "tonne-data/a.tar"] {
        let ended = source.run(&["backup", "--to", name, "--force"]);
        assert!(ended.status == 1 && ended.stderr.contains("is in the data folder"), "{name}: {}", ended.stderr);
    }
    assert!(source.ok(&["verify"]).starts_with("OK: "));
}

#[test]
fn a_damaged_store_is_not_backed_up() {
    let source = Place::new();
    source.ok(&["import", "catalog", "--standard", "ghg-protocol"]);
    let file = source.path().join("tonne-data/tenants/main.db");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(9).position(|window| window == b"Purchased").unwrap();
    bytes[at] = b'Q';
    fs::write(&file, bytes).unwrap();
    let ended = source.run(&["backup", "--to", "a.backup"]);
    assert_eq!(ended.status, 1);
    assert!(
        ended.stderr.contains("main is damaged") && ended.stderr.contains("`tonne verify` lists"),
        "{}",
        ended.stderr
    );
    assert!(!source.path().join("a.backup").exists());
    let left = source.path().read_dir().unwrap().count();
    assert_eq!(left, 1, "nothing is left beside the data");
}
