//! The installation's secret and its file.

use std::fs;
use std::sync::Barrier;
use std::thread;

use tonne_auth::{InstallationSecret, SecretError, SecretFileError, read, read_or_create};

#[test]
fn a_secret_is_read_from_base64_of_either_alphabet() {
    let bytes = [0xfb; 32];
    for text in [
        "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s=",
        "+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/v7+/s",
        "-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s",
        " -_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s=\r\n",
    ] {
        assert_eq!(InstallationSecret::parse(text).unwrap().as_bytes(), bytes, "{text}");
    }
}

#[test]
fn what_is_too_short_too_long_or_no_base64_is_no_secret() {
    let (short, long) = ("A".repeat(42), "A".repeat(88));
    let inner = format!("{} {}", "A".repeat(22), "A".repeat(21));
    for text in ["", "changeme", &short, &long, &inner, &"é".repeat(43)] {
        assert_eq!(InstallationSecret::parse(text), Err(SecretError), "{text}");
    }
}

#[test]
fn a_secret_is_not_printed() {
    assert_eq!(format!("{:?}", InstallationSecret::parse(&"A".repeat(43)).unwrap()), "***");
}

#[test]
fn a_missing_file_is_made_once_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.key");
    let made = read_or_create(&path).unwrap();
    assert_eq!(made.secret.as_bytes().len(), 32);
    assert_eq!(read_or_create(&path).unwrap(), made);
    assert_eq!(read(&path).unwrap(), made);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn two_installations_have_two_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let secrets = ["a", "b"].map(|name| read_or_create(&folder.path().join(name)).unwrap().secret);
    assert_ne!(secrets[0], secrets[1]);
}

#[test]
fn many_at_once_agree_on_one_secret() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.key");
    let start = Barrier::new(8);
    let found: Vec<_> = thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    read_or_create(&path).unwrap().secret
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert!(found.iter().all(|secret| *secret == found[0]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_with_something_else_is_refused_and_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.key");
    for content in [&b""[..], b"not a secret\n", b"\xff\xfe", &[b'A'; 5000]] {
        fs::write(&path, content).unwrap();
        let error = read_or_create(&path).unwrap_err();
        assert!(matches!(error, SecretFileError::Malformed { .. }), "{error}");
        assert!(error.to_string().contains("secret.key is not a secret of 32 to 64 bytes"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content);
    }
}

#[test]
fn a_file_that_must_be_there_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.key");
    assert!(matches!(read(&path), Err(SecretFileError::Read { .. })));
    assert!(!path.exists());
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = read_or_create(&folder.path().join("no/secret.key")).unwrap_err();
    assert!(matches!(&error, SecretFileError::Create { .. }), "{error}");
    assert!(error.to_string().contains("no/secret.key"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_made_file_is_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.key");
    assert_eq!(read_or_create(&path).unwrap().warning, None);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
}

#[cfg(unix)]
#[test]
fn a_file_open_to_every_user_is_read_with_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.key");
    let secret = read_or_create(&path).unwrap().secret;
    for (mode, warned) in [(0o644, true), (0o602, true), (0o640, false), (0o400, false)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let loaded = read(&path).unwrap();
        assert_eq!((loaded.warning.is_some(), &loaded.secret), (warned, &secret), "{mode:o}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let warning = read(&path).unwrap().warning.unwrap();
    assert!(warning.contains("mode 0644") && warning.contains("chmod 600"), "{warning}");
}
