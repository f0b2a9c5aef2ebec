//! Signing in and what follows, on a directory in memory and a clock that is set by hand.

mod session;
mod sign_in;
mod users;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use auth::{HmacTextSigner, RandomSecrets};
use domain::{Name, StatementSettings, YearStart};
use memory::MemoryDirectory;
use ports::clock::Clock as _;
use ports::credential::{CredentialError, PasswordHash, Passwords, Secret};
use ports::directory::{Directory as _, Tenant};
use ports::inbound::{
    AccessError, Browser, Field, NewPassword, NewSession, PasswordSignIn, Sessions as _, SignInError, UserDraft,
    Users as _,
};
use ports::people::{Rights, SignInName, User};
use ports::{Caller, Grant, Installation, Permissions, TenantSlug, UserId};

use super::{PeoplePorts, PeopleService};
use crate::id_source::SystemIds;
use crate::usecase::access::tests::{Fixture, OTHER, TENANT, TestClock};
use crate::usecase::version::DirectoryVersion;

const MINUTE: i64 = 60_000;

/// Hashes nothing, and counts how often it is asked.
#[derive(Default)]
struct PlainPasswords(AtomicU64);

impl Passwords for PlainPasswords {
    fn hash(&self, password: &Secret) -> Result<PasswordHash, CredentialError> {
        Ok(PasswordHash(format!("plain {}", password.0)))
    }

    fn matches(&self, password: &Secret, hash: Option<&PasswordHash>) -> bool {
        self.0.fetch_add(1, Ordering::SeqCst);
        hash.is_some_and(|hash| hash.0 == format!("plain {}", password.0))
    }
}

struct People {
    directory: MemoryDirectory,
    clock: Arc<TestClock>,
    passwords: Arc<PlainPasswords>,
    service: PeopleService,
}

impl People {
    async fn new() -> Self {
        let clock = Fixture::new().clock;
        let directory = MemoryDirectory::new(clock.clone());
        for (id, slug) in [(TENANT, "main"), (OTHER, "other")] {
            let tenant = Tenant {
                id,
                slug: TenantSlug::parse(slug).unwrap(),
                name: Name::parse(slug).unwrap(),
                created: clock.now(),
                epoch: uuid::Uuid::nil(),
                year_start: YearStart::default(),
                statement: StatementSettings::default(),
            };
            directory.add_tenant(&Grant::for_maintenance(Installation, "test"), tenant).await.unwrap();
        }
        Self::on(&directory, &clock)
    }

    fn on(directory: &MemoryDirectory, clock: &Arc<TestClock>) -> Self {
        let passwords = Arc::new(PlainPasswords::default());
        let ports = PeoplePorts {
            directory: Arc::new(directory.clone()),
            people: Arc::new(directory.clone()),
            passwords: passwords.clone(),
            secrets: Arc::new(RandomSecrets),
            forms: Arc::new(HmacTextSigner::new(&[7; 32]).unwrap()),
            clock: clock.clone(),
            ids: Arc::new(SystemIds::new()),
        };
        let service = PeopleService::new(ports, Arc::new(DirectoryVersion::default()));
        Self { directory: directory.clone(), clock: clock.clone(), passwords, service }
    }

    /// Another process on the same directory.
    fn second_process(&self) -> Self {
        Self::on(&self.directory, &self.clock)
    }

    async fn add(&self, name: &str, rights: &str) -> User {
        self.service.add_user(&admin(), draft(name, rights)).await.unwrap().user
    }

    /// A user with the password `correct horse`.
    async fn add_with_password(&self, name: &str, rights: &str) -> User {
        let user = self.add(name, rights).await;
        let session = self.by_link(user.id).await;
        self.service.set_password(&session.signed_in, new_password(None), &browser()).await.unwrap();
        self.service.get_user(&admin(), user.id).await.unwrap().user
    }

    async fn by_link(&self, id: UserId) -> NewSession {
        let link = self.service.make_link(&admin(), id).await.unwrap();
        self.service.redeem_link(TENANT, &link.text, &browser()).await.unwrap()
    }

    async fn sign_in(&self, name: &str, password: &str, from: &str) -> Result<NewSession, SignInError> {
        let browser = Browser { from: from.to_owned(), ..browser() };
        let given = PasswordSignIn { name: name.to_owned(), password: Secret(password.to_owned()), browser };
        self.service.sign_in(TENANT, given).await
    }

    async fn is_signed_in(&self, session: &NewSession) -> bool {
        match self.service.authenticate(TENANT, &session.text).await {
            Ok(_) => true,
            Err(AccessError::Invalid) => false,
            Err(error) => panic!("{error:?}"),
        }
    }
}

fn caller(permissions: &str) -> Caller {
    Caller {
        tenant: TENANT,
        actor: "cli:test".to_owned(),
        permissions: Permissions::parse(permissions).unwrap(),
        partner: None,
    }
}

fn admin() -> Caller {
    caller("admin")
}

fn draft(name: &str, rights: &str) -> UserDraft {
    UserDraft {
        name: Field::Given(SignInName::parse(name).unwrap()),
        rights: Field::Given(Rights::parse(rights).unwrap()),
        ..UserDraft::default()
    }
}

fn browser() -> Browser {
    Browser { from: "192.0.2.1".to_owned(), agent: "Browser\n1".to_owned(), session: None }
}

fn new_password(current: Option<&str>) -> NewPassword {
    let current = current.map(|text| Secret(text.to_owned()));
    NewPassword { current, password: Secret("correct horse".to_owned()) }
}
