//! What requests made whose answer holds a secret: it is shown once, so the request is not answered again.

use domain::Digest;
use uuid::Uuid;

use crate::conflict::Conflict;
use crate::credential_kind::CredentialKind;
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

impl ShownOnce {
    /// What a request under the same key meets.
    #[must_use]
    pub fn conflict(&self, request: &KeyedRequest) -> StoreError {
        let Self { content, kind, id } = *self;
        let is_same = content == request.content;
        StoreError::Conflict(if is_same { Conflict::ShownOnce { kind, id } } else { Conflict::KeyReused })
    }
}
