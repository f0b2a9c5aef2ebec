//! Passwords: Argon2id with the parameters that its crate recommends (19 MiB, two passes, one lane), which take some 20 ms.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash as Parsed;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use aws_lc_rs::rand;
use ports::credential::{CredentialError, PasswordHash, Passwords, Secret};

/// A hash that nobody knows a password of, with the parameters of all others.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$c29tZSBzYWx0IG9mIG5vbmU$Q3Jt9UXo2m2h4hGQp4ZqH6WlCw8xv0mV3p0aK5T1s9U";

/// Hashes with a salt of 128 random bits each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Argon2Passwords;

impl Passwords for Argon2Passwords {
    fn hash(&self, password: &Secret) -> Result<PasswordHash, CredentialError> {
        let mut salt = [0; 16];
        rand::fill(&mut salt).map_err(|_| CredentialError::Failed("no random bytes can be had".to_owned()))?;
        let hash = Argon2::default().hash_password_with_salt(password.0.as_bytes(), &salt);
        hash.map(|hash| PasswordHash(hash.to_string())).map_err(|error| CredentialError::Failed(error.to_string()))
    }

    fn matches(&self, password: &Secret, hash: Option<&PasswordHash>) -> bool {
        let text = hash.map_or(NOBODYS, |hash| hash.0.as_str());
        let fits = |hash: &Parsed| Argon2::default().verify_password(password.0.as_bytes(), hash).is_ok();
        let found = Parsed::new(text).is_ok_and(|hash| fits(&hash));
        hash.is_some() && found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> Secret {
        Secret(text.to_owned())
    }

    #[test]
    fn a_password_has_its_hash_alone_and_each_hash_its_own_salt() {
        let [one, other] = [(); 2].map(|()| Argon2Passwords.hash(&secret("correct horse")).unwrap());
        assert_ne!(one, other);
        for hash in [&one, &other] {
            assert!(Argon2Passwords.matches(&secret("correct horse"), Some(hash)));
            assert!(!Argon2Passwords.matches(&secret("correct Horse"), Some(hash)));
        }
        assert!(one.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", one.0);
    }

    #[test]
    fn nobody_has_a_password_and_looking_is_as_much_work() {
        assert!(!Argon2Passwords.matches(&secret("correct horse"), None));
        let parsed = Parsed::new(NOBODYS).unwrap();
        let made = Argon2Passwords.hash(&secret("x")).unwrap();
        let real = Parsed::new(&made.0).unwrap();
        assert_eq!((parsed.algorithm, parsed.version, parsed.params), (real.algorithm, real.version, real.params));
        assert!(parsed.salt.is_some() && parsed.hash.is_some());
    }

    #[test]
    fn what_is_no_hash_fits_nothing() {
        assert!(!Argon2Passwords.matches(&secret("x"), Some(&PasswordHash("$argon2id$1".to_owned()))));
    }
}
