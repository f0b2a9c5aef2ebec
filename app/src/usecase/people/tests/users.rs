//! Users as an administrator keeps them, and what they change of themselves.

use domain::Name;
use ports::Caller;
use ports::credential::Secret;
use ports::inbound::{Error, Field, NewPassword, OwnDraft, Sessions as _, SignInError, Users as _};
use ports::people::{Rights, Role};
use ports::repo::Page;

use super::{MINUTE, People, admin, browser, caller, draft, new_password};
use crate::usecase::access::tests::{OTHER, TENANT};

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
