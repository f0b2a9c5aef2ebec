//! Failures that no input causes: of the directory or of the cryptography.

use std::error::Error as StdError;

use ports::credential::CredentialError;
use ports::inbound::{AccessError, Error, TokenError};
use ports::store::StoreError;

/// Why access failed through no fault of the caller.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
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

impl From<StoreError> for Trouble {
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

impl From<CredentialError> for Trouble {
    fn from(error: CredentialError) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<Trouble> for AccessError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Busy(cause) => Self::Busy(cause),
            // Whoever is let in or not changes nothing.
            Trouble::Unknown(cause) | Trouble::Failed(cause) => Self::Failed(cause),
        }
    }
}

impl From<Trouble> for TokenError {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Busy(cause) => Self::Busy(cause),
            Trouble::Unknown(cause) => Self::Unknown(cause),
            Trouble::Failed(cause) => Self::Failed(cause),
        }
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Busy(cause) => Self::Busy(cause),
            Trouble::Unknown(cause) => Self::Unknown(cause),
            Trouble::Failed(cause) => Self::Failed(cause),
        }
    }
}
