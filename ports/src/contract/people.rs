//! People: users with their passwords, sessions and once-links, on two nodes.

use futures_util::future::{join, join_all};

use super::directory::{add_tenants, verify, version};
use super::sample::{
    at, filled_user, id, installation, link, maintaining, name, password, session, signed_in, user, uuid,
};
use crate::directory::{Directory, SweepState, Versioned};
use crate::people::{AuthenticatedUser, Locale, People, Rights, Session, SignInName, User};
use crate::repo::Page;
use crate::store::{Conflict, StoreError, Verification};
use crate::{UserId, Version};

/// A directory and what keeps people beside it, as one node has them.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "adapters owe none")]
pub struct Node<'a> {
    /// What is tried.
    pub people: &'a dyn People,
    /// The directory beside it.
    pub directory: &'a dyn Directory,
}

type Nodes<'a> = [Node<'a>; 2];

async fn add(node: Node<'_>, user: User, number: u64) -> Versioned<User> {
    let grant = maintaining(1).to_write_credentials();
    let version = node.people.add_user(&grant, user.clone(), Some(password(number))).await.expect("adds");
    Versioned { value: user, version }
}

/// Two tenants, and users 1 and 2 of the first, who may administer it.
async fn two_users(node: Node<'_>) -> [Versioned<User>; 2] {
    add_tenants(node.directory).await;
    [add(node, user(1, 1), 1).await, add(node, user(2, 1), 2).await]
}

async fn begin(node: Node<'_>, user: &AuthenticatedUser, number: u64, seconds: i64) -> Session {
    let one = session(number, user.user(), seconds);
    node.people.begin_session(user, one.clone(), None).await.expect("begins");
    one
}

async fn find(node: Node<'_>, id: UserId) -> Option<Versioned<User>> {
    node.people.find_user(&maintaining(1).to_read_credentials(), id).await.expect("finds")
}

async fn is_signed_in(node: Node<'_>, session: &Session) -> bool {
    node.people.find_session(session.hash).await.expect("finds").is_some()
}

fn conflict<T: std::fmt::Debug>(refused: Result<T, StoreError>) -> Conflict {
    match refused {
        Err(StoreError::Conflict(conflict)) => conflict,
        other => unreachable!("expected a conflict, got {other:?}"),
    }
}

pub async fn a_user_is_found_as_it_was_added([one, other]: Nodes<'_>) {
    add_tenants(one.directory).await;
    assert!(!one.people.has_users(id(1)).await.expect("looks"));
    for (number, added) in [(1, user(1, 1)), (2, filled_user(2, 1))] {
        let there = Some(add(one, added.clone(), number).await);
        assert_eq!(there.as_ref().map(|there| there.version.0), Some(version(one.directory).await));
        assert_eq!(find(other, added.id).await, there);
        let by_name = SignInName::parse(&added.name.as_str().to_uppercase()).expect("a name");
        assert_eq!(other.people.find_user_by_name(id(1), &by_name).await.expect("finds"), there);
        assert_eq!(other.people.find_user_by_name(id(2), &by_name).await.expect("finds"), None, "another's");
        if let Some(identity) = &added.identity {
            assert_eq!(other.people.find_user_by_identity(id(1), identity).await.expect("finds"), there);
            assert_eq!(other.people.find_user_by_identity(id(2), identity).await.expect("finds"), None, "another's");
        }
        assert_eq!(other.people.find_password(added.id).await.expect("finds"), Some(password(number)));
        let others = maintaining(2).to_read_credentials();
        assert_eq!(other.people.find_user(&others, added.id).await.expect("finds"), None, "another's");
    }
    assert!(other.people.has_users(id(1)).await.expect("looks"));
    assert!(!other.people.has_users(id(2)).await.expect("looks"));
    let listing = other.people.list_users(&maintaining(1).to_read_credentials(), Page::FIRST).await.expect("lists");
    assert_eq!(listing.map(|user| user.value).data, [user(1, 1), filled_user(2, 1)]);
    let Verification { records, findings, .. } = verify(other.directory).await;
    assert_eq!((records, findings), (4, vec![]));
}

pub async fn a_name_or_an_identity_that_another_user_of_the_tenant_has_is_refused([one, other]: Nodes<'_>) {
    add_tenants(one.directory).await;
    add(one, filled_user(1, 1), 1).await;
    let second = add(one, user(2, 1), 2).await;
    let before = version(one.directory).await;
    let grant = maintaining(1).to_write_credentials();
    let same_name = User { name: user(1, 1).name, ..user(3, 1) };
    let same_identity = User { identity: filled_user(1, 1).identity, ..user(3, 1) };
    let holder = uuid(1);
    let refused = other.people.add_user(&grant, same_name, Some(password(3))).await;
    assert_eq!(conflict(refused), Conflict::UserName { holder });
    let refused = other.people.add_user(&grant, same_identity, Some(password(3))).await;
    assert_eq!(conflict(refused), Conflict::UserIdentity { holder });
    let renamed = User { name: user(1, 1).name, ..second.value };
    assert_eq!(
        conflict(other.people.update_user(&grant, renamed, second.version).await),
        Conflict::UserName { holder }
    );
    let again = User { name: user(9, 1).name, ..user(1, 1) };
    assert_eq!(conflict(other.people.add_user(&grant, again, Some(password(1))).await), Conflict::Exists(holder));
    assert_eq!(version(other.directory).await, before);
    let elsewhere = maintaining(2).to_write_credentials();
    let of_another = User { id: id(4), ..filled_user(1, 2) };
    other.people.add_user(&elsewhere, of_another, Some(password(1))).await.expect("another tenant's name is free");
    let nowhere = maintaining(9).to_write_credentials();
    let refused = other.people.add_user(&nowhere, user(5, 9), Some(password(5))).await;
    assert_eq!(conflict(refused), Conflict::NoTenant(id(9)));
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn a_user_is_written_by_a_grant_of_its_tenant_alone([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let begun = begin(one, &signed_in(first.clone()), 1, 10).await;
    let before = version(one.directory).await;
    let others = maintaining(2).to_write_credentials();
    assert!(other.people.add_user(&others, user(3, 1), Some(password(3))).await.is_err());
    assert!(other.people.update_user(&others, first.value.clone(), first.version).await.is_err());
    let moved = User { tenant: id(2), ..first.value.clone() };
    let stale = other.people.update_user(&others, moved, first.version).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert!(!other.people.remove_user(&others, id(1), None).await.expect("looks"));
    assert!(!other.people.end_session(&others, begun.id, at(20)).await.expect("looks"));
    assert!(other.people.add_link(&others, link(1, &first.value, 10)).await.is_err());
    let sessions = other.people.list_sessions(&others.to_read(), id(1)).await.expect("lists");
    assert_eq!((sessions, version(one.directory).await), (vec![], before));
    assert!(is_signed_in(one, &begun).await);
}

pub async fn a_user_is_updated_as_it_was_seen([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let grant = maintaining(1).to_write_credentials();
    let changed = User { rights: Rights::parse("viewer").expect("a role"), ..first.value.clone() };
    let next = one.people.update_user(&grant, changed.clone(), first.version).await.expect("updates");
    let stale = other.people.update_user(&grant, first.value.clone(), first.version).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "what was lowered does not come back: {stale:?}");
    assert_eq!(find(other, id(1)).await, Some(Versioned { value: changed, version: next }));
    let stale = other.people.remove_user(&grant, id(1), Some(first.version)).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert!(other.people.remove_user(&grant, id(1), Some(next)).await.expect("removes"));
    assert_eq!((find(one, id(1)).await, one.people.find_password(id(1)).await.expect("finds")), (None, None));
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn the_last_user_who_may_administer_a_tenant_stays([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let grant = maintaining(1).to_write_credentials();
    let lowered =
        |user: &Versioned<User>| User { rights: Rights::parse("editor").expect("a role"), ..user.value.clone() };
    let version = one.people.update_user(&grant, lowered(&second), second.version).await.expect("one is left");
    let before = one.directory.version().await.expect("reads");
    let disabled = User { disabled: Some(at(9)), ..first.value.clone() };
    for refused in [lowered(&first), disabled] {
        assert_eq!(conflict(other.people.update_user(&grant, refused, first.version).await), Conflict::LastAdmin);
    }
    assert_eq!(conflict(other.people.remove_user(&grant, id(1), None).await), Conflict::LastAdmin);
    assert_eq!(one.directory.version().await.expect("reads"), before);
    one.people.update_user(&grant, second.value, version).await.expect("raises the other");
    assert!(other.people.remove_user(&grant, id(1), None).await.expect("removes"));
}

pub async fn a_user_that_is_taken_back_is_gone_also_as_the_last([one, other]: Nodes<'_>) {
    add_tenants(one.directory).await;
    let only = add(one, user(1, 1), 1).await;
    let begun = begin(one, &signed_in(only), 1, 10).await;
    assert!(!other.people.take_back_user(&maintaining(2), id(1)).await.expect("looks"), "another's");
    assert!(other.people.take_back_user(&maintaining(1), id(1)).await.expect("takes back"));
    assert_eq!((find(one, id(1)).await, is_signed_in(one, &begun).await), (None, false));
    assert!(!other.people.take_back_user(&maintaining(1), id(1)).await.expect("looks"));
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn of_two_admins_that_are_removed_at_the_same_time_one_stays([one, other]: Nodes<'_>) {
    two_users(one).await;
    let grant = maintaining(1).to_write_credentials();
    let (first, second) =
        join(one.people.remove_user(&grant, id(1), None), other.people.remove_user(&grant, id(2), None)).await;
    assert!(first.is_ok() != second.is_ok(), "{first:?} {second:?}");
    assert!(one.people.has_users(id(1)).await.expect("looks"));
}

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

pub async fn a_link_signs_in_once([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let grant = maintaining(1).to_write_credentials();
    let before = version(one.directory).await;
    let made = link(7, &first.value, 10);
    one.people.add_link(&grant, made.clone()).await.expect("adds");
    assert_eq!(version(one.directory).await, before);
    assert_eq!(other.people.find_link(made.hash).await.expect("finds"), Some((made.clone(), first.clone())));
    let user = signed_in(first.clone());
    let others = signed_in(second.clone());
    let anothers = other.people.redeem_link(&others, made.hash, at(20), session(1, &second.value, 20), None).await;
    assert!(!anothers.expect("looks"), "another's");
    let late = other.people.redeem_link(&user, made.hash, made.expires, session(1, &first.value, 20), None).await;
    assert!(!late.expect("looks"), "it has run out");
    let begun = session(1, &first.value, 20);
    assert!(other.people.redeem_link(&user, made.hash, at(20), begun.clone(), None).await.expect("redeems"));
    assert_eq!(version(one.directory).await, before + 1);
    assert!(is_signed_in(one, &begun).await);
    let again = session(2, &first.value, 21);
    assert!(
        !one.people.redeem_link(&user, made.hash, at(21), again.clone(), None).await.expect("looks"),
        "a second time"
    );
    assert!(!is_signed_in(other, &again).await);
    let used = other.people.find_link(made.hash).await.expect("finds").map(|(link, _)| link.used);
    assert_eq!((used, version(one.directory).await), (Some(Some(at(20))), before + 1));
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn a_new_link_takes_the_place_of_the_users_earlier_ones([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let grant = maintaining(1).to_write_credentials();
    for (number, of) in [(1, &first), (2, &second), (3, &first)] {
        one.people.add_link(&grant, link(number, &of.value, 10)).await.expect("adds");
    }
    for (number, is_there) in [(1, false), (2, true), (3, true)] {
        let found = other.people.find_link(link(number, &first.value, 10).hash).await.expect("finds");
        assert_eq!(found.is_some(), is_there, "{number}");
    }
    let refused = other.people.add_link(&grant, link(4, &user(9, 1), 10)).await;
    assert_eq!(conflict(refused), Conflict::NoUser(id(9)));
}

pub async fn of_many_uses_of_a_link_on_both_nodes_one_succeeds(nodes: Nodes<'_>) {
    let [first, _] = two_users(nodes[0]).await;
    let grant = maintaining(1).to_write_credentials();
    let made = link(50, &first.value, 10);
    nodes[0].people.add_link(&grant, made.clone()).await.expect("adds");
    let user = signed_in(first.clone());
    let uses = (1..=6_u64).map(|number| {
        let node = nodes[usize::from(number % 2 == 0)];
        node.people.redeem_link(&user, made.hash, at(20), session(number, &first.value, 20), None)
    });
    let redeemed = join_all(uses).await.into_iter().filter(|done| matches!(done, Ok(true))).count();
    assert_eq!(redeemed, 1);
    assert_eq!(nodes[1].people.list_own_sessions(&user).await.expect("lists").len(), 1);
}

pub async fn a_user_changes_its_own_password_and_stays_signed_in_where_it_did([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let user = signed_in(first.clone());
    let [here, elsewhere] = [begin(one, &user, 1, 10).await, begin(one, &user, 2, 10).await];
    let changed = User { password: Some(password(8).digest()), updated: at(30), ..first.value.clone() };
    let renewed = session(3, &first.value, 30);
    let version =
        one.people.update_own(&user, changed.clone(), Some(password(8)), Some(renewed.clone())).await.expect("updates");
    assert_eq!(find(other, id(1)).await, Some(Versioned { value: changed, version }));
    assert_eq!(other.people.find_password(id(1)).await.expect("finds"), Some(password(8)));
    assert!(!is_signed_in(other, &here).await && !is_signed_in(other, &elsewhere).await);
    assert!(is_signed_in(other, &renewed).await);
    let stale = other.people.update_own(&user, first.value.clone(), None, None).await;
    assert!(stale.is_err(), "an older copy brings no password back: {stale:?}");
    assert_eq!(verify(one.directory).await.findings, []);
}

pub async fn a_user_changes_nothing_else_of_itself([one, other]: Nodes<'_>) {
    let [first, second] = two_users(one).await;
    let user = signed_in(first.clone());
    let before = version(one.directory).await;
    for changed in [
        User { rights: Rights::parse("viewer").expect("a role"), ..first.value.clone() },
        User { name: SignInName::parse("other").expect("a name"), ..first.value.clone() },
        User { identity: filled_user(1, 1).identity, ..first.value.clone() },
        User { disabled: Some(at(1)), ..first.value.clone() },
        second.value.clone(),
        User { password: Some(password(8).digest()), ..first.value.clone() },
    ] {
        let refused = other.people.update_own(&user, changed, None, None).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
    let other_password = User { password: Some(password(8).digest()), ..first.value.clone() };
    assert!(other.people.update_own(&user, other_password, Some(password(9)), None).await.is_err());
    assert_eq!(version(one.directory).await, before);
    let begun = begin(one, &user, 1, 10).await;
    let called = User { display: name("Ana"), locale: Locale::parse("en").ok(), ..first.value };
    let next = other.people.update_own(&user, called, None, None).await.expect("updates");
    assert_eq!(next, Version(version(one.directory).await));
    assert!(is_signed_in(one, &begun).await, "it stays signed in");
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

pub async fn a_removed_tenant_takes_its_users([one, other]: Nodes<'_>) {
    let [first, _] = two_users(one).await;
    let grant = maintaining(2).to_write_credentials();
    other.people.add_user(&grant, user(3, 2), Some(password(3))).await.expect("adds");
    let begun = begin(one, &signed_in(first.clone()), 1, 10).await;
    let made = link(1, &first.value, 10);
    one.people.add_link(&maintaining(1).to_write_credentials(), made.clone()).await.expect("adds");
    assert!(one.directory.remove_tenant(&maintaining(1)).await.expect("removes"));
    assert_eq!((find(other, id(1)).await, find(other, id(2)).await), (None, None));
    assert!(!is_signed_in(other, &begun).await);
    assert_eq!(other.people.find_link(made.hash).await.expect("finds"), None);
    assert_eq!(other.people.find_password(id(1)).await.expect("finds"), None);
    assert!(other.people.has_users(id(2)).await.expect("looks"));
    let Verification { records, findings, .. } = verify(other.directory).await;
    assert_eq!((records, findings), (2, vec![]));
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
