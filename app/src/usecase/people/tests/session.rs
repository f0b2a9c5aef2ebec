//! How long a session lasts, and what ends it.

use domain::Timestamp;
use ports::clock::Clock as _;
use ports::inbound::{Field, Sessions as _, Standing, UserDraft, Users as _};
use ports::people::Session;

use super::{MINUTE, People, admin, draft};

const HOUR: i64 = 60 * MINUTE;

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
