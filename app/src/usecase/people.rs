//! People: users, and how they sign in.

mod cache;
mod own;
mod password;
mod seen;
mod session;
mod sign_in;
mod users;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use domain::Timestamp;
use ports::Caller;
use ports::clock::Clock;
use ports::credential::{Passwords, Secret, Secrets, TextSigner};
use ports::directory::Directory;
use ports::id_source::Ids;
use ports::inbound::{Browser, NewSession, SignedIn};
use ports::people::{AuthenticatedUser, People, Rights, Session, SignedInBy};
use ports::store::StoreError;

use super::access::AccessFailure;
use super::access::attempts::Attempts;
use super::version::DirectoryVersion;
use cache::SessionCache;
use password::PasswordTurns;
use seen::SeenSessions;

/// What a session's text begins with.
pub const SESSION_PREFIX: &str = "tonnesession_";
/// What the text of a link that signs in once begins with.
pub const LINK_PREFIX: &str = "tonnelink_";

/// Wrong passwords of one address in a minute, whatever the names, behind which it waits.
const OF_ONE_ADDRESS: usize = 30;

/// What people ask of the world.
#[derive(Clone)]
pub struct PeoplePorts {
    /// The directory, whose version each change raises.
    pub directory: Arc<dyn Directory>,
    /// What keeps users and sessions beside it.
    pub people: Arc<dyn People>,
    /// What hashes passwords.
    pub passwords: Arc<dyn Passwords>,
    /// What makes the texts of sessions and links.
    pub secrets: Arc<dyn Secrets>,
    /// What signs the tokens of forms.
    pub forms: Arc<dyn TextSigner>,
    /// Gives the present time.
    pub clock: Arc<dyn Clock>,
    /// What makes up identifiers.
    pub ids: Arc<dyn Ids>,
}

/// Users and their sessions over a directory.
pub struct PeopleService {
    ports: PeoplePorts,
    version: Arc<DirectoryVersion>,
    cache: SessionCache,
    turns: PasswordTurns,
    attempts: Attempts,
    /// The failures of each address, whatever the names.
    sources: Attempts,
    seen: Arc<SeenSessions>,
    /// What somebody may do whom a provider vouches for and nobody added; nobody comes in so where there is none.
    provided: Option<Rights>,
}

impl PeopleService {
    /// The use cases over that directory, whose version is shared with other caches. Whom a provider vouches for and nobody
    /// added is refused.
    #[must_use]
    pub fn new(ports: PeoplePorts, version: Arc<DirectoryVersion>) -> Self {
        let turns = PasswordTurns::new(Arc::clone(&ports.passwords));
        let seen = Arc::new(SeenSessions::new(Arc::clone(&ports.people)));
        let (cache, attempts) = (SessionCache::default(), Attempts::default());
        let sources = Attempts::allowing(OF_ONE_ADDRESS);
        Self { ports, version, cache, turns, attempts, sources, seen, provided: None }
    }

    /// The same, where whom a provider vouches for is added as a user with those rights.
    #[must_use]
    pub fn with_provided_rights(self, rights: Option<Rights>) -> Self {
        Self { provided: rights, ..self }
    }

    /// Writes when sessions were seen that waits: to be called at the end.
    pub async fn flush(&self) {
        while self.seen.write().await {}
    }

    /// Passes on what became of a change. Whether one that failed was written is not known, so the version expires.
    fn changed<T>(&self, done: Result<T, StoreError>) -> Result<T, StoreError> {
        self.version.expire();
        done
    }

    /// A session that is to begin now, with its text.
    fn new_session(
        &self,
        user: &AuthenticatedUser,
        by: SignedInBy,
        browser: &Browser,
    ) -> Result<(Secret, Session), AccessFailure> {
        let now = self.ports.clock.now();
        let text = self.ports.secrets.generate(SESSION_PREFIX)?;
        let user = user.user();
        let session = Session {
            id: self.ports.ids.next(now).into(),
            hash: self.ports.secrets.hash(&text.0),
            user: user.id,
            tenant: user.tenant,
            by,
            created: now,
            last_seen: now,
            expires: later(now, Session::LIFETIME_MS),
            agent: browser.agent.chars().filter(|c| !c.is_control()).take(Session::MAX_AGENT).collect(),
        };
        Ok((text, session))
    }

    fn began(&self, text: Secret, session: Session, user: AuthenticatedUser) -> NewSession {
        self.seen.note(session.id, session.created);
        NewSession { text, signed_in: self.signed_in(user, session) }
    }

    fn signed_in(&self, user: AuthenticatedUser, session: Session) -> SignedIn {
        let who = user.user();
        let caller =
            Caller { tenant: who.tenant, actor: who.actor(), permissions: who.rights.permissions(), partner: None };
        let form_token = Secret(self.ports.forms.sign(&format!("form {}", session.hash)));
        SignedIn { caller, user, session, form_token }
    }
}

/// The moment that many milliseconds later; where the calendar ends before, at once.
fn later(now: Timestamp, by_ms: i64) -> Timestamp {
    Timestamp::from_millis(now.millis().saturating_add(by_ms)).unwrap_or(now)
}
