//! The line of a user: the entry of the directory, and behind it the hash of the user's password.

use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter};
use ports::credential::PasswordHash;
use ports::directory::Versioned;
use ports::people::User;

use super::NO_VERSION;

/// A user and its password.
pub(super) struct UserLine(pub(super) Versioned<User>, pub(super) Option<PasswordHash>);

impl UserLine {
    pub(super) fn of(user: &User, password: Option<&PasswordHash>) -> Self {
        Self(Versioned { value: user.clone(), version: NO_VERSION }, password.cloned())
    }
}

impl Canonical for UserLine {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        self.0.write(to);
        to.optional("passwordHash", self.1.as_ref().map(|hash| &hash.0));
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let user = Versioned::<User>::read((), from)?;
        let hash = from.optional_string("passwordHash")?.map(PasswordHash);
        if user.value.password != hash.as_ref().map(PasswordHash::digest) {
            return Err(from.wrong("has another password than the user's entry names"));
        }
        Ok(Self(user, hash))
    }
}
