//! Passwords: which are taken, and hashing them without keeping others waiting: at most two at once, beside the threads that
//! answer.

use std::sync::Arc;

use domain::{FaultCode, Faults};
use ports::credential::{CredentialError, PasswordHash, Passwords, Secret};
use ports::directory::Versioned;
use ports::people::{AuthenticatedUser, User};
use ports::{TenantId, inbound};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::usecase::access::AccessFailure;

/// Characters that a password has at least.
pub(super) const SHORTEST: usize = 10;
/// Bytes that a password has at most.
pub(super) const LONGEST: usize = 1_024;

/// Passwords that are hashed at once: each takes 19 MiB and all of a core.
const AT_ONCE: usize = 2;
/// Those that wait for their turn; whoever comes then is told that the service is busy.
const WAITING: usize = 64;

/// Takes turns at hashing.
pub(super) struct PasswordTurns {
    passwords: Arc<dyn Passwords>,
    waiting: Semaphore,
    hashing: Semaphore,
}

/// A turn: one of the two that may hash now.
pub(super) struct Turn<'a> {
    passwords: &'a Arc<dyn Passwords>,
    _places: [SemaphorePermit<'a>; 2],
}

impl PasswordTurns {
    pub(super) fn new(passwords: Arc<dyn Passwords>) -> Self {
        Self { passwords, waiting: Semaphore::new(AT_ONCE + WAITING), hashing: Semaphore::new(AT_ONCE) }
    }

    /// Waits for a turn; `Busy` where too many do.
    pub(super) async fn take(&self) -> Result<Turn<'_>, AccessFailure> {
        let place = self.waiting.try_acquire().map_err(|error| AccessFailure::Busy(error.into()))?;
        let turn = self.hashing.acquire().await.map_err(|error| AccessFailure::Failed(error.into()))?;
        Ok(Turn { passwords: &self.passwords, _places: [place, turn] })
    }
}

impl Turn<'_> {
    /// What is kept of a password.
    pub(super) async fn hash(&self, password: Secret) -> Result<PasswordHash, AccessFailure> {
        let passwords = Arc::clone(self.passwords);
        let hashed: Result<_, CredentialError> = beside(move || passwords.hash(&password)).await?;
        Ok(hashed?)
    }

    /// The proof that the user has that password, given what is stored; the same work where there is no user.
    pub(super) async fn prove(
        &self,
        tenant: TenantId,
        user: Option<Versioned<User>>,
        stored: Option<PasswordHash>,
        password: Secret,
    ) -> Result<Option<AuthenticatedUser>, AccessFailure> {
        let passwords = Arc::clone(self.passwords);
        beside(move || {
            if let Some(user) = user {
                user.with_password(tenant, &password, stored.as_ref(), passwords.as_ref())
            } else {
                passwords.matches(&password, None);
                None
            }
        })
        .await
    }
}

async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AccessFailure> {
    tokio::task::spawn_blocking(work).await.map_err(|error| AccessFailure::Failed(error.into()))
}

/// Refuses a password that is too short to be safe, too long to be hashed, or the user's own name.
pub(super) fn check(password: &Secret, user: &User) -> Result<(), inbound::Error> {
    let mut faults = Faults::new();
    let (text, pointer) = (password.0.as_str(), "/password");
    if text.chars().count() < SHORTEST {
        faults.add_coded(FaultCode::Required, pointer, format!("must have at least {SHORTEST} characters"));
    } else if text.len() > LONGEST {
        faults.add(pointer, format!("must have at most {LONGEST} bytes"));
    } else if text.to_lowercase() == user.name.as_str() {
        faults.add(pointer, "must not be the name that you sign in with");
    }
    Ok(faults.into_result()?)
}
