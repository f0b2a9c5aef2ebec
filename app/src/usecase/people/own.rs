//! What a user does to its own account.

use domain::{FaultCode, Faults};
use ports::inbound::{Browser, Error, Field, NewPassword, NewSession, OwnDraft, SignedIn};
use ports::people::{SignedInBy, User};

use super::sign_in::came_by_link;
use super::{PeopleService, password};
use crate::usecase::access::AccessFailure;
use crate::usecase::access::attempts::AttemptKey;

impl PeopleService {
    pub(super) async fn change_own(&self, signed_in: &SignedIn, draft: OwnDraft) -> Result<(), Error> {
        let before = signed_in.user.user();
        let mut faults = Faults::new();
        if draft.display == Field::Null {
            faults.add_coded(FaultCode::Required, "/display", "must not be empty");
        }
        faults.into_result()?;
        let after = User {
            display: draft.display.into_option().unwrap_or_else(|| before.display.clone()),
            locale: draft.locale.merge(before.locale.clone()),
            ..before.clone()
        };
        if after == *before {
            return Ok(());
        }
        let after = User { updated: before.updated.max(self.ports.clock.now()), ..after };
        let written = self.ports.people.update_own(&signed_in.user, after, None, None).await;
        self.changed(written)?;
        Ok(())
    }

    /// Sets a password. The one there is is asked for, so that a browser left open gives nobody the account; tries count as those
    /// of signing in.
    pub(super) async fn change_password(
        &self,
        signed_in: &SignedIn,
        given: NewPassword,
        browser: &Browser,
    ) -> Result<NewSession, Error> {
        let before = signed_in.user.user();
        password::check(&given.password, before)?;
        let now = self.ports.clock.now();
        if before.password.is_some() && !came_by_link(&signed_in.session, now) {
            let wrong = |detail: &str| {
                let mut faults = Faults::new();
                faults.add("/current", detail.to_owned());
                Error::Invalid(faults)
            };
            let key = AttemptKey::new(before.tenant, before.name.as_str(), &browser.from);
            self.attempts.fail(key, now).map_err(|_| wrong("was wrong too often; wait a minute"))?;
            let current = given.current.ok_or_else(|| wrong("is required"))?;
            let stored = self.ports.people.find_password(before.id).await?;
            let user = ports::directory::Versioned { value: before.clone(), version: signed_in.user.version() };
            let proven = self.turns.prove(before.tenant, Some(user), stored, current, &browser.from).await?;
            proven.ok_or_else(|| wrong("is not your password"))?;
            self.attempts.succeed(key);
        }
        let hash = self.turns.hash(given.password, &browser.from).await?;
        let after = User { password: Some(hash.digest()), updated: before.updated.max(now), ..before.clone() };
        let (text, session) = self.new_session(&signed_in.user, SignedInBy::Password, browser)?;
        let written = self.ports.people.update_own(&signed_in.user, after, Some(hash), Some(session.clone())).await;
        self.changed(written)?;
        let found = self.ports.people.find_session(session.hash).await?;
        let (secrets, now) = (self.ports.secrets.as_ref(), self.ports.clock.now());
        let user = found.and_then(|(session, user)| user.with_session(before.tenant, &session, &text, secrets, now));
        Ok(self.began(text, session, user.ok_or(AccessFailure::Failed("the new session ended at once".into()))?))
    }
}
