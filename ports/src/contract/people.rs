//! Users with their passwords, on two nodes.

use futures_util::future::join;

use super::directory::{add_tenants, verify, version};
use super::sample::{at, filled_user, id, link, maintaining, name, password, session, signed_in, user, uuid};
use crate::directory::{Directory, Versioned};
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

pub(super) type Nodes<'a> = [Node<'a>; 2];

async fn add(node: Node<'_>, user: User, number: u64) -> Versioned<User> {
    let grant = maintaining(1).to_write_credentials();
    let version = node.people.add_user(&grant, user.clone(), Some(password(number))).await.expect("adds");
    Versioned { value: user, version }
}

/// Two tenants, and users 1 and 2 of the first, who may administer it.
pub(super) async fn two_users(node: Node<'_>) -> [Versioned<User>; 2] {
    add_tenants(node.directory).await;
    [add(node, user(1, 1), 1).await, add(node, user(2, 1), 2).await]
}

pub(super) async fn begin(node: Node<'_>, user: &AuthenticatedUser, number: u64, seconds: i64) -> Session {
    let one = session(number, user.user(), seconds);
    node.people.begin_session(user, one.clone(), None).await.expect("begins");
    one
}

pub(super) async fn find(node: Node<'_>, id: UserId) -> Option<Versioned<User>> {
    node.people.find_user(&maintaining(1).to_read_credentials(), id).await.expect("finds")
}

pub(super) async fn is_signed_in(node: Node<'_>, session: &Session) -> bool {
    node.people.find_session(session.hash).await.expect("finds").is_some()
}

pub(super) fn conflict<T: std::fmt::Debug>(refused: Result<T, StoreError>) -> Conflict {
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
