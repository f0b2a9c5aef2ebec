//! Signing in and what follows, on a directory in memory and a clock that is set by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use auth::{HmacTextSigner, RandomSecrets};
use domain::{Name, StatementSettings, Timestamp, YearStart};
use memory::MemoryDirectory;
use ports::clock::Clock as _;
use ports::credential::{CredentialError, PasswordHash, Passwords, Secret};
use ports::directory::{Directory as _, Tenant};
use ports::inbound::{
    AccessError, Browser, Error, Field, NewPassword, NewSession, OwnDraft, PasswordSignIn, ProvenIdentity,
    Sessions as _, SignInError, Standing, UserDraft, Users as _,
};
use ports::people::{Identity, Rights, Role, Session, SignInName, User};
use ports::repo::Page;
use ports::{Caller, Grant, Installation, Permissions, TenantSlug, UserId};

use super::{PeoplePorts, PeopleService};
use crate::id_source::SystemIds;
use crate::usecase::access::tests::{Fixture, OTHER, TENANT, TestClock};
use crate::usecase::version::DirectoryVersion;

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

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

#[tokio::test]
async fn a_wrong_password_an_unknown_name_and_a_user_without_one_are_the_same_after_the_same_work() {
    let people = People::new().await;
    people.add_with_password("ana", "admin").await;
    people.add("bo", "viewer").await;
    let disabled = people.add_with_password("cy", "viewer").await;
    let off = UserDraft { standing: Field::Given(Standing::Disabled), ..UserDraft::default() };
    people.service.update_user(&admin(), disabled.id, None, off).await.unwrap();
    for (name, password) in [
        ("ana", "incorrect horse"),
        ("nobody", "correct horse"),
        ("bo", "correct horse"),
        ("cy", "correct horse"),
        ("not a name", "correct horse"),
        ("", ""),
    ] {
        let before = people.passwords.0.load(Ordering::SeqCst);
        let refused = people.sign_in(name, password, "a").await;
        assert!(matches!(refused, Err(SignInError::Refused)), "{name}: {refused:?}");
        assert_eq!(people.passwords.0.load(Ordering::SeqCst), before + 1, "{name}");
    }
}

#[tokio::test]
async fn the_right_password_signs_in_however_the_name_is_cased() {
    let people = People::new().await;
    let ana = people.add_with_password("ana@example.org", "editor").await;
    let session = people.sign_in(" ANA@Example.org ", "correct horse", "a").await.unwrap();
    let signed_in = people.service.authenticate(TENANT, &session.text).await.unwrap();
    assert_eq!(signed_in.caller.actor, format!("user:{}", ana.id));
    assert_eq!(signed_in.caller.permissions, Role::Editor.permissions());
    assert_eq!(signed_in.form_token, session.signed_in.form_token);
    assert_eq!(signed_in.session.agent, "Browser1");
    let elsewhere = people.service.authenticate(OTHER, &session.text).await;
    assert!(matches!(elsewhere, Err(AccessError::Invalid)), "another company's address");
}

#[tokio::test]
async fn behind_ten_wrong_passwords_none_is_looked_at_until_a_minute_is_over() {
    let people = People::new().await;
    people.add_with_password("ana", "admin").await;
    for _ in 0..10 {
        assert!(matches!(people.sign_in("ana", "wrong", "a").await, Err(SignInError::Refused)));
    }
    let looked = people.passwords.0.load(Ordering::SeqCst);
    let refused = people.sign_in("Ana", "correct horse", "a").await;
    assert!(matches!(refused, Err(SignInError::TooMany { retry_after_s: 60 })), "{refused:?}");
    assert_eq!(people.passwords.0.load(Ordering::SeqCst), looked);
    assert!(people.sign_in("ana", "correct horse", "b").await.is_ok(), "from elsewhere");
    people.clock.advance(MINUTE);
    assert!(people.sign_in("ana", "correct horse", "a").await.is_ok());
    for _ in 0..30 {
        assert!(people.sign_in("ana", "correct horse", "a").await.is_ok(), "right ones are not counted");
    }
}

#[tokio::test]
async fn an_address_waits_behind_thirty_wrong_passwords_whatever_the_names() {
    let people = People::new().await;
    people.add_with_password("ana", "admin").await;
    for number in 0..30 {
        let refused = people.sign_in(&format!("name-{number}"), "wrong", "a").await;
        assert!(matches!(refused, Err(SignInError::Refused)), "{number}: {refused:?}");
    }
    let looked = people.passwords.0.load(Ordering::SeqCst);
    let refused = people.sign_in("ana", "correct horse", "a").await;
    assert!(matches!(refused, Err(SignInError::TooMany { .. })), "{refused:?}");
    assert_eq!(people.passwords.0.load(Ordering::SeqCst), looked);
    assert!(people.sign_in("ana", "correct horse", "b").await.is_ok(), "from elsewhere");
    people.clock.advance(MINUTE);
    assert!(people.sign_in("ana", "correct horse", "a").await.is_ok());
}

#[tokio::test]
async fn a_session_that_ends_for_a_newer_one_is_over_elsewhere_too() {
    let people = People::new().await;
    let other = people.second_process();
    people.add_with_password("ana", "admin").await;
    let first = people.sign_in("ana", "correct horse", "a").await.unwrap();
    assert!(people.is_signed_in(&first).await && other.is_signed_in(&first).await);
    for _ in 0..Session::MOST {
        people.clock.advance(1);
        people.sign_in("ana", "correct horse", "a").await.unwrap();
    }
    assert!(!people.is_signed_in(&first).await);
    people.clock.advance(1_000);
    assert!(!other.is_signed_in(&first).await);
}

#[tokio::test]
async fn a_password_that_was_set_by_a_link_is_asked_for_when_another_is_set() {
    let people = People::new().await;
    let ana = people.add("ana", "admin").await;
    let link = people.service.make_link(&admin(), ana.id).await.unwrap();
    let session = people.service.redeem_link(TENANT, &link.text, &browser()).await.unwrap();
    let set = people.service.change_password(&session.signed_in, new_password(None), &browser()).await.unwrap();
    let again = people.service.change_password(&set.signed_in, new_password(None), &browser()).await;
    assert!(matches!(again, Err(Error::Invalid(_))), "{again:?}");
}

#[tokio::test]
async fn a_link_signs_in_once_at_its_own_company_and_within_a_quarter_of_an_hour() {
    let people = People::new().await;
    let ana = people.add("ana", "admin").await;
    let link = people.service.make_link(&admin(), ana.id).await.unwrap();
    let elsewhere = people.service.redeem_link(OTHER, &link.text, &browser()).await;
    assert!(matches!(elsewhere, Err(SignInError::Refused)));
    assert!(people.service.is_good_link(TENANT, &link.text).await.unwrap());
    assert!(people.service.is_good_link(TENANT, &link.text).await.unwrap(), "looking uses nothing up");
    let session = people.service.redeem_link(TENANT, &link.text, &browser()).await.unwrap();
    assert!(people.is_signed_in(&session).await);
    let again = people.service.redeem_link(TENANT, &link.text, &browser()).await;
    assert!(matches!(again, Err(SignInError::Refused)));
    assert!(!people.service.is_good_link(TENANT, &link.text).await.unwrap());
    let late = people.service.make_link(&admin(), ana.id).await.unwrap();
    people.clock.advance(15 * MINUTE);
    let late = people.service.redeem_link(TENANT, &late.text, &browser()).await;
    assert!(matches!(late, Err(SignInError::Refused)));
    for text in ["", "tonnelink_", "tonnelink_x", &session.text.0] {
        let refused = people.service.redeem_link(TENANT, &Secret(text.to_owned()), &browser()).await;
        assert!(matches!(refused, Err(SignInError::Refused)), "{text}");
    }
}

#[tokio::test]
async fn whoever_signs_out_or_is_signed_out_is_so_at_once_here_and_within_a_second_elsewhere() {
    let people = People::new().await;
    let other = people.second_process();
    let ana = people.add_with_password("ana", "admin").await;
    people.add("bo", "admin").await;
    let off = |standing| UserDraft { standing: Field::Given(standing), ..UserDraft::default() };
    for end in ["sign out", "ended by an admin", "ended by itself", "role", "disabled", "removed"] {
        let session = people.sign_in("ana", "correct horse", "a").await.unwrap();
        assert!(people.is_signed_in(&session).await && other.is_signed_in(&session).await);
        let id = session.signed_in.session.id;
        match end {
            "sign out" => people.service.sign_out(&session.signed_in).await.unwrap(),
            "ended by an admin" => people.service.end_session(&admin(), id).await.unwrap(),
            "ended by itself" => people.service.end_own(&session.signed_in, id).await.unwrap(),
            "role" => drop(people.service.update_user(&admin(), ana.id, None, draft("ana", "viewer")).await.unwrap()),
            "disabled" => {
                people.service.update_user(&admin(), ana.id, None, off(Standing::Disabled)).await.unwrap();
            }
            _ => people.service.remove_user(&admin(), ana.id, None).await.unwrap(),
        }
        assert!(!people.is_signed_in(&session).await, "{end}");
        people.clock.advance(999);
        assert!(!other.is_signed_in(&session).await, "{end}");
        if end == "disabled" {
            people.service.update_user(&admin(), ana.id, None, off(Standing::Active)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_session_ends_unused_after_twelve_hours_and_used_after_seven_days() {
    let people = People::new().await;
    let other = people.second_process();
    people.add_with_password("ana", "admin").await;
    let idle = people.sign_in("ana", "correct horse", "a").await.unwrap();
    let used = people.sign_in("ana", "correct horse", "a").await.unwrap();
    assert!(people.is_signed_in(&used).await && other.is_signed_in(&used).await);
    people.service.flush().await;
    for hour in 1..7 * 24 {
        people.clock.advance(HOUR);
        assert!(people.is_signed_in(&used).await, "{hour}");
        people.service.flush().await;
        if hour % 11 == 0 {
            assert!(other.is_signed_in(&used).await, "the other process knows that it is used: {hour}");
        }
    }
    people.clock.advance(HOUR);
    assert!(!people.is_signed_in(&used).await && !people.is_signed_in(&idle).await);
    let fresh = people.sign_in("ana", "correct horse", "a").await.unwrap();
    people.service.flush().await;
    people.clock.advance(12 * HOUR);
    assert!(!people.is_signed_in(&fresh).await);
}

#[tokio::test]
async fn a_password_is_changed_by_whoever_knows_it_and_ends_every_other_session() {
    let people = People::new().await;
    people.add_with_password("ana", "admin").await;
    let session = people.sign_in("ana", "correct horse", "a").await.unwrap();
    let elsewhere = people.sign_in("ana", "correct horse", "b").await.unwrap();
    let next = |current: Option<&str>, password: &str| NewPassword {
        current: current.map(|text| Secret(text.to_owned())),
        password: Secret(password.to_owned()),
    };
    for wrong in [
        next(None, "battery staple"),
        next(Some("incorrect"), "battery staple"),
        next(Some("correct horse"), "short"),
        next(Some("correct horse"), &"x".repeat(1_025)),
    ] {
        let refused = people.service.set_password(&session.signed_in, wrong, &browser()).await;
        assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
    }
    let given = next(Some("correct horse"), "battery staple");
    let renewed = people.service.set_password(&session.signed_in, given.clone(), &browser()).await.unwrap();
    assert!(people.is_signed_in(&renewed).await);
    assert!(!people.is_signed_in(&session).await && !people.is_signed_in(&elsewhere).await);
    assert!(matches!(people.sign_in("ana", "correct horse", "a").await, Err(SignInError::Refused)));
    assert!(people.sign_in("ana", "battery staple", "a").await.is_ok());
    let stale = people.service.set_password(&session.signed_in, given, &browser()).await;
    assert!(stale.is_err(), "what was signed in before changes nothing: {stale:?}");
}

#[tokio::test]
async fn a_forgotten_password_is_set_lately_behind_a_link_alone() {
    let people = People::new().await;
    let ana = people.add_with_password("ana", "admin").await;
    let session = people.by_link(ana.id).await;
    people.clock.advance(15 * MINUTE);
    let late = people.service.set_password(&session.signed_in, new_password(None), &browser()).await;
    assert!(matches!(late, Err(Error::Invalid(_))), "{late:?}");
    let session = people.by_link(ana.id).await;
    people.service.set_password(&session.signed_in, new_password(None), &browser()).await.unwrap();
}

#[tokio::test]
async fn all_of_it_needs_admin_and_stays_in_the_company() {
    let people = People::new().await;
    let ana = people.add("ana", "admin").await;
    let editor = caller("activity:write catalog:write switch:write model:write footprint:write period:close");
    let stranger = Caller { tenant: OTHER, ..admin() };
    assert!(matches!(people.service.list_users(&editor, Page::FIRST).await, Err(Error::Denied(_))));
    assert!(matches!(people.service.add_user(&editor, draft("x", "admin")).await, Err(Error::Denied(_))));
    assert!(matches!(people.service.make_link(&editor, ana.id).await, Err(Error::Denied(_))));
    assert!(matches!(people.service.remove_user(&editor, ana.id, None).await, Err(Error::Denied(_))));
    assert!(matches!(people.service.list_sessions(&editor, ana.id).await, Err(Error::Denied(_))));
    assert_eq!(people.service.list_users(&stranger, Page::FIRST).await.unwrap().count, 0);
    assert!(matches!(people.service.get_user(&stranger, ana.id).await, Err(Error::NotFound)));
    assert!(matches!(people.service.make_link(&stranger, ana.id).await, Err(Error::NotFound)));
    assert!(matches!(people.service.remove_user(&stranger, ana.id, None).await, Err(Error::NotFound)));
    assert_eq!(people.service.list_sessions(&stranger, ana.id).await.unwrap(), []);
}

#[tokio::test]
async fn the_last_admin_stays_and_the_reason_is_told() {
    let people = People::new().await;
    let ana = people.add("ana", "admin").await;
    people.add("bo", "editor").await;
    let lowered = people.service.update_user(&admin(), ana.id, None, draft("ana", "editor")).await;
    let removed = people.service.remove_user(&admin(), ana.id, None).await;
    for refused in [lowered.map(drop), removed] {
        let Err(Error::Conflict { detail, .. }) = refused else { panic!("{refused:?}") };
        assert!(detail.contains("last user who may administer"), "{detail}");
    }
    let taken = people.service.add_user(&admin(), draft("BO", "viewer")).await;
    assert!(matches!(taken, Err(Error::Conflict { pointer, .. }) if pointer == "/name"));
}

#[tokio::test]
async fn a_company_without_users_gets_a_link_until_somebody_signs_in() {
    let people = People::new().await;
    assert!(!people.service.has_users(TENANT).await.unwrap());
    let first = people.service.first_link(&admin()).await.unwrap().unwrap();
    let second = people.service.first_link(&admin()).await.unwrap().unwrap();
    assert_eq!((first.user.id, first.user.rights), (second.user.id, Rights::Role(Role::Admin)));
    assert!(people.service.has_users(TENANT).await.unwrap());
    assert!(people.service.redeem_link(TENANT, &first.text, &browser()).await.is_err(), "the later one counts");
    people.service.redeem_link(TENANT, &second.text, &browser()).await.unwrap();
    people.service.flush().await;
    assert_eq!(people.service.first_link(&admin()).await.unwrap(), None);
    let other = People::new().await;
    other.add("ana", "admin").await;
    assert_eq!(other.service.first_link(&admin()).await.unwrap(), None, "there is a user");
}

#[tokio::test]
async fn whom_a_provider_vouches_for_is_known_by_issuer_and_subject_alone() {
    let mut people = People::new().await;
    let identity = |subject: &str| Identity::new("https://id.example", subject).unwrap();
    let who = |subject: &str, name: &str| ProvenIdentity {
        identity: identity(subject),
        name: SignInName::parse(name).ok(),
        display: Name::parse("Ana A").ok(),
    };
    let given = UserDraft { identity: Field::Given(identity("1")), ..draft("ana@example.org", "admin") };
    let ana = people.service.add_user(&admin(), given).await.unwrap().user;
    let session = people.service.sign_in_as(TENANT, who("1", "somebody"), &browser()).await.unwrap();
    assert_eq!(session.signed_in.user.user().id, ana.id);
    let same_name = people.service.sign_in_as(TENANT, who("2", "ana@example.org"), &browser()).await;
    assert!(matches!(same_name, Err(SignInError::Refused)), "a name proves nothing");
    let elsewhere = people.service.sign_in_as(OTHER, who("1", "ana@example.org"), &browser()).await;
    assert!(matches!(elsewhere, Err(SignInError::Refused)), "another company's user");

    people.service = people.service.with_provided_rights(Some(Rights::Role(Role::Viewer)));
    let added = people.service.sign_in_as(TENANT, who("2", "ana@example.org"), &browser()).await.unwrap();
    let user = added.signed_in.user.user();
    assert!(user.id != ana.id && user.name.as_str() != "ana@example.org");
    assert_eq!((user.rights, user.display.as_str()), (Rights::Role(Role::Viewer), "Ana A"));
    let again = people.service.sign_in_as(TENANT, who("2", "x"), &browser()).await.unwrap();
    assert_eq!(again.signed_in.user.user().id, user.id);
}

#[tokio::test]
async fn a_user_says_what_it_is_called_and_reads_in_and_stays_signed_in() {
    let people = People::new().await;
    let ana = people.add("ana", "viewer").await;
    let session = people.by_link(ana.id).await;
    let locale = ports::people::Locale::parse("de-CH").unwrap();
    let draft = OwnDraft { display: Field::Given(Name::parse("Ana").unwrap()), locale: Field::Given(locale.clone()) };
    people.service.update_own(&session.signed_in, draft).await.unwrap();
    let now = people.service.authenticate(TENANT, &session.text).await.unwrap();
    let user = now.user.user();
    assert_eq!((user.display.as_str(), user.locale.as_ref()), ("Ana", Some(&locale)));
    let emptied = OwnDraft { display: Field::Null, locale: Field::Absent };
    assert!(matches!(people.service.update_own(&now, emptied).await, Err(Error::Invalid(_))));
}

#[tokio::test]
async fn when_somebody_was_seen_is_noted_once_a_minute() {
    let people = People::new().await;
    let ana = people.add("ana", "viewer").await;
    let began = people.clock.now();
    let session = people.by_link(ana.id).await;
    let seen = async || people.service.get_user(&admin(), ana.id).await.unwrap().user.last_seen;
    people.service.flush().await;
    people.clock.advance(MINUTE - 1);
    assert!(people.is_signed_in(&session).await);
    people.service.flush().await;
    assert_eq!(seen().await, Some(began));
    people.clock.advance(1);
    assert!(people.is_signed_in(&session).await);
    people.service.flush().await;
    assert_eq!(seen().await, Timestamp::from_millis(began.millis() + MINUTE));
}
