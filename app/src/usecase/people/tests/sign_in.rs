//! Signing in: by a password, a once-link or a provider.

use std::sync::atomic::Ordering;

use domain::Name;
use ports::credential::Secret;
use ports::inbound::{AccessError, Field, ProvenIdentity, Sessions as _, SignInError, Standing, UserDraft, Users as _};
use ports::people::{Identity, Rights, Role, SignInName};

use super::{MINUTE, People, admin, browser, draft};
use crate::usecase::access::tests::{OTHER, TENANT};

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
