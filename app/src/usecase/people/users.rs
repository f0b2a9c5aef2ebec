//! Users as whoever administers the company sees them. All of it needs `admin`.

use async_trait::async_trait;
use domain::{FaultCode, Faults, Name, Timestamp};
use ports::directory::Versioned;
use ports::inbound::{Error, Field, NewLink, Standing, UserDraft, UserView, Users};
use ports::people::{Link, Rights, Role, Session, SignInName, User};
use ports::repo::{Listing, Page};
use ports::{Caller, Grant, Read, SessionId, TenantCredentials, UserId, Version, demand, permit};

use super::{LINK_PREFIX, PeopleService, later};
use crate::usecase::access::AccessFailure;
use crate::usecase::activity::fresh;
use crate::usecase::credential::Attempts;

/// What the user of the first start signs in with, and is called.
const FIRST: (&str, &str) = ("admin", "Administrator");

#[async_trait]
impl Users for PeopleService {
    async fn list_users(&self, caller: &Caller, page: Page) -> Result<Listing<UserView>, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        Ok(self.ports.people.list_users(&grant, page).await?.map(view))
    }

    async fn get_user(&self, caller: &Caller, id: UserId) -> Result<UserView, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        Ok(view(self.user(&grant, id).await?))
    }

    async fn find_user(&self, caller: &Caller, name: &SignInName) -> Result<UserView, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        let found = self.ports.people.find_user_by_name(grant.tenant(), name).await?;
        found.map(view).ok_or(Error::NotFound)
    }

    async fn add_user(&self, caller: &Caller, draft: UserDraft) -> Result<UserView, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let now = self.ports.clock.now();
        let user = new_user(draft, grant.tenant(), self.ports.ids.next(now).into(), now)?;
        let added = self.ports.people.add_user(&grant, user.clone(), None).await;
        Ok(UserView { version: self.changed(added)?, user })
    }

    async fn update_user(
        &self,
        caller: &Caller,
        id: UserId,
        seen: Option<Version>,
        draft: UserDraft,
    ) -> Result<UserView, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let mut attempts = Attempts::new(seen);
        loop {
            let Versioned { value: before, version } = self.user(&grant.to_read(), id).await?;
            fresh(version, seen)?;
            let now = self.ports.clock.now();
            let user = changed(&before, draft.clone(), now)?;
            if user == before {
                return Ok(UserView { user, version });
            }
            let user = User { updated: before.updated.max(now), ..user };
            let written = self.ports.people.update_user(&grant, user.clone(), version).await;
            let written = self.changed(written).map_err(Error::from);
            if let Some(done) = attempts.ended(written) {
                return Ok(UserView { version: done?, user });
            }
        }
    }

    async fn remove_user(&self, caller: &Caller, id: UserId, seen: Option<Version>) -> Result<(), Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let removed = self.ports.people.remove_user(&grant, id, seen).await;
        if self.changed(removed)? { Ok(()) } else { Err(Error::NotFound) }
    }

    async fn make_link(&self, caller: &Caller, id: UserId) -> Result<NewLink, Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let user = self.user(&grant.to_read(), id).await?.value;
        if user.disabled.is_some() {
            let detail = "the user is disabled: a link would sign nobody in".to_owned();
            return Err(Error::Conflict { pointer: String::new(), detail });
        }
        let now = self.ports.clock.now();
        let text = self.ports.secrets.generate(LINK_PREFIX).map_err(AccessFailure::from)?;
        let link = Link {
            hash: self.ports.secrets.hash(&text.0),
            user: id,
            tenant: grant.tenant(),
            created: now,
            expires: later(now, Link::LIFETIME_MS),
            used: None,
        };
        let expires = link.expires;
        self.ports.people.add_link(&grant, link).await?;
        Ok(NewLink { user, text, expires })
    }

    async fn first_link(&self, caller: &Caller) -> Result<Option<NewLink>, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        let listing = self.ports.people.list_users(&grant, Page { number: 1, size: 2 }).await?;
        let id = match listing.data.as_slice() {
            [] => {
                let (name, display) = FIRST;
                let (Ok(name), Ok(display)) = (SignInName::parse(name), Name::parse(display)) else { return Ok(None) };
                let draft = UserDraft {
                    name: Field::Given(name),
                    display: Field::Given(display),
                    rights: Field::Given(Rights::Role(Role::Admin)),
                    ..UserDraft::default()
                };
                match self.add_user(caller, draft).await {
                    Ok(added) => added.user.id,
                    // Another node starts at the same time, and tells its link.
                    Err(Error::Conflict { .. }) => return Ok(None),
                    Err(error) => return Err(error),
                }
            }
            [only] if is_first(&only.value) => only.value.id,
            [..] => return Ok(None),
        };
        self.make_link(caller, id).await.map(Some)
    }

    async fn provided_rights(&self, caller: &Caller) -> Result<Option<Rights>, Error> {
        let _: Grant<Read, TenantCredentials> = permit(caller, demand::ADMIN_READ)?;
        Ok(self.provided)
    }

    async fn list_sessions(&self, caller: &Caller, id: UserId) -> Result<Vec<Session>, Error> {
        let grant = permit(caller, demand::ADMIN_READ)?;
        let mut sessions = self.ports.people.list_sessions(&grant, id).await?;
        let now = self.ports.clock.now();
        sessions.retain(|session| session.is_live(now));
        Ok(sessions)
    }

    async fn end_session(&self, caller: &Caller, id: SessionId) -> Result<(), Error> {
        let grant = permit(caller, demand::ADMIN_WRITE)?;
        let ended = self.ports.people.end_session(&grant, id, self.ports.clock.now()).await;
        if self.changed(ended)? { Ok(()) } else { Err(Error::NotFound) }
    }
}

impl PeopleService {
    async fn user(&self, grant: &Grant<Read, TenantCredentials>, id: UserId) -> Result<Versioned<User>, Error> {
        self.ports.people.find_user(grant, id).await?.ok_or(Error::NotFound)
    }
}

/// Whether it is the user of the first start, and nobody ever signed in as it.
fn is_first(user: &User) -> bool {
    let never = user.password.is_none() && user.identity.is_none() && user.last_seen.is_none();
    never && user.administers() && user.name.as_str() == FIRST.0
}

fn view(user: Versioned<User>) -> UserView {
    UserView { user: user.value, version: user.version }
}

fn new_user(draft: UserDraft, tenant: ports::TenantId, id: UserId, now: Timestamp) -> Result<User, Faults> {
    let mut faults = draft.faults;
    if draft.name.is_missing() {
        faults.add_coded(FaultCode::Required, "/name", "is required");
    }
    if draft.rights.is_missing() {
        faults.add_coded(FaultCode::Required, "/rights", "is required");
    }
    let (Some(name), Some(rights)) = (draft.name.into_option(), draft.rights.into_option()) else { return Err(faults) };
    let display = draft.display.into_option().map_or_else(|| Name::parse(name.as_str()), Ok);
    let display = match display {
        Ok(display) => display,
        Err(error) => {
            faults.add("/display", error.to_string());
            return Err(faults);
        }
    };
    faults.into_result()?;
    Ok(User {
        id,
        tenant,
        name,
        display,
        rights,
        password: None,
        identity: draft.identity.into_option(),
        locale: draft.locale.into_option(),
        created: now,
        updated: now,
        disabled: (draft.standing == Field::Given(Standing::Disabled)).then_some(now),
        last_seen: None,
    })
}

/// The user as the draft leaves it, or every fault of it.
fn changed(before: &User, draft: UserDraft, now: Timestamp) -> Result<User, Faults> {
    let mut faults = draft.faults;
    let required = [
        (draft.name == Field::Null, "/name"),
        (draft.display == Field::Null, "/display"),
        (draft.rights == Field::Null, "/rights"),
        (draft.standing == Field::Null, "/standing"),
    ];
    for (is_null, pointer) in required {
        if is_null {
            faults.add_coded(FaultCode::Required, pointer, "must not be null");
        }
    }
    faults.into_result()?;
    let disabled = match draft.standing.into_option() {
        Some(Standing::Active) => None,
        Some(Standing::Disabled) => Some(before.disabled.unwrap_or(now)),
        None => before.disabled,
    };
    Ok(User {
        name: draft.name.into_option().unwrap_or_else(|| before.name.clone()),
        display: draft.display.into_option().unwrap_or_else(|| before.display.clone()),
        rights: draft.rights.into_option().unwrap_or(before.rights),
        identity: draft.identity.merge(before.identity.clone()),
        locale: draft.locale.merge(before.locale.clone()),
        disabled,
        ..before.clone()
    })
}
