//! Failures that no input causes: of the directory or of the cryptography.

use std::error::Error as StdError;

use ports::credential::CredentialError;
use ports::inbound::{AccessError, Error, TokenError};
use ports::store::StoreError;

/// Why access failed through no fault of the caller.
#[derive(Debug, thiserror::Error)]
pub enum AccessFailure {
    /// The directory is busy; the same call may succeed later.
    #[error("the service is busy")]
    Busy(#[source] Box<dyn StdError + Send + Sync>),
    /// Whether the directory kept a change is not known.
    #[error("the outcome is not known")]
    Unknown(#[source] Box<dyn StdError + Send + Sync>),
    /// The directory or the cryptography failed.
    #[error("the service failed")]
    Failed(#[source] Box<dyn StdError + Send + Sync>),
}

impl From<StoreError> for AccessFailure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Busy(_) => Self::Busy(Box::new(error)),
            StoreError::Unknown(_) => Self::Unknown(Box::new(error)),
            StoreError::Conflict(_) | StoreError::Stale | StoreError::Corrupt { .. } | StoreError::Failed(_) => {
                Self::Failed(Box::new(error))
            }
        }
    }
}

impl From<CredentialError> for AccessFailure {
    fn from(error: CredentialError) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<AccessFailure> for AccessError {
    fn from(trouble: AccessFailure) -> Self {
        match trouble {
            AccessFailure::Busy(cause) => Self::Busy(cause),
            // Whoever is let in or not changes nothing.
            AccessFailure::Unknown(cause) | AccessFailure::Failed(cause) => Self::Failed(cause),
        }
    }
}

impl From<AccessFailure> for TokenError {
    fn from(trouble: AccessFailure) -> Self {
        match trouble {
            AccessFailure::Busy(cause) => Self::Busy(cause),
            AccessFailure::Unknown(cause) => Self::Unknown(cause),
            AccessFailure::Failed(cause) => Self::Failed(cause),
        }
    }
}

impl From<AccessFailure> for Error {
    fn from(trouble: AccessFailure) -> Self {
        match trouble {
            AccessFailure::Busy(cause) => Self::Busy(cause),
            AccessFailure::Unknown(cause) => Self::Unknown(cause),
            AccessFailure::Failed(cause) => Self::Failed(cause),
        }
    }
}
