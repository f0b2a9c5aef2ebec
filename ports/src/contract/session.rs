//! Sessions of users, on two nodes: how they begin, and what ends them.

use super::directory::{verify, version};
use super::people::{Nodes, begin, find, is_signed_in, two_users};
use super::sample::{at, filled_user, id, installation, link, maintaining, name, password, session, signed_in, uuid};
use crate::directory::SweepState;
use crate::people::{Rights, Session, User};
use crate::store::StoreError;

pub async fn a_session_is_found_with_its_user_and_is_no_change([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let before = version(one.directory).await;
    let user = signed_in(first.clone());
    let begun = [begin(one, &user, 1, 10).await, begin(one, &user, 2, 20).await];
    begin(one, &signed_in(second.clone()), 3, 30).await;
    assert_eq!(version(one.directory).await, before);
    for session in &begun {
        let found = other.people.find_session(session.hash).await.expect("finds");
        assert_eq!(found, Some((session.clone(), first.clone())));
    }
    assert_eq!(other.people.find_session(session(9, &first.value, 1).hash).await.expect("finds"), None);
    let [older, newer] = begun;
    let expected = [newer, older];
    assert_eq!(other.people.list_own_sessions(&user).await.expect("lists"), expected);
    let listed = other.people.list_sessions(&maintaining(1).to_read_credentials(), id(1)).await.expect("lists");
    assert_eq!(listed, expected);
    let anothers = other.people.begin_session(&user, session(4, &second.value, 10), None).await;
    assert!(anothers.is_err(), "a session of another");
}

pub async fn a_user_has_a_bounded_number_of_sessions_and_the_oldest_ends([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let kept = begin(one, &signed_in(second), 100, 1).await;
    let user = signed_in(first);
    let most = u64::try_from(Session::MOST).expect("few");
    for number in 1..=most {
        begin(one, &user, number, i64::try_from(number).expect("few")).await;
    }
    // Nodes that remember those that end must hear of it.
    let before = version(one.directory).await;
    for number in [most + 1, most + 2] {
        begin(one, &user, number, i64::try_from(number).expect("few")).await;
    }
    assert_eq!(version(other.directory).await, before + 2);
    assert_eq!(verify(one.directory).await.findings, []);
    let left = other.people.list_own_sessions(&user).await.expect("lists");
    assert_eq!(left.len(), Session::MOST);
    assert_eq!(left.last().map(|session| session.id), Some(id(3)));
    assert!(is_signed_in(other, &kept).await, "another's");
}

pub async fn a_session_ends_with_the_beginning_of_the_next_of_its_browser([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let (own, others) = (signed_in(first.clone()), signed_in(second.clone()));
    let [earlier, kept] = [begin(one, &own, 1, 10).await, begin(one, &own, 2, 10).await];
    let before = version(one.directory).await;
    // Whoever's it was: somebody else signs in in the same browser.
    let next = session(3, &second.value, 20);
    other.people.begin_session(&others, next.clone(), Some(earlier.hash)).await.expect("begins");
    assert_eq!(version(one.directory).await, before + 1);
    assert!(!is_signed_in(one, &earlier).await && is_signed_in(one, &next).await && is_signed_in(one, &kept).await);
    // One that is over, or never was, ends nothing.
    let third = session(4, &second.value, 30);
    one.people.begin_session(&others, third.clone(), Some(earlier.hash)).await.expect("begins");
    assert_eq!(version(one.directory).await, before + 1);

    let made = link(7, &first.value, 30);
    one.people.add_link(&maintaining(1).to_write_credentials(), made.clone()).await.expect("adds");
    let late = session(5, &first.value, 40);
    let refused = one.people.redeem_link(&own, made.hash, made.expires, late, Some(third.hash)).await.expect("looks");
    assert!(!refused && is_signed_in(other, &third).await, "what is refused ends nothing");
    let by_link = session(6, &first.value, 40);
    assert!(
        other.people.redeem_link(&own, made.hash, at(40), by_link.clone(), Some(third.hash)).await.expect("redeems")
    );
    assert!(!is_signed_in(one, &third).await && is_signed_in(one, &by_link).await);
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn an_ended_session_is_gone_everywhere_and_raises_the_version([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let (own, others) = (signed_in(first), signed_in(second));
    let [mine, also_mine] = [begin(one, &own, 1, 10).await, begin(one, &own, 2, 20).await];
    let before = version(one.directory).await;
    assert!(!one.people.end_own_session(&others, mine.id, at(30)).await.expect("looks"), "another's");
    assert_eq!(version(one.directory).await, before);
    assert!(one.people.end_own_session(&own, mine.id, at(30)).await.expect("ends"));
    assert_eq!(version(other.directory).await, before + 1);
    assert!(!other.people.end_own_session(&own, mine.id, at(31)).await.expect("looks"), "it is over");
    let grant = maintaining(1).to_write_credentials();
    assert!(other.people.end_session(&grant, also_mine.id, at(32)).await.expect("ends"));
    assert_eq!(version(one.directory).await, before + 2);
    assert!(!is_signed_in(one, &mine).await && !is_signed_in(one, &also_mine).await);
    assert_eq!(verify(one.directory).await.findings, []);
}

/// What becomes of a user.
type Amend = fn(User) -> User;

pub async fn what_a_user_is_trusted_with_ends_its_sessions_and_links_when_it_changes([one, other]: Nodes<'_>) {
    let [mut first, second] = two_users(one).await;
    let grant = maintaining(1).to_write_credentials();
    let kept = begin(one, &signed_in(second.clone()), 100, 1).await;
    let changes: [(&str, Amend, bool); 6] = [
        ("called otherwise", |user| User { display: name("Other"), updated: at(8), ..user }, true),
        ("another identity", |user| User { identity: filled_user(1, 1).identity, ..user }, false),
        ("no password", |user| User { password: None, ..user }, false),
        ("disabled", |user| User { disabled: Some(at(7)), ..user }, false),
        ("enabled", |user| User { disabled: None, ..user }, false),
        ("another role", |user| User { rights: Rights::parse("viewer").expect("a role"), ..user }, false),
    ];
    for (what, change, stays) in changes {
        let begun = match first.value.disabled {
            None => Some(begin(one, &signed_in(first.clone()), 1, 10).await),
            Some(_) => None,
        };
        one.people.add_link(&grant, link(1, &first.value, 10)).await.expect("adds");
        first.value = change(first.value);
        first.version = one.people.update_user(&grant, first.value.clone(), first.version).await.expect("updates");
        if let Some(begun) = begun {
            assert_eq!(is_signed_in(other, &begun).await, stays, "{what}");
            one.people.end_session(&grant, begun.id, at(40)).await.expect("looks");
        }
        let found = other.people.find_link(link(1, &first.value, 10).hash).await.expect("finds");
        assert_eq!(found.is_some(), stays, "{what}");
    }
    assert_eq!(other.people.find_password(id(1)).await.expect("finds"), None);
    let given = User { password: Some(password(1).digest()), ..first.value };
    assert!(other.people.update_user(&grant, given, first.version).await.is_err(), "only a user sets its password");
    assert!(is_signed_in(other, &kept).await, "another's");
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn a_user_that_was_changed_begins_no_session([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let user = signed_in(first.clone());
    let grant = maintaining(1).to_write_credentials();
    let lowered = User { rights: Rights::parse("viewer").expect("a role"), ..first.value.clone() };
    one.people.update_user(&grant, lowered, first.version).await.expect("updates");
    let refused = other.people.begin_session(&user, session(1, &first.value, 10), None).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    one.people.remove_user(&grant, id(1), None).await.expect("removes");
    let refused = other.people.begin_session(&user, session(1, &first.value, 10), None).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
}

pub async fn a_touch_notes_that_sessions_and_users_were_seen([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let user = signed_in(first.clone());
    let sessions = [begin(one, &user, 1, 10).await, begin(one, &user, 2, 20).await];
    let before = version(one.directory).await;
    for seconds in [60, 50] {
        let seen = [(sessions[0].id, at(seconds)), (sessions[1].id, at(seconds - 30)), (id(9), at(90))];
        other.people.touch_sessions(&installation(), &seen).await.expect("touches");
    }
    assert_eq!(version(one.directory).await, before);
    let seen = one.people.list_own_sessions(&user).await.expect("lists");
    assert_eq!(seen.iter().map(|session| session.last_seen).collect::<Vec<_>>(), [at(30), at(60)]);
    let found = find(one, id(1)).await.expect("is there");
    assert_eq!((found.value.last_seen, found.version), (Some(at(60)), first.version));
    let changed = User { display: name("Ana"), ..first.value };
    let grant = maintaining(1).to_write_credentials();
    one.people.update_user(&grant, changed, first.version).await.expect("updates");
    assert_eq!(find(other, id(1)).await.and_then(|user| user.value.last_seen), Some(at(60)), "an update leaves it");
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn renewed_epochs_end_every_session_and_link_and_leave_users([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let begun = begin(one, &signed_in(first.clone()), 1, 10).await;
    let made = link(1, &first.value, 10);
    one.people.add_link(&maintaining(1).to_write_credentials(), made.clone()).await.expect("adds");
    let epochs = [(id(1), uuid(71)), (id(2), uuid(72))].into();
    one.directory.renew_epochs(&installation(), &epochs).await.expect("renews");
    assert!(!is_signed_in(other, &begun).await);
    assert_eq!(other.people.find_link(made.hash).await.expect("finds"), None);
    assert_eq!(find(other, id(1)).await, Some(first));
    assert_eq!(verify(other.directory).await.findings, []);
}

pub async fn a_sweep_forgets_sessions_and_links_that_ran_out([one, other]: Nodes<'_>) {
    const HOUR: i64 = 60 * 60;
    let [first, _] = two_users(one).await;
    let user = signed_in(first.clone());
    let idle = begin(one, &user, 1, 0).await;
    let used = begin(one, &user, 2, 0).await;
    let made = link(1, &first.value, 0);
    one.people.add_link(&maintaining(1).to_write_credentials(), made.clone()).await.expect("adds");
    let before = version(one.directory).await;
    let hours = SweepState::DAY_MS / 1000 / HOUR + 16;
    for hour in 0..=2 * hours {
        other.people.touch_sessions(&installation(), &[(used.id, at(hour * HOUR))]).await.expect("touches");
        other.directory.sweep(&installation(), at(hour * HOUR)).await.expect("sweeps");
    }
    assert!(!is_signed_in(one, &idle).await && is_signed_in(one, &used).await);
    assert_eq!(one.people.find_link(made.hash).await.expect("finds"), None);
    assert_eq!(version(one.directory).await, before, "that is no change");
}
