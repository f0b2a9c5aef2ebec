//! Passwords: which are taken, and hashing them without keeping others waiting: at most two at once, beside the threads that
//! answer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{FaultCode, Faults};
use ports::credential::{CredentialError, PasswordHash, Passwords, Secret};
use ports::directory::Versioned;
use ports::people::{AuthenticatedUser, User};
use ports::{TenantId, inbound};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::usecase::access::AccessFailure;

/// Characters that a password has at least.
pub(super) const SHORTEST: usize = 10;
/// Bytes that a password has at most.
pub(super) const LONGEST: usize = 1_024;

/// Passwords that are hashed at once: each takes 19 MiB and all of a core.
const AT_ONCE: usize = 2;
/// Those that wait for their turn; whoever comes then is told that the service is busy.
const WAITING: usize = 64;
/// Those of one address that are hashed or wait, so that one alone does not keep all others out.
const OF_ONE_ADDRESS: usize = 16;

/// Takes turns at hashing.
pub(super) struct PasswordTurns {
    passwords: Arc<dyn Passwords>,
    waiting: Arc<Semaphore>,
    hashing: Arc<Semaphore>,
    sources: Arc<Mutex<HashMap<String, usize>>>,
}

/// A turn: one of the two that may hash now. It belongs to the thread that hashes, which whoever asked may no longer wait for.
struct Turn {
    _places: [OwnedSemaphorePermit; 2],
    _source: Source,
}

/// A place of an address, given back when this is dropped.
struct Source {
    sources: Arc<Mutex<HashMap<String, usize>>>,
    from: String,
}

impl Source {
    fn take(sources: &Arc<Mutex<HashMap<String, usize>>>, from: &str) -> Result<Self, AccessFailure> {
        let mut counts = sources.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(from.to_owned()).or_default();
        if *count >= OF_ONE_ADDRESS {
            return Err(AccessFailure::Busy("too many passwords of the same address wait".into()));
        }
        *count += 1;
        Ok(Self { sources: Arc::clone(sources), from: from.to_owned() })
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let mut counts = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.from);
            }
        }
    }
}

impl PasswordTurns {
    pub(super) fn new(passwords: Arc<dyn Passwords>) -> Self {
        let [waiting, hashing] = [AT_ONCE + WAITING, AT_ONCE].map(|places| Arc::new(Semaphore::new(places)));
        Self { passwords, waiting, hashing, sources: Arc::default() }
    }

    /// Waits for a turn; `Busy` where too many do, or too many of that address.
    async fn take(&self, from: &str) -> Result<Turn, AccessFailure> {
        let source = Source::take(&self.sources, from)?;
        let waiting = Arc::clone(&self.waiting);
        let place = waiting.try_acquire_owned().map_err(|error| AccessFailure::Busy(error.into()))?;
        let turn = Arc::clone(&self.hashing).acquire_owned().await;
        let turn = turn.map_err(|error| AccessFailure::Failed(error.into()))?;
        Ok(Turn { _places: [place, turn], _source: source })
    }

    /// What is kept of a password, which somebody at that address gave.
    pub(super) async fn hash(&self, password: Secret, from: &str) -> Result<PasswordHash, AccessFailure> {
        let passwords = Arc::clone(&self.passwords);
        let hashed: Result<_, CredentialError> =
            beside(self.take(from).await?, move || passwords.hash(&password)).await?;
        Ok(hashed?)
    }

    /// The proof that the user has the password, given what is stored; the same work where there is no user.
    pub(super) async fn prove(
        &self,
        tenant: TenantId,
        user: Option<Versioned<User>>,
        stored: Option<PasswordHash>,
        password: Secret,
        from: &str,
    ) -> Result<Option<AuthenticatedUser>, AccessFailure> {
        let passwords = Arc::clone(&self.passwords);
        let work = move || {
            if let Some(user) = user {
                user.with_password(tenant, &password, stored.as_ref(), passwords.as_ref())
            } else {
                passwords.matches(&password, None);
                None
            }
        };
        beside(self.take(from).await?, work).await
    }
}

/// Works on a thread beside those that answer; the turn ends with the work.
async fn beside<T: Send + 'static>(turn: Turn, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AccessFailure> {
    let done = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    });
    done.await.map_err(|error| AccessFailure::Failed(error.into()))
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;

    /// Hashes once it is told to.
    struct Told(Mutex<Receiver<()>>);

    impl Passwords for Told {
        fn hash(&self, _: &Secret) -> Result<PasswordHash, CredentialError> {
            let _ = self.0.lock().unwrap().recv();
            Ok(PasswordHash(String::new()))
        }

        fn matches(&self, _: &Secret, _: Option<&PasswordHash>) -> bool {
            false
        }
    }

    fn password() -> Secret {
        Secret("correct horse".to_owned())
    }

    /// Waits until it is so.
    async fn until(is_so: impl Fn() -> bool) {
        let wait = async {
            while !is_so() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_mins(1), wait).await.expect("it comes about");
    }

    #[tokio::test]
    async fn a_password_is_hashed_on_and_keeps_its_turn_when_nobody_waits_for_it_any_more() {
        let (go, told) = channel();
        let turns = Arc::new(PasswordTurns::new(Arc::new(Told(Mutex::new(told)))));
        for left in [1, 0] {
            let own = Arc::clone(&turns);
            let task = tokio::spawn(async move { own.hash(password(), "a").await.map(drop) });
            until(|| turns.hashing.available_permits() == left).await;
            task.abort();
            let _ = task.await;
        }
        assert_eq!(turns.hashing.available_permits(), 0);
        for _ in 0..3 {
            go.send(()).unwrap();
        }
        turns.hash(password(), "a").await.unwrap();
        until(|| turns.hashing.available_permits() == AT_ONCE && turns.sources.lock().unwrap().is_empty()).await;
    }

    #[tokio::test]
    async fn one_address_keeps_a_part_of_the_places_alone() {
        let (go, told) = channel();
        let turns = Arc::new(PasswordTurns::new(Arc::new(Told(Mutex::new(told)))));
        let tasks: Vec<_> = (0..OF_ONE_ADDRESS)
            .map(|_| {
                let own = Arc::clone(&turns);
                tokio::spawn(async move { own.hash(password(), "a").await.map(drop) })
            })
            .collect();
        until(|| turns.sources.lock().unwrap().get("a") == Some(&OF_ONE_ADDRESS)).await;
        assert!(matches!(turns.hash(password(), "a").await, Err(AccessFailure::Busy(_))));
        for _ in 0..=OF_ONE_ADDRESS {
            go.send(()).unwrap();
        }
        turns.hash(password(), "b").await.unwrap();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
    }
}
