//! What the directory's chain says of tokens: exchanged or revoked, which leaves no record behind for ever.

use domain::{CanonicalWriter, Digest, Timestamp};
use uuid::Uuid;

use super::entry::{EntryKind, open};
use super::record::Refresh;
use crate::FamilyId;

/// Something that happened to a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A refresh token was exchanged for the next of its family.
    Exchanged {
        /// Hash of the one that was used.
        from: Digest,
        /// The token that it was exchanged for.
        to: &'a Refresh,
    },
    /// A family of refresh tokens was revoked.
    FamilyRevoked {
        /// The family of refresh tokens that was revoked.
        family: FamilyId,
        /// When it was revoked.
        at: Timestamp,
    },
    /// An access token was revoked.
    TokenRevoked {
        /// The `jti` of the access token that was revoked.
        jti: Uuid,
        /// When it runs out by itself.
        expires: Timestamp,
    },
}

impl Event<'_> {
    /// What the item is about.
    #[must_use]
    pub const fn kind(&self) -> EntryKind {
        match self {
            Self::Exchanged { .. } => EntryKind::Exchange,
            Self::FamilyRevoked { .. } => EntryKind::RevokedFamily,
            Self::TokenRevoked { .. } => EntryKind::RevokedToken,
        }
    }

    /// The family or token that the item names.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Exchanged { to, .. } => to.family.to_string(),
            Self::FamilyRevoked { family, .. } => family.to_string(),
            Self::TokenRevoked { jti, .. } => jti.to_string(),
        }
    }

    /// The digest of its canonical text, which is not stored.
    #[must_use]
    pub fn digest(&self) -> Digest {
        CanonicalWriter::digest_of(|to| self.write(to))
    }

    /// Writes its canonical text.
    pub(super) fn write(&self, to: &mut CanonicalWriter) {
        open(self.kind(), self.id(), to);
        to.object("content", |to| match self {
            Self::Exchanged { from, to: next } => {
                to.text("from", from);
                to.text("to", next.hash);
                to.text("client", next.client);
                to.text("jti", next.jti);
                to.text("expires", next.expires);
            }
            Self::FamilyRevoked { at, .. } => to.text("at", at),
            Self::TokenRevoked { expires, .. } => to.text("expires", expires),
        });
    }
}
