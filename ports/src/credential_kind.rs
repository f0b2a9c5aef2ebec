//! The two kinds of credentials.

use std::fmt;

/// A client or a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CredentialKind {
    /// Credentials that get tokens.
    Client,
    /// A bare secret.
    Key,
}

impl CredentialKind {
    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Key => "key",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Client, Self::Key].into_iter().find(|kind| kind.as_str() == word)
    }
}

impl fmt::Display for CredentialKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
