//! What the directory's chain says of tokens and sessions: exchanged, revoked, used or ended, which leaves no record behind
//! for ever.

use domain::{CanonicalWriter, Digest, Timestamp};
use uuid::Uuid;

use super::entry::{EntryKind, open};
use super::record::Refresh;
use crate::{FamilyId, SessionId, UserId};

/// Something that happened to a token, a link or a session.
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
    /// A link that signs in once was used.
    LinkUsed {
        /// Hash of the link.
        link: Digest,
        /// The session that began.
        session: SessionId,
        /// The user who signed in.
        user: UserId,
        /// When it was used.
        at: Timestamp,
    },
    /// A session was ended.
    SessionEnded {
        /// The session.
        session: SessionId,
        /// The user whose it was.
        user: UserId,
        /// When it was ended.
        at: Timestamp,
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
            Self::LinkUsed { .. } => EntryKind::UsedLink,
            Self::SessionEnded { .. } => EntryKind::EndedSession,
        }
    }

    /// The family, token or session that the item names.
    #[must_use]
    pub fn id(&self) -> String {
        match self {
            Self::Exchanged { to, .. } => to.family.to_string(),
            Self::FamilyRevoked { family, .. } => family.to_string(),
            Self::TokenRevoked { jti, .. } => jti.to_string(),
            Self::LinkUsed { session, .. } | Self::SessionEnded { session, .. } => session.to_string(),
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
            Self::LinkUsed { link, user, at, .. } => {
                to.text("link", link);
                to.text("user", user);
                to.text("at", at);
            }
            Self::SessionEnded { user, at, .. } => {
                to.text("user", user);
                to.text("at", at);
            }
        });
    }
}
