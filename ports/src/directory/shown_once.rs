//! What requests made whose answer holds a secret: it is shown once, so the request is not answered again.

use std::fmt;

use domain::Digest;
use uuid::Uuid;

use crate::conflict::Conflict;
use crate::repeat::KeyedRequest;
use crate::store::StoreError;

/// What a request made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownOnce {
    /// The digest of what was asked.
    pub content: Digest,
    /// What it made, or gave a new secret.
    pub kind: CredentialKind,
    /// The identifier of that.
    pub id: Uuid,
}

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

impl ShownOnce {
    /// What a request under the same key meets.
    #[must_use]
    pub fn conflict(&self, request: &KeyedRequest) -> StoreError {
        let Self { content, kind, id } = *self;
        let is_same = content == request.content;
        StoreError::Conflict(if is_same { Conflict::ShownOnce { kind, id } } else { Conflict::KeyReused })
    }
}
