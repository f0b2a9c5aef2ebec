//! Once-links, on two nodes: each begins one session.

use futures_util::future::join_all;

use super::directory::{verify, version};
use super::people::{Nodes, conflict, is_signed_in, two_users};
use super::sample::{at, id, link, maintaining, session, signed_in, user};
use crate::store::Conflict;

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
