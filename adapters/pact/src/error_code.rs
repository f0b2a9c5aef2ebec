//! The codes of the errors that lists, records and events are answered with.

use domain::footprint::Edition;

/// What kind of error an answer tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The request cannot be read.
    BadRequest,
    /// The request is of a kind that is not answered here.
    NotImplemented,
    /// The access token has run out.
    TokenExpired,
    /// The credentials are valid, but not enough.
    AccessDenied,
    /// There is no such footprint.
    NotFound,
    /// The service failed.
    InternalError,
}

impl ErrorCode {
    /// The word that stands in `code`, which differs between the editions.
    #[must_use]
    pub const fn word(self, edition: Edition) -> &'static str {
        match (self, edition) {
            (Self::BadRequest, _) => "BadRequest",
            (Self::NotImplemented, _) => "NotImplemented",
            (Self::TokenExpired, _) => "TokenExpired",
            (Self::AccessDenied, _) => "AccessDenied",
            (Self::NotFound, Edition::V2) => "NoSuchFootprint",
            (Self::NotFound, Edition::V3) => "NotFound",
            (Self::InternalError, _) => "InternalError",
        }
    }

    /// Every word of an edition.
    #[must_use]
    pub fn words(edition: Edition) -> Vec<&'static str> {
        let all = [
            Self::BadRequest,
            Self::NotImplemented,
            Self::TokenExpired,
            Self::AccessDenied,
            Self::NotFound,
            Self::InternalError,
        ];
        all.into_iter().map(|code| code.word(edition)).collect()
    }
}
