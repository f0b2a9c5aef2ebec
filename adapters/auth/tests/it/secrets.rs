//! Random secrets and their hashes.

use std::collections::HashSet;

use domain::Digest;
use ports::credential::Secrets as _;
use tonne_auth::RandomSecrets;

#[test]
fn a_secret_is_its_prefix_and_256_bits_in_url_safe_characters() {
    let secret = RandomSecrets.generate("tonne_").unwrap().0;
    let random = secret.strip_prefix("tonne_").unwrap();
    assert_eq!(random.len(), 43);
    assert!(random.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')), "{random}");
}

#[test]
fn no_two_secrets_are_the_same() {
    let secrets: HashSet<_> = (0..1000).map(|_| RandomSecrets.generate("").unwrap().0).collect();
    assert_eq!(secrets.len(), 1000);
}

#[test]
fn a_secret_matches_its_own_hash_alone() {
    let hash = RandomSecrets.hash("abc");
    assert_eq!(hash.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert!(RandomSecrets.matches("abc", &hash));
    assert!(!RandomSecrets.matches("abd", &hash));
    assert!(!RandomSecrets.matches("", &hash));
    assert!(!RandomSecrets.matches("abc", &Digest::ZERO));
}

#[test]
fn a_secret_is_not_printed() {
    let secret = RandomSecrets.generate("tonne_").unwrap();
    assert_eq!(format!("{secret:?}"), "***");
}
